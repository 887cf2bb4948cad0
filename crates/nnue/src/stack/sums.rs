//! The accumulators of a stack.

use alloc::vec::Vec;

use crate::blocks::BlockI16;
use crate::view::{PSQT, View, ViewMut, ViewSize};

/// The sums of many views in one piece of memory.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    size: ViewSize,
    /// Blocks from one view to the next; see [`stride`].
    stride: usize,
    values: Vec<BlockI16>,
    fixed: Vec<i64>,
    psqt: Vec<[i32; PSQT]>,
}

/// Two views of a ply lie next to each other. Stores to a child whose address is a little above its parent's
/// modulo 4 KiB would hold up the loads that follow them, so such distances are avoided.
fn stride(blocks: usize) -> usize {
    const PAGE: usize = 4096 / size_of::<BlockI16>();
    let distance = 2 * blocks % PAGE;
    if (1..PAGE / 4).contains(&distance) { blocks + PAGE / 8 } else { blocks }
}

impl Sums {
    pub(super) fn new(size: ViewSize) -> Self {
        let stride = stride(size.blocks);
        Self { size, stride, values: Vec::new(), fixed: Vec::new(), psqt: Vec::new() }
    }

    /// Makes room for that many views.
    #[inline]
    pub(super) fn grow(&mut self, views: usize) {
        if self.psqt.len() < views {
            self.values.resize(views * self.stride, BlockI16::ZERO);
            self.fixed.resize(views * self.size.fixed, 0);
            self.psqt.resize(views, [0; PSQT]);
        }
    }

    #[inline]
    pub(super) fn view(&self, place: usize) -> View<'_> {
        View {
            values: &self.values[place * self.stride..][..self.size.blocks],
            fixed: &self.fixed[place * self.size.fixed..][..self.size.fixed],
            psqt: &self.psqt[place],
        }
    }

    pub(super) fn view_mut(&mut self, place: usize) -> ViewMut<'_> {
        ViewMut {
            values: &mut self.values[place * self.stride..][..self.size.blocks],
            fixed: &mut self.fixed[place * self.size.fixed..][..self.size.fixed],
            psqt: &mut self.psqt[place],
        }
    }

    /// Both views of a ply, `first` first: to put them in order later would be to wait until they are written.
    #[inline]
    pub(super) fn both(&self, ply: usize, first: usize) -> [View<'_>; 2] {
        [self.view(2 * ply + first), self.view(2 * ply + 1 - first)]
    }

    /// What the integer transformer has summed up for both views of a ply, `first` first.
    #[inline]
    pub(super) fn values_of_both(&self, ply: usize, first: usize) -> [&[BlockI16]; 2] {
        let values = &self.values[2 * ply * self.stride..];
        [first, 1 - first].map(|view| &values[view * self.stride..][..self.size.blocks])
    }

    /// The same of a ply to read and of a later one to write.
    #[inline]
    pub(super) fn values_to_update(
        &mut self,
        parent: usize,
        child: usize,
    ) -> ([&[BlockI16]; 2], [&mut [BlockI16]; 2]) {
        let Self { size, stride, values, .. } = self;
        let (low, high) = values.split_at_mut(2 * child * *stride);
        let low = &low[2 * parent * *stride..];
        let parents = [&low[..size.blocks], &low[*stride..][..size.blocks]];
        let (first, second) = high.split_at_mut(*stride);
        (parents, [&mut first[..size.blocks], &mut second[..size.blocks]])
    }

    /// The piece-square sums of both views of a ply to read and of a later one to write.
    #[inline]
    pub(super) fn psqt_to_update(
        &mut self,
        parent: usize,
        child: usize,
    ) -> (&[[i32; PSQT]], &mut [[i32; PSQT]]) {
        let (low, high) = self.psqt.split_at_mut(2 * child);
        (&low[2 * parent..][..2], &mut high[..2])
    }

    /// A view to read and a later one to write.
    #[inline]
    pub(super) fn pair(&mut self, parent: usize, child: usize) -> (View<'_>, ViewMut<'_>) {
        let Self { size, stride, values, fixed, psqt } = self;
        let (low, high) = values.split_at_mut(child * *stride);
        let (low_fixed, high_fixed) = fixed.split_at_mut(child * size.fixed);
        let (low_psqt, high_psqt) = psqt.split_at_mut(child);
        let parent = View {
            values: &low[parent * *stride..][..size.blocks],
            fixed: &low_fixed[parent * size.fixed..][..size.fixed],
            psqt: &low_psqt[parent],
        };
        let child = ViewMut {
            values: &mut high[..size.blocks],
            fixed: &mut high_fixed[..size.fixed],
            psqt: &mut high_psqt[0],
        };
        (parent, child)
    }

    pub(super) fn copy_from(&mut self, place: usize, other: &Self, from: usize) {
        let (to, from) = (self.view_mut(place), other.view(from));
        to.values.copy_from_slice(from.values);
        to.fixed.copy_from_slice(from.fixed);
        *to.psqt = *from.psqt;
    }
}
