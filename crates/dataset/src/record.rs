//! What is known about one position of a game.

use games::{GameScore, ToolkitGame};

/// Scores from here on (and from its negative down) announce a forced win or loss.
pub const MATE_SCORE: i16 = 30_000;

/// The score of a search that looked so far ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthScore {
    /// Plies.
    pub depth: u8,
    /// Centipawns for the side to move.
    pub score: i16,
}

/// A position and what search and game said about it. Scores and results are for the side to move.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<G: ToolkitGame> {
    /// The position.
    pub position: G,
    /// How many moves, of both players together, had been played before it.
    pub ply: u16,
    /// Which game it comes from: equal for the positions of one game, different between the games of a file.
    pub game: u32,
    /// Centipawns by search.
    pub score: Option<i16>,
    /// How the game ended.
    pub result: Option<GameScore>,
    /// The move that search would play. Legal in the position.
    pub best_move: Option<G::Move>,
    /// Scores of searches of several depths, ascending by depth.
    pub depths: Vec<DepthScore>,
    /// Centipawns at `nnue::QUANTILE_LEVELS`, where somebody else has computed them.
    pub quantiles: Option<[i16; 5]>,
}

impl<G: ToolkitGame> Record<G> {
    /// A position of which nothing is known.
    pub fn new(position: G) -> Self {
        Self {
            position,
            ply: 0,
            game: 0,
            score: None,
            result: None,
            best_move: None,
            depths: Vec::new(),
            quantiles: None,
        }
    }
}
