//! Correction history: the errors of the static evaluation in similar positions, by the game's
//! correction keys (such as the pawn key) and by the last two moves.

use games::Color;

use super::{PreviousMoves, add_with_gravity};

/// The largest absolute value of an entry.
const MAX_CORRECTION: i32 = 16_384;
/// An entry of this value corrects by a centipawn.
const CORRECTION_UNIT: i32 = 197;
/// Entries for each key and side.
const ENTRIES: usize = 1 << 14;
/// The number of tables: one for each correction key, and one for the last two moves.
const TABLES: usize = 4;

/// The correction history of a thread.
#[derive(Debug)]
pub(crate) struct CorrectionHistory {
    /// By table, side and hash. The size is part of the type, so that no index is checked.
    entries: Box<[i16; 2 * TABLES * ENTRIES]>,
}

impl CorrectionHistory {
    pub(crate) fn new() -> Self {
        let entries = vec![0; 2 * TABLES * ENTRIES].try_into().expect("it has that many");
        Self { entries }
    }

    /// Resets all entries.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(0);
    }

    /// The index of the entry in each table; `None` for a key that the game does not have.
    #[inline]
    fn indices(
        side: Color,
        correction_keys: [u64; 3],
        previous: PreviousMoves,
    ) -> [Option<usize>; TABLES] {
        let [first, second, third] = correction_keys;
        let [last, second_last, ..] = previous.map(u64::from);
        let moves = (last << 20 | second_last).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let index = |table: usize, hash: u64| {
            let index = (2 * table + side as usize) * ENTRIES + hash as usize % ENTRIES;
            (hash != 0).then_some(index)
        };
        [index(0, first), index(1, second), index(2, third), index(3, moves >> 32)]
    }

    /// The correction of the static evaluation, in centipawns.
    #[inline]
    pub(crate) fn correction(
        &self,
        side: Color,
        correction_keys: [u64; 3],
        previous: PreviousMoves,
    ) -> i32 {
        let value = |index: Option<usize>| index.map_or(0, |index| self.entries[index].into());
        let [first, second, third, moves]: [i32; TABLES] =
            Self::indices(side, correction_keys, previous).map(value);
        (first + second + third + moves) / (2 * CORRECTION_UNIT)
    }

    /// Updates the entries by the error of the static evaluation, as a search of `depth` found it.
    pub(crate) fn update(
        &mut self,
        side: Color,
        correction_keys: [u64; 3],
        previous: PreviousMoves,
        error: i32,
        depth: i32,
    ) {
        let bonus = (error * depth * 3).clamp(-MAX_CORRECTION / 4, MAX_CORRECTION / 4);
        let indices = Self::indices(side, correction_keys, previous);
        for index in indices.into_iter().flatten() {
            add_with_gravity(&mut self.entries[index], bonus, MAX_CORRECTION);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_the_error_and_are_forgotten() {
        let mut history = CorrectionHistory::new();
        let (keys, previous) = ([3, 5, 0], [7, 9, 0, 0]);
        for _ in 0..100 {
            history.update(Color::White, keys, previous, 200, 8);
        }
        let correction = history.correction(Color::White, keys, previous);
        assert!(correction > 50, "{correction}");
        assert_eq!(history.correction(Color::Black, keys, previous), 0);
        let pawns_alone = history.correction(Color::White, [3, 0, 0], [1, 1, 0, 0]);
        assert!((1..correction).contains(&pawns_alone), "{pawns_alone}");
        history.clear();
        assert_eq!(history.correction(Color::White, keys, previous), 0);
    }
}
