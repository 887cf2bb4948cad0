//! Whether a network's quantiles are what they say: how often the truth is below each of them, and what makes it so.
//!
//! The truth about a position is the score of a search that looked so many plies ahead. A [`Fan`] is what a network
//! said of it beforehand.

mod fit;
mod gauges;
mod moves;
mod observe;
mod policy;
mod rank;
mod signals;
mod table;

use nnue::{Calibration, QUANTILE_LEVELS};

pub use fit::{fit, ranges_of};
pub use gauges::{coverage, pinball, pinball_skill, shuffled};
pub use moves::{Judged, fit_policy};
pub use observe::{CalibrationError, LeftOut, Observation, Observer, is_fitted_on};
pub use policy::PolicyTally;
pub use rank::spearman;
pub use signals::Signals;
pub use table::{Coverage, Group};

/// How many quantiles there are.
pub(crate) const LEVELS: usize = QUANTILE_LEVELS.len();
/// Which of them is the median.
pub(crate) const MEDIAN: usize = LEVELS / 2;

/// Five quantiles, and the score that came of the position. Centipawns for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fan {
    /// At [`QUANTILE_LEVELS`], ascending.
    pub quantiles: [i32; LEVELS],
    /// What a search found.
    pub truth: i32,
    /// How far it looked ahead, in plies.
    pub depth: usize,
    /// How many pieces there were.
    pub pieces: usize,
}

impl Fan {
    /// How far the outer quantiles are apart.
    pub fn width(&self) -> i32 {
        self.quantiles[LEVELS - 1] - self.quantiles[0]
    }

    /// How far the truth is from the median.
    pub fn error(&self) -> i32 {
        (self.truth - self.quantiles[MEDIAN]).abs()
    }

    /// The same position with corrected quantiles.
    #[must_use]
    pub fn corrected(mut self, calibration: &Calibration) -> Self {
        let correction = calibration.correction(self.depth, self.pieces, self.quantiles[MEDIAN]);
        self.quantiles = correction.apply(self.quantiles);
        self
    }
}

#[cfg(test)]
mod tests;
