//! noru layers: the hidden layers and the output layer of `noru` networks.
//!
//! A hidden layer is clamp((bias · 256 + Σ input · weight) / 256, 0, 127). The division truncates
//! toward zero, but negative results become zero whichever way they are rounded, so a shift
//! suffices.

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use alloc::vec::Vec;

use super::LIMIT;
use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8, SUMS, blocks, pack_i16, pack_i32};
use crate::integer::Inputs;
use crate::kernels::{Factor, Sharing, Simd, Squash};

/// log₂ of the divisor of sums.
const SHIFT: u32 = 8;

/// The divisor of the value.
const OUTPUT_SCALE: i32 = 16;

/// A weight matrix `[output][input]` and a bias, transposed from the order in the file.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    pub(super) inputs: Inputs,
    pub(super) weights: Vec<i16>,
    pub(super) bias: Vec<i16>,
}

impl Matrix {
    /// Builds a matrix from weights `[input][output]`.
    pub(super) fn transposed(inputs: Inputs, weights: &[i16], bias: Vec<i16>) -> Self {
        let outputs = bias.len();
        let column = |output| weights.iter().skip(output).step_by(outputs);
        let weights = (0..outputs).flat_map(column).copied().collect();
        Self { inputs, weights, bias }
    }

    /// The weights of each output, with the perspectives padded to whole blocks.
    fn rows(&self) -> Vec<BlockI16> {
        self.weights.chunks_exact(self.inputs.width).flat_map(pack_i16).collect()
    }

    /// The weights of each output without padding.
    fn plain_rows(&self) -> impl Iterator<Item = &[i16]> {
        self.weights.chunks_exact(self.inputs.width * self.inputs.perspectives)
    }

    fn wide_bias(&self) -> Vec<i32> {
        self.bias.iter().map(|&bias| i32::from(bias) << SHIFT).collect()
    }
}

/// The layer after the accumulator.
#[derive(Clone, Debug)]
pub(super) enum First {
    /// Accumulator values are clipped.
    Clipped(Hidden),
    /// Accumulator values are clipped and squared.
    Squared(Squared),
}

impl First {
    pub(super) fn sum_blocks(&self) -> usize {
        match self {
            Self::Clipped(layer) => layer.sum_blocks(),
            Self::Squared(layer) => layer.bias.len().div_ceil(SUMS),
        }
    }
}

/// A hidden layer whose inputs are 0 to 127.
#[derive(Clone, Debug)]
pub(super) enum Hidden {
    /// All weights fit in 8 bits.
    Narrow { input_blocks: usize, weights: Vec<BlockI8>, bias: Vec<BlockI32>, sharing: Sharing },
    /// Some weights do not fit in 8 bits.
    Wide { input_blocks: usize, weights: Vec<BlockI16>, bias: Vec<i32> },
}

impl Hidden {
    pub(super) fn new(matrix: &Matrix) -> Self {
        let input_blocks = matrix.inputs.blocks();
        let narrow: Result<Vec<i8>, _> = matrix.weights.iter().map(|&w| i8::try_from(w)).collect();
        match narrow {
            Ok(weights) => {
                let weights = matrix.inputs.group(matrix.bias.len(), &weights);
                let bias = pack_i32(&matrix.wide_bias());
                let sharing = Sharing::new(&weights, bias.len());
                Self::Narrow { input_blocks, weights, bias, sharing }
            }
            Err(_) => Self::Wide { input_blocks, weights: matrix.rows(), bias: matrix.wide_bias() },
        }
    }

    pub(super) fn sum_blocks(&self) -> usize {
        match self {
            Self::Narrow { bias, .. } => bias.len(),
            Self::Wide { bias, .. } => bias.len().div_ceil(SUMS),
        }
    }

