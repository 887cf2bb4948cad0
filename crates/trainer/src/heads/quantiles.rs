//! Quantile loss: pinball, of the lowest quantile and four steps up.

use nnue::{Architecture, Head, QUANTILE_LEVELS, Scales};
use serde::{Deserialize, Serialize};

use super::{LossSettings, Objective, STOP_GRADIENT, Sample, TrainedHead, WEIGHT, fault};
use crate::TrainerError;
use crate::config::{ClipSettings, Field, Limit};
use crate::loss::pinball;
use crate::real::Real;

pub(super) const TABLE: &str = "quantiles";
pub(super) const LEVELS: usize = QUANTILE_LEVELS.len();

/// The targets of the quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuantileTarget {
    /// One deep score for all levels: the spread comes from similar positions.
    Deepest,
    /// The record's own score, for all levels.
    Score,
    /// A target for each level: the quantiles of the record, or the percentiles of its scores at
    /// several depths.
    Percentiles,
}

/// The parametrisation of the quantiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuantileForm {
    /// A head of five outputs: the lowest quantile, and four steps up.
    Chain,
    /// A head of four outputs: the value is the median, and the steps lead away from it.
    Anchored,
}

impl QuantileForm {
    /// The head of this form.
    pub(super) fn head(self) -> Head {
        match self {
            Self::Chain => Head::Quantiles,
            Self::Anchored => Head::AnchoredQuantiles,
        }
    }
}

/// The loss of the quantile head: pinball, in units of the network's centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct QuantileObjective {
    /// The weight in the sum of losses.
    pub weight: f32,
    /// The parametrisation.
    pub form: QuantileForm,
    /// The target.
    pub target: QuantileTarget,
    /// Targets are clipped to this many centipawns.
    pub clip: f32,
    /// Whether the value learns from it too, if it is the median.
    pub pull_value: bool,
    /// Whether its gradient stops at its own weights.
    pub stop_gradient: bool,
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

pub(super) const FIELDS: &[Field] = &[
    WEIGHT,
    Field::value(
        "form",
        &[
            "chain: a head of five, the lowest quantile and four steps up. anchored: a head of four,",
            "steps away from the value, which is the median; needs [loss.value], and network.value",
            "sigmoid or linear.",
        ],
    ),
    Field::value(
        "target",
        &[
            "deepest: the deepest score of a record, for all levels; the spread comes from similar",
            "positions. score: the record's own score. percentiles: a target for each level, those of",
            "the record.",
        ],
    ),
    Field::value("clip", &["Scores are clipped to this many centipawns."]),
    Field::value(
        "pull_value",
        &["Whether the value learns from this loss too (anchored), or only from its own."],
    ),
    STOP_GRADIENT,
];

pub(super) struct Trained;

impl TrainedHead for Trained {
    fn layer(&self) -> &'static str {
        "quantiles"
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    fn needs(&self) -> &'static str {
        "score"
    }

    fn weight(&self, objective: &Objective) -> Option<f32> {
        objective.quantiles.map(|quantiles| quantiles.weight)
    }

    fn stops_gradient(&self, objective: &Objective) -> bool {
        objective.quantiles.is_none_or(|quantiles| quantiles.stop_gradient)
    }

    fn set_usual(&self, losses: &mut LossSettings) {
        losses.quantiles = Some(QuantileObjective::default());
    }

    fn clip(&self, clip: &ClipSettings, scales: &Scales) -> (Limit, f32) {
        super::layer_head_clip(clip, scales)
    }

    fn check(&self, _: &Architecture, objective: &Objective) -> Result<(), TrainerError> {
        check(objective, QuantileForm::Chain)
    }
}

/// Checks the settings that both forms share.
pub(super) fn check(objective: &Objective, form: QuantileForm) -> Result<(), TrainerError> {
    let Some(quantiles) = objective.quantiles else { return Ok(()) };
    if quantiles.form != form {
        let form = match form {
            QuantileForm::Chain => "chain",
            QuantileForm::Anchored => "anchored",
        };
        return Err(fault("loss.quantiles.form", format!("the network's quantiles are `{form}`")));
    }
    if quantiles.pull_value && quantiles.stop_gradient {
        let found = "the value would pass on the gradient that stop_gradient stops; \
                         expected one of the two";
        return Err(fault("loss.quantiles.pull_value", found));
    }
    if quantiles.clip.is_nan() || quantiles.clip <= 0.0 {
        return Err(fault("loss.quantiles.clip", "expected more than 0 centipawns"));
    }
    Ok(())
}

/// The targets of all levels, in units of the network; `None` if the record has none.
pub(super) fn targets<T: Real>(sample: &Sample<'_, T>) -> Option<[T; LEVELS]> {
    let objective = sample.targets.objective.quantiles?;
    let centipawns = match objective.target {
        QuantileTarget::Deepest => [sample.batch.deepest[sample.at]; LEVELS],
        QuantileTarget::Score => [sample.batch.scores[sample.at]; LEVELS],
        QuantileTarget::Percentiles => *sample.batch.quantiles.get(sample.at)?,
    };
    if centipawns.iter().any(|target| target.is_nan()) {
        return None;
    }
    let clip = objective.clip;
    let unit = sample.targets.units.centipawns;
    Some(centipawns.map(|target| T::from_f32(target.clamp(-clip, clip) / unit)))
}

pub(super) fn loss<T: Real>(sample: &Sample<'_, T>, raw: &[T], d: &mut [T]) -> Option<T> {
    let targets = targets(sample)?;
    let mut level = raw[0];
    let levels = std::array::from_fn(|place| {
        if place > 0 {
            level += raw[place].softplus();
        }
        level
    });
    let (loss, by_level) = pinball(levels, targets);
    // A step raises its own level and all above it.
    let mut above = T::ZERO;
    for place in (0..LEVELS).rev() {
        above += by_level[place];
        let by_raw = if place == 0 { T::ONE } else { raw[place].sigmoid() };
        d[place] += sample.scale * above * by_raw;
    }
    Some(loss)
}
