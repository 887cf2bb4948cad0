//! Layer quantisation: rounding one layer, and the proof that its sums fit.

use nnue::{Activation, MAX_ACTIVATION, Weights};

use super::proof::{Range, largest, sums};
use super::round::{self, Rounded, Stored, fitting_shift, nearest};
use super::{ExportError, LayerReport};

/// The largest shift that is chosen for weights of 8 bits; more would be exact about nothing.
const MAX_SHIFT: u32 = 16;

/// Where the sums of these layers end.
const LIMIT: i64 = i32::MAX as i64;

/// What enters a layer.
#[derive(Clone, Debug)]
pub(super) struct Entering {
    /// What each input can be, for each bucket.
    pub(super) ranges: Vec<Vec<Range>>,
    /// What 1.0 is in it, once it has been divided.
    pub(super) unit: f64,
    /// What weighted sums of it are divided by before the bias is added.
    pub(super) divisor: i64,
}

/// How the numbers of a layer become integers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    /// 1.0 in the weights.
    pub(super) weight: f64,
    /// 1.0 in the biases.
    pub(super) bias: f64,
    /// Added to each bias, so that a later shift rounds to nearest.
    pub(super) half: i64,
}

/// A layer in integers.
#[derive(Clone, Debug)]
pub(super) struct Done<T> {
    pub(super) stored: Weights<T, i32>,
    /// What its sums can be, for each bucket.
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
        // Bias, sum and both together: each is a number of its own somewhere.
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

/// Quantises a layer of 8-bit weights with the largest shift that clips no weight and overflows no sum, or with the
/// one that is given.
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

/// What a hidden layer hands on.
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

/// What 1.0 is in what a hidden layer hands on.
pub(super) fn leaving_unit(activation: Activation) -> f64 {
    let one = f64::from(MAX_ACTIVATION);
    if activation.is_product() { one * one / 128.0 } else { one }
}
