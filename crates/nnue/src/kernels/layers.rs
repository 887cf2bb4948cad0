//! The layers on top: activations of 7 bits, weights of 8, sums of 32.

#![expect(unsafe_code, reason = "one loop without checks of bounds")]
#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use core::slice;

use super::Squash;
use super::vector::{Primitives, cast, cast_mut, pieces};
use crate::blocks::{BLOCK, BlockI8, BlockI32, BlockU8, SUMS};

/// Inputs that are weighted together: the products that [`Primitives::dot_u8_i8`] adds in a lane.
const GROUP: usize = 4;

/// Blocks of input whose groups a byte can number.
const NUMBERED: usize = 256 * GROUP / BLOCK;

/// The most groups that are added at once.
const AT_ONCE: usize = 16;

/// The places of the bits in a byte, the lowest first, and zeros.
const PLACES: [u64; 256] = {
    let mut places = [0; 256];
    let mut byte = 0;
    while byte < places.len() {
        let (mut bits, mut count) = (byte, 0);
        while bits != 0 {
            places[byte] |= (bits.trailing_zeros() as u64) << (8 * count);
            bits &= bits - 1;
            count += 1;
        }
        byte += 1;
    }
    places
};

/// [`Simd::affine`](super::Simd::affine).
///
/// Eight sums are under way at any time, because an instruction takes about that long: those of eight
/// vectors of outputs, or where there are fewer, of as many groups. Four are enough where two vectors hold 16
/// outputs: such a processor multiplies and adds apart, so that a sum waits for an addition only, and more would
/// not fit its registers.
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
            self.columns::<2, 2, SKIP_ZEROS, NARROW>();
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
                self.add::<N, U, NARROW>(self.groups.len(), |i| i, &mut partial);
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

    /// Lists the groups before it adds any, so that the processor guesses wrong where the last one is, but not
    /// more often. Where most are not zero, it is quicker to add them all.
    #[inline(always)]
    fn add_non_zero<const N: usize, const U: usize, const NARROW: bool>(
        &self,
        partial: &mut [[P::Vector; N]; U],
    ) {
        for (part, blocks) in self.input.chunks(NUMBERED).enumerate() {
            let first = part * 256;
            // Filled in its place, because a copy would have to wait until all is written.
            let mut list = [0; 256 + AT_ONCE];
            let count = self.non_zero(blocks, &mut list);
            let all = blocks.len() * BLOCK / GROUP;
            if count > all * 4 / 5 {
                self.add::<N, U, NARROW>(all, |i| first + i, partial);
            } else {
                // Up to the first group that is zero, each is listed in the place of its number.
                let zero = (0..count).find(|&i| usize::from(list[i]) != i).unwrap_or(count);
                list[count..][..AT_ONCE].fill(zero as u8);
                let padded = count.next_multiple_of(2 * U);
                self.add::<N, U, NARROW>(padded, |i| first + usize::from(list[i]), partial);
            }
        }
    }

    /// Lists the groups that are not zero among those of at most [`NUMBERED`] blocks; tells how many they are.
    #[inline(always)]
    fn non_zero(&self, blocks: &[BlockU8], list: &mut [u8; 256 + AT_ONCE]) -> usize {
        let mut count = 0;
        for (i, block) in blocks.iter().enumerate() {
            let mut bits = 0;
            for (j, &vector) in cast::<_, P::Vector>(slice::from_ref(block)).iter().enumerate() {
                bits |= self.p.non_zero_i32(vector) << (j * size_of::<P::Vector>() / GROUP);
            }
            for half in 0..2 {
                let byte = (bits >> (8 * half)) as u8;
                let start = (BLOCK / GROUP * i + 8 * half) as u8;
                let places = PLACES[usize::from(byte)] + u64::from_ne_bytes([start; 8]);
                list[count..][..8].copy_from_slice(&places.to_le_bytes());
                count += byte.count_ones() as usize;
            }
        }
        count
    }

    /// Adds the products of the `count` groups that `group` tells, which are the input's: `2 · U` at once, of
    /// which `count` is a multiple.
    #[inline(always)]
    fn add<const N: usize, const U: usize, const NARROW: bool>(
        &self,
        count: usize,
        group: impl Fn(usize) -> usize,
        partial: &mut [[P::Vector; N]; U],
    ) {
        for start in (0..count).step_by(2 * U) {
            for (i, partial) in partial.iter_mut().enumerate() {
                let groups = [group(start + 2 * i), group(start + 2 * i + 1)];
                if NARROW {
                    self.add_two_groups(groups, partial);
                } else {
                    self.add_group(groups[0], partial);
                    self.add_group(groups[1], partial);
                }
            }
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
        // SAFETY: `columns` counts up to the number of groups, and `add_non_zero` takes those of blocks of the
        // input.
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
