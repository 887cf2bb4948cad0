//! Networks with random weights in files, and what the library says about positions through them.

use std::path::Path;

use games::{Color, ToolkitGame};
use nnue::{
    Accumulator, Architecture, Arithmetic, FileParameters, FloatParameters, IntegerParameters,
    Network, NetworkFile, Outputs, QuantisationError, Workspace,
};
use search::GameInputs;

/// Everything at once: hidden layers, all heads, buckets.
pub(crate) const FULL: &str =
    "chess.piece-square (768→32)×2→16→1+3+5+64/64 screlu,crelu buckets=pieces:8";
/// Evaluated in floats, from one view.
pub(crate) const FLOAT: &str = "chess.piece-square-stm 769→16→8→1 relu/tanh";
pub(crate) const HEXCHESS: &str = "hexchess.piece-cell (1110→16)×2→1 screlu";
/// What bullet trains.
pub(crate) const SIMPLE: &str = "chess.piece-square (768→16)×2→1 screlu";

pub(crate) const PROVENANCE: &str = "made by a test\nof two lines";

/// A generator of random numbers (xorshift), so that tests repeat.
#[derive(Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number from −`most` to `most`.
    pub(crate) fn within(&mut self, most: u32) -> i32 {
        (self.next() % (2 * u64::from(most) + 1)) as i32 - most as i32
    }

    /// A number from −1 to 1.
    pub(crate) fn unit(&mut self) -> f32 {
        self.within(1 << 20) as f32 / (1 << 20) as f32
    }
}

/// A network file of that architecture, in integers where they can do it.
pub(crate) fn native(architecture: &str) -> NetworkFile {
    let architecture: Architecture = architecture.parse().expect("an architecture");
    let parameters: FileParameters = match architecture.arithmetic() {
        Arithmetic::Integer => integers(&architecture).into(),
        Arithmetic::Float => {
            let [mut a, mut b, mut c, mut d] = [11, 12, 13, 14].map(Random);
            let weight = |random: &mut Random| random.unit() / 2.0;
            FloatParameters::generate(
                &architecture,
                || weight(&mut a),
                || weight(&mut b),
                || weight(&mut c),
                || weight(&mut d),
            )
            .into()
        }
    };
    let error = QuantisationError { positions: 1234, mean: 0.25, max: 3.5 };
    NetworkFile::new(architecture, parameters, PROVENANCE.into(), Some(error)).expect("a network")
}

/// Weights that give values of all sizes; biases fit 16 bits.
pub(crate) fn integers(architecture: &Architecture) -> IntegerParameters {
    let [mut feature, mut hidden, mut head, mut bias] = [1, 2, 3, 4].map(Random);
    IntegerParameters::generate(
        architecture,
        || feature.within(90) as i16,
        || hidden.within(60) as i8,
        || head.within(200) as i16,
        || bias.within(9000),
    )
}

/// Bullet's `quantised.bin` of [`SIMPLE`].
pub(crate) fn bullet() -> Vec<u8> {
    let parameters = integers(&SIMPLE.parse().expect("an architecture"));
    let output = &parameters.heads[0];
    let numbers = parameters.feature_weights.iter().chain(&parameters.feature_bias);
    let numbers = numbers.chain(&output.weights).copied();
    let numbers = numbers.chain(output.bias.iter().map(|&bias| bias as i16));
    let mut bytes: Vec<u8> = numbers.flat_map(i16::to_le_bytes).collect();
    bytes.resize(bytes.len().next_multiple_of(64), b'b');
    bytes
}

/// A network `(768→8)×2→1` as a matrix in JSON.
pub(crate) fn json() -> String {
    let mut random = Random(5);
    let mut many = |count: usize| -> Vec<f32> { (0..count).map(|_| random.unit() / 4.0).collect() };
    let rows: Vec<_> = (0..8).map(|_| many(768)).collect();
    let (bias, output) = (many(8), many(16));
    format!(
        r#"{{"ft.weight": {rows:?}, "ft.bias": {bias:?}, "out.weight": [{output:?}], "out.bias": [0.1]}}"#
    )
}

/// A file of the crate `noru`, written by it.
pub(crate) fn noru() -> Vec<u8> {
    use noru::config::{Activation, NnueConfig};
    let config = NnueConfig::new_owned(768, 16, vec![8], Activation::SCReLU);
    let mut weights = noru::network::NnueWeights::zeros(config);
    let mut random = Random(6);
    let layers = weights.feature_weights.iter_mut().flatten();
    let layers = layers.chain(&mut weights.feature_bias);
    let layers = layers.chain(weights.hidden_weights.iter_mut().flatten());
    for weight in layers.chain(&mut weights.output_weights) {
        *weight = random.within(80) as i16;
    }
    weights.save_to_bytes()
}

/// Writes a file into a folder; gives its path as an argument.
pub(crate) fn put(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("a temporary file can be written");
    path.to_str().expect("a path of plain text").to_owned()
}

/// A network that is asked through the library.
pub(crate) struct Library<'a, G: ToolkitGame> {
    network: &'a Network,
    inputs: GameInputs<G>,
    workspace: Workspace,
}

impl<'a, G: ToolkitGame> Library<'a, G> {
    pub(crate) fn new(network: &'a Network, set: &str) -> Self {
        let set = G::feature_set(set).expect("a feature set of the game");
        let inputs = GameInputs::from_set(set, network.architecture().inputs).expect("its inputs");
        Self { network, inputs, workspace: network.workspace() }
    }

    fn views(&self, position: &G) -> [Accumulator; 2] {
        Color::BOTH.map(|color| {
            let mut active = Vec::new();
            self.inputs.set().active(position, color, &mut active);
            let mut view = Accumulator::new(self.network);
            self.network.refresh(&mut view, &active);
            view
        })
    }

    pub(crate) fn value(&mut self, fen: &str) -> i32 {
        let position = G::from_fen(fen).expect("a position");
        let (side, pieces) = (position.side_to_move() as usize, position.piece_count());
        let views = self.views(&position);
        self.network.evaluate(views.each_ref(), side, pieces, &mut self.workspace)
    }

    pub(crate) fn in_bucket(&mut self, fen: &str, bucket: usize) -> Outputs {
        let position = G::from_fen(fen).expect("a position");
        let side = position.side_to_move() as usize;
        let views = self.views(&position);
        self.network.outputs_in_bucket(views.each_ref(), side, bucket, &mut self.workspace)
    }
}
