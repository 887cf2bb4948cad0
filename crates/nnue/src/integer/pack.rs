//! Weight packing: converts the plain order of [`Parameters`](crate::Parameters) to the layout of
//! the kernels.

use alloc::vec::Vec;

use crate::blocks::{BLOCK, BlockI8, SUMS, blocks, pack_i8};
use crate::{Architecture, IntegerParameters};

/// The number of adjacent inputs in a group; see [`Simd::affine`](crate::kernels::Simd::affine).
const GROUP: usize = 4;

/// The inputs of a layer: `perspectives` times `width` values, each perspective padded to whole
/// blocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inputs {
    pub(crate) width: usize,
    pub(crate) perspectives: usize,
}

impl Inputs {
    pub(super) fn of_accumulator(architecture: &Architecture) -> Self {
        let width = architecture.accumulator.outputs();
        Self { width, perspectives: architecture.perspectives.count() }
    }

    pub(crate) fn blocks(self) -> usize {
        self.perspectives * blocks(self.width)
    }

    /// The padded position of input `index` of the plain order.
    fn place(self, index: usize) -> usize {
        index / self.width * blocks(self.width) * BLOCK + index % self.width
    }

    /// Converts a plain matrix `[output][input]` to the layout of
    /// [`Simd::affine`](crate::kernels::Simd::affine).
    pub(crate) fn group(self, outputs: usize, matrix: &[i8]) -> Vec<BlockI8> {
        let output_blocks = outputs.div_ceil(SUMS);
        let groups = self.blocks() * BLOCK / GROUP;
        let mut grouped = alloc::vec![BlockI8::ZERO; groups * output_blocks];
        for (output, row) in matrix.chunks_exact(self.width * self.perspectives).enumerate() {
            for (input, &weight) in row.iter().enumerate() {
                let place = self.place(input);
                let block = place / GROUP * output_blocks + output / SUMS;
                grouped[block].0[output % SUMS * GROUP + place % GROUP] = weight;
            }
        }
        grouped
    }

    /// Converts a plain matrix `[output][input]` to the layout of
    /// [`Simd::affine_rows`](crate::kernels::Simd::affine_rows).
    pub(super) fn rows(self, matrix: &[i8]) -> Vec<BlockI8> {
        matrix.chunks_exact(self.width).flat_map(pack_i8).collect()
    }
}

/// The rows of all heads, bucket by bucket: `(weights, bias)` of each output.
pub(super) fn head_rows<'a>(
    architecture: &Architecture,
    parameters: &'a IntegerParameters,
) -> Vec<(&'a [i16], i32)> {
    let inputs = architecture.head_inputs();
    let buckets = architecture.buckets.count;
    let mut rows = Vec::new();
    for bucket in 0..buckets {
        for head in &parameters.heads {
            let outputs = head.bias.len() / buckets;
            for output in bucket * outputs..(bucket + 1) * outputs {
                rows.push((&head.weights[output * inputs..][..inputs], head.bias[output]));
            }
        }
    }
    rows
}
