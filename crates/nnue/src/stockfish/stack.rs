//! Stockfish layer stack: the layers after the transformer.

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use alloc::vec::Vec;

use super::{LIMIT, OUTPUT_SCALE, WIDTH};
use crate::Weights;
use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8, SUMS, pack_i16, pack_i32};
use crate::integer::Inputs;
use crate::kernels::{Sharing, Simd, Squash};

/// Outputs of the first layer: 15 that enter the second layer, and one that skips it.
pub(super) const FIRST: usize = 16;

/// Inputs of the second layer: squares and clipped values of those outputs, padded with two zeros.
pub(super) const SECOND_INPUTS: usize = 32;

/// Outputs of the second layer.
pub(super) const SECOND: usize = 32;

/// The inputs in our order: sixteen of each, the last of which has zero weights.
const JOINED: usize = 2 * FIRST;

/// log₂ of 1.0 in the weights.
const SHIFT: u32 = 6;

/// Numerator and denominator of the scale of the output that skips the layers: 600 units of value
/// are 1.0.
const SKIP: (i64, i64) = (600 * OUTPUT_SCALE as i64, LIMIT as i64 * (1 << SHIFT));

/// One of the eight layer stacks.
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
    sharing: Sharing,
}

impl Affine {
    fn new(inputs: usize, layer: &Weights<i8, i32>) -> Self {
        let inputs = Inputs { width: inputs, perspectives: 1 };
        let weights = inputs.group(layer.bias.len(), &layer.weights);
        let bias = pack_i32(&layer.bias);
        Self { sharing: Sharing::new(&weights, bias.len()), weights, bias }
    }
}

impl Stack {
    pub(super) fn new([first, second, output]: &[Weights<i8, i32>; 3]) -> Self {
        let wide: Vec<i16> = output.weights.iter().map(|&weight| i16::from(weight)).collect();
        Self {
            first: Affine::new(WIDTH, first),
            second: Affine::new(JOINED, &spread(second)),
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
        joined: &mut [BlockU8; 1],
        activations: &mut [BlockU8; 1],
    ) -> i32 {
        let Affine { weights, bias, sharing } = &self.first;
        simd.affine(transformed, weights, bias, &mut sums[..1], true, *sharing);
        let skipped = sums[0].0[FIRST - 1];
        join(&sums[0], &mut joined[0]);

        let Affine { weights, bias, sharing } = &self.second;
        simd.affine(joined, weights, bias, sums, false, *sharing);
        simd.activate_sums(Squash::Crelu, SHIFT, sums, activations);

        let output = simd.dot_u8(activations, &self.output).wrapping_add(self.output_bias);
        let (factor, divisor) = SKIP;
        output.wrapping_add((i64::from(skipped) * factor / divisor) as i32)
    }
}

/// The second layer with a zero weight inserted after each fifteen, for the output that skips it.
/// Squares and clipped values can then be written as whole vectors that do not overlap.
fn spread(layer: &Weights<i8, i32>) -> Weights<i8, i32> {
    let mut weights = Vec::with_capacity(layer.weights.len());
    for row in layer.weights.chunks_exact(SECOND_INPUTS) {
        let (squared, rest) = row.split_at(FIRST - 1);
        weights.extend_from_slice(squared);
        weights.push(0);
        weights.extend_from_slice(&rest[..FIRST - 1]);
        weights.push(0);
    }
    Weights { weights, bias: layer.bias.clone() }
}

/// The inputs of the second layer: min(127, x² / 2¹⁹) of the first layer's outputs, then clamp(x /
/// 2⁶, 0, 127). The rest of the block is unchanged.
#[inline(always)]
fn join(sums: &BlockI32, joined: &mut BlockU8) {
    let (squared, rest) = joined.0.split_at_mut(SUMS);
    for i in 0..SUMS {
        // Beyond 16 bits the square is clipped to 127 anyway.
        let x = sums.0[i].clamp(i32::from(i16::MIN), i32::from(i16::MAX));
        squared[i] = ((x * x) >> (2 * SHIFT + 7)).min(i32::from(LIMIT)) as u8;
        rest[i] = (x >> SHIFT).clamp(0, i32::from(LIMIT)) as u8;
    }
}
