//! Float inference: evaluates networks whose activations have no integer form.

use alloc::vec::Vec;

use crate::math::{sigmoid, tanh};
use crate::{Activation, Architecture, FloatParameters, Layer, NetworkError};

/// 1.0 in the accumulator. Sums of integers are exact, so an updated accumulator equals a refreshed
/// one bit for bit, as in integer networks.
const ONE: f64 = 4_294_967_296.0;

/// The largest weight of a transformer: far beyond trained weights, and small enough that no sum
/// overflows.
const MAX_WEIGHT: f32 = 1024.0;

/// A float network for inference.
#[derive(Clone, Debug)]
pub(crate) struct FloatNetwork {
    layer: Layer,
    rows: Vec<i64>,
    bias: Vec<i64>,
    parameters: FloatParameters,
}

/// The buffers of an evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct FloatWorkspace {
    accumulator: Vec<f32>,
    from: Vec<f32>,
    to: Vec<f32>,
}

impl FloatNetwork {
    /// The caller has checked that the parameters fit the architecture.
    pub(crate) fn new(
        architecture: &Architecture,
        parameters: &FloatParameters,
    ) -> Result<Self, NetworkError> {
        let weights = parameters.feature_weights.iter().chain(&parameters.feature_bias);
        if let Some(bad) = weights.clone().find(|w| w.is_nan() || w.abs() > MAX_WEIGHT) {
            let expected = alloc::format!("at most {MAX_WEIGHT} in size");
            return Err(NetworkError::field("a feature weight", bad, expected));
        }
        let layers = parameters.hidden.iter().chain(&parameters.heads).chain(&parameters.policy);
        let mut rest = layers.flat_map(|layer| layer.weights.iter().chain(&layer.bias));
        if let Some(bad) = rest.find(|w| !w.is_finite()) {
            return Err(NetworkError::field("a weight", bad, "a finite number"));
        }
        let fixed = |w: &f32| (f64::from(*w) * ONE) as i64;
        Ok(Self {
            layer: architecture.accumulator,
            rows: parameters.feature_weights.iter().map(fixed).collect(),
            bias: parameters.feature_bias.iter().map(fixed).collect(),
            parameters: FloatParameters { feature_weights: Vec::new(), ..parameters.clone() },
        })
    }

    pub(crate) fn width(&self) -> usize {
        self.layer.width
    }

    pub(crate) fn refresh(&self, accumulator: &mut [i64], active: &[u32]) {
        accumulator.copy_from_slice(&self.bias);
        self.update_in_place(accumulator, active, &[]);
    }

    pub(crate) fn update_in_place(&self, accumulator: &mut [i64], added: &[u32], removed: &[u32]) {
        let row = |&feature: &u32| &self.rows[feature as usize * self.layer.width..];
        for feature in added {
            for (sum, &weight) in accumulator.iter_mut().zip(row(feature)) {
                *sum = sum.wrapping_add(weight);
            }
        }
        for feature in removed {
            for (sum, &weight) in accumulator.iter_mut().zip(row(feature)) {
                *sum = sum.wrapping_sub(weight);
            }
        }
    }

    /// Appends the outputs of all heads except the policy to `outputs`.
    pub(crate) fn outputs(
        &self,
        architecture: &Architecture,
        own: &[i64],
        theirs: &[i64],
        bucket: usize,
        workspace: &mut FloatWorkspace,
        outputs: &mut Vec<f32>,
    ) {
        let FloatWorkspace { accumulator, from, to } = workspace;
        self.activate_accumulator(own, theirs, accumulator, from);
        for (layer, weights) in architecture.hidden.iter().zip(&self.parameters.hidden) {
            to.clear();
            affine(&weights.weights, &weights.bias, bucket, layer.width, from, to);
            activate(layer.activation, to, from);
        }
        for (head, weights) in architecture.layer_heads().zip(&self.parameters.heads) {
            affine(&weights.weights, &weights.bias, bucket, head.outputs(), from, outputs);
        }
    }

    /// Replaces `outputs` with the policy outputs `rows`.
    pub(crate) fn policy(
        &self,
        own: &[i64],
        theirs: &[i64],
        rows: &[u16],
        workspace: &mut FloatWorkspace,
        outputs: &mut [f32],
    ) {
        let Some(policy) = &self.parameters.policy else { return };
        let FloatWorkspace { accumulator, from, .. } = workspace;
        self.activate_accumulator(own, theirs, accumulator, from);
        for (output, &row) in outputs.iter_mut().zip(rows) {
            let weights = &policy.weights[usize::from(row) * from.len()..][..from.len()];
            *output = dot(policy.bias[usize::from(row)], weights, from);
        }
    }

    fn activate_accumulator(
        &self,
        own: &[i64],
        theirs: &[i64],
        sums: &mut Vec<f32>,
        activations: &mut Vec<f32>,
    ) {
        let mut second = Vec::new();
        activations.clear();
        for perspective in [own, theirs] {
            sums.clear();
            sums.extend(perspective.iter().map(|&fixed| (fixed as f64 / ONE) as f32));
            activate(self.layer.activation, sums, &mut second);
            activations.extend_from_slice(&second);
        }
    }
}

/// `to = activation(sums)`, half as long for [`Activation::Pairwise`].
fn activate(activation: Activation, sums: &[f32], to: &mut Vec<f32>) {
    let clip = |x: f32| x.clamp(0.0, 1.0);
    to.clear();
    match activation {
        Activation::Identity => to.extend_from_slice(sums),
        Activation::Relu => to.extend(sums.iter().map(|x| x.max(0.0))),
        Activation::Crelu => to.extend(sums.iter().map(|&x| clip(x))),
        Activation::Screlu => to.extend(sums.iter().map(|&x| clip(x) * clip(x))),
        Activation::Sigmoid => to.extend(sums.iter().map(|&x| sigmoid(x))),
        Activation::Tanh => to.extend(sums.iter().map(|&x| tanh(x))),
        Activation::Pairwise => {
            let (first, second) = sums.split_at(sums.len() / 2);
            to.extend(first.iter().zip(second).map(|(&a, &b)| clip(a) * clip(b)));
        }
    }
}

/// Appends the `outputs` sums `weights × input + bias` of one bucket.
fn affine(
    weights: &[f32],
    bias: &[f32],
    bucket: usize,
    outputs: usize,
    input: &[f32],
    sums: &mut Vec<f32>,
) {
    for output in bucket * outputs..(bucket + 1) * outputs {
        let row = &weights[output * input.len()..][..input.len()];
        sums.push(dot(bias[output], row, input));
    }
}

/// The order of additions is fixed, because it affects the result.
fn dot(bias: f32, weights: &[f32], input: &[f32]) -> f32 {
    weights.iter().zip(input).fold(bias, |sum, (weight, x)| sum + weight * x)
}
