//! Policy inference: computes logits of origin and target cells.

use alloc::vec::Vec;

use super::pack::Inputs;
use crate::blocks::{BLOCK, BlockI8, BlockI32, BlockU8, SUMS, pack_i32};
use crate::kernels::{Sharing, Simd};
use crate::{Architecture, Weights};

/// The number of single outputs that are computed per call.
const AT_ONCE: usize = 64;

#[derive(Clone, Debug)]
pub(super) struct Policy {
    /// For all outputs at once, in the layout of [`Simd::affine`].
    grouped: Vec<BlockI8>,
    grouped_bias: Vec<BlockI32>,
    sharing: Sharing,
    /// For selected outputs, in the layout of [`Simd::affine_rows`].
    rows: Vec<BlockI8>,
    bias: Vec<i32>,
}

impl Policy {
    pub(super) fn new(architecture: &Architecture, policy: &Weights<i8, i32>) -> Self {
        let inputs = Inputs::of_accumulator(architecture);
        let grouped = inputs.group(policy.bias.len(), &policy.weights);
        let grouped_bias = pack_i32(&policy.bias);
        Self {
            sharing: Sharing::new(&grouped, grouped_bias.len()),
            grouped,
            grouped_bias,
            rows: inputs.rows(&policy.weights),
            bias: policy.bias.clone(),
        }
    }

    pub(super) fn sum_blocks(&self) -> usize {
        self.grouped_bias.len()
    }

    /// Whether computing all outputs is cheaper than computing `rows` of them. Computing all skips
    /// zero inputs; computing some does not. The cost per output and non-skipped group of inputs is
    /// the same. For few outputs the count of zeros does not pay off.
    #[inline(always)]
    fn whole_is_cheaper(&self, input: &[BlockU8], rows: usize) -> bool {
        if rows * 8 < self.bias.len() {
            return false;
        }
        let groups = input.iter().flat_map(|block| block.0.as_chunks::<4>().0);
        let active = groups.filter(|group| u32::from_ne_bytes(**group) != 0).count();
        self.bias.len() * active <= rows * input.len() * (BLOCK / 4)
    }

    #[inline(always)]
    pub(super) fn run<S: Simd>(
        &self,
        simd: S,
        input: &[BlockU8],
        rows: &[u16],
        logits: &mut [f32],
        scale: f32,
        sums: &mut [BlockI32],
    ) {
        let logits = &mut logits[..rows.len()];
        if self.whole_is_cheaper(input, rows.len()) {
            simd.affine(input, &self.grouped, &self.grouped_bias, sums, true, self.sharing);
            for (logit, &row) in logits.iter_mut().zip(rows) {
                let row = usize::from(row);
                *logit = sums[row / SUMS].0[row % SUMS] as f32 * scale;
            }
            return;
        }
        let mut some = [0; AT_ONCE];
        for (logits, rows) in logits.chunks_mut(AT_ONCE).zip(rows.chunks(AT_ONCE)) {
            let some = &mut some[..rows.len()];
            simd.affine_rows(input, &self.rows, &self.bias, rows, some);
            for (logit, &sum) in logits.iter_mut().zip(some.iter()) {
                *logit = sum as f32 * scale;
            }
        }
    }
}
