//! Dense layers: matrices of hidden layers and heads, applied to runs of positions in one bucket.

use std::ops::Range;

use crate::activation;
use crate::matrix::{Matrix, add_product, set_product};
use crate::real::Real;
use crate::shape::LayerShape;
use crate::tensors::Affine;

/// Consecutive positions of one bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) bucket: usize,
    pub(crate) positions: Range<usize>,
}

/// The values of a forward pass that the backward pass needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct LayerMemory<T> {
    /// `[position][width]`; derivatives by the sums after the backward pass.
    pub(crate) sums: Vec<T>,
    /// `[position][outputs]`. Heads have none: theirs are the sums.
    pub(crate) outputs: Vec<T>,
    /// Derivatives by the outputs; of heads, by the sums.
    pub(crate) d_outputs: Vec<T>,
}

impl<T: Real> LayerMemory<T> {
    /// Resizes for this number of positions of a layer. Derivatives start at zero.
    pub(crate) fn prepare(&mut self, layer: &LayerShape, is_head: bool, positions: usize) {
        self.sums.resize(positions * layer.width, T::ZERO);
        let outputs = if is_head { 0 } else { positions * layer.outputs() };
        self.outputs.resize(outputs, T::ZERO);
        self.d_outputs.clear();
        self.d_outputs.resize(positions * layer.outputs(), T::ZERO);
    }
}

impl<T> LayerMemory<T> {
    /// Derivatives by the sums, after the backward pass.
    pub(crate) fn d_sums(&self, is_head: bool) -> &[T] {
        if is_head { &self.d_outputs } else { &self.sums }
    }
}

fn rows<T>(values: &[T], positions: &Range<usize>, width: usize) -> Range<usize> {
    debug_assert_eq!(values.len() % width, 0);
    positions.start * width..positions.end * width
}

/// `sums = weights × inputs + bias`
pub(crate) fn affine<T: Real>(
    layer: &LayerShape,
    parameters: &Affine<T>,
    runs: &[Run],
    inputs: &[T],
    sums: &mut [T],
) {
    for Run { bucket, positions } in runs {
        let (weights, bias) = parameters.bucket(*bucket % layer.buckets, layer.buckets);
        let inputs = &inputs[rows(inputs, positions, layer.inputs)];
        let range = rows(sums, positions, layer.width);
        let sums = &mut sums[range];
        for row in sums.chunks_exact_mut(layer.width) {
            row.copy_from_slice(bias);
        }
        let inputs = Matrix::new(inputs, positions.len(), layer.inputs);
        let weights = Matrix::new(weights, layer.width, layer.inputs).transposed();
        add_product(sums, inputs, weights);
    }
}

/// Adds to the gradient of a layer, from the derivatives by its sums.
pub(crate) fn weight_gradient<T: Real>(
    layer: &LayerShape,
    runs: &[Run],
    inputs: &[T],
    d_sums: &[T],
    gradient: &mut Affine<T>,
) {
    for Run { bucket, positions } in runs {
        let (weights, bias) = gradient.bucket_mut(*bucket % layer.buckets, layer.buckets);
        let inputs = &inputs[rows(inputs, positions, layer.inputs)];
        let d_sums = &d_sums[rows(d_sums, positions, layer.width)];
        for row in d_sums.chunks_exact(layer.width) {
            for (bias, &d) in bias.iter_mut().zip(row) {
                *bias += d;
            }
        }
        let d_sums = Matrix::new(d_sums, positions.len(), layer.width).transposed();
        add_product(weights, d_sums, Matrix::new(inputs, positions.len(), layer.inputs));
    }
}

/// Derivatives by the inputs, from those by the sums: added if `add`, otherwise overwritten.
pub(crate) fn input_gradient<T: Real>(
    layer: &LayerShape,
    parameters: &Affine<T>,
    runs: &[Run],
    d_sums: &[T],
    d_inputs: &mut [T],
    add: bool,
) {
    for Run { bucket, positions } in runs {
        let (weights, _) = parameters.bucket(*bucket % layer.buckets, layer.buckets);
        let d_sums = &d_sums[rows(d_sums, positions, layer.width)];
        let range = rows(d_inputs, positions, layer.inputs);
        let d_inputs = &mut d_inputs[range];
        let d_sums = Matrix::new(d_sums, positions.len(), layer.width);
        let weights = Matrix::new(weights, layer.width, layer.inputs);
        if add {
            add_product(d_inputs, d_sums, weights);
        } else {
            set_product(d_inputs, d_sums, weights);
        }
    }
}

/// The outputs of a hidden layer from its sums.
pub(crate) fn activate<T: Real>(layer: &LayerShape, memory: &mut LayerMemory<T>) {
    activation::forward(layer.activation, layer.width, &memory.sums, &mut memory.outputs);
}

/// Turns the sums of a hidden layer into derivatives by them.
pub(crate) fn differentiate<T: Real>(layer: &LayerShape, memory: &mut LayerMemory<T>) {
    activation::backward(layer.activation, layer.width, &mut memory.sums, &memory.d_outputs);
}
