//! Quantisation of the layers after the accumulator, in order.

use nnue::{Activation, Architecture, FloatParameters, IntegerParameters, MAX_ACTIVATION, Weights};

use super::accumulator::{self, Accumulator};
use super::layer::{self, Done, Entering, Units, leaving, with_shift};
use super::proof::Range;
use super::{Export, ExportError, ExportOptions, round};
use crate::heads::trained;

/// The maximum scale of heads is 2 to this power.
const MAX_HEAD: u32 = 12;

/// The default for heads that read the accumulator.
const USUAL_HEAD: u32 = 6;

/// Quantises everything after the accumulator.
pub(super) fn quantise(
    architecture: &Architecture,
    parameters: &FloatParameters,
    options: &ExportOptions,
    accumulator: Accumulator,
) -> Result<Export, ExportError> {
    let mut description = architecture.clone().into_description();
    let scales = &mut description.scales;
    (scales.accumulator, scales.activation_shift) =
        (accumulator.scale, accumulator.activation_shift);
    let mut reports = vec![accumulator.report.clone()];
    let shifted = accumulator_activations(architecture, &accumulator, true);

    let mut hidden = Vec::new();
    let mut entering = shifted.clone();
    for (place, (layer, weights)) in architecture.hidden.iter().zip(&parameters.hidden).enumerate()
    {
        let units = |shift: u32| hidden_units(entering.unit, shift);
        let name = format!("hidden.{place}");
        let (shift, done) = with_shift(&name, weights, &entering, options.hidden_shift, units)?;
        scales.hidden_shifts[place] = shift;
        entering = leaving(layer.activation, shift, &done.ranges);
        hidden.push(done.stored);
        reports.push(done.report);
    }
    if architecture.hidden.is_empty() {
        entering = accumulator_activations(architecture, &accumulator, false);
    }

    let (head, heads) = quantise_heads(architecture, &parameters.heads, &entering, options)?;
    scales.head = head;
    reports.extend(heads.iter().map(|done| done.report.clone()));

    let mut policy = None;
    if let Some(weights) = &parameters.policy {
        // All buckets share the policy.
        let entering = Entering { ranges: shifted.ranges[..1].to_vec(), ..shifted };
        let units = |shift: u32| head_units(f64::from(1_u32 << shift), entering.unit);
        let (shift, done) = with_shift("policy", weights, &entering, options.policy_shift, units)?;
        scales.policy_shift = shift;
        reports.push(done.report);
        policy = Some(done.stored);
    }

    let parameters = IntegerParameters {
        feature_weights: accumulator.weights,
        feature_bias: accumulator.bias,
        hidden,
        heads: heads.into_iter().map(|done| done.stored).collect(),
        policy,
    };
    let architecture = Architecture::new(description).map_err(nnue::NetworkError::from)?;
    parameters.check(&architecture)?;
    Ok(Export { architecture, parameters: parameters.into(), layers: reports })
}

/// The activations of all perspectives as inputs of the next layer, for each bucket: shifted for
/// integer layers, or as heads read them from the accumulator itself.
fn accumulator_activations(
    architecture: &Architecture,
    accumulator: &Accumulator,
    shifted: bool,
) -> Entering {
    let activation = architecture.accumulator.activation;
    let (limit, shift) = (i64::from(accumulator.scale), accumulator.activation_shift);
    let clip = |sum: i64| sum.clamp(0, limit);
    let ranges = &accumulator.ranges;
    let perspective: Vec<Range> = match activation {
        Activation::Relu => ranges.iter().map(|range| range.map(|sum| sum.max(0))).collect(),
        Activation::Crelu => ranges.iter().map(|range| range.map(clip)).collect(),
        Activation::Screlu => {
            ranges.iter().map(|range| range.map(|sum| clip(sum) * clip(sum))).collect()
        }
        Activation::Pairwise => {
            let (first, second) = ranges.split_at(ranges.len() / 2);
            let products = first.iter().zip(second).map(|(a, b)| Range {
                min: clip(a.min) * clip(b.min),
                max: clip(a.max) * clip(b.max),
            });
            products.collect()
        }
        // The last two have no integer form.
        Activation::Identity | Activation::Sigmoid | Activation::Tanh => ranges.clone(),
    };
    let unit = accumulator_unit(architecture, accumulator.scale, shifted.then_some(shift));
    let divisor = if !shifted && accumulator::squares(architecture) { limit } else { 1 };
    let perspective = perspective
        .iter()
        .map(|range| if shifted { range.map(|sum| sum >> shift) } else { *range });
    let perspective: Vec<_> = perspective.collect();
    let perspectives = perspective.repeat(architecture.perspectives.count());
    Entering { ranges: vec![perspectives; architecture.buckets.count], unit, divisor }
}

