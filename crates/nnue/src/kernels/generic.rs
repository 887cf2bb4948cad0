//! Generic kernels: implements [`Simd`] for every instruction set that has the primitives.

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use super::vector::Primitives;
use super::{Factor, Sharing, Simd, Squash, accumulate, affine, layers, output};
use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8};

impl<P: Primitives> Simd for P {
    #[inline(always)]
    fn update(
        self,
        child: &mut [BlockI16],
        parent: &[BlockI16],
        rows: &[BlockI16],
        added: &[u32],
        removed: &[u32],
    ) {
        accumulate::update(self, child, parent, rows, added, removed);
    }

    #[inline(always)]
    fn update_both(
        self,
        children: &mut [BlockI16],
        parents: &[BlockI16],
        rows: &[BlockI16],
        added: &[[u32; 2]],
        removed: &[[u32; 2]],
    ) {
        accumulate::update_both(self, children, parents, rows, added, removed);
    }

    #[inline(always)]
    fn dot(
        self,
        factor: Factor,
        limit: i16,
        narrow: bool,
        accumulator: &[BlockI16],
        weights: &[BlockI16],
    ) -> i32 {
        output::dot(self, factor, limit, narrow, [(accumulator, weights)])
    }

    #[inline(always)]
    fn dot_both(
        self,
        factor: Factor,
        limit: i16,
        narrow: bool,
        perspectives: [&[BlockI16]; 2],
        weights: &[BlockI16],
    ) -> i32 {
        let (first, second) = weights.split_at(weights.len() / 2);
        output::dot(
            self,
            factor,
            limit,
            narrow,
            [(perspectives[0], first), (perspectives[1], second)],
        )
    }

    #[inline(always)]
    fn activate(
        self,
        squash: Squash,
        limit: i16,
        shift: u32,
        accumulator: &[BlockI16],
        activations: &mut [BlockU8],
    ) {
        output::activate(self, squash, limit, shift, [accumulator], activations);
    }

    #[inline(always)]
    fn activate_both(
        self,
        squash: Squash,
        limit: i16,
        shift: u32,
        perspectives: [&[BlockI16]; 2],
        activations: &mut [BlockU8],
    ) {
        output::activate(self, squash, limit, shift, perspectives, activations);
    }

    #[inline(always)]
    fn affine(
        self,
        input: &[BlockU8],
        weights: &[BlockI8],
        bias: &[BlockI32],
        sums: &mut [BlockI32],
        skip_zeros: bool,
        sharing: Sharing,
    ) {
        affine::affine(self, input, weights, bias, sums, skip_zeros, sharing);
    }

    #[inline(always)]
    fn affine_rows(
        self,
        input: &[BlockU8],
        weights: &[BlockI8],
        bias: &[i32],
        rows: &[u16],
        sums: &mut [i32],
    ) {
        layers::affine_rows(self, input, weights, bias, rows, sums);
    }

    #[inline(always)]
    fn activate_sums(
        self,
        squash: Squash,
        shift: u32,
        sums: &[BlockI32],
        activations: &mut [BlockU8],
    ) {
        layers::activate_sums(self, squash, shift, sums, activations);
    }

    #[inline(always)]
    fn dot_u8(self, input: &[BlockU8], weights: &[BlockI16]) -> i32 {
        output::dot_u8(self, input, weights)
    }
}
