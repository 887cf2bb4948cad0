//! The losses of all heads over some positions of a batch.

use dataset::Batch;
use nnue::{Head, QUANTILE_LEVELS};

use crate::layers::LayerMemory;
use crate::learner::{HeadLoss, Losses};
use crate::loss::{self, Units, ValueTarget};
use crate::real::Real;
use crate::shape::Shape;
use crate::{Objective, PolicyLoss, PolicyObjective, QuantileObjective, QuantileTarget};

/// What the losses of a step depend on besides outputs and batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets<'a> {
    pub(crate) objective: &'a Objective,
    pub(crate) units: Units,
    pub(crate) result_share: f32,
    /// Win probabilities that take the place of score and result, one for each position of the batch.
    pub(crate) returns: Option<&'a [f32]>,
    /// How much a position counts in the gradient: one over their number in all shards.
    pub(crate) share: f64,
}

/// Adds the losses of positions to `losses`, and derivatives by the outputs of heads to their memories.
pub(crate) fn add_losses<T: Real>(
    shape: &Shape,
    targets: Targets<'_>,
    batch: &Batch,
    order: &[u32],
    memories: &mut [LayerMemory<T>],
    losses: &mut Losses,
) {
    losses.positions += order.len() as u64;
    losses.heads.resize(shape.heads.len(), HeadLoss::default());
    for (place, &(head, layer)) in shape.heads.iter().enumerate() {
        let Some(weight) = weight(targets.objective, head) else { continue };
        let scale = T::from_f64(f64::from(weight) * targets.share);
        let at = |position: u32| Position { targets, batch, at: position as usize, scale };
        let (sum, count) = match (head, value_layer(shape)) {
            (Head::Widths, Some(value)) => add_anchored(memories, value, layer, order, at),
            _ => add_head(&mut memories[layer], shape.layers[layer].width, head, order, at),
        };
        losses.heads[place].sum += sum;
        losses.heads[place].positions += count;
        losses.total += f64::from(weight) * sum;
    }
}

/// Adds the derivatives of a head that needs nothing but its own outputs; gives the sum of its losses and how many there are.
fn add_head<'a, T: Real>(
    memory: &mut LayerMemory<T>,
    width: usize,
    head: Head,
    order: &[u32],
    at: impl Fn(u32) -> Position<'a, T>,
) -> (f64, u64) {
    let (mut sum, mut count) = (0.0, 0);
    let outputs = memory.sums.chunks_exact(width);
    let derivatives = memory.d_outputs.chunks_exact_mut(width);
    for ((&position, raw), d) in order.iter().zip(outputs).zip(derivatives) {
        if let Some(loss) = at(position).loss(head, raw, d) {
            sum += loss.to_f64();
            count += 1;
        }
    }
    (sum, count)
}

/// The same of widths around the value, whose layer is `value`.
fn add_anchored<'a, T: Real>(
    memories: &mut [LayerMemory<T>],
    value: usize,
    widths: usize,
    order: &[u32],
    at: impl Fn(u32) -> Position<'a, T>,
) -> (f64, u64) {
    const WIDTHS: usize = Head::Widths.outputs();
    let (mut sum, mut count) = (0.0, 0);
    for (place, &position) in order.iter().enumerate() {
        let median = memories[value].sums[place];
        let LayerMemory { sums, d_outputs, .. } = &mut memories[widths];
        let range = place * WIDTHS..(place + 1) * WIDTHS;
        let found = at(position).widths(median, &sums[range.clone()], &mut d_outputs[range]);
        let Some((loss, by_value)) = found else { continue };
        memories[value].d_outputs[place] += by_value;
        sum += loss.to_f64();
        count += 1;
    }
    (sum, count)
}

/// Which layer gives the value, if there is one.
fn value_layer(shape: &Shape) -> Option<usize> {
    let value = shape.heads.iter().find(|(head, _)| matches!(head, Head::Value(_)));
    value.map(|&(_, layer)| layer)
}

/// The weight of a head's loss; `None` if it has none.
fn weight(objective: &Objective, head: Head) -> Option<f32> {
    match head {
        Head::Value(_) => objective.value.map(|value| value.weight),
        Head::Wdl => objective.wdl.map(|wdl| wdl.weight),
        Head::Quantiles | Head::Widths => objective.quantiles.map(|quantiles| quantiles.weight),
        Head::Policy { .. } => objective.policy.map(|policy| policy.weight),
    }
}

/// Whether a head's gradient ends at its own weights.
pub(crate) fn stops_gradient(objective: &Objective, head: Head) -> bool {
    match head {
        Head::Value(_) => objective
            .value
            .map_or(objective.quantiles.is_none_or(|quantiles| !quantiles.pull_value), |value| {
                value.stop_gradient
            }),
        Head::Wdl => objective.wdl.is_none_or(|wdl| wdl.stop_gradient),
        Head::Quantiles | Head::Widths => {
            objective.quantiles.is_none_or(|quantiles| quantiles.stop_gradient)
        }
        Head::Policy { .. } => objective.policy.is_none_or(|policy| policy.stop_gradient),
    }
}

