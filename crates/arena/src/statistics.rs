//! What the results of games prove, and how much they leave open.
//!
//! - [`Tally`] counts results: by game, and by the pair of games that share an opening.
//! - [`Sprt`] decides between two hypotheses while the games go on.
//! - [`Estimate`] is how much stronger the first engine is, and how sure that is.
//! - [`ratings`] rates many players who met each other.
//!
//! The conventions are those of fastchess and OpenBench, so that their numbers can be compared with ours;
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

/// Normalised Elo of a score that is one standard deviation of a game above a half.
pub(crate) const NORMALISED_ELO: f64 = 800.0 / std::f64::consts::LN_10;

/// The score that an advantage in Elo promises.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo that a score stands for: infinite for a score of 0 or 1.
fn elo_of(score: f64) -> f64 {
    // Scores beyond the ends come from error bars.
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}
