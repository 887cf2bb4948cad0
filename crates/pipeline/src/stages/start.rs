//! Start network: a network without training, with material or random weights.

use std::path::{Path, PathBuf};

use dataset::GameList;
use games::{Color, FeatureSet, PerspectiveCount, Random, ToolkitGame};
use nnue::{Architecture, FloatParameters, NetworkFile, ScoreModel};
use search::Linear;
use trainer::export::{ExportOptions, quantise};
use trainer::{Config, first_learner};

use crate::{CommandLine, Context, PipelineError, files};

/// Writes a network that is not trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartNetwork {
    /// Its weights.
    pub weights: StartWeights,
    /// The file to write.
    pub out: PathBuf,
}

/// The weights of a network that is not trained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartWeights {
    /// The material evaluation of a game.
    Material {
        /// The name of the game.
        game: String,
    },
    /// Random weights, as a training starts with them.
    Random {
        /// The configuration of the training.
        config: PathBuf,
    },
}

impl StartNetwork {
    /// The equivalent command line.
    pub fn command(&self) -> CommandLine {
        let command = CommandLine::new("net start");
        let command = match &self.weights {
            StartWeights::Material { game } => command.option("game", game),
            StartWeights::Random { config } => command.option("random", config.display()),
        };
        command.option("out", self.out.display())
    }

    /// Writes the network. `G` is the game of the material evaluation.
    pub fn run<G: ToolkitGame>(&self, context: &Context<'_>) -> Result<(), PipelineError> {
        let file = match &self.weights {
            StartWeights::Material { game } if game != G::NAME => {
                let fault = format!("is `{game}`; expected `{}`", G::NAME);
                return Err(PipelineError::field("game", fault));
            }
            StartWeights::Material { .. } => material_network::<G>()?,
            StartWeights::Random { config } => random_network(config, context.games)?,
        };
        files::replace(&self.out, &file.write())
    }
}

/// The network that evaluates positions as [`Linear::material`] does, except for rounding.
pub fn material_network<G: ToolkitGame>() -> Result<NetworkFile, PipelineError> {
    let weights = Linear::<G>::material()?;
    let name = G::feature_set_names().into_iter().next().unwrap_or_default();
    let set = G::feature_set(&name)?;
    let activation = match set.perspectives() {
        PerspectiveCount::One => "relu",
        PerspectiveCount::Two => "identity",
    };
    let settings = [
        "network.accumulator=16".to_owned(),
        format!("network.activation=\"{activation}\""),
        format!("network.features=\"{name}\""),
    ];
    let config = Config::parse("", &settings)?;
    let games = GameList::new().with::<G>();
    let architecture = config.architecture(&games)?;
    let unit = config.network.centipawns;
    let values: Vec<f32> = weights.weights().iter().map(|&value| value as f32 / unit).collect();
    let parameters = match set.perspectives() {
        PerspectiveCount::One => one_perspective(&architecture, &*set, &values)?,
        PerspectiveCount::Two => two_perspectives(&architecture, &values),
    };
    let provenance = format!("the worth of the pieces of {}", G::NAME);
    let file = quantised(&architecture, &parameters, provenance, &games)?;
    // Piece values are normalised centipawns by declaration.
    Ok(file.with_score_model(Some(ScoreModel::NORMALISED)))
}

/// The first neuron of the side to move is the material; the others are zero.
fn two_perspectives(architecture: &Architecture, values: &[f32]) -> FloatParameters {
    let width = architecture.accumulator.width;
    let mut parameters = zeros(architecture);
    for (row, &value) in parameters.feature_weights.chunks_exact_mut(width).zip(values) {
        row[0] = value;
    }
    if let Some(weight) = parameters.heads.first_mut().and_then(|head| head.weights.first_mut()) {
        *weight = 1.0;
    }
    parameters
}

