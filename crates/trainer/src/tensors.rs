//! Tensors: one number for each parameter of a network, for weights, gradients or optimiser state.

use aligned_vec::{AVec, ConstAlign};

use crate::real::Real;
use crate::shape::{ACCUMULATOR, Shape, TILE};

/// [`TILE`] columns of a row.
pub(crate) type Tile<T> = [T; TILE];

/// Tiles that each start on a cache line: half of the loads and stores would straddle two
/// otherwise.
pub(crate) type Tiles<T> = AVec<Tile<T>, ConstAlign<64>>;

/// Tiles of zeros.
pub(crate) fn zero_tiles<T: Real>(count: usize) -> Tiles<T> {
    let mut tiles = AVec::new(64);
    tiles.resize(count, [T::ZERO; TILE]);
    tiles
}

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

    /// The same, mutable.
    pub(crate) fn bucket_mut(&mut self, bucket: usize, buckets: usize) -> (&mut [T], &mut [T]) {
        let (weights, bias) = (self.weights.len() / buckets, self.bias.len() / buckets);
        (&mut self.weights[bucket * weights..][..weights], &mut self.bias[bucket * bias..][..bias])
    }
}

/// A number for each parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tensors<T> {
    /// Weights `[tile][feature][TILE]`, bias `[tile][TILE]`; values beyond the width are zero.
    pub(crate) transformer: Tiles<T>,
    pub(crate) transformer_bias: Tiles<T>,
    /// The other layers in the order of [`Shape::layers`]: weights `[bucket][output][input]`, bias
    /// `[bucket][output]`.
    pub(crate) layers: Vec<Affine<T>>,
}

impl<T: Real> Tensors<T> {
    /// No tensors.
    pub(crate) fn none() -> Self {
        Self { transformer: zero_tiles(0), transformer_bias: zero_tiles(0), layers: Vec::new() }
    }

    pub(crate) fn zero(shape: &Shape) -> Self {
        Self {
            transformer: zero_tiles(shape.tiles * shape.inputs),
            ..Self::zero_without_transformer(shape)
        }
    }

    /// Zeros for gradients, if that of the transformer is stored elsewhere.
    pub(crate) fn zero_without_transformer(shape: &Shape) -> Self {
        let layer = |layer: &crate::shape::LayerShape| {
            let bias = layer.buckets * layer.width;
            Affine::zero(bias * layer.inputs, bias)
        };
        Self {
            transformer: zero_tiles(0),
            transformer_bias: zero_tiles(shape.tiles),
            layers: shape.layers.iter().map(layer).collect(),
        }
    }

    pub(crate) fn clear(&mut self) {
        for part in self.parts_mut() {
            part.fill(T::ZERO);
        }
    }

    /// All of them as flat slices: transformer, its bias, then weights and bias of each layer.
    pub(crate) fn parts(&self) -> Vec<&[T]> {
        let mut parts = vec![self.transformer.as_flattened(), self.transformer_bias.as_flattened()];
        for layer in &self.layers {
            parts.extend([layer.weights.as_slice(), &layer.bias]);
        }
        parts
    }

    /// The same, mutable.
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

/// The layer of each of [`Tensors::parts`]: 0 is the accumulator.
pub(crate) fn layer_of_part(part: usize) -> usize {
    part / 2
}

/// The number of a layer by its name.
pub(crate) fn layer_number(shape: &Shape, name: &str) -> Option<usize> {
    debug_assert_eq!(shape.names().next(), Some(ACCUMULATOR));
    shape.names().position(|known| known == name)
}
