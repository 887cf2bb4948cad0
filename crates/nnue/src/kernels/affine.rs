//! Affine layers: 7-bit activations times 8-bit weights, in 32-bit sums.

#![expect(unsafe_code, reason = "one loop without checks of bounds")]
#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use core::array;

use super::Sharing;
use super::vector::{Primitives, cast, cast_mut, pieces};
use crate::blocks::{BLOCK, BlockI8, BlockI32, BlockU8};

/// Inputs that are multiplied together: the products that [`Primitives::dot_u8_i8`] adds per lane.
const GROUP: usize = 4;

/// Groups per block of inputs.
const BLOCK_GROUPS: usize = BLOCK / GROUP;

/// The number of groups that a `u8` can index.
const NUMBERED: usize = 256;

/// The list of groups is padded to a multiple of this.
const AT_ONCE: usize = 8;

/// The positions of the set bits of each byte, lowest first, padded with zeros.
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
#[inline(always)]
pub(super) fn affine<P: Primitives>(
    p: P,
    input: &[BlockU8],
    weights: &[BlockI8],
    bias: &[BlockI32],
    sums: &mut [BlockI32],
    skip_zeros: bool,
    sharing: Sharing,
) {
    let groups: &[i32] = cast(input);
    let weights = cast(&weights[..groups.len() * sums.len()]);
    let bias = cast(&bias[..sums.len()]);
    let mut layer = Layer { p, groups, weights, bias, sums: cast_mut(sums), begun: false, sharing };
    if skip_zeros && !input.is_empty() {
        for (part, blocks) in input.chunks(NUMBERED / BLOCK_GROUPS).enumerate() {
            layer.add_non_zero(part * NUMBERED, blocks);
            layer.begun = true;
        }
    } else {
        layer.add_all(0, groups.len());
    }
}

/// The state of [`affine`].
struct Layer<'a, P: Primitives> {
    p: P,
    /// The input, in groups.
    groups: &'a [i32],
    /// For each group, as many vectors as there are sums.
    weights: &'a [P::Vector],
    bias: &'a [P::Vector],
    sums: &'a mut [P::Vector],
    /// Whether the sums are initialised. If not, products are added to the bias.
    begun: bool,
    sharing: Sharing,
}

