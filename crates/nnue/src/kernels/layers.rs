//! Output layers: dot products of selected rows, and activations of sums.

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use core::slice;

use super::Squash;
use super::vector::{Primitives, cast, cast_mut};
use crate::blocks::{BLOCK, BlockI8, BlockI32, BlockU8, SUMS};

/// [`Simd::affine_rows`](super::Simd::affine_rows).
#[inline(always)]
pub(super) fn affine_rows<P: Primitives>(
    p: P,
    input: &[BlockU8],
    weights: &[BlockI8],
    bias: &[i32],
    rows: &[u16],
    sums: &mut [i32],
) {
    let (fours, rest) = rows.as_chunks::<4>();
    let (four_sums, rest_sums) = sums[..rows.len()].as_chunks_mut::<4>();
    for (&rows, sums) in fours.iter().zip(four_sums) {
        *sums = dot_rows(p, input, weights, bias, rows);
    }
    for (&row, sum) in rest.iter().zip(rest_sums) {
        [*sum] = dot_rows(p, input, weights, bias, [row]);
    }
}

/// Computes `N` rows at once.
#[inline(always)]
fn dot_rows<P: Primitives, const N: usize>(
    p: P,
    input: &[BlockU8],
    weights: &[BlockI8],
    bias: &[i32],
    rows: [u16; N],
) -> [i32; N] {
    let input: &[P::Vector] = cast(input);
    let weights: &[P::Vector] = cast(weights);
    let weights = rows.map(|row| &weights[usize::from(row) * input.len()..][..input.len()]);
    let mut partial = [p.zero(); N];
    for (i, &input) in input.iter().enumerate() {
        for (partial, weights) in partial.iter_mut().zip(&weights) {
            *partial = p.dot_u8_i8(*partial, input, weights[i]);
        }
    }
    let mut sums = rows.map(|row| bias[usize::from(row)]);
    for (sum, partial) in sums.iter_mut().zip(partial) {
        *sum = sum.wrapping_add(p.sum_i32(partial));
    }
    sums
}

/// [`Simd::activate_sums`](super::Simd::activate_sums).
#[inline(always)]
pub(super) fn activate_sums<P: Primitives>(
    p: P,
    squash: Squash,
    shift: u32,
    sums: &[BlockI32],
    activations: &mut [BlockU8],
) {
    let limit = p.splat_i16(127);
    for (sums, out) in sums.chunks(BLOCK / SUMS).zip(activations) {
        let sums: &[P::Vector] = cast(sums);
        let sum = |i| sums.get(i).map_or(p.zero(), |&sum| p.shift_right_i32(sum, shift));
        let out: &mut [P::Vector] = cast_mut(slice::from_mut(out));
        for (i, out) in out.iter_mut().enumerate() {
            let mut halves = [p.zero(); 2];
            for (j, half) in halves.iter_mut().enumerate() {
                let first = 4 * i + 2 * j;
                // Lossless: values that saturate at 16 bits are clamped below that by the next
                // line.
                *half = p.pack_i32(sum(first), sum(first + 1));
                *half = p.clamp_i16(*half, limit);
                if squash == Squash::Screlu {
                    *half = p.shift_right_i16(p.mul_low_i16(*half, *half), 7);
                }
            }
            *out = p.pack_i16(halves[0], halves[1]);
        }
    }
}
