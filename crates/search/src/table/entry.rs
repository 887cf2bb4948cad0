//! What the table holds of a position: two words, of which one is the key but for its last bits.

use crate::report::Bound;
use crate::score::WON;

/// What the table is to remember of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The number of the best move.
    pub(crate) code: Option<u32>,
    /// Counted from the position, not from the root; see [`shifted`].
    pub(crate) score: i32,
    /// What the evaluator said.
    pub(crate) evaluation: Option<i32>,
    /// How deep the search was, 0 for quiescence.
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was ever on a main line.
    pub(crate) was_pv: bool,
}

/// What the table knows of a position, as it lies there: mostly only a part of it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// From the lowest bit: 16 of score, 16 of evaluation, 8 of depth, 2 of bound, 1 of main line, 5 of generation, 16 of move.
    data: u64,
    /// The other half of the move.
    high: u16,
}

/// No evaluation.
const NONE: i16 = i16::MIN;
/// Bits of the bound: the true score is at most, or at least, the one that is told. Both if it is exact, none in an empty place.
const UPPER: u64 = 1;
const LOWER: u64 = 2;

impl Entry {
    pub(super) fn pack(&self, generation: u8) -> Found {
        let code = self.code.and_then(|code| code.checked_add(1)).unwrap_or(0);
        let bound = match self.bound {
            Bound::Upper => UPPER,
            Bound::Lower => LOWER,
            Bound::Exact => UPPER | LOWER,
        };
        let evaluation = self.evaluation.map_or(NONE, |evaluation| evaluation as i16);
        let data = u64::from(self.score as i16 as u16)
            | u64::from(evaluation as u16) << 16
            | u64::from(self.depth.clamp(0, 255) as u8) << 32
            | bound << 40
            | u64::from(self.was_pv) << 42
            | u64::from(generation) << 43
            | u64::from(code & 0xFFFF) << 48;
        Found { data, high: (code >> 16) as u16 }
    }
}

impl Found {
    /// What lies in a place of the table; `None` if nothing does.
    #[inline]
    pub(super) fn new(data: u64, high: u16) -> Option<Self> {
        (data >> 40 & (UPPER | LOWER) != 0).then_some(Self { data, high })
    }

    /// Its two words, the key's last bits zero.
    pub(super) fn words(self) -> (u64, u64) {
        (self.data, self.high.into())
    }

    /// The same with the move of another one.
    pub(super) fn with_move_of(self, other: Self) -> Self {
        const MOVE: u64 = 0xFFFF << 48;
        Self { data: self.data & !MOVE | other.data & MOVE, high: other.high }
    }

    /// The number of the best move. It comes from a table that hashes share: it may be no move of the position.
    #[inline]
    pub(crate) fn code(self) -> Option<u32> {
        let code = (self.data >> 48) as u32 | u32::from(self.high) << 16;
        code.checked_sub(1)
    }

    /// The score, `ply` moves from the root.
    #[inline]
    pub(crate) fn score(self, ply: usize) -> i32 {
        shifted((self.data as i16).into(), ply as i32)
    }

    /// What the evaluator said.
    #[inline]
    pub(crate) fn evaluation(self) -> Option<i32> {
        let evaluation = (self.data >> 16) as i16;
        (evaluation != NONE).then(|| evaluation.into())
    }

    /// How deep the search was, 0 for quiescence.
    #[inline]
    pub(crate) fn depth(self) -> i32 {
        depth_of(self.data)
    }

    /// Whether the true score is at least the one that is told.
    #[inline]
    pub(crate) fn is_lower(self) -> bool {
        self.data >> 40 & LOWER != 0
    }

    /// Whether the true score is at most the one that is told.
    #[inline]
    pub(crate) fn is_upper(self) -> bool {
        self.data >> 40 & UPPER != 0
    }

    /// Whether the position was ever on a main line.
    #[inline]
    pub(crate) fn was_pv(self) -> bool {
        self.data >> 42 & 1 != 0
    }

    /// Whether the true score is known to be at or beyond `limit`, in the direction that the bound allows. `score` is the one that
    /// is told.
    #[inline]
    pub(crate) fn cuts(self, score: i32, limit: i32) -> bool {
        let side = if score >= limit { LOWER } else { UPPER };
        self.data >> 40 & side != 0
    }

    /// The score, `ply` moves from the root, if it says more about a position than its value.
    #[inline]
    pub(crate) fn improves(self, value: i32, ply: usize) -> Option<i32> {
        let score = self.score(ply);
        (score.abs() < WON && self.cuts(score, value)).then_some(score)
    }
}

/// The score as it counts `ply` moves from the root, for use or to be stored (`ply` negative).
#[inline]
pub(crate) fn shifted(score: i32, ply: i32) -> i32 {
    match score {
        score if score >= WON => score - ply,
        score if score <= -WON => score + ply,
        score => score,
    }
}

/// How deep the search was that left these data.
#[inline]
pub(super) fn depth_of(data: u64) -> i32 {
    (data >> 32 & 255) as i32
}

/// In which search they were left.
#[inline]
pub(super) fn generation_of(data: u64) -> u8 {
    (data >> 43) as u8 % super::GENERATIONS
}
