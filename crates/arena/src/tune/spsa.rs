//! The SPSA method: perturbations, gains and updates.
//!
//! In iteration k all values are perturbed at once, each up or down at random by its step, and the
//! two opposite sets of values play each other. Every value then moves a little in the direction
//! that won. After Spall, with gains given as engine testers do: by their values in the last
//! iteration.

use games::Random;

/// A parameter to be tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct TunedParam {
    /// Its name.
    pub name: String,
    /// The value in the first iteration.
    pub start: f64,
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// The perturbation in the last iteration.
    pub step: f64,
}

/// The gain sequences of SPSA: how fast perturbations and learning rates decay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// How much of its step a value moves for each game won more than lost, in the last iteration.
    pub rate: f64,
    /// The stability constant `A`, as a share of all iterations: before it rates hardly decay.
    pub stability: f64,
    /// The exponent of the rates' decay.
    pub alpha: f64,
    /// The exponent of the steps' decay.
    pub gamma: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { rate: 0.002, stability: 0.1, alpha: 0.602, gamma: 0.101 }
    }
}

/// Why a tuning is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpsaError {
    /// No parameters or no iterations.
    #[error("there is nothing to tune: expected at least one parameter and one iteration")]
    Empty,
    /// A start value or a step outside the range of its parameter.
    #[error(
        "{} starts at {}, with a step of {}: expected a start from {} to {}, and a step above 0 \
         that is no more than half of that range",
        .0.name, .0.start, .0.step, .0.min, .0.max
    )]
    Param(TunedParam),
    /// The same parameter twice.
    #[error("parameter {0} is listed twice: expected once")]
    Duplicate(String),
    /// A gain outside its range.
    #[error("{name} is {value}: expected a number from 0 to {max}")]
    Gain {
        /// Its name.
        name: &'static str,
        /// The value that was given.
        value: f64,
        /// The largest value.
        max: f64,
    },
    /// The progress of another tuning.
    #[error("{0}: the progress is not that of this tuning")]
    Progress(String),
}

/// The state of a tuning between iterations: all that resuming needs.
#[derive(Clone, Debug, PartialEq)]
pub struct SpsaProgress {
    /// The number of finished iterations.
    pub iteration: u64,
    /// The current values, in the order of the parameters.
    pub values: Vec<f64>,
}

/// An SPSA run.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    params: Vec<TunedParam>,
    gains: Gains,
    iterations: u64,
    seed: u64,
    progress: SpsaProgress,
}

/// Two perturbed sets of values that play each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The number of the iteration, from 0.
    pub iteration: u64,
    /// The values of the first side, in the order of the parameters.
    pub first: Vec<i32>,
    /// The values of the second side.
    pub second: Vec<i32>,
    /// The direction of the first side's perturbation, by parameter.
    pub(super) signs: Vec<f64>,
}

impl Spsa {
    /// A run of `iterations` iterations. Everything random follows from the seed.
    pub fn new(
        params: Vec<TunedParam>,
        gains: Gains,
        iterations: u64,
        seed: u64,
    ) -> Result<Self, SpsaError> {
        if params.is_empty() || iterations == 0 {
            return Err(SpsaError::Empty);
        }
        for (index, param) in params.iter().enumerate() {
            let &TunedParam { start, min, max, step, .. } = param;
            let range = max - min;
            // NaN is in no range.
            let sound = (min..=max).contains(&start) && step > 0.0 && step <= range / 2.0;
            if !sound || !range.is_finite() {
                return Err(SpsaError::Param(param.clone()));
            }
            if params[..index].iter().any(|other| other.name == param.name) {
                return Err(SpsaError::Duplicate(param.name.clone()));
            }
        }
        for (name, value, max) in [
            ("rate", gains.rate, 1.0),
            ("stability", gains.stability, 10.0),
            ("alpha", gains.alpha, 1.0),
            ("gamma", gains.gamma, 1.0),
        ] {
            if !(0.0..=max).contains(&value) {
                return Err(SpsaError::Gain { name, value, max });
            }
        }
        let values = params.iter().map(|param| param.start).collect();
        let progress = SpsaProgress { iteration: 0, values };
        Ok(Self { params, gains, iterations, seed, progress })
    }

    /// The same run, resumed at `progress`.
    pub fn resume(mut self, progress: SpsaProgress) -> Result<Self, SpsaError> {
        if progress.iteration > self.iterations {
            let text = format!("{} of {} iterations", progress.iteration, self.iterations);
            return Err(SpsaError::Progress(text));
        }
        if progress.values.len() != self.params.len() {
            let text = format!("{} of {} values", progress.values.len(), self.params.len());
            return Err(SpsaError::Progress(text));
        }
        for (param, value) in self.params.iter().zip(&progress.values) {
            if !(param.min..=param.max).contains(value) {
                return Err(SpsaError::Progress(format!("{} is {value}", param.name)));
            }
        }
        self.progress = progress;
        Ok(self)
    }

    /// The parameters.
    pub fn params(&self) -> &[TunedParam] {
        &self.params
    }

    /// The state after the last finished iteration.
    pub fn progress(&self) -> &SpsaProgress {
        &self.progress
    }

    /// The total number of iterations.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The next pair of values to play; `None` after the last iteration. The same until
    /// [`Spsa::update`] is called.
    pub fn trial(&self) -> Option<Trial> {
        let iteration = self.progress.iteration;
        if iteration >= self.iterations {
            return None;
        }
        // Every iteration seeds its own random numbers, so that resuming needs no other state.
        let mut random = Random::new(Random::new(self.seed ^ (iteration << 20)).next_u64());
        let mut trial =
            Trial { iteration, first: Vec::new(), second: Vec::new(), signs: Vec::new() };
        for (param, value) in self.params.iter().zip(&self.progress.values) {
            let sign = if random.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
            let perturbation = sign * param.step * self.step_factor();
            // Stochastic rounding, the same for both sides: the mean is exact even for steps below
            // 1.
            let dice = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let round = |value: f64| (value.clamp(param.min, param.max) + dice).floor() as i32;
            trial.first.push(round(value + perturbation));
            trial.second.push(round(value - perturbation));
            trial.signs.push(sign);
        }
        Some(trial)
    }

    /// Updates the values by the result of a trial: the first side's wins minus its losses.
    pub fn update(&mut self, trial: &Trial, result: f64) {
        let (rate, step) = (self.rate(), self.step_factor());
        let directions = self.params.iter().zip(&trial.signs);
        for (value, (param, sign)) in self.progress.values.iter_mut().zip(directions) {
            // The gradient is result / (2 · step); the factor of 2 is in the rate.
            let change = rate * param.step / step * result * sign;
            *value = (*value + change).clamp(param.min, param.max);
        }
        self.progress.iteration = trial.iteration + 1;
    }

    /// The perturbation relative to that of the last iteration.
    fn step_factor(&self) -> f64 {
        let now = (self.progress.iteration + 1) as f64;
        (self.iterations as f64 / now).powf(self.gains.gamma)
    }

    /// The learning rate of this iteration.
    fn rate(&self) -> f64 {
        let stability = self.gains.stability * self.iterations as f64;
        let now = stability + (self.progress.iteration + 1) as f64;
        self.gains.rate * ((stability + self.iterations as f64) / now).powf(self.gains.alpha)
    }
}
