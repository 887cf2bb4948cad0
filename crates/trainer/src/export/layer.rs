//! Layer quantisation: rounds one layer, and proves that its sums fit.

use nnue::{Activation, MAX_ACTIVATION, Weights};

use super::proof::{Range, largest, sums};
use super::round::{self, Rounded, Stored, fitting_shift, nearest};
use super::{ExportError, LayerReport};

/// The maximum shift for 8-bit weights; more would gain no precision.
const MAX_SHIFT: u32 = 16;

/// The maximum of the sums of these layers.
const LIMIT: i64 = i32::MAX as i64;

/// The inputs of a layer.
#[derive(Clone, Debug)]
pub(super) struct Entering {
    /// The range of each input, for each bucket.
    pub(super) ranges: Vec<Vec<Range>>,
    /// The scale of 1.0 in it, after the division.
    pub(super) unit: f64,
    /// The divisor of weighted sums before the bias is added.
    pub(super) divisor: i64,
}

/// The scales of a layer's integers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    /// 1.0 in the weights.
    pub(super) weight: f64,
    /// 1.0 in the biases.
    pub(super) bias: f64,
    /// Added to each bias, so that a later shift rounds to nearest.
    pub(super) half: i64,
}

/// A quantised layer.
#[derive(Clone, Debug)]
pub(super) struct Done<T> {
    pub(super) stored: Weights<T, i32>,
    /// The ranges of its sums, for each bucket.
    pub(super) ranges: Vec<Vec<Range>>,
    pub(super) report: LayerReport,
}

/// Quantises a layer, unless a sum could overflow.
pub(super) fn quantise<T: Stored>(
    name: &str,
    weights: &Weights<f32, f32>,
    entering: &Entering,
    units: Units,
) -> Result<Done<T>, ExportError> {
    let Rounded { values, clipped, cut } = round::round::<T>(&weights.weights, units.weight);
    let bias =
        weights.bias.iter().map(|&bias| nearest(bias, units.bias).saturating_add(units.half));
    let bias: Vec<_> = bias.collect();
    let buckets = entering.ranges.len();
    let rows = values.chunks_exact((values.len() / buckets).max(1));
    let biases = bias.chunks_exact((bias.len() / buckets).max(1));
    let (mut ranges, mut reaches) = (Vec::new(), Vec::new());
    for ((inputs, rows), bias) in entering.ranges.iter().zip(rows).zip(biases) {
        let plain = sums(rows, &vec![0; bias.len()], inputs);
        let whole = plain
            .iter()
            .zip(bias)
            .map(|(sum, bias)| sum.map(|end| (end / entering.divisor).saturating_add(*bias)));
        let whole: Vec<_> = whole.collect();
        // Bias, sum and their total: each is an intermediate value somewhere.
        let parts = plain.iter().zip(&whole).zip(bias);
        reaches.extend(parts.map(|((plain, whole), bias)| {
            let max = plain.reach().max(whole.reach()).max(bias.abs());
            Range { min: -max, max }
        }));
        ranges.push(whole);
    }
    let (neuron, reach) = largest(&reaches);
    if reach > LIMIT {
        let (layer, one) = (name.to_owned(), units.weight as i64);
        return Err(ExportError::Overflow { layer, neuron, bound: reach, limit: LIMIT, one });
    }
    let report = LayerReport {
        name: name.to_owned(),
        one: units.weight,
        weights: values.len(),
        largest: round::largest(&weights.weights),
        clipped,
        cut,
        reach,
        neuron,
        limit: LIMIT,
    };
    let bias = bias.iter().map(|&bias| bias as i32).collect();
    Ok(Done { stored: Weights { weights: values, bias }, ranges, report })
}

/// Quantises a layer of 8-bit weights with the given shift, or with the largest that clips no
/// weight and overflows no sum.
pub(super) fn with_shift(
    name: &str,
    weights: &Weights<f32, f32>,
    entering: &Entering,
    given: Option<u32>,
    units: impl Fn(u32) -> Units,
) -> Result<(u32, Done<i8>), ExportError> {
    let largest = f64::from(round::largest(&weights.weights)) * units(0).weight;
    let mut shift = given.unwrap_or_else(|| fitting_shift(largest, f64::from(i8::MAX), MAX_SHIFT));
    loop {
        match quantise(name, weights, entering, units(shift)) {
            Ok(done) => return Ok((shift, done)),
            Err(error) if given.is_some() || shift == 0 => return Err(error),
            Err(_) => shift -= 1,
        }
    }
}

/// The range of a hidden layer's activations.
pub(super) fn leaving(activation: Activation, shift: u32, sums: &[Vec<Range>]) -> Entering {
    let max = i64::from(MAX_ACTIVATION);
    let squares = activation.is_product();
    let activate = |sum: i64| {
        let value = (sum >> shift).clamp(0, max);
        if squares { (value * value) >> 7 } else { value }
    };
    let ranges = sums.iter().map(|sums| sums.iter().map(|sum| sum.map(activate)).collect());
    Entering { ranges: ranges.collect(), unit: leaving_unit(activation), divisor: 1 }
}

/// The scale of 1.0 in a hidden layer's activations.
pub(super) fn leaving_unit(activation: Activation) -> f64 {
    let one = f64::from(MAX_ACTIVATION);
    if activation.is_product() { one * one / 128.0 } else { one }
}
