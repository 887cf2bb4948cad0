//! Accumulator outputs: dot products with output weights, and activations for the next layer.

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use core::slice;

use super::vector::{Primitives, cast, cast_mut, pieces};
use super::{Factor, Squash};
use crate::blocks::{BlockI16, BlockU8};

/// [`Simd::dot`](super::Simd::dot) over one or more perspectives, each with its weights.
#[inline(always)]
pub(super) fn dot<P: Primitives, const PERSPECTIVES: usize>(
    p: P,
    factor: Factor,
    limit: i16,
    narrow: bool,
    perspectives: [(&[BlockI16], &[BlockI16]); PERSPECTIVES],
) -> i32 {
    // The loop is inlined into each arm, where its decisions are constants.
    match (factor, narrow) {
        (Factor::Identity, _) => sum(p, Factor::Identity, limit, true, perspectives),
        (Factor::Relu, _) => sum(p, Factor::Relu, limit, true, perspectives),
        (Factor::Crelu, _) => sum(p, Factor::Crelu, limit, true, perspectives),
        (Factor::Screlu, true) => sum(p, Factor::Screlu, limit, true, perspectives),
        (Factor::Screlu, false) => sum(p, Factor::Screlu, limit, false, perspectives),
        (Factor::Pairwise, true) => sum(p, Factor::Pairwise, limit, true, perspectives),
        (Factor::Pairwise, false) => sum(p, Factor::Pairwise, limit, false, perspectives),
    }
}

#[inline(always)]
fn sum<P: Primitives, const PERSPECTIVES: usize>(
    p: P,
    factor: Factor,
    limit: i16,
    narrow: bool,
    perspectives: [(&[BlockI16], &[BlockI16]); PERSPECTIVES],
) -> i32 {
    let limit = p.splat_i16(limit);
    // Two sums of each, so that an addition does not wait for the previous one.
    let mut low = [p.zero(); 2];
    let mut high = [p.zero(); 2];
    for (accumulator, weights) in perspectives {
        let (first, second) = match factor {
            Factor::Pairwise => accumulator.split_at(accumulator.len() / 2),
            Factor::Identity | Factor::Relu | Factor::Crelu | Factor::Screlu => {
                (accumulator, accumulator)
            }
        };
        for ((first, second), weights) in first.iter().zip(second).zip(weights) {
            let first: &[P::Vector] = cast(slice::from_ref(first));
            let second: &[P::Vector] = cast(slice::from_ref(second));
            let weights: &[P::Vector] = cast(slice::from_ref(weights));
            for i in 0..pieces::<BlockI16, P::Vector>() {
                let (x, y, weight) = (first[i], second[i], weights[i]);
                let (left, right) = match factor {
                    Factor::Identity => (x, weight),
                    Factor::Relu => (p.max_i16(x, p.zero()), weight),
                    Factor::Crelu => (p.clamp_i16(x, limit), weight),
                    Factor::Screlu | Factor::Pairwise if narrow => {
                        // `narrow` promises that this product fits in 16 bits.
                        (p.mul_low_i16(p.clamp_i16(x, limit), weight), p.clamp_i16(y, limit))
                    }
                    Factor::Screlu | Factor::Pairwise => {
                        let (x, y) = (p.clamp_i16(x, limit), p.clamp_i16(y, limit));
                        // x·y = upper · 65536 + lower, with a signed lower half: if that is
                        // negative, the upper half is one more. Both halves are then 16-bit
                        // factors, and the sum is exact modulo 2³² if that of the upper halves is
                        // shifted at the end.
                        let lower = p.mul_low_i16(x, y);
                        let upper = p.sub_i16(p.mul_high_i16(x, y), p.shift_right_i16(lower, 15));
                        high[i % 2] = p.add_i32(high[i % 2], p.mul_add_i16(upper, weight));
                        (lower, weight)
                    }
                };
                low[i % 2] = p.add_i32(low[i % 2], p.mul_add_i16(left, right));
            }
        }
    }
    let low = p.sum_i32(p.add_i32(low[0], low[1]));
    if narrow {
        return low;
    }
    let high = p.sum_i32(p.add_i32(high[0], high[1]));
    low.wrapping_add(high << 16)
}

/// [`Simd::dot_u8`](super::Simd::dot_u8).
#[inline(always)]
pub(super) fn dot_u8<P: Primitives>(p: P, input: &[BlockU8], weights: &[BlockI16]) -> i32 {
    let mut sums = [p.zero(); 2];
    for (input, weights) in input.iter().zip(weights) {
        let input: &[P::Vector] = cast(slice::from_ref(input));
        let weights: &[P::Vector] = cast(slice::from_ref(weights));
        for i in 0..input.len() {
            let halves = p.widen_u8(input[i]);
            for j in 0..2 {
                sums[j] = p.add_i32(sums[j], p.mul_add_i16(halves[j], weights[2 * i + j]));
            }
        }
    }
    p.sum_i32(p.add_i32(sums[0], sums[1]))
}

