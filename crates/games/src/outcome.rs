//! Game result: the score of each side and the reason.

use crate::Color;

/// The score of a game for one side, in quarters of a point: Gliński's stalemate gives ¾ to one
/// side and ¼ to the other.
///
/// ```
/// use games::GameScore;
///
/// assert_eq!(GameScore::WIN.rest(), GameScore::LOSS);
/// assert_eq!(GameScore::DRAW.as_f32(), 0.5);
///
/// let stalemate = GameScore::quarters(3).unwrap();
/// assert!(GameScore::DRAW < stalemate && stalemate < GameScore::WIN);
/// assert_eq!(stalemate.rest().as_f32(), 0.25);
/// assert_eq!(GameScore::quarters(5), None);
/// ```
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

/// The result of a game.
///
/// ```
/// use games::{Color, Game, GameScore, chess::Chess};
///
/// let mated = Chess::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")?;
/// let outcome = mated.outcome().unwrap();
/// assert_eq!(outcome.reason, "checkmate");
/// assert_eq!(outcome.score(Color::White), GameScore::WIN);
/// assert_eq!(outcome.score(Color::Black), GameScore::LOSS);
/// # Ok::<(), games::FenError>(())
/// ```
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

    /// A draw: half a point each.
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
