//! Piece kinds of hexchess and their values.

use crate::Color;

/// A kind of piece, of either colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Piece {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Piece {
    /// All kinds, in the order of feature sets.
    pub(super) const ALL: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// The promotion pieces.
    pub(super) const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// The kind with this number. Only six of the eight numbers occur.
    #[inline]
    pub(super) const fn numbered(number: u32) -> Self {
        match number & 7 {
            0 => Self::Pawn,
            1 => Self::Knight,
            2 => Self::Bishop,
            3 => Self::Rook,
            4 => Self::Queen,
            _ => Self::King,
        }
    }

    /// The letter in lower case.
    pub(super) const fn letter(self) -> u8 {
        b"pnbrqk"[self as usize]
    }

    /// The letter, upper case for White.
    pub(super) const fn letter_of(self, color: Color) -> u8 {
        match color {
            Color::White => self.letter().to_ascii_uppercase(),
            Color::Black => self.letter(),
        }
    }

    /// The piece with this letter.
    pub(super) fn from_letter(letter: u8) -> Option<(Self, Color)> {
        let piece = Self::ALL.into_iter().find(|p| p.letter() == letter.to_ascii_lowercase())?;
        Some((piece, if letter.is_ascii_uppercase() { Color::White } else { Color::Black }))
    }

    /// The value in centipawns, for move ordering. On this board a bishop reaches only a third of
    /// the cells, and a rook has more lines than on squares.
    pub(super) const fn value(self) -> i32 {
        match self {
            Self::Pawn => 100,
            Self::Knight => 300,
            Self::Bishop => 320,
            Self::Rook => 550,
            Self::Queen => 950,
            Self::King => 10_000,
        }
    }
}
