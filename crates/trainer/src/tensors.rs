//! One number for each parameter of a network: weights, gradients, or what an optimiser remembers.

use crate::real::Real;
use crate::shape::{ACCUMULATOR, Shape, TILE};

/// A matrix and its bias.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Affine<T> {
    pub(crate) weights: Vec<T>,
    pub(crate) bias: Vec<T>,
}

impl<T: Real> Affine<T> {
    pub(crate) fn zero(weights: usize, bias: usize) -> Self {
        Self { weights: vec![T::ZERO; weights], bias: vec![T::ZERO; bias] }
    }

    /// Weights and bias of one bucket out of `buckets`.
    pub(crate) fn bucket(&self, bucket: usize, buckets: usize) -> (&[T], &[T]) {
        let (weights, bias) = (self.weights.len() / buckets, self.bias.len() / buckets);
        (&self.weights[bucket * weights..][..weights], &self.bias[bucket * bias..][..bias])
    }

    /// The same, to be changed.
    pub(crate) fn bucket_mut(&mut self, bucket: usize, buckets: usize) -> (&mut [T], &mut [T]) {
        let (weights, bias) = (self.weights.len() / buckets, self.bias.len() / buckets);
        (&mut self.weights[bucket * weights..][..weights], &mut self.bias[bucket * bias..][..bias])
    }
}

/// A number for each parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tensors<T> {
    /// Weights `[tile][feature][TILE]`, bias `[tile][TILE]`; what is beyond the width is zero.
    pub(crate) transformer: Vec<[T; TILE]>,
    pub(crate) transformer_bias: Vec<[T; TILE]>,
    /// The other layers as [`Shape::layers`] lists them: weights `[bucket][output][input]`, bias
    /// `[bucket][output]`.
    pub(crate) layers: Vec<Affine<T>>,
}

impl<T: Real> Tensors<T> {
    pub(crate) fn zero(shape: &Shape) -> Self {
        Self {
            transformer: vec![[T::ZERO; TILE]; shape.tiles * shape.inputs],
            ..Self::zero_without_transformer(shape)
        }
    }

    /// For gradients, where that of the transformer is held elsewhere.
    pub(crate) fn zero_without_transformer(shape: &Shape) -> Self {
        let layer = |layer: &crate::shape::LayerShape| {
            let bias = layer.buckets * layer.width;
            Affine::zero(bias * layer.inputs, bias)
        };
        Self {
            transformer: Vec::new(),
            transformer_bias: vec![[T::ZERO; TILE]; shape.tiles],
            layers: shape.layers.iter().map(layer).collect(),
        }
    }

    pub(crate) fn clear(&mut self) {
        for part in self.parts_mut() {
            part.fill(T::ZERO);
        }
    }

    /// All of them as flat lists: transformer, its bias, then weights and bias of each layer.
    pub(crate) fn parts(&self) -> Vec<&[T]> {
        let mut parts = vec![self.transformer.as_flattened(), self.transformer_bias.as_flattened()];
        for layer in &self.layers {
            parts.extend([layer.weights.as_slice(), &layer.bias]);
        }
        parts
    }

    /// The same, to be changed.
    pub(crate) fn parts_mut(&mut self) -> Vec<&mut [T]> {
        let mut parts =
            vec![self.transformer.as_flattened_mut(), self.transformer_bias.as_flattened_mut()];
        for layer in &mut self.layers {
            parts.extend([layer.weights.as_mut_slice(), &mut layer.bias]);
        }
        parts
    }
}

/// The names of [`Tensors::parts`].
pub(crate) fn part_names(shape: &Shape) -> Vec<String> {
    let name = |layer: &str, part: &str| format!("{layer}.{part}");
    shape.names().flat_map(|layer| [name(layer, "weights"), name(layer, "bias")]).collect()
}

/// Which layer each of [`Tensors::parts`] belongs to: 0 is the accumulator.
pub(crate) fn layer_of_part(part: usize) -> usize {
    part / 2
}

/// The number of a layer by its name.
pub(crate) fn layer_number(shape: &Shape, name: &str) -> Option<usize> {
    debug_assert_eq!(shape.names().next(), Some(ACCUMULATOR));
    shape.names().position(|known| known == name)
}
