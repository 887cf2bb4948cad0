//! Value loss: cross-entropy, squares or powers between the value and score and result.

use nnue::{Architecture, Scales, ValueOutput};
use serde::{Deserialize, Serialize};

use super::{LossSettings, Objective, STOP_GRADIENT, Sample, TrainedHead, WEIGHT, fault};
use crate::TrainerError;
use crate::config::{ClipSettings, Field, Limit};
use crate::loss::Units;
use crate::real::Real;

pub(super) const TABLE: &str = "value";

/// The loss function of the value.
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

/// The loss of the value head.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ValueObjective {
    /// The weight in the sum of losses.
    pub weight: f32,
    /// The loss function.
    pub loss: ValueLoss,
    /// The exponent of the loss `power`.
    pub power: f32,
    /// Whether to skip positions whose best move is noisy (a capture or a promotion). A search
    /// resolves such moves itself: it evaluates quiet positions.
    pub quiet: bool,
    /// Whether its gradient stops at its own weights and does not reach the layers below.
    pub stop_gradient: bool,
}

impl Default for ValueObjective {
    fn default() -> Self {
        Self { weight: 1.0, loss: ValueLoss::Mse, power: 2.5, quiet: false, stop_gradient: false }
    }
}

pub(super) const FIELDS: &[Field] = &[
    WEIGHT,
    Field::value(
        "loss",
        &[
            "bce: cross-entropy of expected scores. mse: their squared difference. power: the",
            "difference to a power. raw-mse: squared difference of output and",
            "score / network.centipawns. tanh-mse: of tanh(output) and that, clipped to ±1.",
        ],
    ),
    Field::value("power", &["The exponent of the loss `power`."]),
    Field::value(
        "quiet",
        &[
            "Whether to skip positions whose best move is noisy (a capture or a promotion): a search",
            "resolves such moves itself.",
        ],
    ),
    STOP_GRADIENT,
];

pub(super) struct Trained;

impl TrainedHead for Trained {
    fn layer(&self) -> &'static str {
        "value"
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    fn needs(&self) -> &'static str {
        "score or a result"
    }

    fn weight(&self, objective: &Objective) -> Option<f32> {
        objective.value.map(|value| value.weight)
    }

    fn stops_gradient(&self, objective: &Objective) -> bool {
        // Without a loss of its own, the value learns as the median of anchored quantiles.
        let pulled = objective.quantiles.is_some_and(|quantiles| quantiles.pull_value);
        objective.value.map_or(!pulled, |value| value.stop_gradient)
    }

    fn set_usual(&self, losses: &mut LossSettings) {
        losses.value = Some(ValueObjective::default());
    }

    fn clip(&self, clip: &ClipSettings, scales: &Scales) -> (Limit, f32) {
        super::layer_head_clip(clip, scales)
    }

    fn check(
        &self,
        architecture: &Architecture,
        objective: &Objective,
    ) -> Result<(), TrainerError> {
        let Some(value) = objective.value else { return Ok(()) };
        let is_tanh = architecture.value_output() == Some(ValueOutput::Tanh);
        if value.loss == ValueLoss::TanhMse && !is_tanh {
            let found = "tanh-mse is for a value head of output tanh; expected mse, bce or power";
            return Err(fault("loss.value.loss", found));
        }
        if !(value.power.is_finite() && value.power > 1.0) {
            let found = format!("{}; expected more than 1", value.power);
            return Err(fault("loss.value.power", found));
        }
        Ok(())
    }
}

/// The target of the value.
#[derive(Clone, Copy, Debug)]
struct ValueTarget {
    /// Centipawns by search; NaN if unknown.
    score: f32,
    /// The score of the game; NaN if unknown.
    result: f32,
    /// The share of the result.
    result_share: f32,
}

