//! What the search learns about moves, and about its evaluator's mistakes, while it goes on.

use std::marker::PhantomData;

use games::{Color, Described, Game};

/// The most that any history holds.
const MOST: i32 = 16_384;
/// The most that a correction holds, and what divides it to centipawns.
const MOST_CORRECTION: i32 = 16_384;
const CORRECTION_UNIT: i32 = 128;
/// Corrections for each hash.
const CORRECTIONS: usize = 1 << 14;
/// How many kinds of corrections there are: one for each aspect, and one for the last move.
const KINDS_OF_CORRECTION: usize = 4;

/// Where tables remember a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The cells that it leaves and enters.
    pub(crate) from_to: u16,
    /// The piece that moves and the cell that it enters.
    pub(crate) piece_to: u16,
    /// The kind of the piece that it takes, [`u8::MAX`] if none.
    pub(crate) taken: u8,
}

impl Place {
    #[inline]
    pub(crate) fn of<G: Game>(described: &Described<G::Move>) -> Self {
        const {
            assert!(G::PIECE_KINDS * G::POLICY.to < u16::MAX as usize);
            assert!(G::POLICY.from * G::POLICY.to <= u16::MAX as usize + 1);
        }
        let index = described.index;
        Self {
            from_to: (index.from * G::POLICY.to + index.to) as u16,
            piece_to: (described.kind * G::POLICY.to + index.to) as u16,
            taken: described.taken.map_or(u8::MAX, |kind| kind as u8),
        }
    }

    /// A number for the move, by which others remember that it came before them; above 0.
    #[inline]
    pub(crate) fn number(self) -> u16 {
        self.piece_to + 1
    }

    /// The cells that the move leaves and enters.
    #[inline]
    pub(crate) fn cells<G: Game>(self) -> (usize, usize) {
        let number = self.from_to as usize;
        (number / G::POLICY.to, number % G::POLICY.to)
    }

    /// The kind of the piece that moves.
    #[inline]
    pub(crate) fn kind<G: Game>(self) -> usize {
        usize::from(self.piece_to) / G::POLICY.to
    }

    /// The kind of the piece that the move takes.
    #[inline]
    pub(crate) fn taken_kind(self) -> Option<usize> {
        (self.taken != u8::MAX).then_some(self.taken.into())
    }
}

/// A value that is drawn back the more the farther it has gone, so that it stays within its limits and forgets.
#[inline]
fn add_with_gravity(value: &mut i16, bonus: i32, most: i32) {
    let bonus = bonus.clamp(-most, most);
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / most) as i16;
}

/// The moves before a position that continuation histories look at, one, two and four plies back, by
/// [`Place::number`]; 0 where nobody moved.
pub(crate) type Before = [u16; 3];

/// Everything that is learnt. What belongs to the game is in its type, so that places are computed with constants.
#[derive(Debug)]
pub(crate) struct Histories<G> {
    from_to: Vec<i16>,
    captures: Vec<i16>,
    continuation: Vec<i16>,
    /// The number of the move that refuted a move.
    counters: Vec<Option<u32>>,
    /// By kind, side and hash. Its size is part of its type, so that no index needs to be checked.
    corrections: Box<[i16; 2 * KINDS_OF_CORRECTION * CORRECTIONS]>,
    game: PhantomData<fn(G)>,
}

/// What is known of quiet moves in one position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quiets<'a> {
    from_to: &'a [i16],
    rows: [&'a [i16]; 3],
}

impl Quiets<'_> {
    /// How good a quiet move was before.
    #[inline]
    pub(crate) fn score(&self, place: Place) -> i32 {
        let [one, two, four] = self.rows.map(|row| i32::from(row[usize::from(place.piece_to)]));
        i32::from(self.from_to[place.from_to as usize]) + one + two + (four >> 1)
    }
}

impl<G: Game> Histories<G> {
    /// How many pairs of cells there are to leave and to enter.
    const CELLS: usize = G::POLICY.from * G::POLICY.to;
    /// How many pairs there are of a piece and the cell that it enters.
    const PAIRS: usize = G::PIECE_KINDS * G::POLICY.to;

