//! Move buffer: moves between the generator and its visitor.

use super::moves::Move;

/// The capacity of a batch. Most positions have fewer moves.
const SIZE: usize = 64;

/// Generated moves that have not been visited yet.
///
/// The generator finds moves in a dozen places. The visitor (in a search: copy the position, play,
/// search deeper) is too much code to inline into each of them, and calling it as a function costs
/// more than storing the move here and reading it again in the single loop that visits.
pub(super) struct Batch {
    moves: [Move; SIZE],
    len: usize,
}

impl Batch {
    #[inline]
    pub(super) fn new() -> Self {
        Self { moves: [Move::NONE; SIZE], len: 0 }
    }

    /// Adds a move. Returns whether the batch is full and must be flushed.
    #[inline]
    pub(super) fn push(&mut self, mv: Move) -> bool {
        self.moves[self.len % SIZE] = mv;
        self.len += 1;
        self.len == SIZE
    }

    /// Visits the moves and clears the batch.
    #[inline(never)]
    pub(super) fn flush(&mut self, visit: &mut impl FnMut(Move)) {
        for &mv in &self.moves[..self.len.min(SIZE)] {
            visit(mv);
        }
        self.len = 0;
    }
}