pub(super) fn loss<T: Real>(
    sample: &Sample<'_, T>,
    output: ValueOutput,
    raw: &[T],
    d: &mut [T],
) -> Option<T> {
    let objective = sample.targets.objective.value?;
    if objective.quiet && sample.batch.noisy.get(sample.at) == Some(&true) {
        return None;
    }
    let (score, result) = (sample.batch.scores[sample.at], sample.batch.results[sample.at]);
    let target = match sample.targets.returns {
        Some(returns) => {
            ValueTarget { score: f32::NAN, result: returns[sample.at], result_share: 1.0 }
        }
        None => ValueTarget { score, result, result_share: sample.targets.result_share },
    };
    let (loss, slope) = value(&objective, output, sample.targets.units, raw[0], target)?;
    d[0] += sample.scale * slope;
    Some(loss)
}

/// Blends the two; if one is unknown, the other has the whole share. Returns `None` if both are
/// unknown.
fn blend(score: Option<f64>, result: Option<f64>, result_share: f32) -> Option<f64> {
    match (score, result) {
        (Some(score), Some(result)) => {
            let share = f64::from(result_share);
            Some(result * share + score * (1.0 - share))
        }
        (score, result) => score.or(result),
    }
}

fn known(x: f32) -> Option<f64> {
    (!x.is_nan()).then_some(f64::from(x))
}

/// The win probability of the output of a value head, and its derivative.
fn probability<T: Real>(output: ValueOutput, raw: T) -> (T, T) {
    match output {
        ValueOutput::Sigmoid | ValueOutput::Linear => {
            let p = raw.sigmoid();
            (p, p * (T::ONE - p))
        }
        ValueOutput::Tanh => {
            let (half, y) = (T::from_f32(0.5), raw.tanh());
            (half * (y + T::ONE), half * (T::ONE - y * y))
        }
    }
}

/// The win probability of an output, for TD.
pub(crate) fn win_probability(output: ValueOutput, raw: f64) -> f64 {
    probability(output, raw).0
}

/// The loss of a value and its derivative; `None` without a target.
fn value<T: Real>(
    objective: &ValueObjective,
    output: ValueOutput,
    units: Units,
    raw: T,
    target: ValueTarget,
) -> Option<(T, T)> {
    let (score, result) = (known(target.score), known(target.result));
    let share = target.result_share;
    let two = T::from_f32(2.0);
    // Win probabilities: that of the output with its derivative, and the target.
    let win = || {
        let score = score.map(|score| (score / f64::from(units.score_scale)).sigmoid());
        Some((probability(output, raw), T::from_f64(blend(score, result, share)?)))
    };
    match objective.loss {
        ValueLoss::RawMse => {
            let t = score.map(|score| score / f64::from(units.centipawns)).or(result)?;
            let error = raw - T::from_f64(t);
            Some((error * error, two * error))
        }
        ValueLoss::TanhMse => {
            let score = score.map(|s| (s / f64::from(units.centipawns)).clamp(-1.0, 1.0));
            let t = blend(score, result.map(|r| 2.0 * r - 1.0), share)?;
            let y = raw.tanh();
            let error = y - T::from_f64(t);
            Some((error * error, two * error * (T::ONE - y * y)))
        }
        ValueLoss::Bce => {
            let ((p, _), t) = win()?;
            // In logits, where nothing overflows: softplus(x) − t·x. The probability of tanh has
            // the logit 2x.
            let factor = match output {
                ValueOutput::Tanh => two,
                ValueOutput::Sigmoid | ValueOutput::Linear => T::ONE,
            };
            let logit = factor * raw;
            Some((logit.softplus() - t * logit, factor * (p - t)))
        }
        ValueLoss::Power => {
            let ((p, slope), t) = win()?;
            let error = p - t;
            let exponent = T::from_f32(objective.power);
            let size = error.abs();
            let sign = if error < T::ZERO { -T::ONE } else { T::ONE };
            let derivative = exponent * size.powf(exponent - T::ONE) * sign;
            Some((size.powf(exponent), derivative * slope))
        }
        ValueLoss::Mse => {
            let ((p, slope), t) = win()?;
            let error = p - t;
            Some((error * error, two * error * slope))
        }
    }
}
