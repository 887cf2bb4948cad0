//! What training minimises: a loss for each head, and how much each weighs.

use serde::{Deserialize, Serialize};

/// The losses of all heads. A head without one is not trained.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Objective {
    /// Centipawns for which a search score counts as one unit of log-odds: the win probability of a score is
    /// sigmoid(score / this).
    pub score_scale: f32,
    /// The value head.
    pub value: Option<ValueObjective>,
    /// The win, draw, loss head.
    pub wdl: Option<WdlObjective>,
    /// The quantile head.
    pub quantiles: Option<QuantileObjective>,
    /// The policy head.
    pub policy: Option<PolicyObjective>,
}

/// How far a value is from its target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueLoss {
    /// Cross-entropy between win probabilities.
    Bce,
    /// Square of the difference of win probabilities.
    Mse,
    /// |difference of win probabilities| to a power, 2.5 unless set.
    Power,
    /// Square of the difference between the output and score / scale.
    RawMse,
    /// Square of the difference between tanh(output) and score / centipawns clipped to ±1.
    TanhMse,
}

/// The value head's loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ValueObjective {
    /// Its share of the sum of losses.
    pub weight: f32,
    /// How it is measured.
    pub loss: ValueLoss,
    /// The exponent of the loss `power`.
    pub power: f32,
    /// Whether positions whose best move captures or promotes are left to the other heads. What such a move wins is seen by a
    /// search, which asks for the value of what is left when no more can be won.
    pub quiet: bool,
    /// Whether its gradient stops at its own weights and does not reach the layers below.
    pub stop_gradient: bool,
}

/// The win, draw, loss head's loss: cross-entropy with the game's result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WdlObjective {
    /// Its share of the sum of losses.
    pub weight: f32,
    /// Whether its gradient stops at its own weights.
    pub stop_gradient: bool,
}

/// Which numbers the quantiles are drawn to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuantileTarget {
    /// One deep score for all levels: the spread comes from similar positions.
    Deepest,
    /// The record's own score, for all levels.
    Score,
    /// A number for each level: those of the record, or the percentiles of its scores at several depths.
    Percentiles,
}

/// What the quantiles are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuantileForm {
    /// A head of five: the lowest, and four steps up.
    Chain,
    /// A head of four: the value is the median, and the steps lead away from it.
    Anchored,
}

/// The quantile head's loss: pinball, in units of the network's centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QuantileObjective {
    /// Its share of the sum of losses.
    pub weight: f32,
    /// What the quantiles are made of.
    pub form: QuantileForm,
    /// What it is measured against.
    pub target: QuantileTarget,
    /// Targets are clipped to this many centipawns.
    pub clip: f32,
    /// Whether the value learns from it too, where it is the median.
    pub pull_value: bool,
    /// Whether its gradient stops at its own weights.
    pub stop_gradient: bool,
}

/// Between which alternatives the policy chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolicyLoss {
    /// Among all cells to leave, and among all cells to enter.
    FromTo,
    /// Among the legal moves.
    Legal,
}

/// What the policy knows of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolicyMoves {
    /// The cell that it leaves and the one that it enters.
    #[default]
    FromTo,
    /// The cell that it leaves, and which kind of piece enters which cell.
    PieceTo,
}

impl From<PolicyMoves> for games::PolicyForm {
    fn from(moves: PolicyMoves) -> Self {
        match moves {
            PolicyMoves::FromTo => Self::FromTo,
            PolicyMoves::PieceTo => Self::PieceTo,
        }
    }
}

/// The policy head's loss: cross-entropy with the best move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyObjective {
    /// Its share of the sum of losses.
    pub weight: f32,
    /// Which alternatives it has.
    pub loss: PolicyLoss,
    /// What it knows of a move.
    pub moves: PolicyMoves,
    /// Whether its gradient stops at its own weights.
    pub stop_gradient: bool,
}

impl Default for ValueObjective {
    fn default() -> Self {
        Self { weight: 1.0, loss: ValueLoss::Mse, power: 2.5, quiet: false, stop_gradient: false }
    }
}

impl Default for WdlObjective {
    fn default() -> Self {
        Self { weight: 1.0, stop_gradient: false }
    }
}

impl Default for QuantileObjective {
    fn default() -> Self {
        Self {
            weight: 1.0,
            form: QuantileForm::Chain,
            target: QuantileTarget::Deepest,
            clip: 2000.0,
            pull_value: false,
            stop_gradient: false,
        }
    }
}

impl Default for PolicyObjective {
    fn default() -> Self {
        Self {
            weight: 1.0,
            loss: PolicyLoss::FromTo,
            moves: PolicyMoves::FromTo,
            stop_gradient: false,
        }
    }
}