/// One position and how its derivatives are scaled.
struct Position<'a, T> {
    targets: Targets<'a>,
    batch: &'a Batch,
    /// Its place in the batch.
    at: usize,
    scale: T,
}

impl<T: Real> Position<'_, T> {
    fn loss(&self, head: Head, raw: &[T], d: &mut [T]) -> Option<T> {
        let objective = self.targets.objective;
        match head {
            Head::Value(output) => {
                let value = objective.value?;
                if value.quiet && self.batch.tactical.get(self.at) == Some(&true) {
                    return None;
                }
                let target = self.value_target();
                let units = self.targets.units;
                let (loss, slope) = loss::value(&value, output, units, raw[0], target)?;
                d[0] += self.scale * slope;
                Some(loss)
            }
            Head::Wdl => {
                let result = self.batch.results[self.at];
                let chances = (!result.is_nan()).then(|| loss::wdl_of_result(result))?;
                let chance = |place: usize| T::from_f32(chances[place]);
                Some(loss::cross_entropy(raw, chance, self.scale, d))
            }
            Head::Quantiles => {
                let targets = self.quantile_targets(&objective.quantiles?)?;
                Some(loss::pinball(raw, targets, self.scale, d))
            }
            // They need the value's output too: see `widths`.
            Head::Widths => None,
            Head::Policy { from, .. } => self.policy(objective.policy?, from, raw, d),
        }
    }

    fn value_target(&self) -> ValueTarget {
        let (score, result) = (self.batch.scores[self.at], self.batch.results[self.at]);
        match self.targets.returns {
            Some(returns) => {
                ValueTarget { score: f32::NAN, result: returns[self.at], result_share: 1.0 }
            }
            None => ValueTarget { score, result, result_share: self.targets.result_share },
        }
    }

    /// The loss of quantiles around a value, and what it moves the value by.
    fn widths(&self, value: T, raw: &[T], d: &mut [T]) -> Option<(T, T)> {
        let objective = self.targets.objective.quantiles?;
        let targets = self.quantile_targets(&objective)?;
        let (loss, by_value) = loss::anchored_pinball(value, raw, targets, self.scale, d);
        Some((loss, if objective.pull_value { self.scale * by_value } else { T::ZERO }))
    }

    fn quantile_targets(
        &self,
        objective: &QuantileObjective,
    ) -> Option<[T; QUANTILE_LEVELS.len()]> {
        let centipawns = match objective.target {
            QuantileTarget::Deepest => [self.batch.deepest[self.at]; QUANTILE_LEVELS.len()],
            QuantileTarget::Score => [self.batch.scores[self.at]; QUANTILE_LEVELS.len()],
            QuantileTarget::Percentiles => *self.batch.quantiles.get(self.at)?,
        };
        if centipawns.iter().any(|target| target.is_nan()) {
            return None;
        }
        let clip = objective.clip;
        let unit = self.targets.units.centipawns;
        Some(centipawns.map(|target| T::from_f32(target.clamp(-clip, clip) / unit)))
    }

    fn policy(
        &self,
        objective: PolicyObjective,
        from_outputs: usize,
        raw: &[T],
        d: &mut [T],
    ) -> Option<T> {
        let (raw_from, raw_to) = raw.split_at(from_outputs);
        let (d_from, d_to) = d.split_at_mut(from_outputs);
        match objective.loss {
            PolicyLoss::FromTo => {
                let best = (*self.batch.policy.get(self.at)?)?;
                let is = |cell: u16| {
                    move |place: usize| {
                        if place == usize::from(cell) { T::ONE } else { T::ZERO }
                    }
                };
                let from = loss::cross_entropy(raw_from, is(best.from), self.scale, d_from);
                Some(from + loss::cross_entropy(raw_to, is(best.to), self.scale, d_to))
            }
            PolicyLoss::Legal => {
                let best = usize::from((*self.batch.best_legal.get(self.at)?)?);
                let moves = &self.batch.legal[self.batch.legal_range(self.at)];
                let logit = |mv: &dataset::PolicyTarget| {
                    raw_from[usize::from(mv.from)] + raw_to[usize::from(mv.to)]
                };
                let logits: Vec<T> = moves.iter().map(logit).collect();
                let mut by_move = vec![T::ZERO; moves.len()];
                let is_best = |place| if place == best { T::ONE } else { T::ZERO };
                let loss = loss::cross_entropy(&logits, is_best, self.scale, &mut by_move);
                for (mv, &by_move) in moves.iter().zip(&by_move) {
                    d_from[usize::from(mv.from)] += by_move;
                    d_to[usize::from(mv.to)] += by_move;
                }
                Some(loss)
            }
        }
    }
}
