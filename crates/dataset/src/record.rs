//! Training record: a position with its score, result and best move.

use games::{GameScore, ToolkitGame};

/// Scores at or beyond this (or its negative) are mate scores: a forced win or loss.
pub const MATE_SCORE: i16 = 30_000;

/// The score of a search of this depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthScore {
    /// The depth in plies.
    pub depth: u8,
    /// Centipawns for the side to move.
    pub score: i16,
}

/// A position with the results of its search and its game. Scores and results are for the side to
/// move.
#[derive(Clone, Debug, PartialEq)]
pub struct Record<G: ToolkitGame> {
    /// The position.
    pub position: G,
    /// The number of plies before it.
    pub ply: u16,
    /// The number of its game: equal for positions of one game, different between the games of a
    /// file.
    pub game: u32,
    /// The score of the search in centipawns.
    pub score: Option<i16>,
    /// The result of the game.
    pub result: Option<GameScore>,
    /// The best move of the search. Legal in the position.
    pub best_move: Option<G::Move>,
    /// Scores of searches of several depths, ascending by depth.
    pub depths: Vec<DepthScore>,
    /// Centipawns at `nnue::QUANTILE_LEVELS`, if they come from another source.
    pub quantiles: Option<[i16; 5]>,
}

impl<G: ToolkitGame> Record<G> {
    /// A position without further data.
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
