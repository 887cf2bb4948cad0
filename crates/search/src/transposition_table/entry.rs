//! Transposition-table entry: score, bound, depth, move and static evaluation in two words.

use crate::result::Bound;
use crate::score::{MIN_MATE, adjust_mate_score};

/// What is stored of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TtData {
    /// The code of the best move.
    pub(crate) code: Option<u32>,
    /// The score, with mates counted from the node; see [`adjust_mate_score`].
    pub(crate) score: i32,
    /// The raw static evaluation.
    pub(crate) raw_eval: Option<i32>,
    /// The depth of the search, 0 for quiescence search.
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position is or was a PV node.
    pub(crate) tt_pv: bool,
}

/// An entry as it lies in the table: fields are unpacked when they are read, and mostly only a few
/// are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TtEntry {
    /// From the lowest bit: 16 of score, 16 of static evaluation, 8 of depth, 2 of bound, 1 of PV,
    /// 5 of generation, 16 of move.
    data: u64,
    /// The other half of the move.
    high: u16,
}

/// No static evaluation.
const NO_EVAL: i16 = i16::MIN;
/// Bits of the bound: the true score is at most, or at least, the stored one. Both if it is exact,
/// none in an empty slot.
const UPPER: u64 = 1;
const LOWER: u64 = 2;

impl TtData {
    pub(super) fn pack(&self, generation: u8) -> TtEntry {
        let code = self.code.and_then(|code| code.checked_add(1)).unwrap_or(0);
        let bound = match self.bound {
            Bound::Upper => UPPER,
            Bound::Lower => LOWER,
            Bound::Exact => UPPER | LOWER,
        };
        let raw_eval = self.raw_eval.map_or(NO_EVAL, |raw_eval| raw_eval as i16);
        let data = u64::from(self.score as i16 as u16)
            | u64::from(raw_eval as u16) << 16
            | u64::from(self.depth.clamp(0, 255) as u8) << 32
            | bound << 40
            | u64::from(self.tt_pv) << 42
            | u64::from(generation) << 43
            | u64::from(code & 0xFFFF) << 48;
        TtEntry { data, high: (code >> 16) as u16 }
    }
}

impl TtEntry {
    /// The entry of a slot; `None` if the slot is empty.
    #[inline]
    pub(super) fn new(data: u64, high: u16) -> Option<Self> {
        (data >> 40 & (UPPER | LOWER) != 0).then_some(Self { data, high })
    }

    /// The two words, the key's bits zero.
    pub(super) fn words(self) -> (u64, u64) {
        (self.data, self.high.into())
    }

    /// The same entry with the move of another one.
    pub(super) fn with_move_of(self, other: Self) -> Self {
        const MOVE: u64 = 0xFFFF << 48;
        Self { data: self.data & !MOVE | other.data & MOVE, high: other.high }
    }

    /// The code of the best move. Keys may collide: it can be no move of the position.
    #[inline]
    pub(crate) fn code(self) -> Option<u32> {
        let code = (self.data >> 48) as u32 | u32::from(self.high) << 16;
        code.checked_sub(1)
    }

    /// The score, with mates counted from the root, `ply` plies away.
    #[inline]
    pub(crate) fn score(self, ply: usize) -> i32 {
        adjust_mate_score((self.data as i16).into(), ply as i32)
    }

    /// The raw static evaluation.
    #[inline]
    pub(crate) fn raw_eval(self) -> Option<i32> {
        let raw_eval = (self.data >> 16) as i16;
        (raw_eval != NO_EVAL).then(|| raw_eval.into())
    }

    /// The depth of the search, 0 for quiescence search.
    #[inline]
    pub(crate) fn depth(self) -> i32 {
        depth_of(self.data)
    }

    /// Whether the score is exact or a lower bound.
    #[inline]
    pub(crate) fn is_lower(self) -> bool {
        self.data >> 40 & LOWER != 0
    }

    /// Whether the score is exact or an upper bound.
    #[inline]
    pub(crate) fn is_upper(self) -> bool {
        self.data >> 40 & UPPER != 0
    }

    /// Whether the position is or was a PV node.
    #[inline]
    pub(crate) fn tt_pv(self) -> bool {
        self.data >> 42 & 1 != 0
    }

    /// Whether the bound proves that the true score is on the same side of `limit` as `score`, the
    /// stored one: a fail high (at least `limit`) or a fail low (below).
    #[inline]
    pub(crate) fn proves(self, score: i32, limit: i32) -> bool {
        let side = if score >= limit { LOWER } else { UPPER };
        self.data >> 40 & side != 0
    }

    /// The score, `ply` plies from the root, if its bound makes it a better estimate than the
    /// static evaluation.
    #[inline]
    pub(crate) fn better_estimate(self, static_eval: i32, ply: usize) -> Option<i32> {
        let score = self.score(ply);
        (score.abs() < MIN_MATE && self.proves(score, static_eval)).then_some(score)
    }
}

/// The depth of the search that stored these data.
#[inline]
pub(super) fn depth_of(data: u64) -> i32 {
    (data >> 32 & 255) as i32
}

/// The generation of the search that stored these data.
#[inline]
pub(super) fn generation_of(data: u64) -> u8 {
    (data >> 43) as u8 % super::GENERATIONS
}
