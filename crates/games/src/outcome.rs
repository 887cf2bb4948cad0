//! Game result: the score of each side and the reason.

use crate::Color;

/// The score of a game for one side, in quarters of a point: Gliński's stalemate gives ¾ to one side
/// and ¼ to the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GameScore(u8);

impl GameScore {
    /// One point.
    pub const WIN: Self = Self(4);
    /// Half a point.
    pub const DRAW: Self = Self(2);
    /// No point.
    pub const LOSS: Self = Self(0);

    /// A number of quarters, at most four.
    pub const fn quarters(quarters: u8) -> Option<Self> {
        if quarters <= 4 { Some(Self(quarters)) } else { None }
    }

    /// The number of quarters, 0 to 4.
    pub const fn as_quarters(self) -> u8 {
        self.0
    }

    /// The score as a fraction of a point, 0.0 to 1.0.
    pub fn as_f32(self) -> f32 {
        f32::from(self.0) / 4.0
    }

    /// The score of the other player.
    #[must_use]
    pub const fn rest(self) -> Self {
        Self(4 - self.0)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// White's score.
    pub white: GameScore,
    /// The reason, in a word or two: `checkmate`, `stalemate`, `fifty moves`.
    pub reason: &'static str,
}

impl Outcome {
    /// `side` gets `score`, the other player the rest.
    pub const fn new(side: Color, score: GameScore, reason: &'static str) -> Self {
        let white = match side {
            Color::White => score,
            Color::Black => score.rest(),
        };
        Self { white, reason }
    }

    /// Half a point each.
    pub const fn draw(reason: &'static str) -> Self {
        Self { white: GameScore::DRAW, reason }
    }

    /// The score of `side`.
    pub const fn score(self, side: Color) -> GameScore {
        match side {
            Color::White => self.white,
            Color::Black => self.white.rest(),
        }
    }
}
