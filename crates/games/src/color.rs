//! Color: the two players.

use crate::FenError;

/// One of the two players. The player who begins the standard game is `White`.
///
/// ```
/// use games::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::from_fen_letter("b")?, Color::Black);
/// # Ok::<(), games::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Color {
    /// The player who begins.
    White,
    /// The other player.
    Black,
}

impl Color {
    /// Both, White first.
    pub const BOTH: [Self; 2] = [Self::White, Self::Black];

    /// Parses the side to move of a FEN: `w` or `b`.
    pub fn from_fen_letter(text: &str) -> Result<Self, FenError> {
        match text {
            "w" => Ok(Self::White),
            "b" => Ok(Self::Black),
            other => Err(FenError::field("side to move", other, "expected w or b")),
        }
    }

    /// The side to move as a FEN letter.
    pub const fn fen_letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

impl std::ops::Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl std::fmt::Display for Color {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}
