//! Continuation history: how well quiet moves did after the moves one, two, four and six plies
//! before.

use games::{Color, SearchGame};

use super::{Histories, HistoryIndex, MAX_HISTORY, add_with_gravity};

/// The moves one, two, four and six plies before a position, by
/// [`HistoryIndex::continuation_number`]; 0 for a null move and before the root.
pub(crate) type PreviousMoves = [u16; 4];

/// The histories of the quiet moves of one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct QuietHistory<'a> {
    from_to: &'a [i16],
    threats: &'a [i16],
    continuation: [&'a [i16]; 4],
}

/// The histories of a quiet move: butterfly, threats, and continuations one, two, four and six plies
/// back.
pub(crate) type HistoryParts = [i32; 6];

impl QuietHistory<'_> {
    /// The butterfly and continuation histories of a quiet move, added up by weights in 1024ths.
    #[inline]
    pub(crate) fn score(&self, index: HistoryIndex, weights: &HistoryParts) -> i32 {
        let row = |row: &[i16]| i32::from(row[usize::from(index.piece_to)]);
        let [one, two, four, six] = self.continuation;
        let parts = [
            self.from_to[index.from_to as usize].into(),
            self.threats[index.from_to as usize * 4 + usize::from(index.threats)].into(),
            row(one),
            row(two),
            row(four),
            row(six),
        ];
        let sum: i32 = parts.into_iter().zip(weights).map(|(part, weight)| part * weight).sum();
        sum >> 10
    }
}

impl<G: SearchGame> Histories<G> {
    /// The number of the row of an earlier move, by the side to move now.
    #[inline]
    pub(super) fn row_number(side: Color, previous: u16) -> usize {
        side as usize * (2 * Self::PIECE_TO + 1) + usize::from(previous)
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
            threats: &self.threats[side as usize * 4 * Self::FROM_TO..][..4 * Self::FROM_TO],
            continuation: previous.map(row),
        }
    }

    /// The histories of a single quiet move.
    #[inline]
    pub(crate) fn quiet_parts(
        &self,
        side: Color,
        index: HistoryIndex,
        previous: PreviousMoves,
    ) -> HistoryParts {
        let to = usize::from(index.piece_to);
        let [one, two, four, six] =
            previous.map(|previous| i32::from(self.continuation[Self::row(side, previous) + to]));
        let from_to = self.from_to[Self::from_to_index(side, index)];
        let threats = self.threats[Self::threats_index(side, index)];
        [from_to.into(), threats.into(), one, two, four, six]
    }

    /// The history of a single quiet move, for reductions and pruning: the sum of its histories, of
    /// which those of butterflies and of earlier moves count less.
    #[inline]
    #[expect(clippy::manual_midpoint, reason = "histories are small: their sum does not overflow")]
    pub(crate) fn quiet(&self, side: Color, index: HistoryIndex, previous: PreviousMoves) -> i32 {
        let [from_to, threats, one, two, four, six] = self.quiet_parts(side, index, previous);
        (from_to + threats) / 2 + one + two + (four >> 1) + (six >> 2)
    }

    /// Adds a bonus or malus to the continuation histories of a quiet move.
    #[inline]
    pub(crate) fn update_continuation(
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
