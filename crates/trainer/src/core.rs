//! Training step: weights, gradients and updates, in f32 or f64.

use std::time::Instant;

use dataset::Batch;
use nnue::Architecture;
use rayon::prelude::*;

use crate::heads::{Targets, win_probability};
use crate::learner::{Losses, StepSettings, TrainerError};
use crate::loss::Units;
use crate::optimiser::{Step, Update, look_ahead};
use crate::real::Real;
use crate::shape::Shape;
use crate::sparse::SparseGradient;
use crate::tensors::{Tensors, layer_of_part};
use crate::worker::{Backward, Phases, Worker};
use crate::{Objective, OptimiserSettings};

/// The number of weights that a thread updates at a time.
const CHUNK: usize = 1 << 14;

/// A network in training.
#[derive(Debug)]
pub(crate) struct Core<T> {
    pub(crate) shape: Shape,
    objective: Objective,
    units: Units,
    optimiser: OptimiserSettings,
    pub(crate) parameters: Tensors<T>,
    /// First moments: averages of gradients, or momentum.
    pub(crate) first: Tensors<T>,
    /// Second moments: averages of squared gradients. Empty if the optimiser does not use them.
    pub(crate) second: Tensors<T>,
    /// Ranger's slow weights, likewise.
    pub(crate) slow: Tensors<T>,
    workers: Vec<Worker<T>>,
    /// `None` if every worker sums the gradient of the whole transformer.
    sparse: Option<SparseGradient<T>>,
    pub(crate) frozen: Vec<bool>,
    /// The maximum weight of each layer.
    pub(crate) limits: Vec<Option<f32>>,
    pub(crate) steps: u64,
    pub(crate) phases: Phases,
}

impl<T: Real> Core<T> {
    pub(crate) fn new(
        architecture: &Architecture,
        factors: usize,
        objective: Objective,
        optimiser: OptimiserSettings,
        threads: usize,
        sparse: bool,
    ) -> Self {
        let shape = Shape::new(architecture, factors);
        let none = Tensors::none;
        let zero = || Tensors::zero(&shape);
        let centipawns = architecture.scales.centipawns;
        let units = Units { score_scale: objective.score_scale, centipawns };
        Self {
            parameters: zero(),
            first: zero(),
            second: if optimiser.has_squares() { zero() } else { none() },
            slow: if optimiser.lookahead().is_some() { zero() } else { none() },
            workers: (0..threads).map(|_| Worker::new(&shape, !sparse)).collect(),
            sparse: sparse.then(SparseGradient::new),
            frozen: vec![false; shape.layers.len() + 1],
            limits: vec![None; shape.layers.len() + 1],
            steps: 0,
            phases: Phases::default(),
            shape,
            objective,
            units,
            optimiser,
        }
    }

    /// Resets the slow weights to the fast ones.
    pub(crate) fn reset_slow(&mut self) {
        if self.optimiser.lookahead().is_some() {
            self.slow = self.parameters.clone();
        }
    }

    /// The losses of all shards. The gradient of each is in its worker.
    pub(crate) fn pass(
        &mut self,
        shards: &[Batch],
        settings: StepSettings,
        backward: bool,
    ) -> Result<Losses, TrainerError> {
        self.check(shards)?;
        let returns = match settings.td_lambda {
            Some(lambda) => Some(self.returns(shards, lambda)?),
            None => None,
        };
        let positions: usize = shards.iter().map(Batch::len).sum();
        let Self { shape, parameters, objective, units, workers, frozen, phases, .. } = self;
        let backward = if backward { Backward::Yes { frozen } } else { Backward::No };
        workers.par_iter_mut().zip(shards).enumerate().for_each(|(place, (worker, batch))| {
            let targets = Targets {
                objective,
                units: *units,
                result_share: settings.result_share,
                returns: returns.as_ref().map(|returns| returns[place].as_slice()),
                share: 1.0 / positions.max(1) as f64,
            };
            worker.pass(shape, parameters, targets, batch, backward);
        });
        let mut losses = Losses::default();
        for worker in workers {
            losses += &worker.losses;
            *phases += worker.phases;
        }
        Ok(losses)
    }

