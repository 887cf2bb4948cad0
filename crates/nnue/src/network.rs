//! Network: immutable weights for inference, shared between threads; a process can hold several.

use alloc::string::String;

use crate::accumulator::{AccumulatorMut, AccumulatorRef, AccumulatorSize};
use crate::float::{FloatNetwork, FloatWorkspace};
use crate::integer::{IntegerNetwork, IntegerWorkspace};
use crate::noru::{NoruNetwork, NoruWorkspace};
use crate::stockfish::{StockfishNetwork, StockfishWorkspace};
use crate::transformer::QuickUpdate;
use crate::{
    Accumulator, Architecture, Arithmetic, Calibration, FittedParams, FloatParameters,
    IntegerParameters, Kernel, NetworkError, ScoreModel,
};

mod evaluate;
mod value;

use value::ValueReader;

/// The arithmetic that a network is evaluated with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// accrue's own; bullet's is a special case of it.
    Accrue,
    /// That of the crate `noru`: accumulators saturate, and values are in its own unit, not
    /// centipawns.
    Noru,
    /// That of Stockfish 15.
    Stockfish,
}

/// The difference between an integer network and its float original, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuantisationError {
    /// The number of positions that it was measured on.
    pub positions: u64,
    /// The mean of the absolute differences.
    pub mean: f32,
    /// The largest absolute difference.
    pub max: f32,
}

/// A network for inference.
///
/// ```
/// use nnue::{Accumulator, IntegerParameters, Network};
///
/// // Equal weights for all features: a network that counts pieces. Usually a file has them:
/// // `Network::from_bytes(&std::fs::read("net.accrue")?)`.
/// let architecture = "(18→16)×2→1 crelu".parse()?;
/// let parameters = IntegerParameters::generate(&architecture, || 20, || 0, || 10, || 0);
/// let network = Network::from_integers(architecture, &parameters)?;
///
/// let [mut few, mut many] = [Accumulator::new(&network), Accumulator::new(&network)];
/// network.refresh(&mut few, &[4]);
/// network.update(&few, &mut many, &[5, 6], &[]); // features added and removed
///
/// let mut workspace = network.workspace(); // one for each thread
/// let (side_to_move, pieces) = (0, 3);
/// let value = network.evaluate([&few, &few], side_to_move, pieces, &mut workspace);
/// assert!(network.evaluate([&many, &few], side_to_move, pieces, &mut workspace) > value);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Network {
    architecture: Architecture,
    body: Body,
    value: Option<ValueReader>,
    accumulator_size: AccumulatorSize,
    kernel: Kernel,
    provenance: String,
    quantisation_error: Option<QuantisationError>,
    calibration: Option<Calibration>,
    score_model: Option<ScoreModel>,
    fitted_params: Option<FittedParams>,
}

#[derive(Clone, Debug)]
enum Body {
    Integer(IntegerNetwork),
    Float(FloatNetwork),
    Noru(NoruNetwork),
    Stockfish(StockfishNetwork),
}

impl Body {
    fn accumulator_size(&self) -> AccumulatorSize {
        match self {
            Self::Integer(network) => {
                AccumulatorSize { blocks: network.transformer.blocks(), fixed: 0 }
            }
            Self::Float(network) => AccumulatorSize { blocks: 0, fixed: network.width() },
            Self::Noru(network) => network.accumulator_size(),
            Self::Stockfish(network) => network.accumulator_size(),
        }
    }
}

/// The buffers of evaluations. Each thread needs its own.
#[derive(Clone, Debug)]
pub struct Workspace(WorkspaceBody);

#[derive(Clone, Debug)]
enum WorkspaceBody {
    Integer(IntegerWorkspace),
    Float(FloatWorkspace),
    Noru(NoruWorkspace),
    Stockfish(StockfishWorkspace),
}

impl Network {
    /// A network that is evaluated in integers.
    pub fn from_integers(
        architecture: Architecture,
        parameters: &IntegerParameters,
    ) -> Result<Self, NetworkError> {
        parameters.check(&architecture)?;
        if architecture.arithmetic() == Arithmetic::Float {
            let expected = "activations that integers can do: crelu, screlu, pairwise";
            return Err(NetworkError::field("architecture", &architecture, expected));
        }
        let body = Body::Integer(IntegerNetwork::new(&architecture, parameters));
        Ok(Self::with_body(architecture, body))
    }

    /// A network that is evaluated in floats.
    pub fn from_floats(
        architecture: Architecture,
        parameters: &FloatParameters,
    ) -> Result<Self, NetworkError> {
        parameters.check(&architecture)?;
        let body = Body::Float(FloatNetwork::new(&architecture, parameters)?);
        Ok(Self::with_body(architecture, body))
    }

    pub(crate) fn from_noru(architecture: Architecture, network: NoruNetwork) -> Self {
        Self::with_body(architecture, Body::Noru(network))
    }

    pub(crate) fn from_stockfish(architecture: Architecture, network: StockfishNetwork) -> Self {
        Self::with_body(architecture, Body::Stockfish(network))
    }

    fn with_body(architecture: Architecture, body: Body) -> Self {
        Self {
            value: ValueReader::new(&architecture),
            accumulator_size: body.accumulator_size(),
            architecture,
            body,
            kernel: Kernel::best(),
            provenance: String::new(),
            quantisation_error: None,
            calibration: None,
            score_model: None,
            fitted_params: None,
        }
    }

    /// The same network with another provenance.
    #[must_use]
    pub fn with_provenance(
        mut self,
        provenance: String,
        quantisation_error: Option<QuantisationError>,
    ) -> Self {
        self.provenance = provenance;
        self.quantisation_error = quantisation_error;
        self
    }

