//! Move buffer between the generator and its visitor.

use super::moves::Move;

/// How many moves are handed over at once. Most positions have fewer.
const SIZE: usize = 64;

/// Moves that were found and not yet visited.
///
/// The generator finds moves in a dozen places. What is done with a move (in a search: copy the
/// position, play, go on) is too much code to be repeated in each of them; and as a function to be
/// called it costs more than writing the move down here and reading it again in the one loop that
/// visits.
pub(super) struct Batch {
    moves: [Move; SIZE],
    len: usize,
}

impl Batch {
    #[inline]
    pub(super) fn new() -> Self {
        Self { moves: [Move::NONE; SIZE], len: 0 }
    }

    /// Adds a move. Says whether the batch is full and has to be flushed.
    #[inline]
    pub(super) fn push(&mut self, mv: Move) -> bool {
        self.moves[self.len % SIZE] = mv;
        self.len += 1;
        self.len == SIZE
    }

    /// Visits the moves and forgets them.
    #[inline(never)]
    pub(super) fn flush(&mut self, visit: &mut impl FnMut(Move)) {
        for &mv in &self.moves[..self.len.min(SIZE)] {
            visit(mv);
        }
        self.len = 0;
    }
}
