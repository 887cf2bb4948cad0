//! Move encoding: a move with everything that make move needs.

use super::cell::Cell;
use super::piece::Piece;

/// A move of [`Hexchess`](super::Hexchess).
///
/// Besides the two cells it stores the moving piece, the piece that arrives, the captured piece and
/// whether it is a double step or en passant, so that make move needs no lookups.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u32);

// Bits 0–6 are the origin cell and 7–9 the piece that leaves it; bits 10–16 are the target cell and
// 17–19 the piece that arrives. Each of the two groups is an index into the table of Zobrist keys.
// Bits 20–22 are the captured piece.
const MOVED: u32 = 7;
const TO: u32 = 10;
const PLACED: u32 = 17;
const TAKEN: u32 = 20;
const CAPTURE: u32 = 1 << 23;
const EN_PASSANT: u32 = 1 << 24;
const DOUBLE_STEP: u32 = 1 << 25;
const PROMOTION: u32 = 1 << 26;
/// A capture or a pawn move.
const IRREVERSIBLE: u32 = 1 << 27;

impl Move {
    /// The filler of an empty list of moves.
    pub(super) const NONE: Self = Self(0);

    /// A move of a piece other than a pawn to an empty cell.
    #[inline]
    pub(super) const fn quiet(piece: Piece, from: Cell, to: Cell) -> Self {
        let piece = piece as u32;
        Self(from.bit() | to.bit() << TO | piece << MOVED | piece << PLACED)
    }

    /// A pawn move to an empty cell.
    #[inline]
    pub(super) const fn push(from: Cell, to: Cell) -> Self {
        Self(Self::quiet(Piece::Pawn, from, to).0 | IRREVERSIBLE)
    }

    /// The same move as a capture of `victim`.
    #[inline]
    pub(super) const fn taking(self, victim: Piece) -> Self {
        Self(self.0 | CAPTURE | IRREVERSIBLE | (victim as u32) << TAKEN)
    }

    /// The same move as an en-passant capture.
    #[inline]
    pub(super) const fn en_passant(self) -> Self {
        Self(self.taking(Piece::Pawn).0 | EN_PASSANT)
    }

    /// The same move as a double step.
    #[inline]
    pub(super) const fn double_step(self) -> Self {
        Self(self.0 | DOUBLE_STEP)
    }

    /// The same pawn move as a promotion.
    #[inline]
    pub(super) const fn promoting(self, piece: Piece) -> Self {
        Self(self.0 & !(7 << PLACED) | (piece as u32) << PLACED | PROMOTION)
    }

    /// The origin cell.
    #[inline]
    pub(super) const fn from(self) -> Cell {
        Cell::from_bit(self.0 & 127)
    }

    /// The target cell.
    #[inline]
    pub(super) const fn to(self) -> Cell {
        Cell::from_bit(self.0 >> TO & 127)
    }

    /// The kind of the moving piece.
    #[inline]
    pub(super) const fn moved(self) -> usize {
        (self.0 >> MOVED & 7) as usize
    }

    /// The kind of the piece on the target cell afterwards.
    #[inline]
    pub(super) const fn placed(self) -> usize {
        (self.0 >> PLACED & 7) as usize
    }

    /// The moving piece and the origin cell, as an index into a table of 1024.
    #[inline]
    pub(super) const fn departure(self) -> usize {
        (self.0 & 1023) as usize
    }

    /// The arriving piece and the target cell, as an index into a table of 1024.
    #[inline]
    pub(super) const fn arrival(self) -> usize {
        (self.0 >> TO & 1023) as usize
    }

    /// The kind of the captured piece, if there is one.
    #[inline]
    pub(super) const fn taken(self) -> usize {
        (self.0 >> TAKEN & 7) as usize
    }

    /// Whether the move is a capture.
    #[inline]
    pub(super) const fn is_capture(self) -> bool {
        self.0 & CAPTURE != 0
    }

    /// Whether the move is anything but a move of a piece other than a pawn to an empty cell.
    #[inline]
    pub(super) const fn is_special(self) -> bool {
        self.0 & (CAPTURE | DOUBLE_STEP | PROMOTION | IRREVERSIBLE) != 0
    }

    /// Whether the move is an en-passant capture.
    #[inline]
    pub(super) const fn is_en_passant(self) -> bool {
        self.0 & EN_PASSANT != 0
    }

    /// Whether the move is a double step of a pawn.
    #[inline]
    pub(super) const fn is_double_step(self) -> bool {
        self.0 & DOUBLE_STEP != 0
    }

    /// The promotion piece, if this is a promotion.
    #[inline]
    pub(super) const fn promotion(self) -> Option<Piece> {
        if self.0 & PROMOTION == 0 { None } else { Some(Piece::numbered(self.0 >> PLACED)) }
    }

    /// A code below 2¹⁶ that does not depend on the memory layout of boards.
    #[inline]
    pub(super) const fn code(self) -> u32 {
        let promotion = if self.0 & PROMOTION == 0 { 0 } else { self.placed() };
        ((self.from().number() * super::cell::CELLS + self.to().number()) * 5 + promotion) as u32
    }
}

impl std::fmt::Display for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(piece) => write!(f, "{}", char::from(piece.letter())),
            None => Ok(()),
        }
    }
}

impl std::fmt::Debug for Move {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
