//! Accumulator updates: adds and subtracts rows of feature weights.

#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use core::slice;

use super::vector::{Primitives, cast, cast_mut};
use crate::blocks::BlockI16;

/// [`Simd::update`](super::Simd::update).
///
/// The row counts of a quiet move, a capture and castling have specialised loops, without an inner
/// loop over rows.
#[inline(always)]
pub(super) fn update<P: Primitives>(
    p: P,
    child: &mut [BlockI16],
    parent: &[BlockI16],
    rows: &[BlockI16],
    added: &[u32],
    removed: &[u32],
) {
    let width = child.len();
    let row = |index: u32| &rows[index as usize * width..][..width];
    match (added, removed) {
        (&[a], &[r]) => few(p, child, parent, [row(a)], [row(r)]),
        (&[a], &[r, s]) => few(p, child, parent, [row(a)], [row(r), row(s)]),
        (&[a, b], &[r, s]) => few(p, child, parent, [row(a), row(b)], [row(r), row(s)]),
        _ => many(p, child, parent, rows, added.iter().copied(), removed.iter().copied()),
    }
}

/// [`Simd::update_both`](super::Simd::update_both). Dispatches on the row counts once for both
/// accumulators.
#[inline(always)]
pub(super) fn update_both<P: Primitives>(
    p: P,
    children: &mut [BlockI16],
    parents: &[BlockI16],
    rows: &[BlockI16],
    added: &[[u32; 2]],
    removed: &[[u32; 2]],
) {
    let width = parents.len() / 2;
    // One assertion here removes the bounds checks of each part.
    assert!(
        parents.len() == 2 * width && children.len() == 2 * width,
        "two perspectives of one width"
    );
    let parents = parents.split_at(width);
    let children = children.split_at_mut(width);
    let row = |index: u32| &rows[index as usize * width..][..width];
    match (added, removed) {
        (&[[a, b]], &[[r, s]]) => {
            few(p, children.0, parents.0, [row(a)], [row(r)]);
            few(p, children.1, parents.1, [row(b)], [row(s)]);
        }
        (&[[a, b]], &[[r, s], [t, u]]) => {
            few(p, children.0, parents.0, [row(a)], [row(r), row(t)]);
            few(p, children.1, parents.1, [row(b)], [row(s), row(u)]);
        }
        (&[[a, b], [c, d]], &[[r, s], [t, u]]) => {
            few(p, children.0, parents.0, [row(a), row(c)], [row(r), row(t)]);
            few(p, children.1, parents.1, [row(b), row(d)], [row(s), row(u)]);
        }
        _ => {
            let perspectives = [(children.0, parents.0), (children.1, parents.1)];
            for (perspective, (child, parent)) in perspectives.into_iter().enumerate() {
                let added = added.iter().map(|pair| pair[perspective]);
                let removed = removed.iter().map(|pair| pair[perspective]);
                many(p, child, parent, rows, added, removed);
            }
        }
    }
}

/// Applies all rows at once, one block at a time.
#[inline(always)]
fn few<P: Primitives, const A: usize, const R: usize>(
    p: P,
    child: &mut [BlockI16],
    parent: &[BlockI16],
    added: [&[BlockI16]; A],
    removed: [&[BlockI16]; R],
) {
    let width = child.len();
    // Equal slice lengths let the compiler remove bounds checks.
    let parent = &parent[..width];
    let added = added.map(|row| &row[..width]);
    let removed = removed.map(|row| &row[..width]);
    for block in 0..width {
        let added = added.map(|row| vectors::<P>(&row[block]));
        let removed = removed.map(|row| vectors::<P>(&row[block]));
        let parent = vectors::<P>(&parent[block]);
        let child = cast_mut::<_, P::Vector>(slice::from_mut(&mut child[block]));
        for i in 0..child.len() {
            let mut value = parent[i];
            for row in added {
                value = p.add_i16(value, row[i]);
            }
            for row in removed {
                value = p.sub_i16(value, row[i]);
            }
            child[i] = value;
        }
    }
}

/// Keeps a tile of the child in registers, as large as they allow, and applies all rows to it
/// before the next tile. The child is written once, and only the rows are read repeatedly.
#[inline(always)]
fn many<P: Primitives>(
    p: P,
    child: &mut [BlockI16],
    parent: &[BlockI16],
    rows: &[BlockI16],
    added: impl Iterator<Item = u32> + Clone,
    removed: impl Iterator<Item = u32> + Clone,
) {
    let mut walk = Walk {
        p,
        child: cast_mut(child),
        parent: cast(parent),
        rows: cast(rows),
        added,
        removed,
        done: 0,
    };
    if P::REGISTERS >= 32 {
        walk.tiles::<16>();
    }
    walk.tiles::<8>();
    // The rest is always a multiple of 2 vectors: a block is two of the widest vectors.
    walk.tiles::<2>();
}

/// The state of [`many`].
struct Walk<'a, P: Primitives, A, R> {
    p: P,
    child: &'a mut [P::Vector],
    parent: &'a [P::Vector],
    rows: &'a [P::Vector],
    added: A,
    removed: R,
    /// The number of finished vectors of the child.
    done: usize,
}

impl<P, A, R> Walk<'_, P, A, R>
where
    P: Primitives,
    A: Iterator<Item = u32> + Clone,
    R: Iterator<Item = u32> + Clone,
{
    /// Processes tiles of `N` vectors while that many are left.
    #[inline(always)]
    fn tiles<const N: usize>(&mut self) {
        while self.done + N <= self.child.len() {
            let mut tile: [_; N] = *self.part(self.parent, 0);
            for row in self.added.clone() {
                let row: &[_; N] = self.part(self.rows, row);
                for i in 0..N {
                    tile[i] = self.p.add_i16(tile[i], row[i]);
                }
            }
            for row in self.removed.clone() {
                let row: &[_; N] = self.part(self.rows, row);
                for i in 0..N {
                    tile[i] = self.p.sub_i16(tile[i], row[i]);
                }
            }
            self.child[self.done..][..N].copy_from_slice(&tile);
            self.done += N;
        }
    }

    /// The tile's part of one of the `rows`.
    #[inline(always)]
    fn part<'b, const N: usize>(&self, rows: &'b [P::Vector], row: u32) -> &'b [P::Vector; N] {
        let start = row as usize * self.child.len() + self.done;
        rows[start..].first_chunk().expect("a row is as long as the accumulator")
    }
}

/// The vectors of a block.
#[inline(always)]
fn vectors<P: Primitives>(block: &BlockI16) -> &[P::Vector] {
    cast(slice::from_ref(block))
}