    pub(crate) fn new() -> Self {
        Self {
            from_to: vec![0; 2 * Self::CELLS],
            captures: vec![0; 2 * Self::PAIRS * (G::PIECE_KINDS + 1)],
            continuation: vec![0; 2 * (Self::PAIRS + 1) * Self::PAIRS],
            counters: vec![None; 2 * (Self::PAIRS + 1)],
            corrections: vec![0; 2 * KINDS_OF_CORRECTION * CORRECTIONS]
                .try_into()
                .expect("it has that many"),
            game: PhantomData,
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for table in [&mut self.from_to, &mut self.captures, &mut self.continuation] {
            table.fill(0);
        }
        self.corrections.fill(0);
        self.counters.fill(None);
    }

    #[inline]
    fn quiet_index(side: Color, place: Place) -> usize {
        side as usize * Self::CELLS + place.from_to as usize
    }

    #[inline]
    fn capture_index(side: Color, place: Place) -> usize {
        let taken = usize::from(place.taken).min(G::PIECE_KINDS);
        (side as usize * Self::PAIRS + usize::from(place.piece_to)) * (G::PIECE_KINDS + 1) + taken
    }

    /// The number of a move, by whoever is to answer it.
    #[inline]
    fn row_number(side: Color, before: u16) -> usize {
        side as usize * (Self::PAIRS + 1) + usize::from(before)
    }

    /// Where the continuations of a move begin.
    #[inline]
    fn row(side: Color, before: u16) -> usize {
        Self::row_number(side, before) * Self::PAIRS
    }

    /// How good a capture or promotion was before.
    #[inline]
    pub(crate) fn capture(&self, side: Color, place: Place) -> i32 {
        self.captures[Self::capture_index(side, place)].into()
    }

    /// What is known of the quiet moves of a side after these moves.
    ///
    /// Always compiled into the loop over moves: there the lengths of its parts are numbers, and one question about a
    /// place serves all of them.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "checks of indices go where lengths are constants")]
    pub(crate) fn quiets(&self, side: Color, before: Before) -> Quiets<'_> {
        // Where nobody moved, the row is one that nothing is ever learnt in.
        let row = |before| &self.continuation[Self::row(side, before)..][..Self::PAIRS];
        Quiets {
            from_to: &self.from_to[side as usize * Self::CELLS..][..Self::CELLS],
            rows: [row(before[0]), row(before[1]), row(before[2])],
        }
    }

    /// How good a single quiet move was before; see [`Quiets::score`].
    #[inline]
    pub(crate) fn quiet(&self, side: Color, place: Place, before: Before) -> i32 {
        let to = usize::from(place.piece_to);
        let [one, two, four] =
            before.map(|before| i32::from(self.continuation[Self::row(side, before) + to]));
        i32::from(self.from_to[Self::quiet_index(side, place)]) + one + two + (four >> 1)
    }

    /// Learns that a capture was good (or bad, if the bonus is negative).
    pub(crate) fn update_capture(&mut self, side: Color, place: Place, bonus: i32) {
        let index = Self::capture_index(side, place);
        add_with_gravity(&mut self.captures[index], bonus, MOST);
    }

    /// Learns that a quiet move was good or bad.
    pub(crate) fn update_quiet(&mut self, side: Color, place: Place, before: Before, bonus: i32) {
        let index = Self::quiet_index(side, place);
        add_with_gravity(&mut self.from_to[index], bonus, MOST);
        for before in before {
            if before != 0 {
                let index = Self::row(side, before) + usize::from(place.piece_to);
                add_with_gravity(&mut self.continuation[index], bonus, MOST);
            }
        }
    }

    /// The number of the move that refuted the last one when it was played before.
    pub(crate) fn counter(&self, side: Color, before: Before) -> Option<u32> {
        self.counters[Self::row_number(side, before[0])]
    }

    /// Learns what refutes the last move.
    pub(crate) fn set_counter(&mut self, side: Color, before: Before, code: u32) {
        let row = Self::row_number(side, before[0]);
        self.counters[row] = Some(code);
    }

    /// Where the correction of each kind is; `None` for an aspect that the game does not have.
    #[inline]
    fn correction_places(
        side: Color,
        aspects: [u64; 3],
        before: Before,
    ) -> [Option<usize>; KINDS_OF_CORRECTION] {
        let [first, second, third] = aspects;
        let [last, second_last, _] = before.map(u64::from);
        let moves = (last << 20 | second_last).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = |kind: usize, hash: u64| {
            let place = (2 * kind + side as usize) * CORRECTIONS + hash as usize % CORRECTIONS;
            (hash != 0).then_some(place)
        };
        [place(0, first), place(1, second), place(2, third), place(3, moves >> 32)]
    }

    /// By how many centipawns the evaluator tends to be wrong about positions like this one.
    #[inline]
    pub(crate) fn correction(&self, side: Color, aspects: [u64; 3], before: Before) -> i32 {
        let value = |place: Option<usize>| place.map_or(0, |place| self.corrections[place].into());
        let [first, second, third, moves]: [i32; KINDS_OF_CORRECTION] =
            Self::correction_places(side, aspects, before).map(value);
        (first + second + third + moves) / (2 * CORRECTION_UNIT)
    }

    /// Learns by how much the evaluator was wrong.
    pub(crate) fn correct(
        &mut self,
        side: Color,
        aspects: [u64; 3],
        before: Before,
        error: i32,
        depth: i32,
    ) {
        let bonus = (error * depth * 2).clamp(-MOST_CORRECTION / 4, MOST_CORRECTION / 4);
        let places = Self::correction_places(side, aspects, before);
        for place in places.into_iter().flatten() {
            add_with_gravity(&mut self.corrections[place], bonus, MOST_CORRECTION);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_holds_values_within_their_limits() {
        let mut value = 0;
        for step in 0..1000 {
            add_with_gravity(&mut value, if step % 7 == 0 { -40_000 } else { 9000 }, MOST);
            assert!(i32::from(value).abs() <= MOST);
        }
        let mut value = 0;
        for _ in 0..1000 {
            add_with_gravity(&mut value, 500, MOST);
        }
        assert!(i32::from(value) > MOST * 9 / 10, "{value}");
    }
}
