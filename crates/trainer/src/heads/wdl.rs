//! WDL loss: cross-entropy of win, draw and loss with the game's result.

use nnue::{Architecture, Scales};
use serde::{Deserialize, Serialize};

use super::{LossSettings, Objective, STOP_GRADIENT, Sample, TrainedHead, WEIGHT};
use crate::TrainerError;
use crate::config::{ClipSettings, Field, Limit};
use crate::loss::cross_entropy;
use crate::real::Real;

pub(super) const TABLE: &str = "wdl";

/// The loss of the WDL head: cross-entropy with the game's result.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WdlObjective {
    /// The weight in the sum of losses.
    pub weight: f32,
    /// Whether its gradient stops at its own weights.
    pub stop_gradient: bool,
}

impl Default for WdlObjective {
    fn default() -> Self {
        Self { weight: 1.0, stop_gradient: false }
    }
}

pub(super) const FIELDS: &[Field] = &[WEIGHT, STOP_GRADIENT];

pub(super) struct Trained;

impl TrainedHead for Trained {
    fn layer(&self) -> &'static str {
        "wdl"
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    fn needs(&self) -> &'static str {
        "result"
    }

    fn weight(&self, objective: &Objective) -> Option<f32> {
        objective.wdl.map(|wdl| wdl.weight)
    }

    fn stops_gradient(&self, objective: &Objective) -> bool {
        objective.wdl.is_none_or(|wdl| wdl.stop_gradient)
    }

    fn set_usual(&self, losses: &mut LossSettings) {
        losses.wdl = Some(WdlObjective::default());
    }

    fn clip(&self, clip: &ClipSettings, scales: &Scales) -> (Limit, f32) {
        super::layer_head_clip(clip, scales)
    }

    fn check(&self, _: &Architecture, _: &Objective) -> Result<(), TrainerError> {
        Ok(())
    }
}

pub(super) fn loss<T: Real>(sample: &Sample<'_, T>, raw: &[T], d: &mut [T]) -> Option<T> {
    let result = sample.batch.results[sample.at];
    let chances = (!result.is_nan()).then(|| wdl_of_result(result))?;
    let chance = |place: usize| T::from_f32(chances[place]);
    Some(cross_entropy(raw, chance, sample.scale, d))
}

/// The probabilities of win, draw and loss for the score of a game; quarters are divided between
/// neighbours.
fn wdl_of_result(result: f32) -> [f32; 3] {
    let win = (2.0 * result - 1.0).max(0.0);
    let loss = (1.0 - 2.0 * result).max(0.0);
    [win, 1.0 - win - loss, loss]
}
