//! Piece-square sums (PSQT): updated beside the accumulator, one for each output bucket.

use crate::accumulator::PSQT;

/// A feature's piece-square weights. Aligned, so that no row crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct PsqtRow(pub(crate) [i32; PSQT]);

/// The sums of `parent` with rows added and removed.
#[inline(always)]
pub(crate) fn updated(
    rows: &[PsqtRow],
    parent: &[i32; PSQT],
    added: impl Iterator<Item = u32>,
    removed: impl Iterator<Item = u32>,
) -> [i32; PSQT] {
    let mut sums = *parent;
    for index in added {
        let row = rows[index as usize].0;
        for i in 0..PSQT {
            sums[i] = sums[i].wrapping_add(row[i]);
        }
    }
    for index in removed {
        let row = rows[index as usize].0;
        for i in 0..PSQT {
            sums[i] = sums[i].wrapping_sub(row[i]);
        }
    }
    sums
}
