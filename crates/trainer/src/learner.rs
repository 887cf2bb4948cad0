//! Learner: a network in training with its optimiser and threads.

use dataset::Batch;
use nnue::{Architecture, FloatParameters};
use rayon::ThreadPool;

use crate::core::Core;
use crate::layout;
use crate::tensors::{Tensors, layer_number, part_names};
use crate::worker::Phases;
use crate::{Objective, OptimiserSettings};

/// Transformers with more weights are updated sparsely by default: dense gradients of all threads
/// would not fit into caches.
const MAX_DENSE_WEIGHTS: usize = 1 << 22;

/// Why a network cannot be trained.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TrainerError {
    /// A setting that is invalid, alone or together with others.
    #[error("{field}: {fault}")]
    Setting {
        /// The name of the setting, as in the configuration file.
        field: String,
        /// What is wrong and what was expected.
        fault: String,
    },
    /// A batch has a feature that the network does not have.
    #[error("a position has feature {feature}; the network has features 0 to {}", inputs - 1)]
    Feature {
        /// The feature.
        feature: u32,
        /// The number of features of the network.
        inputs: usize,
    },
    /// Training diverged. The weights are as they were before the step.
    #[error(
        "the {what} of step {step} is not a finite number; resume from an earlier checkpoint \
         with a lower learning rate, weight clipping or gradient clipping"
    )]
    NotFinite {
        /// The step.
        step: u64,
        /// `loss` or `gradient`.
        what: &'static str,
    },
    /// The operating system refused threads.
    #[error("cannot start {threads} threads: {fault}")]
    Threads {
        /// The requested number of threads.
        threads: usize,
        /// The error.
        fault: String,
    },
}

/// Settings that change from step to step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepSettings {
    /// The learning rate.
    pub rate: f32,
    /// The share of the game's result in the value target; the rest is the search score.
    pub result_share: f32,
    /// λ of TD(λ), where values follow the values of later positions of the game; `None` for plain
    /// targets.
    pub td_lambda: Option<f32>,
}

/// The loss of one head, summed over the positions that have a target for it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeadLoss {
    /// Sum of the losses, not weighted.
    pub sum: f64,
    /// The number of positions with a target.
    pub positions: u64,
}

/// The losses of a step or of many positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// Weighted sum over all heads and positions.
    pub total: f64,
    /// The number of positions.
    pub positions: u64,
    /// One for each head of the architecture, in its order.
    pub heads: Vec<HeadLoss>,
}

impl Losses {
    /// The mean weighted loss of a position.
    pub fn mean(&self) -> f64 {
        self.total / self.positions.max(1) as f64
    }
}

impl std::ops::AddAssign<&Self> for Losses {
    fn add_assign(&mut self, other: &Self) {
        self.total += other.total;
        self.positions += other.positions;
        self.heads.resize(self.heads.len().max(other.heads.len()), HeadLoss::default());
        for (sum, head) in self.heads.iter_mut().zip(&other.heads) {
            sum.sum += head.sum;
            sum.positions += head.positions;
        }
    }
}

/// A network that is being trained.
#[derive(Debug)]
pub struct Learner {
    architecture: Architecture,
    factors: Vec<u32>,
    pool: ThreadPool,
    core: Core<f32>,
}

impl Learner {
    /// A network with random weights.
    ///
    /// `factors` gives the shared virtual feature of each feature of a bucketed set; batches then
    /// list it too, as `inputs + factor`, and [`Learner::parameters`] folds it into the features.
    pub fn new(
        architecture: Architecture,
        factors: Option<Vec<u32>>,
        objective: Objective,
        optimiser: OptimiserSettings,
        threads: usize,
        seed: u64,
    ) -> Result<Self, TrainerError> {
        let factors = factors.unwrap_or_default();
        crate::check::settings(&architecture, &factors, &objective, &optimiser)?;
        let weights = architecture.inputs * architecture.accumulator.width;
        let sparse = optimiser.sparse.unwrap_or(weights > MAX_DENSE_WEIGHTS);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
        let pool =
            pool.map_err(|error| TrainerError::Threads { threads, fault: error.to_string() })?;
        let virtual_features = layout::virtual_features(&factors);
        let threads = pool.current_num_threads();
        let mut core =
            Core::new(&architecture, virtual_features, objective, optimiser, threads, sparse);
        layout::initialise(&core.shape, architecture.inputs, seed, &mut core.parameters);
        core.reset_slow();
        Ok(Self { architecture, factors, pool, core })
    }

    /// The architecture.
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// The threads, for work on batches outside of steps.
    pub fn pool(&self) -> &ThreadPool {
        &self.pool
    }

    /// The number of shards of a step.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The names of the layers, as [`Learner::freeze`] takes them: `accumulator`, `hidden.0`, …,
    /// `value`, `wdl`, `quantiles`, `policy`.
    pub fn layers(&self) -> Vec<String> {
        self.core.shape.names().map(str::to_owned).collect()
    }

