//! Heads that read the accumulator without hidden layers between.

use alloc::vec::Vec;

use super::Views;
use super::pack::head_rows;
use crate::blocks::{BlockI16, blocks, pack_i16};
use crate::kernels::{Factor, Simd};
use crate::{Activation, Architecture, IntegerParameters};

#[derive(Clone, Debug)]
pub(super) struct Direct {
    factor: Factor,
    /// Whether |limit · weight| always fits 16 bits.
    narrow: bool,
    /// Where squares are summed, the sum is divided by the accumulator's scale once.
    divisor: i32,
    /// `[bucket][output][view][block]`
    weights: Vec<BlockI16>,
    /// `[bucket][output]`
    bias: Vec<i32>,
    outputs: usize,
    view_blocks: usize,
}

impl Direct {
    pub(super) fn new(architecture: &Architecture, parameters: &IntegerParameters) -> Self {
        let width = architecture.accumulator.outputs();
        let limit = i32::from(architecture.scales.accumulator);
        let (factor, divisor) = match architecture.accumulator.activation {
            Activation::Relu => (Factor::Relu, 1),
            Activation::Crelu => (Factor::Crelu, 1),
            Activation::Screlu => (Factor::Screlu, limit),
            Activation::Pairwise => (Factor::Pairwise, limit),
            _ => (Factor::Identity, 1),
        };
        let rows = head_rows(architecture, parameters);
        let mut weights = rows.iter().flat_map(|(row, _)| row.iter());
        let narrow = weights.all(|&w| (i32::from(w) * limit).abs() <= i32::from(i16::MAX));
        let views = rows.iter().flat_map(|(row, _)| row.chunks_exact(width));
        Self {
            factor,
            narrow,
            divisor,
            weights: views.flat_map(pack_i16).collect(),
            bias: rows.iter().map(|&(_, bias)| bias).collect(),
            outputs: rows.len() / architecture.buckets.count,
            view_blocks: blocks(width),
        }
    }

    #[inline(always)]
    pub(super) fn run<S: Simd>(
        &self,
        simd: S,
        limit: i16,
        views: Views<'_>,
        bucket: usize,
        first: usize,
        raw: &mut [i32],
    ) {
        let count = 1 + usize::from(!views.theirs.is_empty());
        for (place, raw) in raw.iter_mut().enumerate() {
            let index = bucket * self.outputs + first + place;
            let row = &self.weights[index * count * self.view_blocks..];
            let (own, rest) = row.split_at(self.view_blocks);
            let mut sum = simd.dot(self.factor, limit, self.narrow, views.own, own);
            if count == 2 {
                let theirs = &rest[..self.view_blocks];
                let second = simd.dot(self.factor, limit, self.narrow, views.theirs, theirs);
                sum = sum.wrapping_add(second);
            }
            *raw = (sum / self.divisor).wrapping_add(self.bias[index]);
        }
    }
}
