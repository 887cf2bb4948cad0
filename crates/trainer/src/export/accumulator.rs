//! Accumulator quantisation: scale, weights and the range of sums of the first layer.

use dataset::GameList;
use nnue::{Architecture, FloatParameters, MAX_ACTIVATION};

use super::proof::{Exclusions, Range, largest};
use super::round::{self, Rounded, nearest};
use super::{ExportError, ExportOptions, LayerReport};

/// The scale of most engines, and the maximum that is chosen.
const USUAL_SCALE: i16 = 255;

/// The minimum scale: with less, rounding leaves little of the weights.
const MIN_SCALE: i16 = 32;

/// The layer in integers.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    pub(super) scale: i16,
    pub(super) activation_shift: u32,
    pub(super) weights: Vec<i16>,
    pub(super) bias: Vec<i16>,
    /// The range of each neuron's sum.
    pub(super) ranges: Vec<Range>,
    pub(super) report: LayerReport,
}

/// Chooses the scale, unless it is given, and proves that no sum overflows.
pub(super) fn quantise(
    architecture: &Architecture,
    parameters: &FloatParameters,
    options: &ExportOptions,
    games: &GameList,
) -> Result<Accumulator, ExportError> {
    let exclusions = Exclusions::of(&architecture.features, architecture.inputs, games)?;
    let mut scale = options.accumulator.unwrap_or(USUAL_SCALE).max(1);
    loop {
        let layer = at_scale(architecture, parameters, &exclusions, scale);
        let LayerReport { reach, limit, neuron, clipped, .. } = layer.report;
        if reach <= limit && clipped == 0 {
            return Ok(layer);
        }
        // A weight that does not fit alone has been clipped, which hides the true range of the sum.
        let alone = f64::from(layer.report.largest) * f64::from(scale);
        let bound = reach.max(alone as i64);
        // Proportional, and strictly smaller.
        let lower = (f64::from(scale) * limit as f64 / bound as f64) as i16;
        let lower = best_scale(architecture, lower.min(scale - 1));
        if options.accumulator.is_some() || lower < MIN_SCALE {
            let (layer, one) = (layer.report.name, i64::from(scale));
            return Err(ExportError::Overflow { layer, neuron, bound, limit, one });
        }
        scale = lower;
    }
}

/// Whether activations are shifted to become inputs of an integer layer.
fn is_layered(architecture: &Architecture) -> bool {
    !architecture.hidden.is_empty() || architecture.policy().is_some()
}

pub(super) fn squares(architecture: &Architecture) -> bool {
    architecture.accumulator.activation.is_product()
}

/// The minimum shift that brings activations to [`MAX_ACTIVATION`], and 1.0 after it.
fn activation_shift(architecture: &Architecture, scale: i16) -> (u32, f64) {
    let limit = u32::from(scale.unsigned_abs());
    let largest = if squares(architecture) { limit * limit } else { limit };
    let shift = (0..u32::BITS).find(|shift| largest >> shift <= MAX_ACTIVATION).unwrap_or(0);
    (shift, f64::from(largest) / f64::from(1_u32 << shift))
}

/// The offset of biases. Shifting rounds down; half a step in the bias makes it round to nearest.
/// Squares are shifted too far for that, and heads that read the accumulator itself would be off by
/// that half.
pub(super) fn half_step(architecture: &Architecture, shift: u32) -> i64 {
    let rounds = !architecture.hidden.is_empty() && !squares(architecture) && shift > 0;
    if rounds { 1 << (shift - 1) } else { 0 }
}

/// The best scale up to a limit. Where activations are shifted, a smaller one may keep more
/// precision: 127 is better than 128, which needs one more shift.
fn best_scale(architecture: &Architecture, max: i16) -> i16 {
    if !is_layered(architecture) {
        return max;
    }
    let precision = |scale: i16| activation_shift(architecture, scale).1 * f64::from(scale);
    (1..=max).max_by(|&a, &b| precision(a).total_cmp(&precision(b))).unwrap_or(max)
}

/// The layer at that scale, whether it overflows or not.
fn at_scale(
    architecture: &Architecture,
    parameters: &FloatParameters,
    exclusions: &Exclusions,
    scale: i16,
) -> Accumulator {
    let one = f64::from(scale);
    let Rounded { values: weights, clipped, cut } = round::round(&parameters.feature_weights, one);
    let (shift, _) = activation_shift(architecture, scale);
    let half = half_step(architecture, shift);
    let bias: Vec<_> = parameters.feature_bias.iter().map(|&b| nearest(b, one) + half).collect();
    let ranges = exclusions.ranges(&weights, &bias);
    let (neuron, reach) = largest(&ranges);
    let report = LayerReport {
        name: "accumulator".into(),
        one,
        weights: weights.len(),
        largest: round::largest(&parameters.feature_weights),
        clipped,
        cut,
        reach,
        neuron,
        limit: i16::MAX.into(),
    };
    // Only a layer whose sums fit is kept, and its biases are sums too.
    let bias = bias.iter().map(|&b| b.clamp(i16::MIN.into(), i16::MAX.into()) as i16).collect();
    Accumulator { scale, activation_shift: shift, weights, bias, ranges, report }
}
