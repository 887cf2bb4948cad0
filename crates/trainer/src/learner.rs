//! A network that is being trained: weights, what the optimiser remembers, and the threads that do it.

use dataset::Batch;
use nnue::{Architecture, FloatParameters};

use crate::{Objective, OptimiserSettings};

/// Why a network cannot be trained as asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainerError {
    /// A setting that makes no sense, alone or with the others.
    #[error("{field}: {fault}")]
    Setting {
        /// The name of the setting, as in the configuration file.
        field: String,
        /// What is wrong and what was expected.
        fault: String,
    },
    /// A batch holds what the network cannot read.
    #[error("position {position} of the batch has feature {feature}; the network has {inputs}")]
    Feature {
        /// Which position.
        position: usize,
        /// The feature.
        feature: u32,
        /// How many the network has.
        inputs: usize,
    },
}

/// What changes from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSettings {
    /// The learning rate.
    pub rate: f32,
    /// The share of the game's result in the value target; the rest is the search score's.
    pub result_share: f32,
    /// λ of TD(λ), if values are to follow the values of later positions of the game; `None` for plain
    /// targets.
    pub td_lambda: Option<f32>,
}

/// The loss of one head, summed over the positions that have a target for it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeadLoss {
    /// Sum of the losses, not weighted.
    pub sum: f64,
    /// How many positions had a target.
    pub positions: u64,
}

/// The losses of a step or of many positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// Weighted sum over all heads and positions.
    pub total: f64,
    /// How many positions there were.
    pub positions: u64,
    /// One for each head of the architecture, in its order.
    pub heads: Vec<HeadLoss>,
}

/// A network that is being trained.
#[derive(Debug)]
pub struct Learner {}

impl Learner {
    /// A network with random weights (or those of `parameters`).
    ///
    /// `factors` names a shared virtual feature for each feature of a bucketed set; batches then list it too,
    /// as `inputs + factor`, and [`Learner::parameters`] folds it away.
    pub fn new(
        architecture: Architecture,
        factors: Option<Vec<u32>>,
        objective: Objective,
        optimiser: OptimiserSettings,
        threads: usize,
        seed: u64,
    ) -> Result<Self, TrainerError> {
        let _ = (architecture, factors, objective, optimiser, threads, seed);
        todo!()
    }

    /// What is being trained.
    pub fn architecture(&self) -> &Architecture {
        todo!()
    }

    /// The threads, for work on batches outside of steps.
    pub fn pool(&self) -> &rayon::ThreadPool {
        todo!()
    }

    /// How many shards a step takes.
    pub fn threads(&self) -> usize {
        todo!()
    }

    /// Names of the layers, as [`Learner::freeze`] takes them: `accumulator`, `hidden.0`, …, `value`, `wdl`,
    /// `quantiles`, `policy`.
    pub fn layers(&self) -> Vec<String> {
        todo!()
    }

    /// Keeps the named layers as they are.
    pub fn freeze(&mut self, layers: &[String]) -> Result<(), TrainerError> {
        let _ = layers;
        todo!()
    }

    /// Replaces the weights.
    pub fn set_parameters(&mut self, parameters: &FloatParameters) -> Result<(), TrainerError> {
        let _ = parameters;
        todo!()
    }

    /// Replaces the weights of the accumulator: `[feature][width]`, `[width]`.
    pub fn set_accumulator(&mut self, weights: &[f32], bias: &[f32]) -> Result<(), TrainerError> {
        let _ = (weights, bias);
        todo!()
    }

    /// The weights, factors folded into the features.
    pub fn parameters(&self) -> FloatParameters {
        todo!()
    }

    /// The range that weights are clipped to after each step, by layer; `None` for no limit.
    pub fn set_clips(&mut self, clips: &[(String, Option<f32>)]) -> Result<(), TrainerError> {
        let _ = clips;
        todo!()
    }

    /// One step on one batch, a shard for each thread.
    pub fn step(
        &mut self,
        shards: &[Batch],
        settings: StepSettings,
    ) -> Result<Losses, TrainerError> {
        let _ = (shards, settings);
        todo!()
    }

    /// The losses of positions, changing nothing.
    pub fn evaluate(
        &mut self,
        shards: &[Batch],
        settings: StepSettings,
    ) -> Result<Losses, TrainerError> {
        let _ = (shards, settings);
        todo!()
    }

    /// How many steps have been made.
    pub fn steps(&self) -> u64 {
        todo!()
    }

    /// Everything that a step changes, by name, in a fixed order: weights and what the optimiser remembers.
    pub fn state(&self) -> Vec<(String, &[f32])> {
        todo!()
    }

    /// Puts back what [`Learner::state`] and [`Learner::steps`] gave: `tensor(name, length)` is asked for each.
    pub fn restore<E>(
        &mut self,
        steps: u64,
        tensor: impl FnMut(&str, &mut [f32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let _ = (steps, tensor);
        todo!()
    }
}