    /// The same network with a calibration. The caller applies it.
    #[must_use]
    pub fn with_calibration(mut self, calibration: Option<Calibration>) -> Self {
        self.calibration = calibration;
        self
    }

    /// The same network with the win-rate model of its scores.
    #[must_use]
    pub fn with_score_model(mut self, score_model: Option<ScoreModel>) -> Self {
        self.score_model = score_model;
        self
    }

    /// The same network with search parameters that were fitted for it. The caller applies them.
    /// Empty ones count as none.
    #[must_use]
    pub fn with_fitted_params(mut self, params: Option<FittedParams>) -> Self {
        self.fitted_params = params.filter(|params| !params.is_empty());
        self
    }

    /// The same network with another kernel than the best one. Results are identical.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Self {
        self.kernel = kernel;
        self
    }

    /// The architecture of the network.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The arithmetic of the network.
    pub fn dialect(&self) -> Dialect {
        match self.body {
            Body::Integer(_) | Body::Float(_) => Dialect::Accrue,
            Body::Noru(_) => Dialect::Noru,
            Body::Stockfish(_) => Dialect::Stockfish,
        }
    }

    /// Whether it is evaluated in floats.
    pub fn is_float(&self) -> bool {
        matches!(self.body, Body::Float(_))
    }

    /// The kernel that evaluates it.
    pub fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// How the network was made, according to its file.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// The difference between the network and its float original, according to its file.
    pub fn quantisation_error(&self) -> Option<QuantisationError> {
        self.quantisation_error
    }

    /// The calibration of quantiles and policy, according to the file.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.calibration.as_ref()
    }

    /// The win-rate model, which maps scores to centipawns and to win, draw and loss, according to
    /// the file. `None` if it was not fitted; callers then use a model of the game.
    pub fn score_model(&self) -> Option<&ScoreModel> {
        self.score_model.as_ref()
    }

    /// The search parameters that were fitted for the network, according to the file. `None` if
    /// there are none; callers then use the defaults of the search.
    pub fn fitted_params(&self) -> Option<&FittedParams> {
        self.fitted_params.as_ref()
    }

    /// Creates a workspace for evaluations of this network.
    pub fn workspace(&self) -> Workspace {
        Workspace(match &self.body {
            Body::Integer(network) => WorkspaceBody::Integer(network.workspace()),
            Body::Float(_) => WorkspaceBody::Float(FloatWorkspace::default()),
            Body::Noru(network) => WorkspaceBody::Noru(network.workspace()),
            Body::Stockfish(network) => WorkspaceBody::Stockfish(network.workspace()),
        })
    }

    /// Sets `accumulator` to the sum of the active features.
    ///
    /// # Panics
    ///
    /// If a feature is not below the architecture's `inputs`, or the accumulator belongs to another
    /// network.
    pub fn refresh(&self, accumulator: &mut Accumulator, active: &[u32]) {
        self.own_size(accumulator);
        self.refresh_accumulator(accumulator.borrowed_mut(), active);
    }

    /// Sets `child` to `parent` with features added and removed.
    ///
    /// # Panics
    ///
    /// If a feature is not below the architecture's `inputs`, or an accumulator belongs to another
    /// network.
    #[inline]
    pub fn update(
        &self,
        parent: &Accumulator,
        child: &mut Accumulator,
        added: &[u32],
        removed: &[u32],
    ) {
        self.own_size(parent);
        self.own_size(child);
        self.update_accumulator(child.borrowed_mut(), parent.borrowed(), added, removed);
    }

    /// # Panics
    ///
    /// If the accumulator belongs to another network.
    #[inline(always)]
    fn own_size(&self, accumulator: &Accumulator) {
        assert!(
            accumulator.size() == self.accumulator_size(),
            "the accumulator is of another network"
        );
    }

    #[inline(always)]
    pub(crate) fn accumulator_size(&self) -> AccumulatorSize {
        self.accumulator_size
    }

    /// The update of both perspectives at once, if the network supports it.
    #[inline(always)]
    pub(crate) fn quick_update(&self) -> Option<QuickUpdate<'_>> {
        match &self.body {
            Body::Integer(network) => Some(QuickUpdate {
                rows: network.transformer.rows(),
                psqt: &[],
                kernel: self.kernel,
            }),
            Body::Stockfish(network) => Some(network.quick_update(self.kernel)),
            Body::Float(_) | Body::Noru(_) => None,
        }
    }

    #[inline]
    pub(crate) fn refresh_accumulator(&self, perspective: AccumulatorMut<'_>, active: &[u32]) {
        match &self.body {
            Body::Integer(network) => {
                network.transformer.refresh(self.kernel, perspective.values, active);
            }
            Body::Float(network) => network.refresh(perspective.fixed, active),
            Body::Noru(network) => network.refresh(self.kernel, perspective, active),
            Body::Stockfish(network) => network.refresh(self.kernel, perspective, active),
        }
    }

    #[inline(always)]
    pub(crate) fn update_accumulator(
        &self,
        child: AccumulatorMut<'_>,
        parent: AccumulatorRef<'_>,
        added: &[u32],
        removed: &[u32],
    ) {
        match &self.body {
            Body::Integer(network) => {
                let (child, parent) = (child.values, parent.values);
                network.transformer.update(self.kernel, child, parent, added, removed);
            }
            Body::Float(network) => {
                child.fixed.copy_from_slice(parent.fixed);
                network.update_in_place(child.fixed, added, removed);
            }
            Body::Noru(network) => network.update(self.kernel, child, parent, added, removed),
            Body::Stockfish(network) => {
                network.update(self.kernel, child, parent, added, removed);
            }
        }
    }
}