    /// Freezes the named layers, and only them.
    pub fn freeze(&mut self, layers: &[String]) -> Result<(), TrainerError> {
        let mut frozen = vec![false; self.core.frozen.len()];
        for name in layers {
            frozen[self.layer("init.freeze", name)?] = true;
        }
        self.core.frozen = frozen;
        Ok(())
    }

    /// The maximum weight of each named layer, to which it is clipped after each step; `None` for
    /// no limit.
    pub fn set_clips(&mut self, clips: &[(String, Option<f32>)]) -> Result<(), TrainerError> {
        for (name, limit) in clips {
            let layer = self.layer("clip", name)?;
            if limit.is_some_and(|limit| limit.is_nan() || limit <= 0.0) {
                let fault = format!("the limit of `{name}` is {limit:?}; expected more than 0");
                return Err(TrainerError::Setting { field: "clip".into(), fault });
            }
            self.core.limits[layer] = *limit;
        }
        Ok(())
    }

    fn layer(&self, field: &str, name: &str) -> Result<usize, TrainerError> {
        layer_number(&self.core.shape, name).ok_or_else(|| TrainerError::Setting {
            field: field.to_owned(),
            fault: format!(
                "there is no layer `{name}`; the network has {}",
                self.layers().join(", ")
            ),
        })
    }

    /// Replaces all weights; virtual features start at zero.
    pub fn set_parameters(&mut self, parameters: &FloatParameters) -> Result<(), TrainerError> {
        parameters.check(&self.architecture).map_err(|error| TrainerError::Setting {
            field: "init.network".into(),
            fault: error.to_string(),
        })?;
        layout::from_parameters(&self.core.shape, parameters, &mut self.core.parameters);
        self.core.reset_slow();
        Ok(())
    }

    /// Replaces the weights of the accumulator: `[feature][width]`, `[width]`.
    pub fn set_accumulator(&mut self, weights: &[f32], bias: &[f32]) -> Result<(), TrainerError> {
        let width = self.architecture.accumulator.width;
        let expected = self.architecture.inputs * width;
        if weights.len() != expected || bias.len() != width {
            let fault = format!(
                "{} weights and {} biases; the network has {expected} and {width}",
                weights.len(),
                bias.len()
            );
            return Err(TrainerError::Setting { field: "init.accumulator_from".into(), fault });
        }
        let Core { shape, parameters, .. } = &mut self.core;
        layout::from_transformer(shape, weights, bias, parameters);
        self.core.reset_slow();
        Ok(())
    }

    /// The weights, with virtual features folded into the features.
    pub fn parameters(&self) -> FloatParameters {
        let Core { shape, parameters, .. } = &self.core;
        layout::to_parameters(&self.architecture, shape, &self.factors, parameters)
    }

    /// One step on one batch, a shard for each thread.
    pub fn step(
        &mut self,
        shards: &[Batch],
        settings: StepSettings,
    ) -> Result<Losses, TrainerError> {
        let Self { pool, core, .. } = self;
        pool.install(|| core.step(shards, settings))
    }

    /// The losses of positions, without a step.
    pub fn evaluate(
        &mut self,
        shards: &[Batch],
        settings: StepSettings,
    ) -> Result<Losses, TrainerError> {
        let Self { pool, core, .. } = self;
        pool.install(|| core.pass(shards, settings, false))
    }

    /// The number of steps so far.
    pub fn steps(&self) -> u64 {
        self.core.steps
    }

    /// The time of each phase since the learner was made. All but the optimiser's are summed over
    /// threads.
    pub fn phases(&self) -> Phases {
        self.core.phases
    }

    /// Everything that a step changes, by name, in a fixed order: weights and optimiser state.
    pub fn state(&self) -> Vec<(String, &[f32])> {
        let Core { parameters, first, second, slow, .. } = &self.core;
        let groups = [("", parameters), ("first.", first), ("second.", second), ("slow.", slow)];
        let mut state = Vec::new();
        for (prefix, tensors) in groups.into_iter().filter(|(_, t)| is_present(t)) {
            let names = part_names(&self.core.shape).into_iter();
            let named = names.zip(tensors.parts());
            state.extend(named.map(|(name, values)| (format!("{prefix}{name}"), values)));
        }
        state
    }

    /// Restores the values of [`Learner::state`] and [`Learner::steps`]: `fill(name, values)` is
    /// called for each, in the same order.
    pub fn restore<E>(
        &mut self,
        steps: u64,
        mut fill: impl FnMut(&str, &mut [f32]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Core { parameters, first, second, slow, shape, .. } = &mut self.core;
        let groups = [("", parameters), ("first.", first), ("second.", second), ("slow.", slow)];
        for (prefix, tensors) in groups.into_iter().filter(|(_, t)| is_present(t)) {
            for (name, values) in part_names(shape).into_iter().zip(tensors.parts_mut()) {
                fill(&format!("{prefix}{name}"), values)?;
            }
        }
        self.core.steps = steps;
        Ok(())
    }
}

/// Tensors that an optimiser does not use have no layers.
fn is_present(tensors: &Tensors<f32>) -> bool {
    !tensors.layers.is_empty()
}
