//! Continuation history: how well quiet moves did after the moves one, two and four plies before.

use games::{Color, SearchGame};

use super::{Histories, HistoryIndex, MAX_HISTORY, add_with_gravity};

/// The moves one, two and four plies before a position, by [`HistoryIndex::continuation_number`]; 0
/// for a null move and before the root.
pub(crate) type PreviousMoves = [u16; 3];

/// The histories of the quiet moves of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietHistory<'a> {
    from_to: &'a [i16],
    continuation: [&'a [i16]; 3],
}

impl QuietHistory<'_> {
    /// The sum of the butterfly and continuation histories of a quiet move.
    #[inline]
    pub(crate) fn score(&self, index: HistoryIndex) -> i32 {
        let [one, two, four] =
            self.continuation.map(|row| i32::from(row[usize::from(index.piece_to)]));
        i32::from(self.from_to[index.from_to as usize]) + one + two + (four >> 1)
    }
}

impl<G: SearchGame> Histories<G> {
    /// The number of the row of an earlier move, by the side to move now.
    #[inline]
    pub(super) fn row_number(side: Color, previous: u16) -> usize {
        side as usize * (Self::PIECE_TO + 1) + usize::from(previous)
    }

    /// Where the continuations of an earlier move begin.
    #[inline]
    fn row(side: Color, previous: u16) -> usize {
        Self::row_number(side, previous) * Self::PIECE_TO
    }

    /// The histories of the quiet moves of a side after these moves.
    ///
    /// Always inlined into the loop over moves: there the lengths of the slices are constants, and
    /// one bounds check serves all of them.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "bounds checks vanish where lengths are constants")]
    pub(crate) fn quiet_history(&self, side: Color, previous: PreviousMoves) -> QuietHistory<'_> {
        // The row of a null move is never updated and stays zero.
        let row = |previous| &self.continuation[Self::row(side, previous)..][..Self::PIECE_TO];
        QuietHistory {
            from_to: &self.from_to[side as usize * Self::FROM_TO..][..Self::FROM_TO],
            continuation: [row(previous[0]), row(previous[1]), row(previous[2])],
        }
    }

    /// The history of a single quiet move; see [`QuietHistory::score`].
    #[inline]
    pub(crate) fn quiet(&self, side: Color, index: HistoryIndex, previous: PreviousMoves) -> i32 {
        let to = usize::from(index.piece_to);
        let [one, two, four] =
            previous.map(|previous| i32::from(self.continuation[Self::row(side, previous) + to]));
        i32::from(self.from_to[Self::from_to_index(side, index)]) + one + two + (four >> 1)
    }

    /// Adds a bonus or malus to the continuation histories of a quiet move.
    #[inline]
    pub(super) fn update_continuation(
        &mut self,
        side: Color,
        index: HistoryIndex,
        previous: PreviousMoves,
        bonus: i32,
    ) {
        for previous in previous {
            if previous != 0 {
                let index = Self::row(side, previous) + usize::from(index.piece_to);
                add_with_gravity(&mut self.continuation[index], bonus, MAX_HISTORY);
            }
        }
    }
}
