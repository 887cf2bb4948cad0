//! The layers on top of the transformer, and what joins them.

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use alloc::vec::Vec;

use super::{LIMIT, OUTPUT_SCALE, WIDTH};
use crate::Weights;
use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8, SUMS, pack_i16, pack_i32};
use crate::integer::Inputs;
use crate::kernels::{Simd, Squash};

/// Outputs of the first layer: those that go on, and one that skips the others.
pub(super) const FIRST: usize = 16;

/// Inputs of the second layer: squares and clipped values of the former, filled up with two zeros.
pub(super) const SECOND_INPUTS: usize = 32;

/// Outputs of the second layer.
pub(super) const SECOND: usize = 32;

/// log₂ of 1.0 in the weights.
const SHIFT: u32 = 6;

/// What the output that skips the layers is multiplied with and divided by: 600 units of value are 1.0.
const SKIP: (i64, i64) = (600 * OUTPUT_SCALE as i64, LIMIT as i64 * (1 << SHIFT));

/// One of the eight.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    first: Affine,
    second: Affine,
    output: Vec<BlockI16>,
    output_bias: i32,
}

#[derive(Clone, Debug)]
struct Affine {
    weights: Vec<BlockI8>,
    bias: Vec<BlockI32>,
}

impl Affine {
    fn new(inputs: usize, layer: &Weights<i8, i32>) -> Self {
        let inputs = Inputs { width: inputs, views: 1 };
        let weights = inputs.group(layer.bias.len(), &layer.weights);
        Self { weights, bias: pack_i32(&layer.bias) }
    }
}

impl Stack {
    pub(super) fn new([first, second, output]: &[Weights<i8, i32>; 3]) -> Self {
        let wide: Vec<i16> = output.weights.iter().map(|&weight| i16::from(weight)).collect();
        Self {
            first: Affine::new(WIDTH, first),
            second: Affine::new(SECOND_INPUTS, second),
            output: pack_i16(&wide),
            output_bias: output.bias[0],
        }
    }

    /// The positional part of the value.
    #[inline(always)]
    pub(super) fn run<S: Simd>(
        &self,
        simd: S,
        transformed: &[BlockU8],
        sums: &mut [BlockI32; 2],
        activations: &mut [BlockU8; 1],
    ) -> i32 {
        let Affine { weights, bias } = &self.first;
        simd.affine(transformed, weights, bias, &mut sums[..1], true);
        let skipped = sums[0].0[FIRST - 1];
        join(&sums[0], &mut activations[0]);

        let Affine { weights, bias } = &self.second;
        simd.affine(activations, weights, bias, sums, false);
        simd.activate_sums(Squash::Crelu, SHIFT, sums, activations);

        let output = simd.dot_u8(activations, &self.output).wrapping_add(self.output_bias);
        let (factor, divisor) = SKIP;
        output.wrapping_add((i64::from(skipped) * factor / divisor) as i32)
    }
}

/// The inputs of the second layer: for all outputs of the first but the last, min(127, x² / 2¹⁹), then
/// clamp(x / 2⁶, 0, 127).
#[inline(always)]
fn join(sums: &BlockI32, activations: &mut BlockU8) {
    let mut squared = [0; SUMS];
    let mut clipped = [0; SUMS];
    for i in 0..SUMS {
        // Beyond 16 bits the square is cut to 127 all the same.
        let x = sums.0[i].clamp(i32::from(i16::MIN), i32::from(i16::MAX));
        squared[i] = ((x * x) >> (2 * SHIFT + 7)).min(i32::from(LIMIT)) as u8;
        clipped[i] = (x >> SHIFT).clamp(0, i32::from(LIMIT)) as u8;
    }
    // All sixteen are copied, which is a single instruction; what is one too many is overwritten.
    activations.0[..SUMS].copy_from_slice(&squared);
    activations.0[FIRST - 1..][..SUMS].copy_from_slice(&clipped);
    activations.0[2 * (FIRST - 1)..].fill(0);
}
