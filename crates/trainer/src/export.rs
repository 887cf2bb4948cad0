//! Quantisation: from the floats of training to the integers of engines.
//!
//! [`quantise`] chooses what 1.0 is in each layer, rounds, and proves that no sum can leave its integers, whatever
//! the position. [`measure`] tells how far the result is from the floats on positions, [`ErrorReport::check`] whether
//! that is near enough. `docs/quantisation.md` describes the arithmetic.

use dataset::GameList;
use games::FeatureSetError;
use nnue::{
    Architecture, Arithmetic, FileParameters, FloatParameters, NetworkError, NetworkFile,
    QuantisationError,
};
use serde::Serialize;

mod accumulator;
mod floats;
mod layer;
mod layers;
mod measure;
mod positions;
mod proof;
mod round;

pub use floats::floats_of;
pub use measure::{ErrorBound, ErrorReport, Errors, INSIDE, PolicyErrors, measure};
pub use positions::random_positions;

/// What may be asked of [`quantise`]. What is not asked for is chosen from the weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Floats, even where integers would do.
    pub float: bool,
    /// 1.0 in the accumulator. Chosen: the largest up to 255 that no sum overflows with.
    pub accumulator: Option<i16>,
    /// 1.0 in the weights of all hidden layers is 2 to this power; weights beyond are clipped and counted.
    /// Chosen: the largest power for each layer that clips none.
    pub hidden_shift: Option<u32>,
    /// The same for the policy head.
    pub policy_shift: Option<u32>,
    /// 1.0 in the weights of the other heads. Chosen: a power of two, 64 or more where that fits.
    pub head: Option<i16>,
}

/// A network that can be written.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// What it is, its scales chosen.
    pub architecture: Architecture,
    /// Its weights, in integers where integers can evaluate it.
    pub parameters: FileParameters,
    /// What became of each layer; nothing for floats.
    pub layers: Vec<LayerReport>,
}

/// What became of the weights of a layer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerReport {
    /// Its name, as the trainer has it: `accumulator`, `hidden.0`, …, `value`, `wdl`, `quantiles`, `policy`.
    pub name: String,
    /// What a weight of 1.0 has become.
    pub one: f64,
    /// How many weights there are.
    pub weights: usize,
    /// The largest of them, in size.
    pub largest: f32,
    /// How many did not fit and were clipped.
    pub clipped: usize,
    /// The most that clipping took from a weight.
    pub cut: f32,
    /// No sum is larger than this in size, whatever the position.
    pub reach: i64,
    /// The neuron whose sum can be as large.
    pub neuron: usize,
    /// Where the integers of the sums end.
    pub limit: i64,
}

/// Why a network is not exported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    /// The weights are not those of the architecture, or the result is no network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The feature set is unknown, so that nobody can tell which features are active together.
    #[error(transparent)]
    FeatureSet(#[from] FeatureSetError),
    /// The feature set is known, but of another size.
    #[error(
        "the network has {network} inputs, but feature set `{name}` has {set}: it was made for another version of it"
    )]
    Inputs {
        /// The feature set.
        name: String,
        /// How many features it has.
        set: usize,
        /// How many inputs the network has.
        network: usize,
    },
    /// A weight is no number.
    #[error(
        "weight {index} of layer `{layer}` is {value}: training has diverged; go back to an earlier checkpoint"
    )]
    NotFinite {
        /// The layer.
        layer: String,
        /// The place of the weight in it.
        index: usize,
        /// What stands there.
        value: f32,
    },
    /// A sum could overflow.
    #[error(
        "layer `{layer}`, neuron {neuron}: its sum can reach {bound} with {one} for 1.0, but must not exceed {limit}; \
         clip the weights of this layer in training, or choose a smaller scale"
    )]
    Overflow {
        /// The layer.
        layer: String,
        /// The neuron, over all buckets.
        neuron: usize,
        /// How large its sum can be.
        bound: i64,
        /// How large it may be.
        limit: i64,
        /// What 1.0 is in the layer's weights.
        one: i64,
    },
    /// The integers are too far from the floats.
    #[error(
        "the integer network is off by {mean:.2} centipawns on average and {max} at most, on \
         {positions} positions; allowed are {} and {}. Clip the weights in training so that the \
         scales can be larger, allow a larger error, or export floats", bound.mean, bound.max
    )]
    TooFar {
        /// The mean of the absolute differences.
        mean: f32,
        /// The largest.
        max: f32,
        /// On how many positions.
        positions: u64,
        /// What was allowed.
        bound: ErrorBound,
    },
}

impl Export {
    /// The network as it is stored.
    pub fn into_file(
        self,
        provenance: String,
        error: Option<&ErrorReport>,
    ) -> Result<NetworkFile, NetworkError> {
        let error = error.map(|report| QuantisationError {
            positions: report.positions,
            mean: report.value.mean,
            max: report.value.max,
        });
        NetworkFile::new(self.architecture, self.parameters, provenance, error)
    }
}

/// Quantises a network, or hands on its floats where there are no integers for it. Which features
/// exclude each other follows from the feature set, of one of `games`.
pub fn quantise(
    architecture: &Architecture,
    parameters: &FloatParameters,
    options: &ExportOptions,
    games: &GameList,
) -> Result<Export, ExportError> {
    parameters.check(architecture)?;
    layers::check_finite(architecture, parameters)?;
    if options.float || architecture.arithmetic() == Arithmetic::Float {
        return Ok(Export {
            architecture: architecture.clone(),
            parameters: FileParameters::Float(parameters.clone()),
            layers: Vec::new(),
        });
    }
    let accumulator = accumulator::quantise(architecture, parameters, options, games)?;
    layers::quantise(architecture, parameters, options, accumulator)
}
