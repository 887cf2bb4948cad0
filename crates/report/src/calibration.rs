//! Calibration reports: coverage of quantiles, pinball loss, policy ordering and learned search.

mod charts;
mod tables;

use crate::page::{Page, facts, figures};
use maud::html;

/// A share of scores below each quantile, and between the lowest and the highest.
#[derive(Clone, Debug, PartialEq)]
pub struct QuantileShares {
    /// The share of scores below each quantile, from 0 to 1.
    pub below: Vec<f64>,
    /// The share between the lowest and the highest quantile.
    pub between: f64,
    /// Whether that is too far from what is nominal.
    pub is_off: bool,
}

/// What a group of positions has in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoverageGroup {
    /// Nothing: all positions.
    All,
    /// The depth of the search that gave the score.
    Depth,
    /// The number of pieces.
    Pieces,
    /// The distance of the median from 0.
    Value,
}

/// The coverage of a group of positions.
#[derive(Clone, Debug, PartialEq)]
pub struct CoverageRow {
    /// What the positions have in common.
    pub group: CoverageGroup,
    /// The group, such as `depth 8`.
    pub name: String,
    /// The same without its unit, as a tick of an axis, such as `8`.
    pub tick: String,
    /// How many positions.
    pub positions: usize,
    /// Coverage before calibration.
    pub before: QuantileShares,
    /// Coverage after it, if something was fitted.
    pub after: Option<QuantileShares>,
}

/// Counts of records and scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CalibrationCounts {
    /// Records read.
    pub records: u64,
    /// Records left out because the side to move is in check.
    pub in_check: u64,
    /// Records left out because they have no scores of several depths.
    pub without_depths: u64,
    /// Scores left out because they announce a mate.
    pub mate_scores: u64,
    /// Positions that the calibration was fitted on.
    pub fitted_positions: usize,
    /// Their scores.
    pub fitted_scores: usize,
    /// Positions that everything was measured on.
    pub measured_positions: usize,
    /// Their games.
    pub measured_games: usize,
    /// Their scores.
    pub measured_scores: usize,
}

/// The pinball loss, and its skill over widths that depend on the depth alone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinballReport {
    /// The mean loss in centipawns.
    pub loss: f64,
    /// By what share it is below that of widths which depend on the depth alone.
    pub skill: f64,
    /// The same with widths of other positions of the same depth.
    pub shuffled_skill: f64,
}

/// How well an order of moves places the best one.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderingRow {
    /// The source of the order.
    pub name: String,
    /// Positions.
    pub positions: u64,
    /// Shares of positions whose best move is first, among the first 3, among the first 5.
    pub top: [f64; 3],
    /// The mean rank of the best move.
    pub mean_rank: f64,
    /// The negative log-probability of the best move in nats, where there are probabilities.
    pub log_loss: Option<f64>,
}

/// Cutoffs by quantiles in a learned search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutoffRow {
    /// Which cutoffs.
    pub name: String,
    /// How many were made.
    pub made: u64,
    /// How many were verified by a search.
    pub checked: u64,
    /// How many of these were wrong.
    pub wrong: u64,
}

/// Searches of positions to a depth.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchCosts {
    /// Positions searched.
    pub positions: usize,
    /// The depth.
    pub depth: u8,
    /// The mean number of nodes of each search.
    pub nodes: Vec<(String, f64)>,
    /// Cutoffs of the learned search.
    pub cutoffs: Vec<CutoffRow>,
}

/// All that is measured of a network's quantiles and policy.
#[derive(Clone, Debug)]
pub struct CalibrationReport {
    /// The name of the network.
    pub network: String,
    /// Its architecture.
    pub architecture: String,
    /// The game.
    pub game: String,
    /// What the data holds.
    pub counts: CalibrationCounts,
    /// What the network is called before calibration.
    pub before: String,
    /// The levels of the quantiles, from 0 to 1.
    pub levels: Vec<f64>,
    /// The coverage of each group; that of all positions first.
    pub coverage: Vec<CoverageRow>,
    /// The pinball loss before calibration.
    pub pinball: PinballReport,
    /// The pinball loss after it, if something was fitted.
    pub calibrated_pinball: Option<PinballReport>,
    /// Rank correlations of signals with the error of the median; `None` for a constant signal.
    pub correlations: Vec<(String, Option<f64>)>,
    /// Positions of these correlations.
    pub correlation_positions: usize,
    /// How well moves are ordered; nothing without a policy.
    pub orderings: Vec<OrderingRow>,
    /// The log-loss of a uniform policy.
    pub uniform_log_loss: Option<f64>,
    /// What searches cost.
    pub searches: Option<SearchCosts>,
}

impl CalibrationReport {
    /// The page.
    pub fn html(&self) -> String {
        let coverage = html! {
            p {
                "Each line is a quantile: the share of deep scores below it. Its band is the \
                 tolerance around its level: 4 points, for a group of at least 1000 positions."
            }
            (figures(&charts::coverage(self)))
        };
        Page::new(format!("Calibration of {}", self.network))
            .lead(html! { p { (self.architecture) } (facts(tables::figures(self))) })
            .section("reliability", "Reliability", figures(&[charts::reliability(self)]))
            .section("coverage", "Coverage by group", coverage)
            .section("table", "Scores below each quantile", tables::coverage(self))
            .section_if("signals", "Signals of the error", charts::correlations(self))
            .section_if("policy", "Move ordering", tables::orderings(self))
            .section_if("search", "Learned search", self.searches.as_ref().map(tables::searches))
            .html()
    }
}

#[cfg(test)]
mod tests;