/// The scale of 1.0 in the activations of the accumulator, shifted or as heads read them.
pub(super) fn accumulator_unit(architecture: &Architecture, scale: i16, shift: Option<u32>) -> f64 {
    let one = f64::from(scale);
    let Some(shift) = shift else { return one };
    let largest = if accumulator::squares(architecture) { one * one } else { one };
    largest / f64::from(1_u32 << shift)
}

/// The units of a hidden layer: its sums, shifted, have [`MAX_ACTIVATION`] for 1.0, whatever the
/// scale of its inputs.
pub(super) fn hidden_units(entering: f64, shift: u32) -> Units {
    let (one, max) = (f64::from(1_u32 << shift), f64::from(MAX_ACTIVATION));
    Units {
        weight: one * max / entering,
        bias: one * max,
        half: if shift > 0 { 1 << (shift - 1) } else { 0 },
    }
}

/// The units of a head, including the policy, whose weights have this for 1.0.
pub(super) fn head_units(one: f64, entering: f64) -> Units {
    Units { weight: one, bias: one * entering, half: 0 }
}

/// Quantises all heads but the policy; they share a scale.
fn quantise_heads(
    architecture: &Architecture,
    heads: &[Weights<f32, f32>],
    entering: &Entering,
    options: &ExportOptions,
) -> Result<(i16, Vec<Done<i16>>), ExportError> {
    let names: Vec<_> = head_names(architecture).collect();
    let mut scale =
        options.head.unwrap_or_else(|| head_scale(architecture, heads, entering)).max(1);
    loop {
        let units = head_units(f64::from(scale), entering.unit);
        let done = names.iter().zip(heads);
        let done = done.map(|(name, head)| layer::quantise(name, head, entering, units));
        match done.collect::<Result<Vec<_>, _>>() {
            Ok(done) => return Ok((scale, done)),
            Err(error) if options.head.is_some() || scale == 1 => return Err(error),
            Err(_) => scale /= 2,
        }
    }
}

/// The largest power of two that fits the weights. Heads that read the accumulator are fastest if
/// the product of a weight and an activation fits 16 bits; they get no larger scale than that, if
/// it allows the default.
fn head_scale(
    architecture: &Architecture,
    heads: &[Weights<f32, f32>],
    entering: &Entering,
) -> i16 {
    let largest = heads.iter().map(|head| round::largest(&head.weights)).fold(0.0, f32::max);
    let fitting = |limit: f64| round::fitting_shift(f64::from(largest), limit, MAX_HEAD);
    let max = f64::from(i16::MAX);
    let shift = if architecture.hidden.is_empty() {
        fitting((max / entering.unit).floor()).max(USUAL_HEAD.min(fitting(max)))
    } else {
        fitting(max)
    };
    1 << shift
}

/// The names of the layers of heads that read the last layer.
fn head_names(architecture: &Architecture) -> impl Iterator<Item = &'static str> {
    architecture.layer_heads().map(|head| trained(head).layer())
}

/// Refuses weights that are not finite.
pub(super) fn check_finite(
    architecture: &Architecture,
    parameters: &FloatParameters,
) -> Result<(), ExportError> {
    let accumulator = [&parameters.feature_weights, &parameters.feature_bias];
    let mut tensors: Vec<_> = accumulator.map(|tensor| ("accumulator".to_owned(), tensor)).into();
    let hidden = parameters.hidden.iter().enumerate();
    let hidden = hidden.map(|(place, layer)| (format!("hidden.{place}"), layer));
    let heads = head_names(architecture).map(str::to_owned).zip(&parameters.heads);
    let policy = parameters.policy.iter().map(|layer| ("policy".to_owned(), layer));
    for (name, layer) in hidden.chain(heads).chain(policy) {
        tensors.extend([&layer.weights, &layer.bias].map(|tensor| (name.clone(), tensor)));
    }
    for (layer, tensor) in tensors {
        if let Some(index) = tensor.iter().position(|weight| !weight.is_finite()) {
            return Err(ExportError::NotFinite { layer, index, value: tensor[index] });
        }
    }
    Ok(())
}