    fn check(&self, shards: &[Batch]) -> Result<(), TrainerError> {
        let threads = self.workers.len();
        if shards.len() != threads
            || shards.iter().any(|shard| shard.perspectives != self.shape.perspectives)
        {
            let fault = format!(
                "expected {threads} shards with {} perspectives of each position",
                self.shape.perspectives
            );
            return Err(TrainerError::Setting { field: "batch".into(), fault });
        }
        let inputs = self.shape.inputs;
        for shard in shards {
            let max = shard.features.par_chunks(CHUNK).map(|part| part.iter().max());
            let max = max.flatten().max();
            if let Some(&feature) = max.filter(|&&feature| feature as usize >= inputs) {
                return Err(TrainerError::Feature { feature, inputs });
            }
        }
        Ok(())
    }

    /// One step. Nothing changes if a loss is not a finite number.
    pub(crate) fn step(
        &mut self,
        shards: &[Batch],
        settings: StepSettings,
    ) -> Result<Losses, TrainerError> {
        let losses = self.pass(shards, settings, true)?;
        if !losses.total.is_finite() {
            return Err(TrainerError::NotFinite { step: self.steps + 1, what: "loss" });
        }
        let begin = Instant::now();
        self.reduce(shards);
        let scale = self.gradient_scale()?;
        self.steps += 1;
        self.update(self.optimiser.step(self.steps, settings.rate, scale));
        self.phases.optimiser += begin.elapsed();
        Ok(losses)
    }

    /// Adds the gradients of all workers to the first one's, in a fixed order.
    pub(crate) fn reduce(&mut self, shards: &[Batch]) {
        if let Some(sparse) = &mut self.sparse
            && !self.frozen[0]
        {
            sparse.collect(self.shape.inputs, &self.workers, shards);
        }
        let Some((first, rest)) = self.workers.split_first_mut() else { return };
        for worker in rest {
            let parts = worker.gradient.parts();
            for (sum, part) in first.gradient.parts_mut().into_iter().zip(parts) {
                sum.par_chunks_mut(CHUNK).zip(part.par_chunks(CHUNK)).for_each(|(sum, part)| {
                    for (sum, &part) in sum.iter_mut().zip(part) {
                        *sum += part;
                    }
                });
            }
        }
    }

    /// The gradient, after [`Core::reduce`]. A sparse transformer has its own.
    pub(crate) fn gradient(&self) -> &Tensors<T> {
        &self.workers[0].gradient
    }

    /// The factor that limits the norm of the gradient to the maximum of the settings.
    fn gradient_scale(&self) -> Result<f64, TrainerError> {
        let max = f64::from(self.optimiser.clip_norm);
        if max <= 0.0 {
            return Ok(1.0);
        }
        let mut squares = 0.0;
        let sparse = self.sparse.as_ref().map(SparseGradient::values);
        let parts = self.gradient().parts().into_iter().enumerate();
        let parts = parts.filter(|(part, _)| !self.frozen[layer_of_part(*part)]);
        let sparse = sparse.filter(|_| !self.frozen[0]);
        for part in parts.map(|(_, values)| values).chain(sparse) {
            let sums = part.par_chunks(CHUNK);
            let sums = sums.map(|part| part.iter().map(|g| g.to_f64() * g.to_f64()).sum());
            squares += sums.collect::<Vec<f64>>().iter().sum::<f64>();
        }
        if !squares.is_finite() {
            return Err(TrainerError::NotFinite { step: self.steps + 1, what: "gradient" });
        }
        let length = squares.sqrt();
        Ok(if length > max { max / length } else { 1.0 })
    }

