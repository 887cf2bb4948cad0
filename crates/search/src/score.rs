//! The numbers that the search compares: centipawns, and mates beyond them.

use games::{Game, Outcome};

use crate::report::Score;

/// The deepest line that is looked at.
pub(crate) const MAX_PLY: usize = 240;
/// Above every score.
pub(crate) const INFINITE: i32 = 32_000;
/// A win on the spot; a win in n plies is n less.
pub(crate) const MATE: i32 = 31_000;
/// From here on a score is a forced win.
pub(crate) const WON: i32 = MATE - MAX_PLY as i32;
/// The largest score that is not a forced win.
pub(crate) const MOST_EVALUATION: i32 = WON - 1;
/// What three quarters of the point are worth: the centipawns at which 75 % are expected, if 400 are ten to one.
const THREE_QUARTERS: i32 = 191;

/// What an evaluator says, kept apart from wins and losses.
pub(crate) fn clamp_evaluation(evaluation: i32) -> i32 {
    evaluation.clamp(-MOST_EVALUATION, MOST_EVALUATION)
}

/// What the end of the game is worth to the side to move, `ply` moves from the root.
pub(crate) fn of_outcome<G: Game>(position: &G, outcome: Outcome, ply: usize) -> i32 {
    match outcome.points(position.side_to_move()).as_quarters() {
        0 => ply as i32 - MATE,
        1 => -THREE_QUARTERS,
        2 => of_draw(),
        3 => THREE_QUARTERS,
        _ => MATE - ply as i32,
    }
}

/// What a draw is worth.
pub(crate) const fn of_draw() -> i32 {
    0
}

/// A score as users are told it.
pub(crate) fn for_users(score: i32) -> Score {
    if score >= WON {
        Score::Mate((MATE - score + 1) / 2)
    } else if score <= -WON {
        let plies = MATE + score;
        Score::Mate(-(plies / 2))
    } else {
        Score::Centipawns(score)
    }
}
