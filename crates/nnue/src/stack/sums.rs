//! Accumulator storage: the memory of a stack's accumulators.

use alloc::vec::Vec;

use crate::accumulator::{AccumulatorMut, AccumulatorRef, AccumulatorSize, PSQT};
use crate::blocks::BlockI16;

/// The sums of many plies in one allocation, two perspectives each. The *place* of a perspective is
/// twice the index of its ply, plus one for the second.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    size: AccumulatorSize,
    /// The distance between plies in blocks; see [`stride`].
    stride: usize,
    values: Vec<BlockI16>,
    fixed: Vec<i64>,
    psqt: Vec<[[i32; PSQT]; 2]>,
}

/// The two perspectives of a ply are adjacent. If the address of a child is slightly above its
/// parent's modulo 4 KiB, stores to the child delay the loads that follow (4K aliasing), so such
/// distances are avoided.
fn stride(blocks: usize) -> usize {
    const PAGE: usize = 4096 / size_of::<BlockI16>();
    let distance = 2 * blocks % PAGE;
    2 * blocks + if (1..PAGE / 4).contains(&distance) { PAGE / 4 } else { 0 }
}

impl Sums {
    pub(super) fn new(size: AccumulatorSize) -> Self {
        let stride = stride(size.blocks);
        Self { size, stride, values: Vec::new(), fixed: Vec::new(), psqt: Vec::new() }
    }

    /// Allocates memory for that many plies.
    #[inline]
    pub(super) fn grow(&mut self, plies: usize) {
        if self.psqt.len() < plies {
            self.values.resize(plies * self.stride, BlockI16::ZERO);
            self.fixed.resize(plies * 2 * self.size.fixed, 0);
            self.psqt.resize(plies, [[0; PSQT]; 2]);
        }
    }

    /// The first block of a perspective.
    #[inline]
    fn start(&self, place: usize) -> usize {
        place / 2 * self.stride + place % 2 * self.size.blocks
    }

    #[inline]
    pub(super) fn accumulator(&self, place: usize) -> AccumulatorRef<'_> {
        AccumulatorRef {
            values: &self.values[self.start(place)..][..self.size.blocks],
            fixed: &self.fixed[place * self.size.fixed..][..self.size.fixed],
            psqt: &self.psqt[place / 2][place % 2],
        }
    }

    pub(super) fn accumulator_mut(&mut self, place: usize) -> AccumulatorMut<'_> {
        let start = self.start(place);
        AccumulatorMut {
            values: &mut self.values[start..][..self.size.blocks],
            fixed: &mut self.fixed[place * self.size.fixed..][..self.size.fixed],
            psqt: &mut self.psqt[place / 2][place % 2],
        }
    }

    /// Both perspectives of a ply, `first` first. Ordering them later would wait until they are
    /// written.
    #[inline]
    pub(super) fn both(&self, ply: usize, first: usize) -> [AccumulatorRef<'_>; 2] {
        [self.accumulator(2 * ply + first), self.accumulator(2 * ply + 1 - first)]
    }

    /// The integer sums of both perspectives of a ply, `first` first.
    #[inline]
    pub(super) fn values_of_both(&self, ply: usize, first: usize) -> [&[BlockI16]; 2] {
        let values = &self.values[ply * self.stride..][..2 * self.size.blocks];
        let (white, black) = values.split_at(self.size.blocks);
        if first == 0 { [white, black] } else { [black, white] }
    }

    /// The integer sums of a ply to read and of a later ply to write, both perspectives in one
    /// slice. `None` if there is no memory for the later ply.
    #[inline(always)]
    pub(super) fn values_to_update(
        &mut self,
        parent: usize,
        child: usize,
    ) -> Option<(&[BlockI16], &mut [BlockI16])> {
        let Self { size, stride, values, .. } = self;
        let (low, high) = values.split_at_mut_checked(child * *stride)?;
        let both = 2 * size.blocks;
        Some((low.get(parent * *stride..)?.get(..both)?, high.get_mut(..both)?))
    }

    /// The piece-square sums of a ply to read and of a later one to write.
    #[inline]
    pub(super) fn psqt_to_update(
        &mut self,
        parent: usize,
        child: usize,
    ) -> (&[[i32; PSQT]; 2], &mut [[i32; PSQT]; 2]) {
        let (low, high) = self.psqt.split_at_mut(child);
        (&low[parent], &mut high[0])
    }

    /// A perspective of a ply to read and one of a later ply to write.
    #[inline]
    pub(super) fn pair(
        &mut self,
        parent: usize,
        child: usize,
    ) -> (AccumulatorRef<'_>, AccumulatorMut<'_>) {
        let (from, to) = (self.start(parent), self.start(child));
        let Self { size, values, fixed, psqt, .. } = self;
        let (low, high) = values.split_at_mut(to);
        let (low_fixed, high_fixed) = fixed.split_at_mut(child * size.fixed);
        let (low_psqt, high_psqt) = psqt.as_flattened_mut().split_at_mut(child);
        let parent = AccumulatorRef {
            values: &low[from..][..size.blocks],
            fixed: &low_fixed[parent * size.fixed..][..size.fixed],
            psqt: &low_psqt[parent],
        };
        let child = AccumulatorMut {
            values: &mut high[..size.blocks],
            fixed: &mut high_fixed[..size.fixed],
            psqt: &mut high_psqt[0],
        };
        (parent, child)
    }

    pub(super) fn copy_from(&mut self, place: usize, other: &Self, from: usize) {
        let (to, from) = (self.accumulator_mut(place), other.accumulator(from));
        to.values.copy_from_slice(from.values);
        to.fixed.copy_from_slice(from.fixed);
        *to.psqt = *from.psqt;
    }
}
