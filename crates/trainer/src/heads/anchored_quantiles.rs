//! Anchored quantile loss: pinball, of the distances between quantiles around the value.

use nnue::{Architecture, Head, Scales};

use super::quantiles::{LEVELS, TABLE, check, targets};
use super::{LossSettings, Objective, QuantileForm, QuantileObjective, Sample, TrainedHead, fault};
use crate::TrainerError;
use crate::config::{ClipSettings, Limit};
use crate::layers::LayerMemory;
use crate::loss::pinball;
use crate::real::Real;

const OUTPUTS: usize = Head::AnchoredQuantiles.outputs();

pub(super) struct Trained;

impl TrainedHead for Trained {
    /// The same name as in the first checkpoints.
    fn layer(&self) -> &'static str {
        "widths"
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
        let form = QuantileForm::Anchored;
        losses.quantiles = Some(QuantileObjective { form, ..QuantileObjective::default() });
    }

    fn clip(&self, clip: &ClipSettings, scales: &Scales) -> (Limit, f32) {
        super::layer_head_clip(clip, scales)
    }

    fn check(&self, _: &Architecture, objective: &Objective) -> Result<(), TrainerError> {
        check(objective, QuantileForm::Anchored)?;
        let pulled = objective.quantiles.is_some_and(|quantiles| quantiles.pull_value);
        if objective.value.is_none() && !pulled {
            let found = "anchored, but nothing trains the value that is their median; expected \
                         [loss.value], or loss.quantiles.pull_value = true";
            return Err(fault("loss.quantiles.form", found));
        }
        Ok(())
    }
}

/// Adds the derivatives by the outputs and, if requested, by the value; both layers are given as
/// `[value, quantiles]`. Returns the sum and the number of the losses.
pub(super) fn add<'a, T: Real>(
    memories: &mut [LayerMemory<T>],
    [value, quantiles]: [usize; 2],
    order: &[u32],
    sample: impl Fn(u32) -> Sample<'a, T>,
) -> (f64, u64) {
    let (mut sum, mut count) = (0.0, 0);
    for (place, &position) in order.iter().enumerate() {
        let median = memories[value].sums[place];
        let LayerMemory { sums, d_outputs, .. } = &mut memories[quantiles];
        let range = place * OUTPUTS..(place + 1) * OUTPUTS;
        let found = loss(&sample(position), median, &sums[range.clone()], &mut d_outputs[range]);
        let Some((loss, by_value)) = found else { continue };
        memories[value].d_outputs[place] += by_value;
        sum += loss.to_f64();
        count += 1;
    }
    (sum, count)
}

/// The loss of one position, and its derivative by the value.
fn loss<T: Real>(sample: &Sample<'_, T>, value: T, raw: &[T], d: &mut [T]) -> Option<(T, T)> {
    let objective = sample.targets.objective.quantiles?;
    let targets = targets(sample)?;
    let step = |place: usize| raw[place].softplus();
    let (low, high) = (value - step(1), value + step(2));
    let levels: [T; LEVELS] = [low - step(0), low, value, high, high + step(3)];
    let (loss, by_level) = pinball(levels, targets);
    let [outer_low, low, median, high, outer_high] = by_level;
    // A step moves its own level and all levels beyond it away from the value.
    let by_step = [-outer_low, -(outer_low + low), high + outer_high, outer_high];
    for (place, by_step) in by_step.into_iter().enumerate() {
        d[place] += sample.scale * by_step * raw[place].sigmoid();
    }
    let by_value = outer_low + low + median + high + outer_high;
    Some((loss, if objective.pull_value { sample.scale * by_value } else { T::ZERO }))
}