    #[inline(always)]
    pub(super) fn run<S: Simd>(
        &self,
        simd: S,
        input: &[BlockU8],
        sums: &mut [BlockI32],
        activations: &mut [BlockU8],
    ) {
        let sums = &mut sums[..self.sum_blocks()];
        match self {
            Self::Narrow { input_blocks, weights, bias, sharing } => {
                // Of four adjacent clipped values at least one is usually positive, so skipping
                // zeros does not pay.
                simd.affine(&input[..*input_blocks], weights, bias, sums, false, *sharing);
            }
            Self::Wide { input_blocks, weights, bias } => {
                let input = &input[..*input_blocks];
                let sums = sums.iter_mut().flat_map(|block| &mut block.0);
                let rows = weights.chunks_exact(*input_blocks);
                for ((sum, row), bias) in sums.zip(rows).zip(bias) {
                    *sum = bias.wrapping_add(simd.dot_u8(input, row));
                }
            }
        }
        activate(simd, SHIFT, sums, activations);
    }
}

/// A first hidden layer after squares: (bias · 256 + Σ input² · weight) / 127 / 256.
#[derive(Clone, Debug)]
pub(super) struct Squared {
    weights: Vec<BlockI16>,
    bias: Vec<i32>,
    /// Whether no sum of products can exceed 32 bits.
    short: bool,
}

impl Squared {
    pub(super) fn new(matrix: &Matrix) -> Self {
        let largest_sum = |row: &[i16]| {
            let sum: i64 = row.iter().map(|&weight| i64::from(weight.unsigned_abs())).sum();
            sum * i64::from(LIMIT) * i64::from(LIMIT)
        };
        Self {
            weights: matrix.rows(),
            bias: matrix.wide_bias(),
            short: matrix.plain_rows().all(|row| largest_sum(row) <= i64::from(i32::MAX)),
        }
    }

    #[inline(always)]
    pub(super) fn run<S: Simd>(
        &self,
        simd: S,
        squares: [&[BlockI16]; 2],
        sums: &mut [BlockI32],
        activations: &mut [BlockU8],
    ) {
        let rows = self.weights.chunks_exact(2 * squares[0].len());
        let places = sums.iter_mut().flat_map(|block| &mut block.0);
        for ((sum, row), &bias) in places.zip(rows).zip(&self.bias) {
            let products = if self.short {
                i64::from(simd.dot_both(Factor::Identity, 0, true, squares, row))
            } else {
                dot_long(squares, row)
            };
            let scaled = ((i64::from(bias) + products) / i64::from(LIMIT)) >> SHIFT;
            *sum = scaled.clamp(0, i64::from(LIMIT)) as i32;
        }
        activate(simd, 0, &sums[..self.bias.len().div_ceil(SUMS)], activations);
    }
}

/// Σ square · weight in 64 bits.
#[inline(always)]
fn dot_long(squares: [&[BlockI16]; 2], row: &[BlockI16]) -> i64 {
    let squares = squares.into_iter().flatten();
    let values = squares.zip(row).flat_map(|(squares, weights)| squares.0.iter().zip(&weights.0));
    values.map(|(&square, &weight)| i64::from(i32::from(square) * i32::from(weight))).sum()
}

/// Converts sums to the inputs of the next layer. Those beyond the layer's width are multiplied
/// with zero weights there.
#[inline(always)]
fn activate<S: Simd>(simd: S, shift: u32, sums: &[BlockI32], activations: &mut [BlockU8]) {
    let filled = blocks(sums.len() * SUMS);
    simd.activate_sums(Squash::Crelu, shift, sums, &mut activations[..filled]);
}

/// The last layer: (bias · 16 + Σ input · weight) / 16.
#[derive(Clone, Debug)]
pub(super) struct Output {
    weights: Vec<BlockI16>,
    bias: i32,
}

impl Output {
    pub(super) fn new(weights: &[i16], bias: i16) -> Self {
        Self { weights: pack_i16(weights), bias: i32::from(bias) * OUTPUT_SCALE }
    }

    #[inline(always)]
    pub(super) fn run<S: Simd>(&self, simd: S, input: &[BlockU8]) -> i32 {
        let sum = simd.dot_u8(&input[..self.weights.len()], &self.weights);
        self.bias.wrapping_add(sum) / OUTPUT_SCALE
    }
}
