//! Search results: the score, the principal variation (PV) and the reports on the way to them.

use std::time::Duration;

use games::SearchGame;

/// The score of a position for the side to move.
///
/// ```
/// use games::{Game, GameHistory, chess::Chess};
/// use search::{Control, Engine, EngineOptions, Limits, Score};
///
/// let mut engine = Engine::new(EngineOptions::default())?;
/// let mut score = |fen: &str| {
///     let game = GameHistory::new(Chess::from_fen(fen).unwrap());
///     engine.go(&game, &Limits::to_depth(4), &Control::new(), &mut |_| {}).score
/// };
/// // A back-rank mate in one for White, and the same board after it.
/// assert_eq!(score("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), Score::Mate(1));
/// assert_eq!(score("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), Score::Mate(0));
/// # Ok::<(), search::EngineError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// A forced mate in that many moves of the winner, counted as UCI does: positive if the side to
    /// move wins; 0 or negative if it loses, 0 meaning that it has already lost.
    Mate(i32),
}

/// How a score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The score is exact: it lay inside the window.
    Exact,
    /// The score is a lower bound: the search failed high.
    Lower,
    /// The score is an upper bound: the search failed low.
    Upper,
}

/// A report of an iteration: one of the best lines and its score.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchInfo<G: SearchGame> {
    /// The nominal depth in plies.
    pub depth: usize,
    /// The selective depth: the largest distance from the root.
    pub seldepth: usize,
    /// The rank of the line among the best ones (multi-PV), from 1.
    pub multipv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes searched so far, by all threads.
    pub nodes: u64,
    /// The time since the search began.
    pub time: Duration,
    /// The share of the transposition table that this search has filled, in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tablebases.
    pub tb_hits: u64,
    /// The principal variation, beginning with the move to play. Every move is legal.
    pub pv: Vec<G::Move>,
}

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult<G: SearchGame> {
    /// The best move. `None` only if there is no legal move.
    pub best: Option<G::Move>,
    /// The expected reply.
    pub ponder: Option<G::Move>,
    /// The score for the side to move: the exact score that was reported last for the best line.
    pub score: Score,
    /// The last depth that was finished.
    pub depth: usize,
    /// Nodes searched, by all threads.
    pub nodes: u64,
    /// The time that the search took.
    pub time: Duration,
}
