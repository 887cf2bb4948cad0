//! Hidden layers: inference of the layers after the accumulator and of the heads on top.

use alloc::vec::Vec;

use super::pack::{Inputs, head_rows};
use crate::blocks::{
    BLOCK, BlockI8, BlockI16, BlockI32, BlockU8, SUMS, blocks, pack_i16, pack_i32,
};
use crate::kernels::{Sharing, Simd, Squash};
use crate::{Architecture, IntegerParameters, Layer, Weights};

/// Wide layers skip zero inputs; narrow ones are faster without the test.
const SKIP_ZEROS_FROM_BLOCKS: usize = 4;

#[derive(Clone, Debug)]
pub(super) struct Layered {
    hidden: Vec<Hidden>,
    /// `[bucket][output][block]`
    weights: Vec<BlockI16>,
    /// `[bucket][output]`
    bias: Vec<i32>,
    outputs: usize,
    head_blocks: usize,
}

impl Layered {
    pub(super) fn new(architecture: &Architecture, parameters: &IntegerParameters) -> Self {
        let mut inputs = Inputs::of_accumulator(architecture);
        let mut hidden = Vec::new();
        let layers = architecture.hidden.iter().zip(&parameters.hidden);
        for ((layer, weights), &shift) in layers.zip(&architecture.scales.hidden_shifts) {
            hidden.push(Hidden::new(*layer, shift, inputs, architecture.buckets.count, weights));
            inputs = Inputs { width: layer.outputs(), perspectives: 1 };
        }
        let rows = head_rows(architecture, parameters);
        Self {
            hidden,
            weights: rows.iter().flat_map(|(row, _)| pack_i16(row)).collect(),
            bias: rows.iter().map(|&(_, bias)| bias).collect(),
            outputs: rows.len() / architecture.buckets.count,
            head_blocks: inputs.blocks(),
        }
    }

    /// The maximum number of sum blocks of any layer.
    pub(super) fn max_sum_blocks(&self) -> usize {
        self.hidden.iter().map(|layer| layer.sum_blocks).max().unwrap_or(0)
    }

    /// The activations of the last hidden layer.
    #[inline(always)]
    pub(super) fn run<'w, S: Simd>(
        &self,
        simd: S,
        bucket: usize,
        input: &[BlockU8],
        sums: &mut [BlockI32],
        layers: &'w mut [Vec<BlockU8>; 2],
    ) -> &'w [BlockU8] {
        let [mut from, mut to] = layers.each_mut();
        for (depth, layer) in self.hidden.iter().enumerate() {
            let entering = if depth == 0 { input } else { from.as_slice() };
            layer.run(simd, bucket, entering, sums, to);
            core::mem::swap(&mut from, &mut to);
        }
        from
    }

    /// The result of the last [`run`](Self::run).
    #[inline(always)]
    pub(super) fn last<'w>(&self, layers: &'w [Vec<BlockU8>; 2]) -> &'w [BlockU8] {
        &layers[self.hidden.len() % 2]
    }

    /// The outputs of the heads, starting at output `first`.
    #[inline(always)]
    pub(super) fn heads<S: Simd>(
        &self,
        simd: S,
        bucket: usize,
        first: usize,
        last: &[BlockU8],
        raw: &mut [i32],
    ) {
        for (place, raw) in raw.iter_mut().enumerate() {
            *raw = self.head(simd, bucket, first + place, last);
        }
    }

    /// A single output.
    #[inline(always)]
    pub(super) fn head<S: Simd>(
        &self,
        simd: S,
        bucket: usize,
        number: usize,
        last: &[BlockU8],
    ) -> i32 {
        let index = bucket * self.outputs + number;
        let weights = &self.weights[index * self.head_blocks..][..self.head_blocks];
        let sum = simd.dot_u8(&last[..self.head_blocks], weights);
        sum.wrapping_add(self.bias[index])
    }
}

#[derive(Clone, Debug)]
struct Hidden {
    squash: Squash,
    shift: u32,
    input_blocks: usize,
    sum_blocks: usize,
    /// `[bucket]`, then in the layout of [`Simd::affine`].
    weights: Vec<BlockI8>,
    /// `[bucket][block]`
    bias: Vec<BlockI32>,
    sharing: Sharing,
}

impl Hidden {
    fn new(
        layer: Layer,
        shift: u32,
        inputs: Inputs,
        buckets: usize,
        weights: &Weights<i8, i32>,
    ) -> Self {
        let matrices = weights.weights.chunks_exact(weights.weights.len() / buckets);
        let sum_blocks = layer.width.div_ceil(SUMS);
        let grouped: Vec<_> = matrices.map(|matrix| inputs.group(layer.width, matrix)).collect();
        Self {
            squash: layer.activation.hidden_squash().expect("the architecture is of integers").0,
            shift,
            input_blocks: inputs.blocks(),
            sum_blocks,
            sharing: grouped
                .iter()
                .map(|weights| Sharing::new(weights, sum_blocks))
                .reduce(Sharing::and)
                .unwrap_or(Sharing::NONE),
            weights: grouped.concat(),
            bias: weights.bias.chunks_exact(layer.width).flat_map(pack_i32).collect(),
        }
    }

    #[inline(always)]
    fn run<S: Simd>(
        &self,
        simd: S,
        bucket: usize,
        input: &[BlockU8],
        sums: &mut [BlockI32],
        activations: &mut [BlockU8],
    ) {
        let size = self.input_blocks * (BLOCK / 4) * self.sum_blocks;
        let weights = &self.weights[bucket * size..][..size];
        let bias = &self.bias[bucket * self.sum_blocks..][..self.sum_blocks];
        let sums = &mut sums[..self.sum_blocks];
        let input = &input[..self.input_blocks];
        let skip_zeros = self.input_blocks >= SKIP_ZEROS_FROM_BLOCKS;
        simd.affine(input, weights, bias, sums, skip_zeros, self.sharing);
        let filled = blocks(self.sum_blocks * SUMS);
        simd.activate_sums(self.squash, self.shift, sums, &mut activations[..filled]);
    }
}
