//! Move encoding: a move with all that playing it needs.

use super::cell::Cell;
use super::piece::Piece;

/// A move of [`Hexchess`](super::Hexchess).
///
/// Besides the two cells it holds the piece that moves, the piece that arrives, the piece that is
/// taken and whether it is a double step or en passant, so that playing it looks nothing up.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u32);

// Bits 0–6 are the cell of departure and 7–9 the piece that leaves it; 10–16 the cell of arrival
// and 17–19 the piece that arrives: as they stand, the two groups are indices of the table of hash
// numbers. Bits 20–22 are the piece that is taken.
const MOVED: u32 = 7;
const TO: u32 = 10;
const PLACED: u32 = 17;
const TAKEN: u32 = 20;
const CAPTURE: u32 = 1 << 23;
const EN_PASSANT: u32 = 1 << 24;
const DOUBLE_STEP: u32 = 1 << 25;
const PROMOTION: u32 = 1 << 26;
/// A capture or a pawn's move.
const IRREVERSIBLE: u32 = 1 << 27;

impl Move {
    /// What fills a list that has no moves yet.
    pub(super) const NONE: Self = Self(0);

    /// A move to an empty cell, of a piece other than a pawn.
    #[inline]
    pub(super) const fn quiet(piece: Piece, from: Cell, to: Cell) -> Self {
        let piece = piece as u32;
        Self(from.bit() | to.bit() << TO | piece << MOVED | piece << PLACED)
    }

    /// A pawn's move to an empty cell.
    #[inline]
    pub(super) const fn push(from: Cell, to: Cell) -> Self {
        Self(Self::quiet(Piece::Pawn, from, to).0 | IRREVERSIBLE)
    }

    /// The same, taking a piece.
    #[inline]
    pub(super) const fn taking(self, victim: Piece) -> Self {
        Self(self.0 | CAPTURE | IRREVERSIBLE | (victim as u32) << TAKEN)
    }

    /// The same, taking the pawn that has just passed.
    #[inline]
    pub(super) const fn en_passant(self) -> Self {
        Self(self.taking(Piece::Pawn).0 | EN_PASSANT)
    }

    /// The same as a double step.
    #[inline]
    pub(super) const fn double_step(self) -> Self {
        Self(self.0 | DOUBLE_STEP)
    }

    /// The same move of a pawn, which becomes another piece.
    #[inline]
    pub(super) const fn promoting(self, piece: Piece) -> Self {
        Self(self.0 & !(7 << PLACED) | (piece as u32) << PLACED | PROMOTION)
    }

    /// Where it leaves.
    #[inline]
    pub(super) const fn from(self) -> Cell {
        Cell::from_bit(self.0 & 127)
    }

    /// Where it arrives.
    #[inline]
    pub(super) const fn to(self) -> Cell {
        Cell::from_bit(self.0 >> TO & 127)
    }

    /// The number of the piece that moves.
    #[inline]
    pub(super) const fn moved(self) -> usize {
        (self.0 >> MOVED & 7) as usize
    }

    /// The number of the piece that stands on the cell of arrival afterwards.
    #[inline]
    pub(super) const fn placed(self) -> usize {
        (self.0 >> PLACED & 7) as usize
    }

    /// The piece that moves and where it leaves, as an index of a table of 1024.
    #[inline]
    pub(super) const fn departure(self) -> usize {
        (self.0 & 1023) as usize
    }

    /// The piece that arrives and where, as an index of a table of 1024.
    #[inline]
    pub(super) const fn arrival(self) -> usize {
        (self.0 >> TO & 1023) as usize
    }

    /// The number of the piece that is taken, if one is.
    #[inline]
    pub(super) const fn taken(self) -> usize {
        (self.0 >> TAKEN & 7) as usize
    }

    /// Whether it takes a piece.
    #[inline]
    pub(super) const fn is_capture(self) -> bool {
        self.0 & CAPTURE != 0
    }

    /// Whether anything happens but that a piece other than a pawn goes to an empty cell.
    #[inline]
    pub(super) const fn is_special(self) -> bool {
        self.0 & (CAPTURE | DOUBLE_STEP | PROMOTION | IRREVERSIBLE) != 0
    }

    /// Whether it takes a pawn in passing.
    #[inline]
    pub(super) const fn is_en_passant(self) -> bool {
        self.0 & EN_PASSANT != 0
    }

    /// Whether a pawn moves two cells.
    #[inline]
    pub(super) const fn is_double_step(self) -> bool {
        self.0 & DOUBLE_STEP != 0
    }

    /// What a pawn becomes, if this is a promotion.
    #[inline]
    pub(super) const fn promotion(self) -> Option<Piece> {
        if self.0 & PROMOTION == 0 { None } else { Some(Piece::numbered(self.0 >> PLACED)) }
    }

    /// A number below 2¹⁶ that does not depend on how boards are laid out in memory.
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