/// One perspective sees White's material m, and the evaluation is for the side to move: m or −m.
/// With a bound B of |m| it is |m + B| − B for White and |m − B| − B for Black. Two neurons with
/// opposite weights and `relu` make the absolute value; the feature for the side to move makes the
/// sign of B.
fn one_perspective<G: ToolkitGame>(
    architecture: &Architecture,
    set: &dyn FeatureSet<G>,
    values: &[f32],
) -> Result<FloatParameters, PipelineError> {
    let (side_feature, side) = side_to_move_feature(set)
        .ok_or_else(|| PipelineError::NoSideToMove { features: set.name() })?;
    let bound = material_bound(set, values);
    // The sum has +B where White is to move, whichever side the feature stands for.
    let bias = if side == Color::Black { bound } else { -bound };
    let width = architecture.accumulator.width;
    let mut parameters = zeros(architecture);
    for (row, &value) in parameters.feature_weights.chunks_exact_mut(width).zip(values) {
        row[..2].copy_from_slice(&[value, -value]);
    }
    let side_row = &mut parameters.feature_weights[side_feature * width..];
    side_row[..2].copy_from_slice(&[-2.0 * bias, 2.0 * bias]);
    parameters.feature_bias[..2].copy_from_slice(&[bias, -bias]);
    if let Some(head) = parameters.heads.first_mut() {
        head.weights[..2].fill(1.0);
        head.bias.fill(-bound);
    }
    Ok(parameters)
}

/// No sum of material is larger: the largest value on each cell, for as many features as can be
/// active.
fn material_bound<G: ToolkitGame>(set: &dyn FeatureSet<G>, values: &[f32]) -> f32 {
    let mut by_cell = vec![0.0_f32; G::geometry().cells.len()];
    for (feature, value) in (0_u32..).zip(values) {
        let place = set.place(feature);
        if let Some(largest) = place.and_then(|place| by_cell.get_mut(place.cell)) {
            *largest = largest.max(value.abs());
        }
    }
    by_cell.sort_by(|a, b| b.total_cmp(a));
    let active = by_cell.len().min(set.max_active());
    // Rounding changes each weight by at most half a step, of which 1.0 has 32 or more.
    by_cell[..active].iter().sum::<f32>() + active as f32 / 64.0
}

/// Games and plies of random play in which the feature for the side to move is searched.
const PROBED_GAMES: u64 = 16;
const PROBED_PLIES: usize = 60;

/// The feature of a set with one perspective that is active if and only if one side is to move, and
/// that side.
fn side_to_move_feature<G: ToolkitGame>(set: &dyn FeatureSet<G>) -> Option<(usize, Color)> {
    let mut candidates: Vec<(u32, Color)> = (0..set.size() as u32)
        .filter(|&feature| set.place(feature).is_none())
        .flat_map(|feature| [Color::Black, Color::White].map(|side| (feature, side)))
        .collect();
    let mut active = Vec::new();
    for game in 0..PROBED_GAMES {
        let (mut random, mut position) = (Random::new(game), G::start());
        for _ply in 0..PROBED_PLIES {
            active.clear();
            set.active(&position, Color::White, &mut active);
            let to_move = position.side_to_move();
            candidates.retain(|(feature, side)| active.contains(feature) == (*side == to_move));
            let Some(&mv) = random.pick(&position.legal_moves()) else { break };
            position.play(mv);
        }
    }
    candidates.first().map(|&(feature, side)| (feature as usize, side))
}

/// A network as a training starts with it, from the training's configuration.
pub fn random_network(path: &Path, games: &GameList) -> Result<NetworkFile, PipelineError> {
    let in_file = |error: PipelineError| error.in_file(path);
    let config = Config::read(path, &[]).map_err(|error| in_file(error.into()))?;
    let base = path.parent().unwrap_or(Path::new(""));
    let learner = first_learner(&config, base, games).map_err(|error| in_file(error.into()))?;
    let provenance = format!("random weights, seed {}", config.init.seed);
    quantised(learner.architecture(), &learner.parameters(), provenance, games)
}

fn zeros(architecture: &Architecture) -> FloatParameters {
    FloatParameters::generate(architecture, || 0.0, || 0.0, || 0.0, || 0.0)
}

fn quantised(
    architecture: &Architecture,
    parameters: &FloatParameters,
    provenance: String,
    games: &GameList,
) -> Result<NetworkFile, PipelineError> {
    let export = quantise(architecture, parameters, &ExportOptions::default(), games)?;
    Ok(export.into_file(provenance, None)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_names_a_game_or_a_configuration() {
        let out = PathBuf::from("start.accrue");
        let weights = StartWeights::Material { game: "chess".into() };
        let command = StartNetwork { weights, out: out.clone() }.command();
        assert_eq!(command.to_string(), "accrue net start --game chess --out start.accrue");
        let weights = StartWeights::Random { config: "train.toml".into() };
        let command = StartNetwork { weights, out }.command();
        assert_eq!(command.to_string(), "accrue net start --random train.toml --out start.accrue");
    }
}