    fn update(&mut self, step: Step<T>) {
        let Self { parameters, first, second, slow, workers, frozen, limits, .. } = self;
        if let Some(sparse) = &self.sparse
            && !frozen[0]
        {
            let step = step.with_limit(limits[0]);
            let (weights, first) = (&mut parameters.transformer, &mut first.transformer);
            sparse.update(step, self.shape.inputs, weights, first, &mut second.transformer);
        }
        let mut seconds = second.parts_mut().into_iter();
        let parts = parameters.parts_mut().into_iter().zip(first.parts_mut());
        for (part, ((weights, first), gradient)) in
            parts.zip(workers[0].gradient.parts()).enumerate()
        {
            let second = seconds.next().unwrap_or_default();
            let layer = layer_of_part(part);
            // A sparse transformer has no gradient here: it was updated above.
            if frozen[layer] || gradient.is_empty() {
                continue;
            }
            // Biases are stored in wider integers: only weights have a limit.
            let limit = if part % 2 == 0 { limits[layer] } else { None };
            update_part(step.with_limit(limit), weights, gradient, first, second);
        }
        if let Some(every) = self.optimiser.lookahead()
            && self.steps.is_multiple_of(every)
        {
            let share = self.optimiser.lookahead_share;
            for (weights, slow) in parameters.parts_mut().into_iter().zip(slow.parts_mut()) {
                let slow = slow.par_chunks_mut(CHUNK);
                weights
                    .par_chunks_mut(CHUNK)
                    .zip(slow)
                    .for_each(|(weights, slow)| look_ahead(share, weights, slow));
            }
        }
    }

    /// The TD(λ) target of every position as a win probability: the network's own values of the
    /// positions that follow, discounted by λ, and at the end the game's result.
    fn returns(&mut self, shards: &[Batch], lambda: f32) -> Result<Vec<Vec<f32>>, TrainerError> {
        let heads = &self.shape.heads;
        let value = heads.iter().find_map(|&(head, layer)| Some((head.value_output()?, layer)));
        let Some((output, layer)) = value else {
            let fault = "TD needs a value head, and the network has none".into();
            return Err(TrainerError::Setting { field: "target.td_lambda".into(), fault });
        };
        let Self { shape, parameters, workers, .. } = self;
        let work = workers.par_iter_mut().zip(shards);
        Ok(work
            .map(|(worker, batch)| {
                let outputs = worker.predict(shape, parameters, batch, layer);
                let values = outputs.iter().map(|raw| win_probability(output, raw.to_f64()));
                lambda_returns(f64::from(lambda), &values.collect::<Vec<_>>(), batch)
            })
            .collect())
    }
}

/// Goes backward through each segment of a game; the players alternate.
fn lambda_returns(lambda: f64, values: &[f64], batch: &Batch) -> Vec<f32> {
    let mut returns = vec![0.0; values.len()];
    for at in (0..values.len()).rev() {
        returns[at] = if batch.continues[at] && at + 1 < values.len() {
            1.0 - ((1.0 - lambda) * values[at + 1] + lambda * f64::from(returns[at + 1]))
        } else if batch.results[at].is_nan() {
            values[at]
        } else {
            f64::from(batch.results[at])
        } as f32;
    }
    returns
}

fn update_part<T: Real>(
    step: Step<T>,
    weights: &mut [T],
    gradient: &[T],
    first: &mut [T],
    second: &mut [T],
) {
    let arch = pulp::Arch::new();
    let parts = weights.par_chunks_mut(CHUNK).zip(gradient.par_chunks(CHUNK));
    let parts = parts.zip(first.par_chunks_mut(CHUNK));
    if second.is_empty() {
        parts.for_each(|((weights, gradient), first)| {
            arch.dispatch(Update { step, weights, gradient, first, second: &mut [] });
        });
    } else {
        parts.zip(second.par_chunks_mut(CHUNK)).for_each(
            |(((weights, gradient), first), second)| {
                arch.dispatch(Update { step, weights, gradient, first, second });
            },
        );
    }
}
