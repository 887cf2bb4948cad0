//! Calibration of quantiles and policies: experiments that fit and measure it.
//!
//! The target of a position is the score of a search to some depth. A [`QuantileSample`] has the
//! quantiles that a network predicted for it beforehand. They are calibrated if the right share of
//! targets lies below each of them.
//!
//! - [`calibrate`] is the whole experiment: it reads data files, fits a calibration on one half of
//!   the games and measures it on the other half.
//! - [`fit`] and [`fit_policy`] are the fits; [`coverage`], [`pinball`], [`Signals`] and
//!   [`PolicyTally`] are the metrics.
//! - [`Observer`] evaluates records with a network.

mod experiment;
mod fit;
mod groups;
mod measurement;
mod metrics;
mod observer;
mod ordering;
mod policy;
mod policy_fit;
mod rank;
mod samples;
mod score;
mod score_sample;
mod searches;
mod signals;

use nnue::{Calibration, QUANTILE_LEVELS};

pub use experiment::{
    CalibrationError, CalibrationOptions, CalibrationProgress, CalibrationResult, CalibrationStage,
    calibrate, game_of_data,
};
pub use fit::{fit, ranges_of};
pub use groups::{Coverage, Group};
pub use measurement::{
    CalibrationMeasurement, CalibrationRecords, CoverageShares, ErrorCorrelation, GroupCoverage,
    OrderingComparison, OrderingQuality, PinballLoss, PinballLosses, PolicyMeasurement,
};
pub use metrics::{coverage, pinball, pinball_skill, shuffled};
pub use observer::{Observation, Observer, ObserverError, SkippedRecords, is_fitted_on};
pub use policy::PolicyTally;
pub use policy_fit::{PolicySample, fit_policy};
pub use rank::spearman;
pub use score::{ScoreFit, ScoreFitError, ScoredPosition, fit_score_model, score_log_loss};
pub use score_sample::ScoreSample;
pub use searches::{CutoffCounts, SearchMeasurement};
pub use signals::Signals;

/// The number of quantiles.
pub(crate) const LEVELS: usize = QUANTILE_LEVELS.len();
/// The index of the median.
pub(crate) const MEDIAN: usize = LEVELS / 2;

/// The quantiles of a position and its target, in centipawns for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuantileSample {
    /// At [`QUANTILE_LEVELS`], ascending.
    pub quantiles: [i32; LEVELS],
    /// The score of a search.
    pub target: i32,
    /// The depth of the search.
    pub depth: usize,
    /// The number of pieces.
    pub pieces: usize,
}

impl QuantileSample {
    /// The distance between the outer quantiles.
    pub fn width(&self) -> i32 {
        self.quantiles[LEVELS - 1] - self.quantiles[0]
    }

    /// The absolute error of the median.
    pub fn error(&self) -> i32 {
        (self.target - self.quantiles[MEDIAN]).abs()
    }

    /// The same position with calibrated quantiles.
    #[must_use]
    pub fn calibrated(mut self, calibration: &Calibration) -> Self {
        let adjustment = calibration.conformal(self.depth, self.pieces, self.quantiles[MEDIAN]);
        self.quantiles = adjustment.apply(self.quantiles);
        self
    }
}

#[cfg(test)]
mod tests;
