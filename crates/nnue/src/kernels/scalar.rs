//! Scalar kernel: the specification, in plain loops.

use super::{Factor, Sharing, Simd, Squash};
use crate::blocks::{BLOCK, BlockI8, BlockI16, BlockI32, BlockU8, SUMS};

/// Plain integer arithmetic.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar;

impl Simd for Scalar {
    #[inline]
    fn update(
        self,
        child: &mut [BlockI16],
        parent: &[BlockI16],
        rows: &[BlockI16],
        added: &[u32],
        removed: &[u32],
    ) {
        child.copy_from_slice(parent);
        apply(child, rows, added.iter().copied(), i16::wrapping_add);
        apply(child, rows, removed.iter().copied(), i16::wrapping_sub);
    }

    #[inline]
    fn update_both(
        self,
        children: &mut [BlockI16],
        parents: &[BlockI16],
        rows: &[BlockI16],
        added: &[[u32; 2]],
        removed: &[[u32; 2]],
    ) {
        children.copy_from_slice(parents);
        let (first, second) = children.split_at_mut(parents.len() / 2);
        for (perspective, child) in [first, second].into_iter().enumerate() {
            apply(child, rows, added.iter().map(|pair| pair[perspective]), i16::wrapping_add);
            apply(child, rows, removed.iter().map(|pair| pair[perspective]), i16::wrapping_sub);
        }
    }

    #[inline]
    fn dot(
        self,
        factor: Factor,
        limit: i16,
        _narrow: bool,
        accumulator: &[BlockI16],
        weights: &[BlockI16],
    ) -> i32 {
        // Only `Pairwise` reads `second`.
        let second = match factor {
            Factor::Pairwise => &accumulator[accumulator.len() / 2..],
            Factor::Identity | Factor::Relu | Factor::Crelu | Factor::Screlu => accumulator,
        };
        let mut sum = 0_i32;
        for ((first, second), weights) in accumulator.iter().zip(second).zip(weights) {
            for ((&x, &y), &weight) in first.0.iter().zip(&second.0).zip(&weights.0) {
                let factor = match factor {
                    Factor::Identity => i32::from(x),
                    Factor::Relu => i32::from(x.max(0)),
                    Factor::Crelu => clamp(x, limit),
                    Factor::Screlu => clamp(x, limit) * clamp(x, limit),
                    Factor::Pairwise => clamp(x, limit) * clamp(y, limit),
                };
                sum = sum.wrapping_add(factor.wrapping_mul(i32::from(weight)));
            }
        }
        sum
    }

    #[inline]
    fn activate(
        self,
        squash: Squash,
        limit: i16,
        shift: u32,
        accumulator: &[BlockI16],
        activations: &mut [BlockU8],
    ) {
        // Only `Pairwise` reads `second`.
        let second = match squash {
            Squash::Pairwise => &accumulator[accumulator.len() / 2..],
            Squash::Crelu | Squash::Screlu => accumulator,
        };
        for ((first, second), out) in accumulator.iter().zip(second).zip(activations) {
            for ((&x, &y), out) in first.0.iter().zip(&second.0).zip(&mut out.0) {
                let product = match squash {
                    Squash::Crelu => clamp(x, limit),
                    Squash::Screlu => clamp(x, limit) * clamp(x, limit),
                    Squash::Pairwise => clamp(x, limit) * clamp(y, limit),
                };
                *out = (product >> shift) as u8;
            }
        }
    }

    #[inline]
    fn affine(
        self,
        input: &[BlockU8],
        weights: &[BlockI8],
        bias: &[BlockI32],
        sums: &mut [BlockI32],
        _skip_zeros: bool,
        _sharing: Sharing,
    ) {
        sums.copy_from_slice(bias);
        if sums.is_empty() {
            return;
        }
        let groups = input.iter().flat_map(|block| block.0.as_chunks::<4>().0);
        for (group, weights) in groups.zip(weights.chunks_exact(sums.len())) {
            for (sums, weights) in sums.iter_mut().zip(weights) {
                for (sum, weights) in sums.0.iter_mut().zip(weights.0.as_chunks::<4>().0) {
                    for (&input, &weight) in group.iter().zip(weights) {
                        *sum = sum.wrapping_add(i32::from(input) * i32::from(weight));
                    }
                }
            }
        }
    }

    #[inline]
    fn affine_rows(
        self,
        input: &[BlockU8],
        weights: &[BlockI8],
        bias: &[i32],
        rows: &[u16],
        sums: &mut [i32],
    ) {
        for (&row, out) in rows.iter().zip(sums) {
            let row = usize::from(row);
            let weights = &weights[row * input.len()..][..input.len()];
            let mut sum = bias[row];
            for (inputs, weights) in input.iter().zip(weights) {
                for (&input, &weight) in inputs.0.iter().zip(&weights.0) {
                    sum = sum.wrapping_add(i32::from(input) * i32::from(weight));
                }
            }
            *out = sum;
        }
    }

    #[inline]
    fn activate_sums(
        self,
        squash: Squash,
        shift: u32,
        sums: &[BlockI32],
        activations: &mut [BlockU8],
    ) {
        for (sums, out) in sums.chunks(BLOCK / SUMS).zip(activations) {
            *out = BlockU8::ZERO;
            for (&sum, out) in sums.iter().flat_map(|block| &block.0).zip(&mut out.0) {
                let value = (sum >> shift).clamp(0, 127);
                *out = match squash {
                    Squash::Crelu | Squash::Pairwise => value,
                    Squash::Screlu => (value * value) >> 7,
                } as u8;
            }
        }
    }

    #[inline]
    fn dot_u8(self, input: &[BlockU8], weights: &[BlockI16]) -> i32 {
        let mut sum = 0_i32;
        for (inputs, weights) in input.iter().zip(weights) {
            for (&input, &weight) in inputs.0.iter().zip(&weights.0) {
                sum = sum.wrapping_add(i32::from(input) * i32::from(weight));
            }
        }
        sum
    }
}

/// Clamps `value` to 0..=`limit`; `limit` is not negative.
#[inline]
fn clamp(value: i16, limit: i16) -> i32 {
    i32::from(value.max(0).min(limit))
}

/// Adds or subtracts some rows.
#[inline]
fn apply(
    child: &mut [BlockI16],
    rows: &[BlockI16],
    indices: impl Iterator<Item = u32>,
    change: impl Fn(i16, i16) -> i16,
) {
    let width = child.len();
    for index in indices {
        let row = &rows[index as usize * width..][..width];
        for (values, weights) in child.iter_mut().zip(row) {
            for (value, weight) in values.0.iter_mut().zip(weights.0) {
                *value = change(*value, weight);
            }
        }
    }
}
