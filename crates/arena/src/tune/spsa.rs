//! The method.
//!
//! In iteration k all values are moved at once, each up or down at random by its step, and the two opposite
//! sets of values play each other. Every value then goes a little in the direction that won. After Spall,
//! with the gains as chess programmers give them: by what they are in the last iteration.

use games::conformance::Random;

/// A value to be tuned.
#[derive(Clone, Debug, PartialEq)]
pub struct Knob {
    /// Its name.
    pub name: String,
    /// Where it begins.
    pub start: f64,
    /// The least that it may be.
    pub least: f64,
    /// The most that it may be.
    pub most: f64,
    /// How far it is moved up and down in the last iteration.
    pub step: f64,
}

/// How fast steps and rates shrink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains {
    /// How much of its step a value goes for each game won more than lost, in the last iteration.
    pub rate: f64,
    /// How many iterations it takes, as a share of all, before rates shrink in earnest.
    pub stability: f64,
    /// How fast rates shrink.
    pub alpha: f64,
    /// How fast steps shrink.
    pub gamma: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { rate: 0.002, stability: 0.1, alpha: 0.602, gamma: 0.101 }
    }
}

/// What cannot be tuned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SpsaError {
    /// There is nothing to do.
    #[error("there is nothing to tune: expected a value and an iteration at least")]
    Nothing,
    /// A value that cannot be where it is.
    #[error(
        "{} begins at {}, with a step of {}: expected a start from {} to {}, and a step above 0 \
         that is no more than half of that range",
        .0.name, .0.start, .0.step, .0.least, .0.most
    )]
    Knob(Knob),
    /// The same value twice.
    #[error("{0} is there twice: once was expected")]
    Twice(String),
    /// A gain that is none.
    #[error("{name} is {value}: a number from 0 to {most} was expected")]
    Gain {
        /// Which.
        name: &'static str,
        /// What was given.
        value: f64,
        /// The most that it can be.
        most: f64,
    },
    /// Progress of another tuning.
    #[error("{0}: the progress is not that of this tuning")]
    Progress(String),
}

/// How far a tuning has come: all that has to be kept to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Progress {
    /// Iterations that are done.
    pub iteration: u64,
    /// Where the values are.
    pub values: Vec<f64>,
}

/// A tuning.
#[derive(Clone, Debug, PartialEq)]
pub struct Spsa {
    knobs: Vec<Knob>,
    gains: Gains,
    iterations: u64,
    seed: u64,
    progress: Progress,
}

/// Two sets of values that should play each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Which iteration it is, from 0.
    pub iteration: u64,
    /// The values of the first side, in the order of the knobs.
    pub first: Vec<i32>,
    /// The values of the second side.
    pub second: Vec<i32>,
    /// In which direction the first side was moved.
    pub(super) signs: Vec<f64>,
}

impl Spsa {
    /// A tuning of so many iterations. What is random follows from the seed.
    pub fn new(
        knobs: Vec<Knob>,
        gains: Gains,
        iterations: u64,
        seed: u64,
    ) -> Result<Self, SpsaError> {
        if knobs.is_empty() || iterations == 0 {
            return Err(SpsaError::Nothing);
        }
        for (index, knob) in knobs.iter().enumerate() {
            let &Knob { start, least, most, step, .. } = knob;
            let range = most - least;
            // NaN is nowhere.
            let sound = (least..=most).contains(&start) && step > 0.0 && step <= range / 2.0;
            if !sound || !range.is_finite() {
                return Err(SpsaError::Knob(knob.clone()));
            }
            if knobs[..index].iter().any(|other| other.name == knob.name) {
                return Err(SpsaError::Twice(knob.name.clone()));
            }
        }
        for (name, value, most) in [
            ("the rate", gains.rate, 1.0),
            ("stability", gains.stability, 10.0),
            ("alpha", gains.alpha, 1.0),
            ("gamma", gains.gamma, 1.0),
        ] {
            if !(0.0..=most).contains(&value) {
                return Err(SpsaError::Gain { name, value, most });
            }
        }
        let values = knobs.iter().map(|knob| knob.start).collect();
        let progress = Progress { iteration: 0, values };
        Ok(Self { knobs, gains, iterations, seed, progress })
    }

    /// The same tuning, gone on with.
    pub fn resume(mut self, progress: Progress) -> Result<Self, SpsaError> {
        if progress.iteration > self.iterations {
            let text = format!("{} of {} iterations", progress.iteration, self.iterations);
            return Err(SpsaError::Progress(text));
        }
        if progress.values.len() != self.knobs.len() {
            let text = format!("{} of {} values", progress.values.len(), self.knobs.len());
            return Err(SpsaError::Progress(text));
        }
        for (knob, value) in self.knobs.iter().zip(&progress.values) {
            if !(knob.least..=knob.most).contains(value) {
                return Err(SpsaError::Progress(format!("{} is {value}", knob.name)));
            }
        }
        self.progress = progress;
        Ok(self)
    }

    /// What is tuned.
    pub fn knobs(&self) -> &[Knob] {
        &self.knobs
    }

    /// How far it has come.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// How many iterations there are.
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// What should play next; nothing after the last iteration. The same until [`Spsa::learn`] was told.
    pub fn trial(&self) -> Option<Trial> {
        let iteration = self.progress.iteration;
        if iteration >= self.iterations {
            return None;
        }
        // Every iteration has numbers of its own, so that going on needs no other state.
        let mut random = Random::new(Random::new(self.seed ^ (iteration << 20)).next_u64());
        let mut trial =
            Trial { iteration, first: Vec::new(), second: Vec::new(), signs: Vec::new() };
        for (knob, value) in self.knobs.iter().zip(&self.progress.values) {
            let sign = if random.next_u64() >> 63 == 0 { 1.0 } else { -1.0 };
            let moved = sign * knob.step * self.step_factor();
            // Rounded up as often as the fraction says, both sides alike: the mean is what was meant, also
            // of values whose step is smaller than 1.
            let dice = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
            let round = |value: f64| (value.clamp(knob.least, knob.most) + dice).floor() as i32;
            trial.first.push(round(value + moved));
            trial.second.push(round(value - moved));
            trial.signs.push(sign);
        }
        Some(trial)
    }

    /// Learns the result of a trial: games that the first side won more than it lost.
    pub fn learn(&mut self, trial: &Trial, result: f64) {
        let (rate, step) = (self.rate(), self.step_factor());
        let moves = self.knobs.iter().zip(&trial.signs);
        for (value, (knob, sign)) in self.progress.values.iter_mut().zip(moves) {
            // The gradient is result / (2 · step); the factor of 2 is in the rate.
            let change = rate * knob.step / step * result * sign;
            *value = (*value + change).clamp(knob.least, knob.most);
        }
        self.progress.iteration = trial.iteration + 1;
    }

    /// How much longer steps are now than in the last iteration.
    fn step_factor(&self) -> f64 {
        let now = (self.progress.iteration + 1) as f64;
        (self.iterations as f64 / now).powf(self.gains.gamma)
    }

    /// What the rate is now.
    fn rate(&self) -> f64 {
        let stability = self.gains.stability * self.iterations as f64;
        let now = stability + (self.progress.iteration + 1) as f64;
        self.gains.rate * ((stability + self.iterations as f64) / now).powf(self.gains.alpha)
    }
}