impl<P: Primitives> Layer<'_, P> {
    /// Adds the products of `count` groups starting at `first`. Both are multiples of a block's
    /// groups.
    #[inline(always)]
    fn add_all(&mut self, first: usize, count: usize) {
        match self.sharing.run {
            8.. if P::SHARES => self.add::<8>(count, |i| first + i),
            2.. if P::SHARES => self.add::<2>(count, |i| first + i),
            _ => self.add::<1>(count, |i| first + i),
        }
    }

    /// Adds the products of the non-zero groups of `blocks`. These are blocks of the input,
    /// starting at group `first`, with no more groups than a `u8` can index.
    ///
    /// Lists the groups before it adds any, so that the only branch misprediction is at the end of
    /// the list. If most groups are non-zero, adding them all is faster.
    #[inline(always)]
    fn add_non_zero(&mut self, first: usize, blocks: &[BlockU8]) {
        // Filled in place, like the list below: a returned copy would stall until all writes are
        // complete.
        let mut bits = [0; NUMBERED / 64];
        self.mark_non_zero(blocks, &mut bits);
        let count: u32 = bits.iter().map(|bits| bits.count_ones()).sum();
        let (count, all) = (count as usize, blocks.len() * BLOCK_GROUPS);
        if count > all * 3 / 4 {
            return self.add_all(first, all);
        }
        let mut list = [0; NUMBERED + AT_ONCE];
        write_places(&bits[..blocks.len().div_ceil(4)], &mut list);
        // At least one group is zero, because not all groups are listed. It pads the list.
        let zero = bits.iter().position(|&bits| bits != u64::MAX).unwrap_or(0);
        let zero = 64 * zero + bits[zero].trailing_ones() as usize;
        list[count..][..AT_ONCE].fill(zero as u8);
        let group = |i: usize| first + usize::from(list[i]);
        let count = count.next_multiple_of(AT_ONCE);
        match self.sharing.any {
            4.. if P::SHARES => self.add::<4>(count, group),
            2.. if P::SHARES => self.add::<2>(count, group),
            _ => self.add::<1>(count, group),
        }
    }

    /// Sets a bit for each non-zero group, the first group lowest.
    #[inline(always)]
    fn mark_non_zero(&self, blocks: &[BlockU8], bits: &mut [u64; NUMBERED / 64]) {
        for (bits, blocks) in bits.iter_mut().zip(blocks.chunks(64 / BLOCK_GROUPS)) {
            let mut word = 0;
            for (i, &vector) in cast::<_, P::Vector>(blocks).iter().enumerate() {
                word |= self.p.non_zero_i32(vector) << (i * size_of::<P::Vector>() / GROUP);
            }
            *bits = word;
        }
    }

    /// Adds the products of `count` groups of the input, with `group` as their indices. The promise
    /// of [`Sharing`] holds for each `K` consecutive ones. `count` is a multiple of eight.
    ///
    /// On a processor with a fused multiply-add, eight sums are in flight at any time to hide the
    /// latency of the instruction: those of eight output vectors or, if there are fewer, of several
    /// groups. Other processors only wait for the latency of an addition, and have fewer registers.
    #[inline(always)]
    fn add<const K: usize>(&mut self, count: usize, group: impl Fn(usize) -> usize + Copy) {
        let mut done = 0;
        if P::REGISTERS >= 32 {
            self.columns::<8, 1, K>(&mut done, count, group);
        }
        if P::SHARES {
            self.columns::<4, 1, K>(&mut done, count, group);
        } else {
            self.columns::<4, 2, K>(&mut done, count, group);
        }
        // Fewer vectors remain only if a block of sums has that few vectors.
        if pieces::<BlockI32, P::Vector>() <= 2 {
            self.columns::<2, 2, K>(&mut done, count, group);
        }
        if pieces::<BlockI32, P::Vector>() == 1 {
            if P::SHARES {
                self.columns::<1, 2, K>(&mut done, count, group);
            } else {
                self.columns::<1, 8, K>(&mut done, count, group);
            }
        }
    }

    /// Processes `N` output vectors at a time, starting at `done`, while that many are left. Each
    /// step reads `U · K` groups.
    #[inline(always)]
    fn columns<const N: usize, const U: usize, const K: usize>(
        &mut self,
        done: &mut usize,
        count: usize,
        group: impl Fn(usize) -> usize + Copy,
    ) {
        while *done + N <= self.sums.len() {
            let mut partial = [[self.p.zero(); N]; U];
            for start in (0..count).step_by(U * K) {
                for (i, partial) in partial.iter_mut().enumerate() {
                    let groups: [_; K] = array::from_fn(|k| group(start + i * K + k));
                    let input = groups.map(|group| self.p.splat_i32(self.input_of(group)));
                    let weights = groups.map(|group| self.weights_of::<N>(group, *done));
                    for (i, partial) in partial.iter_mut().enumerate() {
                        let weights = weights.map(|weights| weights[i]);
                        *partial = self.p.dot_some_u8_i8(*partial, input, weights);
                    }
                }
            }
            let sums = &mut self.sums[*done..][..N];
            let before = if self.begun { &*sums } else { &self.bias[*done..][..N] };
            let mut total: [_; N] = array::from_fn(|i| before[i]);
            for partial in partial {
                for (total, partial) in total.iter_mut().zip(partial) {
                    *total = self.p.add_i32(*total, partial);
                }
            }
            sums.copy_from_slice(&total);
            *done += N;
        }
    }

    #[inline(always)]
    fn input_of(&self, group: usize) -> i32 {
        debug_assert!(group < self.groups.len());
        // SAFETY: `affine` counts up to the number of groups, and `add_non_zero` lists only groups
        // of blocks of the input.
        unsafe { *self.groups.get_unchecked(group) }
    }

    #[inline(always)]
    fn weights_of<const N: usize>(&self, group: usize, done: usize) -> &[P::Vector; N] {
        let start = group * self.sums.len() + done;
        debug_assert!(group < self.groups.len() && done + N <= self.sums.len());
        // SAFETY: the group is one of the input's, and for each group there are as many vectors as
        // there are sums, of which `columns` reads `N` only while that many are left. A bounds
        // check would cost as much as the products.
        unsafe { self.weights.get_unchecked(start..).first_chunk().unwrap_unchecked() }
    }
}

/// Writes the positions of the set bits. The entries of `list` after them are unspecified.
#[inline(always)]
fn write_places(words: &[u64], list: &mut [u8; NUMBERED + AT_ONCE]) {
    // At most 31 bytes precede the last one, so the count does not wrap before it is used, and no
    // position is beyond the list.
    let mut count = 0_u8;
    for (i, word) in words.iter().enumerate() {
        for (j, byte) in word.to_le_bytes().into_iter().enumerate() {
            let start = (64 * i + 8 * j) as u8;
            let places = PLACES[usize::from(byte)] + u64::from_ne_bytes([start; 8]);
            list[usize::from(count)..][..8].copy_from_slice(&places.to_le_bytes());
            count = count.wrapping_add(byte.count_ones() as u8);
        }
    }
}