/// [`Simd::activate`](super::Simd::activate) of one or more perspectives. Their activations are
/// consecutive.
#[inline(always)]
pub(super) fn activate<P: Primitives, const PERSPECTIVES: usize>(
    p: P,
    squash: Squash,
    limit: i16,
    shift: u32,
    perspectives: [&[BlockI16]; PERSPECTIVES],
    activations: &mut [BlockU8],
) {
    let squeeze = Squeeze::new(p, squash, limit, shift);
    // Inlined into each arm, where its decisions are constants.
    match (squash, squeeze.is_plain()) {
        (Squash::Crelu, true) => squeeze.run_all(Squash::Crelu, true, perspectives, activations),
        (Squash::Crelu, false) => squeeze.run_all(Squash::Crelu, false, perspectives, activations),
        (Squash::Screlu, true) => squeeze.run_all(Squash::Screlu, true, perspectives, activations),
        (Squash::Screlu, false) => {
            squeeze.run_all(Squash::Screlu, false, perspectives, activations);
        }
        (Squash::Pairwise, true) => {
            squeeze.run_all(Squash::Pairwise, true, perspectives, activations);
        }
        (Squash::Pairwise, false) => {
            squeeze.run_all(Squash::Pairwise, false, perspectives, activations);
        }
    }
}

/// How accumulator values become activations.
struct Squeeze<P> {
    p: P,
    limit: i16,
    /// Left shifts of the two factors of a product. The product is taken from the high halves,
    /// which shifts right by 16 at no cost; the left shifts undo the excess. The first factor is
    /// shifted as far as possible, so that the second usually needs no shift.
    factors: [u32; 2],
    /// The right shift of the result.
    result: u32,
}

impl<P: Primitives> Squeeze<P> {
    #[inline(always)]
    fn new(p: P, squash: Squash, limit: i16, shift: u32) -> Self {
        if squash == Squash::Crelu {
            return Self { p, limit, factors: [0; 2], result: shift };
        }
        // Since limit·limit >> shift is below 2⁷, the second factor stays below 2⁹ if the first is
        // below 2¹⁵.
        let excess = 16_u32.saturating_sub(shift);
        let first = excess.min(limit.leading_zeros().saturating_sub(1));
        Self { p, limit, factors: [first, excess - first], result: shift.saturating_sub(16) }
    }

    /// Whether only the first factor is shifted.
    #[inline(always)]
    fn is_plain(&self) -> bool {
        self.factors[1] == 0 && self.result == 0
    }

    /// `plain` is the result of [`is_plain`](Self::is_plain).
    #[inline(always)]
    fn run_all<const PERSPECTIVES: usize>(
        &self,
        squash: Squash,
        plain: bool,
        perspectives: [&[BlockI16]; PERSPECTIVES],
        mut activations: &mut [BlockU8],
    ) {
        for accumulator in perspectives {
            let width = match squash {
                Squash::Pairwise => accumulator.len() / 2,
                Squash::Crelu | Squash::Screlu => accumulator.len(),
            };
            let (out, rest) = activations.split_at_mut(width);
            self.run(squash, plain, accumulator, out);
            activations = rest;
        }
    }

    #[inline(always)]
    fn run(
        &self,
        squash: Squash,
        plain: bool,
        accumulator: &[BlockI16],
        activations: &mut [BlockU8],
    ) {
        let p = self.p;
        let (first, second) = match squash {
            Squash::Pairwise => accumulator.split_at(accumulator.len() / 2),
            Squash::Crelu | Squash::Screlu => (accumulator, accumulator),
        };
        let limit = p.splat_i16(self.limit);
        let right = |value| if plain { value } else { p.shift_right_i16(value, self.result) };
        for ((first, second), out) in first.iter().zip(second).zip(activations) {
            let first: &[P::Vector] = cast(slice::from_ref(first));
            let second: &[P::Vector] = cast(slice::from_ref(second));
            let out: &mut [P::Vector] = cast_mut(slice::from_mut(out));
            for (i, out) in out.iter_mut().enumerate() {
                let mut halves = [p.zero(); 2];
                for (j, half) in halves.iter_mut().enumerate() {
                    let x = first[2 * i + j];
                    // Packing clamps negative results to zero. A product with one negative factor
                    // is negative too, provided that the shift has not changed the factor's sign.
                    *half = if squash == Squash::Crelu {
                        right(p.min_i16(x, limit))
                    } else {
                        let x = p.clamp_i16(x, limit);
                        let y = match squash {
                            Squash::Pairwise if plain => p.min_i16(second[2 * i + j], limit),
                            Squash::Pairwise => p.clamp_i16(second[2 * i + j], limit),
                            Squash::Crelu | Squash::Screlu => x,
                        };
                        let y = if plain { y } else { p.shift_left_i16(y, self.factors[1]) };
                        right(p.mul_high_i16(p.shift_left_i16(x, self.factors[0]), y))
                    };
                }
                *out = p.pack_i16(halves[0], halves[1]);
            }
        }
    }
}
