//! Dequantisation: converts integers back to floats, to continue training from a network file.

use nnue::{Architecture, FloatParameters, IntegerParameters, Weights};

use super::layer::{Units, leaving_unit};
use super::{accumulator, layers};

/// The floats of an integer network: [`quantise`](super::quantise) turns them into the same
/// integers, at the same scales.
pub fn floats_of(architecture: &Architecture, integers: &IntegerParameters) -> FloatParameters {
    let scales = &architecture.scales;
    let one = f64::from(scales.accumulator);
    let half = accumulator::half_step(architecture, scales.activation_shift);
    let shifted =
        layers::accumulator_unit(architecture, scales.accumulator, Some(scales.activation_shift));
    let mut unit = shifted;
    let mut hidden = Vec::new();
    for (place, (layer, weights)) in architecture.hidden.iter().zip(&integers.hidden).enumerate() {
        hidden.push(floats(weights, layers::hidden_units(unit, scales.hidden_shifts[place])));
        unit = leaving_unit(layer.activation);
    }
    if architecture.hidden.is_empty() {
        unit = layers::accumulator_unit(architecture, scales.accumulator, None);
    }
    let head_units = layers::head_units(f64::from(scales.head), unit);
    let policy_units = layers::head_units(f64::from(1_u32 << scales.policy_shift), shifted);
    FloatParameters {
        feature_weights: integers.feature_weights.iter().map(|&w| divided(w, 0, one)).collect(),
        feature_bias: integers.feature_bias.iter().map(|&b| divided(b, half, one)).collect(),
        hidden,
        heads: integers.heads.iter().map(|head| floats(head, head_units)).collect(),
        policy: integers.policy.as_ref().map(|policy| floats(policy, policy_units)),
    }
}

fn floats<T: Copy + Into<i64>>(layer: &Weights<T, i32>, units: Units) -> Weights<f32, f32> {
    Weights {
        weights: layer.weights.iter().map(|&weight| divided(weight, 0, units.weight)).collect(),
        bias: layer.bias.iter().map(|&bias| divided(bias, units.half, units.bias)).collect(),
    }
}

fn divided(stored: impl Into<i64>, half: i64, one: f64) -> f32 {
    ((stored.into() - half) as f64 / one) as f32
}
