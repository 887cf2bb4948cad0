//! Feature transformer: a row of weights for each feature, summed over the active features.

use alloc::vec::Vec;

use crate::Layer;
use crate::blocks::BlockI16;
use crate::kernels::{Kernel, Simd, Task};
use crate::psqt::PsqtRow;
use crate::table::Table;

/// An i16 feature transformer, its rows padded to whole blocks.
#[derive(Clone, Debug)]
pub(crate) struct Transformer {
    rows: Table<BlockI16>,
    bias: Vec<BlockI16>,
}

impl Transformer {
    /// Builds it from `weights` of `[feature][width]`. The caller has checked the lengths.
    pub(crate) fn new(layer: Layer, weights: &[i16], bias: &[i16]) -> Self {
        let bias = pad_row(layer, bias);
        let features = weights.len() / layer.width;
        let rows = weights.chunks_exact(layer.width).flat_map(|row| pad_row(layer, row));
        Self { rows: Table::new(features * bias.len(), rows), bias }
    }

    /// The rows of all features, one after the other.
    #[inline(always)]
    pub(crate) fn rows(&self) -> &[BlockI16] {
        &self.rows
    }

    /// The number of blocks of an accumulator.
    pub(crate) fn blocks(&self) -> usize {
        self.bias.len()
    }

    /// Sets `accumulator` to the sum of the active rows and the bias.
    #[inline]
    pub(crate) fn refresh(&self, kernel: Kernel, accumulator: &mut [BlockI16], active: &[u32]) {
        self.update(kernel, accumulator, &self.bias, active, &[]);
    }

    /// Sets `child` to `parent` with rows added and removed.
    #[inline(always)]
    pub(crate) fn update(
        &self,
        kernel: Kernel,
        child: &mut [BlockI16],
        parent: &[BlockI16],
        added: &[u32],
        removed: &[u32],
    ) {
        kernel.run(Update { rows: &self.rows, child, parent, added, removed });
    }
}

/// The update of both perspectives of a position at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuickUpdate<'a> {
    pub(crate) rows: &'a [BlockI16],
    /// The piece-square weights of each feature; empty if there are none.
    pub(crate) psqt: &'a [PsqtRow],
    pub(crate) kernel: Kernel,
}

impl QuickUpdate<'_> {
    /// Sets each child to its parent with rows added and removed.
    #[inline(always)]
    pub(crate) fn run(self, step: Step<'_>) {
        self.kernel.run(UpdateBoth { rows: self.rows, step });
    }
}

/// Adjacent accumulators of both perspectives, and the changes from their parents.
#[derive(Debug)]
pub(crate) struct Step<'a> {
    pub(crate) children: &'a mut [BlockI16],
    pub(crate) parents: &'a [BlockI16],
    /// Pairs of rows, the first perspective's first.
    pub(crate) added: &'a [[u32; 2]],
    pub(crate) removed: &'a [[u32; 2]],
}

impl<'a> Step<'a> {
    /// Updates the children and returns them.
    #[inline(always)]
    pub(crate) fn run<S: Simd>(self, simd: S, rows: &[BlockI16]) -> &'a [BlockI16] {
        simd.update_both(self.children, self.parents, rows, self.added, self.removed);
        self.children
    }
}

/// Packs a row into blocks. The halves of a pairwise layer are padded separately, so that each
/// begins at a whole block.
fn pad_row(layer: Layer, row: &[i16]) -> Vec<BlockI16> {
    row.chunks_exact(layer.outputs()).flat_map(crate::blocks::pack_i16).collect()
}

struct Update<'a> {
    rows: &'a [BlockI16],
    child: &'a mut [BlockI16],
    parent: &'a [BlockI16],
    added: &'a [u32],
    removed: &'a [u32],
}

impl Task for Update<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        simd.update(self.child, self.parent, self.rows, self.added, self.removed);
    }
}

struct UpdateBoth<'a> {
    rows: &'a [BlockI16],
    step: Step<'a>,
}

impl Task for UpdateBoth<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.step.run(simd, self.rows);
    }
}
