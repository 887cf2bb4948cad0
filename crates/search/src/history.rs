//! History heuristic: butterfly history of quiet moves, capture history, continuation history,
//! counter-moves and correction history.

mod continuation;
mod correction;
mod index;

use std::marker::PhantomData;

use games::{Color, SearchGame};

pub(crate) use continuation::{HistoryParts, PreviousMoves, QuietHistory};
pub(crate) use correction::CorrectionHistory;
pub(crate) use index::HistoryIndex;

/// The largest absolute value of a history.
const MAX_HISTORY: i32 = 16_384;

/// Adds a bonus with gravity: the farther a value has gone, the more it is drawn back, so that it
/// stays within its limits and forgets.
#[inline]
fn add_with_gravity(value: &mut i16, bonus: i32, max: i32) {
    let bonus = bonus.clamp(-max, max);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / max) as i16;
}

/// The histories of moves. The game is part of the type, so that indices are computed with
/// constants.
#[derive(Debug)]
pub(crate) struct Histories<G> {
    /// Butterfly history of quiet moves, by side, origin and destination.
    from_to: Vec<i16>,
    /// Threat history: the same by whether origin and destination are attacked.
    threats: Vec<i16>,
    /// Capture history, by side, piece, destination and captured piece.
    captures: Vec<i16>,
    /// Continuation history, by side, earlier move of either side and quiet move.
    continuation: Vec<i16>,
    /// Counter-moves: the code of the move that refuted a move.
    counter_moves: Vec<Option<u32>>,
    game: PhantomData<fn(G)>,
}

impl<G: SearchGame> Histories<G> {
    /// The number of pairs of origin and destination.
    const FROM_TO: usize = G::POLICY.from * G::POLICY.to;
    /// The number of pairs of piece and destination.
    const PIECE_TO: usize = G::PIECE_KINDS * G::POLICY.to;

    pub(crate) fn new() -> Self {
        Self {
            from_to: vec![0; 2 * Self::FROM_TO],
            threats: vec![0; 2 * 4 * Self::FROM_TO],
            captures: vec![0; 2 * Self::PIECE_TO * (G::PIECE_KINDS + 1)],
            continuation: vec![0; 2 * (2 * Self::PIECE_TO + 1) * Self::PIECE_TO],
            counter_moves: vec![None; 2 * (2 * Self::PIECE_TO + 1)],
            game: PhantomData,
        }
    }

    /// Resets all histories.
    pub(crate) fn clear(&mut self) {
        let Self { from_to, threats, captures, continuation, .. } = self;
        for table in [from_to, threats, captures, continuation] {
            table.fill(0);
        }
        self.counter_moves.fill(None);
    }

    #[inline]
    fn from_to_index(side: Color, index: HistoryIndex) -> usize {
        side as usize * Self::FROM_TO + index.from_to as usize
    }

    #[inline]
    fn threats_index(side: Color, index: HistoryIndex) -> usize {
        Self::from_to_index(side, index) * 4 + usize::from(index.threats)
    }

    #[inline]
    fn capture_index(side: Color, index: HistoryIndex) -> usize {
        let captured = usize::from(index.captured).min(G::PIECE_KINDS);
        (side as usize * Self::PIECE_TO + usize::from(index.piece_to)) * (G::PIECE_KINDS + 1)
            + captured
    }

    /// The history of a noisy move.
    #[inline]
    pub(crate) fn capture(&self, side: Color, index: HistoryIndex) -> i32 {
        self.captures[Self::capture_index(side, index)].into()
    }

    /// Adds a bonus, or a malus if it is negative, to the history of a noisy move.
    pub(crate) fn update_capture(&mut self, side: Color, index: HistoryIndex, bonus: i32) {
        let index = Self::capture_index(side, index);
        add_with_gravity(&mut self.captures[index], bonus, MAX_HISTORY);
    }

    /// Adds a bonus, or a malus if it is negative, to the butterfly and continuation histories of a
    /// quiet move.
    pub(crate) fn update_quiet(
        &mut self,
        side: Color,
        index: HistoryIndex,
        previous: PreviousMoves,
        bonus: i32,
    ) {
        self.update_butterfly(side, index, bonus);
        self.update_continuation(side, index, previous, bonus);
    }

    /// Adds a bonus or malus to the butterfly histories of a quiet move.
    pub(crate) fn update_butterfly(&mut self, side: Color, index: HistoryIndex, bonus: i32) {
        let from_to = Self::from_to_index(side, index);
        add_with_gravity(&mut self.from_to[from_to], bonus, MAX_HISTORY);
        let threats = Self::threats_index(side, index);
        add_with_gravity(&mut self.threats[threats], bonus, MAX_HISTORY);
    }

    /// The counter-move: the code of the move that refuted the previous move when it was played
    /// before.
    pub(crate) fn counter_move(&self, side: Color, previous: PreviousMoves) -> Option<u32> {
        self.counter_moves[Self::row_number(side, previous[0])]
    }

    /// Stores a move as the counter-move of the previous one.
    pub(crate) fn set_counter_move(&mut self, side: Color, previous: PreviousMoves, code: u32) {
        let row = Self::row_number(side, previous[0]);
        self.counter_moves[row] = Some(code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_values_within_their_limits() {
        let mut value = 0;
        for step in 0..1000 {
            add_with_gravity(&mut value, if step % 7 == 0 { -40_000 } else { 9000 }, MAX_HISTORY);
            assert!(i32::from(value).abs() <= MAX_HISTORY);
        }
        let mut value = 0;
        for _ in 0..1000 {
            add_with_gravity(&mut value, 500, MAX_HISTORY);
        }
        assert!(i32::from(value) > MAX_HISTORY * 9 / 10, "{value}");
    }
}
