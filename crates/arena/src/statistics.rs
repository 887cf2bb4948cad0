//! Match statistics: tallies, SPRT, Elo estimates and ratings.
//!
//! - [`Tally`] counts results: by game, and by the pair of games that share an opening.
//! - [`Sprt`] decides between two hypotheses while games are played.
//! - [`Estimate`] is the Elo difference of two engines, with error bars.
//! - [`ratings`] rates many players from the games between them.
//!
//! The conventions are those of fastchess and OpenBench, so that numbers can be compared;
//! `docs/sprt.md` has the formulas.

mod distribution;
mod estimate;
mod groups;
pub(crate) mod linear;
mod normal;
mod ratings;
mod report;
mod sprt;
mod tally;
#[cfg(test)]
mod tests;

pub use estimate::Estimate;
pub use ratings::{Anchor, Pairing, Rating, RatingsError, Standing, ratings};
pub use report::report;
pub use sprt::{Hypothesis, Model, Outlook, Sprt, SprtError};
pub use tally::Tally;

/// The normalised Elo of a score that is one standard deviation of a game above a half.
pub(crate) const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score of an Elo difference.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference of a score: infinite for a score of 0 or 1.
fn elo_of(score: f64) -> f64 {
    // Error bars give scores outside 0 to 1.
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}
