//! The layers on top: activations of 7 bits, weights of 8, sums of 32.

#![expect(unsafe_code, reason = "one loop without checks of bounds")]
#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use core::slice;

use super::Squash;
use super::vector::{Primitives, cast, cast_mut, pieces};
use crate::blocks::{BLOCK, BlockI8, BlockI32, BlockU8, SUMS};

/// Inputs that are weighted together: the products that [`Primitives::dot_u8_i8`] adds in a lane.
const GROUP: usize = 4;

/// Blocks of input whose groups are as many as a `u64` has bits.
const WORD: usize = u64::BITS as usize * GROUP / BLOCK;

/// [`Simd::affine`](super::Simd::affine).
///
/// Eight sums are under way at any time, because an instruction takes about that long: those of eight
/// vectors of outputs, or where there are fewer, of as many groups.
#[inline(always)]
pub(super) fn affine<P: Primitives>(
    p: P,
    input: &[BlockU8],
    weights: &[BlockI8],
    bias: &[BlockI32],
    sums: &mut [BlockI32],
    skip_zeros: bool,
    narrow: bool,
) {
    sums.copy_from_slice(bias);
    let groups: &[i32] = cast(input);
    let weights = cast(&weights[..groups.len() * sums.len()]);
    let mut layer = Layer { p, input, groups, weights, sums: cast_mut(sums), done: 0 };
    // Inlined into each arm, where its decisions are constants.
    match (skip_zeros, narrow) {
        (false, false) => layer.run::<false, false>(),
        (false, true) => layer.run::<false, true>(),
        (true, false) => layer.run::<true, false>(),
        (true, true) => layer.run::<true, true>(),
    }
}

/// The state of [`affine`].
struct Layer<'a, P: Primitives> {
    p: P,
    input: &'a [BlockU8],
    /// The input again, in groups.
    groups: &'a [i32],
    /// As many vectors for each group as there are sums.
    weights: &'a [P::Vector],
    sums: &'a mut [P::Vector],
    /// How many vectors of sums are finished.
    done: usize,
}

impl<P: Primitives> Layer<'_, P> {
    #[inline(always)]
    fn run<const SKIP_ZEROS: bool, const NARROW: bool>(&mut self) {
        self.columns::<8, 1, SKIP_ZEROS, NARROW>();
        self.columns::<4, 2, SKIP_ZEROS, NARROW>();
        // Fewer are left only where a block of sums is that few vectors.
        if pieces::<BlockI32, P::Vector>() <= 2 {
            self.columns::<2, 4, SKIP_ZEROS, NARROW>();
        }
        if pieces::<BlockI32, P::Vector>() == 1 {
            self.columns::<1, 8, SKIP_ZEROS, NARROW>();
        }
    }

    /// As many times `N` vectors of outputs as there are left, from `U` groups at once.
    #[inline(always)]
    fn columns<const N: usize, const U: usize, const SKIP_ZEROS: bool, const NARROW: bool>(
        &mut self,
    ) {
        while self.done + N <= self.sums.len() {
            let mut partial = [[self.p.zero(); N]; U];
            if SKIP_ZEROS {
                self.add_non_zero::<N, U, NARROW>(&mut partial);
            } else {
                self.add::<N, U, NARROW>(self.groups.len(), counter(0), &mut partial);
            }
            for partial in partial {
                for (i, partial) in partial.into_iter().enumerate() {
                    let sum = &mut self.sums[self.done + i];
                    *sum = self.p.add_i32(*sum, partial);
                }
            }
            self.done += N;
        }
    }

    /// Looks at 64 groups before it adds any, so that the processor guesses wrong where the last one is, but
    /// not more often. Where most of the 64 are not zero, it is quicker to add them all.
    #[inline(always)]
    fn add_non_zero<const N: usize, const U: usize, const NARROW: bool>(
        &self,
        partial: &mut [[P::Vector; N]; U],
    ) {
        for (word, blocks) in self.input.chunks(WORD).enumerate() {
            let first = word * u64::BITS as usize;
            let mut bits = 0;
            for (i, &vector) in cast::<_, P::Vector>(blocks).iter().enumerate() {
                bits |= self.p.non_zero_i32(vector) << (i * size_of::<P::Vector>() / GROUP);
            }
            let (count, all) = (bits.count_ones() as usize, blocks.len() * BLOCK / GROUP);
            if count > all * 2 / 5 {
                self.add::<N, U, NARROW>(all, counter(first), partial);
                continue;
            }
            let next = || {
                let group = first + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                group
            };
            self.add::<N, U, NARROW>(count, next, partial);
        }
    }

    /// Adds the products of the `count` groups that `next` tells, which are the input's.
    #[inline(always)]
    fn add<const N: usize, const U: usize, const NARROW: bool>(
        &self,
        count: usize,
        mut next: impl FnMut() -> usize,
        partial: &mut [[P::Vector; N]; U],
    ) {
        let at_once = if NARROW { 2 * U } else { U };
        for _ in 0..count / at_once {
            for partial in partial.iter_mut() {
                if NARROW {
                    self.add_two_groups([next(), next()], partial);
                } else {
                    self.add_group(next(), partial);
                }
            }
        }
        for _ in 0..count % at_once {
            self.add_group(next(), &mut partial[0]);
        }
    }

    /// [`add_group`](Self::add_group) of two, of which the promise of [`narrow`](super::narrow) holds.
    #[inline(always)]
    fn add_two_groups<const N: usize>(&self, groups: [usize; 2], partial: &mut [P::Vector; N]) {
        let input = groups.map(|group| self.p.splat_i32(self.input_of(group)));
        let weights = groups.map(|group| self.weights_of::<N>(group));
        for (i, partial) in partial.iter_mut().enumerate() {
            *partial = self.p.dot_two_u8_i8(*partial, input, [weights[0][i], weights[1][i]]);
        }
    }

    /// Adds the products of `group`, which is one of the input's, with `N` vectors of weights, of which there
    /// are so many.
    #[inline(always)]
    fn add_group<const N: usize>(&self, group: usize, partial: &mut [P::Vector; N]) {
        let input = self.p.splat_i32(self.input_of(group));
        for (partial, &weights) in partial.iter_mut().zip(self.weights_of::<N>(group)) {
            *partial = self.p.dot_u8_i8(*partial, input, weights);
        }
    }

    #[inline(always)]
    fn input_of(&self, group: usize) -> i32 {
        debug_assert!(group < self.groups.len());
        // SAFETY: `columns` counts up to the number of groups, and `add_non_zero` up to those that have bits or
        // are in blocks of the input.
        unsafe { *self.groups.get_unchecked(group) }
    }

    #[inline(always)]
    fn weights_of<const N: usize>(&self, group: usize) -> &[P::Vector; N] {
        let start = group * self.sums.len() + self.done;
        debug_assert!(group < self.groups.len() && self.done + N <= self.sums.len());
        // SAFETY: the group is one of the input's, and for each there are as many vectors as there are sums,
        // of which `columns` takes `N` where that many are left. A check takes as long as the products.
        unsafe { self.weights.get_unchecked(start..).first_chunk().unwrap_unchecked() }
    }
}

/// Numbers from `first` on.
#[inline(always)]
fn counter(first: usize) -> impl FnMut() -> usize {
    let mut numbers = first..;
    move || {
        let number = numbers.start;
        numbers.start += 1;
        number
    }
}

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

/// `N` rows at once.
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
                // Nothing is lost: what does not fit 16 bits is cut to less by the next line.
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
