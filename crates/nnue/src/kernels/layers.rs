//! The layers on top: activations of 7 bits, weights of 8, sums of 32.

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use core::slice;

use super::Squash;
use super::vector::{Primitives, cast, cast_mut};
use crate::blocks::{BLOCK, BlockI8, BlockI32, BlockU8, SUMS};

/// Inputs that are weighted together: the products that [`Primitives::dot_u8_i8`] adds in a lane.
const GROUP: usize = 4;

/// How many blocks of input are searched for zeros at once. Their groups are the bits of a `u64`.
const SEARCH: usize = u64::BITS as usize * GROUP / BLOCK;

/// How many groups the list of those that are not zero holds: a layer of 2048 inputs.
const LIST: usize = 512;

/// [`Simd::affine`](super::Simd::affine).
#[inline(always)]
pub(super) fn affine<P: Primitives>(
    p: P,
    input: &[BlockU8],
    weights: &[BlockI8],
    bias: &[BlockI32],
    sums: &mut [BlockI32],
    skip_zeros: bool,
) {
    sums.copy_from_slice(bias);
    if !skip_zeros {
        add_products(p, input, None, weights, sums);
        return;
    }
    for (part, input) in input.chunks(LIST * GROUP / BLOCK).enumerate() {
        let mut list = [0; LIST];
        let list = list_non_zero(p, input, &mut list);
        add_products(p, input, Some(list), &weights[part * LIST * sums.len()..], sums);
    }
}

/// Fills `list` with the groups of `input` that are not all zero.
#[inline(always)]
fn list_non_zero<'a, P: Primitives>(
    p: P,
    input: &[BlockU8],
    list: &'a mut [u16; LIST],
) -> &'a [u16] {
    let mut len = 0;
    for (part, blocks) in input.chunks(SEARCH).enumerate() {
        let mut bits = 0;
        for (i, &vector) in cast::<_, P::Vector>(blocks).iter().enumerate() {
            bits |= p.non_zero_i32(vector) << (i * size_of::<P::Vector>() / GROUP);
        }
        while bits != 0 {
            list[len] = (part * u64::BITS as usize) as u16 + bits.trailing_zeros() as u16;
            len += 1;
            bits &= bits - 1;
        }
    }
    &list[..len]
}

/// Adds the products of the groups in `list`, or of all where there is none.
///
/// Eight sums are under way at any time, because an instruction takes about that long: those of eight
/// vectors of outputs, or where there are fewer, of as many groups.
#[inline(always)]
fn add_products<P: Primitives>(
    p: P,
    input: &[BlockU8],
    list: Option<&[u16]>,
    weights: &[BlockI8],
    sums: &mut [BlockI32],
) {
    let mut layer = Layer {
        p,
        groups: cast(input),
        list,
        weights: cast(weights),
        sums: cast_mut(sums),
        done: 0,
    };
    layer.columns::<8, 1>();
    layer.columns::<4, 2>();
    layer.columns::<2, 4>();
    layer.columns::<1, 8>();
}

/// The state of [`add_products`].
struct Layer<'a, P: Primitives> {
    p: P,
    groups: &'a [i32],
    list: Option<&'a [u16]>,
    weights: &'a [P::Vector],
    sums: &'a mut [P::Vector],
    /// How many vectors of sums are finished.
    done: usize,
}

impl<P: Primitives> Layer<'_, P> {
    /// As many times `N` vectors of outputs as there are left, from `U` groups at once.
    #[inline(always)]
    fn columns<const N: usize, const U: usize>(&mut self) {
        let count = self.list.map_or(self.groups.len(), <[u16]>::len);
        while self.done + N <= self.sums.len() {
            let mut partial = [[self.p.zero(); N]; U];
            let mut next = 0;
            while next + U <= count {
                for partial in &mut partial {
                    self.add_group(next, partial);
                    next += 1;
                }
            }
            while next < count {
                self.add_group(next, &mut partial[0]);
                next += 1;
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

    /// Adds the products of a group.
    #[inline(always)]
    fn add_group<const N: usize>(&self, next: usize, partial: &mut [P::Vector; N]) {
        let group = self.list.map_or(next, |list| usize::from(list[next]));
        let input = self.p.splat_i32(self.groups[group]);
        let weights = &self.weights[group * self.sums.len() + self.done..][..N];
        for (partial, &weights) in partial.iter_mut().zip(weights) {
            *partial = self.p.dot_u8_i8(*partial, input, weights);
        }
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
