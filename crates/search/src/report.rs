//! What a search tells its caller.

use std::time::Duration;

use games::Game;

/// How good a position is for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// A forced end in that many moves of the winner, counted as UCI does: positive if the side to move wins; 0 or
    /// negative if it loses, 0 meaning that it has already lost.
    Mate(i32),
}

/// What a score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the true one, as far as the search can tell.
    Exact,
    /// It is at least this.
    Lower,
    /// It is at most this.
    Upper,
}

/// A line found on the way to an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Info<G: Game> {
    /// How many plies were looked at in full.
    pub depth: usize,
    /// The most plies that any line was followed.
    pub seldepth: usize,
    /// Which of the best lines this is, from 1.
    pub multipv: usize,
    /// What it is worth to the side to move.
    pub score: Score,
    /// Whether that is exact.
    pub bound: Bound,
    /// Positions looked at so far, by all threads.
    pub nodes: u64,
    /// How long that took.
    pub time: Duration,
    /// How full the table is with positions of this search, in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tables.
    pub tb_hits: u64,
    /// The line, beginning with the move to play. Each move is one of the position before it.
    pub pv: Vec<G::Move>,
}

/// What a search concludes.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer<G: Game> {
    /// The move to play. `None` only if there is none.
    pub best: Option<G::Move>,
    /// The reply that is expected.
    pub ponder: Option<G::Move>,
    /// What the position is worth to the side to move: the exact score that was reported last for the best line.
    pub score: Score,
    /// The last depth that was finished.
    pub depth: usize,
    /// Positions looked at, by all threads.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}
