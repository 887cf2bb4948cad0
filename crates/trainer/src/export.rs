//! Quantisation: converts the floats of training to the integers of engines.
//!
//! [`quantise`] chooses the scale of each layer, rounds, and proves that no sum can overflow in any
//! position. [`measure`] compares the result with the floats on positions, and
//! [`ErrorReport::check`] compares the differences with a bound. `docs/quantisation.md` describes
//! the arithmetic.

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

/// The options of [`quantise`]. Unset ones are chosen from the weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportOptions {
    /// Keep floats, even if integers are possible.
    pub float: bool,
    /// 1.0 in the accumulator. Chosen: the largest up to 255 at which no sum overflows.
    pub accumulator: Option<i16>,
    /// 1.0 in the weights of all hidden layers is 2 to this power; larger weights are clipped and
    /// counted. Chosen: the largest power for each layer that clips none.
    pub hidden_shift: Option<u32>,
    /// The same for the policy head.
    pub policy_shift: Option<u32>,
    /// 1.0 in the weights of the other heads. Chosen: a power of two, 64 or more where that fits.
    pub head: Option<i16>,
}

/// A network that can be written to a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The architecture with its scales.
    pub architecture: Architecture,
    /// The weights, in integers if integers can evaluate it.
    pub parameters: FileParameters,
    /// A report for each layer; empty for floats.
    pub layers: Vec<LayerReport>,
}

/// The quantisation of a layer.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerReport {
    /// The name of the layer in the trainer: `accumulator`, `hidden.0`, …, `value`, `wdl`,
    /// `quantiles`, `policy`.
    pub name: String,
    /// The scale of the weights: the integer for 1.0.
    pub one: f64,
    /// The number of weights.
    pub weights: usize,
    /// The maximum absolute weight.
    pub largest: f32,
    /// The number of clipped weights.
    pub clipped: usize,
    /// The maximum change of a weight by clipping.
    pub cut: f32,
    /// The maximum absolute sum in any position.
    pub reach: i64,
    /// The neuron of that sum.
    pub neuron: usize,
    /// The maximum that the integers of the sums can represent.
    pub limit: i64,
}

/// Why a network is not exported.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExportError {
    /// The weights do not match the architecture, or the result is not a valid network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// The feature set is unknown, so it is unknown which features are active together.
    #[error(transparent)]
    FeatureSet(#[from] FeatureSetError),
    /// The feature set is known, but of another size.
    #[error(
        "the network has {network} inputs, but feature set `{name}` has {set}: \
         expected the version of the set that the network was trained with"
    )]
    Inputs {
        /// The feature set.
        name: String,
        /// The number of its features.
        set: usize,
        /// The number of the network's inputs.
        network: usize,
    },
    /// A weight is not finite.
    #[error(
        "weight {index} of layer `{layer}` is {value}: training has diverged; \
         export an earlier checkpoint"
    )]
    NotFinite {
        /// The layer.
        layer: String,
        /// The index of the weight.
        index: usize,
        /// The weight.
        value: f32,
    },
    /// A sum could overflow.
    #[error(
        "layer `{layer}`, neuron {neuron}: its sum can reach {bound} with {one} for 1.0, but must not \
         exceed {limit}; clip the weights of this layer in training, or choose a smaller scale"
    )]
    Overflow {
        /// The layer.
        layer: String,
        /// The neuron, over all buckets.
        neuron: usize,
        /// The maximum of its sum.
        bound: i64,
        /// The limit.
        limit: i64,
        /// The scale of the layer's weights.
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
        /// The maximum.
        max: f32,
        /// The number of positions.
        positions: u64,
        /// The bound.
        bound: ErrorBound,
    },
}

impl Export {
    /// The network as a file.
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

/// Quantises a network, or returns its floats if it has no integer form. The feature set, of one of
/// `games`, determines which features exclude each other.
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
