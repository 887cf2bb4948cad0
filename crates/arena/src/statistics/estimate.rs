//! Strength estimate: Elo differences with error bars, and the likelihood of superiority.

use super::normal::{self, DEVIATIONS_95};
use super::{NORMALISED_ELO, Tally, elo_of};

/// The estimated strength of the first engine of a [`Tally`]. Error bars are for 95 %.
///
/// Numbers may be infinite (all games won), never NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean score of a game, 0 to 1.
    pub score: f64,
    /// Half the width of its interval.
    pub score_error: f64,
    /// The Elo difference of the logistic model.
    pub elo: f64,
    /// Half the width of its interval; infinite if an end of it is.
    pub elo_error: f64,
    /// The lower end of the interval.
    pub elo_low: f64,
    /// The upper end of the interval.
    pub elo_high: f64,
    /// Normalised Elo: the number of standard deviations of a game by which the score exceeds a
    /// half, in units that are close to Elo without draws.
    pub normalized: f64,
    /// Half the width of its interval.
    pub normalized_error: f64,
    /// The likelihood of superiority: the probability that the first engine is the stronger one, 0
    /// to 1.
    pub los: f64,
}

impl Tally {
    /// The standard deviation of the score of a game, estimated from pairs; `None` if all results
    /// are equal.
    pub fn deviation(&self) -> Option<f64> {
        let distribution =
            self.distribution().filter(|distribution| distribution.only().is_none())?;
        let (_, deviation) = distribution.moments();
        Some(deviation * distribution.games().sqrt())
    }

    /// The estimate of these results, from pairs if there are any, else from single games.
    pub fn estimate(&self) -> Estimate {
        let Some(distribution) = self.distribution() else { return NOTHING };
        let observations = distribution.observations();
        let games = observations * distribution.games();
        if let Some(score) = distribution.only() {
            return always(score, observations, games);
        }
        let (score, deviation) = distribution.moments();
        let score_error = DEVIATIONS_95 * deviation / observations.sqrt();
        let per_game = deviation * distribution.games().sqrt();
        let above = score - 0.5;
        let (elo_low, elo_high) = (elo_of(score - score_error), elo_of(score + score_error));
        Estimate {
            score,
            score_error,
            elo: elo_of(score),
            elo_error: half_width(elo_low, elo_high),
            elo_low,
            elo_high,
            normalized: NORMALISED_ELO * above / per_game,
            normalized_error: NORMALISED_ELO * DEVIATIONS_95 / games.sqrt(),
            los: normal::below(above * observations.sqrt() / deviation),
        }
    }
}

/// Before the first game.
const NOTHING: Estimate = Estimate {
    score: 0.5,
    score_error: 0.5,
    elo: 0.0,
    elo_error: f64::INFINITY,
    elo_low: f64::NEG_INFINITY,
    elo_high: f64::INFINITY,
    normalized: 0.0,
    normalized_error: f64::INFINITY,
    los: 0.5,
};

/// The estimate if every observation has the same outcome. The observed variance is zero and gives
/// no error bar. But an outcome that never occurs in so many observations has, at 95 %, at most a
/// certain share.
fn always(score: f64, observations: f64, games: f64) -> Estimate {
    let unseen = -(0.025f64.ln() / observations).exp_m1();
    let (low, high) = (score - unseen * score, score + unseen * (1.0 - score));
    let (elo_low, elo_high) = (elo_of(low), elo_of(high));
    let above = score - 0.5;
    // The probability of as many equal results in a row of a fair coin.
    let surprise = 0.5f64.powf(observations + 1.0);
    Estimate {
        score,
        score_error: (high - low) / 2.0,
        elo: elo_of(score),
        elo_error: half_width(elo_low, elo_high),
        elo_low,
        elo_high,
        normalized: if above == 0.0 { 0.0 } else { f64::INFINITY.copysign(above) },
        normalized_error: if above == 0.0 {
            NORMALISED_ELO * DEVIATIONS_95 / games.sqrt()
        } else {
            f64::INFINITY
        },
        los: match above {
            _ if above > 0.0 => 1.0 - surprise,
            _ if above < 0.0 => surprise,
            _ => 0.5,
        },
    }
}

/// An interval with an infinite end has infinite width, even if both ends are equal.
fn half_width(low: f64, high: f64) -> f64 {
    if low.is_finite() && high.is_finite() { (high - low) / 2.0 } else { f64::INFINITY }
}
