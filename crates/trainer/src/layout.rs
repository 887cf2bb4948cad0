//! Weight layout: converts between the order of training and that of files, and initialises
//! weights.

use games::Random;
use nnue::{Architecture, FloatParameters, Weights};

use crate::real::Real;
use crate::shape::{Shape, TILE};
use crate::tensors::Tensors;

/// The number of virtual features.
pub(crate) fn virtual_features(factors: &[u32]) -> usize {
    factors.iter().max().map_or(0, |&max| max as usize + 1)
}

/// Uniformly random weights that keep sums near the size of 1; biases of the accumulator and
/// virtual features are zero. All buckets start equal.
pub(crate) fn initialise<T: Real>(
    shape: &Shape,
    features: usize,
    seed: u64,
    tensors: &mut Tensors<T>,
) {
    let mut random = Random::new(seed);
    // 53 bits, so that f64 and f32 networks of one seed start equal.
    let mut uniform = |max: f64| {
        let share = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        T::from_f32((max * (2.0 * share - 1.0)) as f32)
    };
    // Of a large set about 32 features are active at once.
    let max = 1.0 / (shape.inputs.min(32) as f64).sqrt();
    for feature in 0..features {
        for column in 0..shape.width {
            let row = column / TILE * shape.inputs + feature;
            tensors.transformer[row][column % TILE] = uniform(max);
        }
    }
    for (layer, affine) in shape.layers.iter().zip(&mut tensors.layers) {
        let max = 1.0 / (layer.inputs as f64).sqrt();
        let (weights, bias) = affine.bucket_mut(0, layer.buckets);
        weights.fill_with(|| uniform(max));
        bias.fill_with(|| uniform(max));
        let (weights, bias) = (weights.len(), bias.len());
        for bucket in 1..layer.buckets {
            affine.weights.copy_within(..weights, bucket * weights);
            affine.bias.copy_within(..bias, bucket * bias);
        }
    }
}

/// Fills the transformer from `[feature][width]`; virtual features become zero.
pub(crate) fn from_transformer(
    shape: &Shape,
    weights: &[f32],
    bias: &[f32],
    tensors: &mut Tensors<f32>,
) {
    tensors.transformer.fill([0.0; TILE]);
    tensors.transformer_bias.fill([0.0; TILE]);
    for (feature, row) in weights.chunks_exact(shape.width).enumerate() {
        for (tile, part) in row.chunks(TILE).enumerate() {
            tensors.transformer[tile * shape.inputs + feature][..part.len()].copy_from_slice(part);
        }
    }
    tensors.transformer_bias.as_flattened_mut()[..bias.len()].copy_from_slice(bias);
}

/// Fills all weights. The caller has checked their number.
pub(crate) fn from_parameters(
    shape: &Shape,
    parameters: &FloatParameters,
    tensors: &mut Tensors<f32>,
) {
    from_transformer(shape, &parameters.feature_weights, &parameters.feature_bias, tensors);
    let FloatParameters { hidden, heads, policy, .. } = parameters;
    for (layer, from) in tensors.layers.iter_mut().zip(hidden.iter().chain(heads).chain(policy)) {
        layer.weights.copy_from_slice(&from.weights);
        layer.bias.copy_from_slice(&from.bias);
    }
}

/// The weights in the order of files, with virtual features folded into the features.
pub(crate) fn to_parameters(
    architecture: &Architecture,
    shape: &Shape,
    factors: &[u32],
    tensors: &Tensors<f32>,
) -> FloatParameters {
    let features = architecture.inputs;
    let mut feature_weights = Vec::with_capacity(features * shape.width);
    for feature in 0..features {
        let factor = factors.get(feature).map(|&factor| features + factor as usize);
        for column in 0..shape.width {
            let at =
                |row: usize| tensors.transformer[column / TILE * shape.inputs + row][column % TILE];
            feature_weights.push(at(feature) + factor.map_or(0.0, at));
        }
    }
    let weights = |at: usize| Weights {
        weights: tensors.layers[at].weights.clone(),
        bias: tensors.layers[at].bias.clone(),
    };
    let heads = architecture.heads.len() - usize::from(architecture.policy().is_some());
    FloatParameters {
        feature_weights,
        feature_bias: tensors.transformer_bias.as_flattened()[..shape.width].to_vec(),
        hidden: (0..shape.hidden).map(weights).collect(),
        heads: (shape.hidden..shape.hidden + heads).map(weights).collect(),
        policy: architecture.policy().map(|_| weights(shape.hidden + heads)),
    }
}
