//! A network that is trained on the same batches again and again, in memory.

use std::time::Instant;

use dataset::Batch;
use trainer::{
    Learner, Losses, Objective, OptimiserSettings, Phases, StepSettings, ValueObjective,
};

use super::THREADS;

pub(crate) struct Competitor {
    name: &'static str,
    learner: Learner,
    batches: Vec<Vec<Batch>>,
    speeds: Speeds,
}

/// What the rounds gave.
#[derive(Default)]
pub(crate) struct Speeds {
    losses: Vec<f64>,
    each: Vec<f64>,
    seconds: f64,
}

impl Speeds {
    pub(crate) fn add(&mut self, losses: &Losses, begin: Instant) {
        let seconds = begin.elapsed().as_secs_f64();
        self.losses.push(losses.mean());
        self.each.push(losses.positions as f64 / seconds);
        self.seconds += seconds;
    }

    /// Seconds of all rounds together, summed over threads.
    pub(crate) fn thread_seconds(&self) -> f64 {
        self.seconds * THREADS as f64
    }

    /// Prints and gives positions a second.
    pub(crate) fn report(&self, name: &str) -> f64 {
        let (first, last) = (self.losses[0], self.losses[self.losses.len() - 1]);
        assert!(last < 0.9 * first, "{name} has learnt nothing: {first}, then {last}");
        let speed = median(&self.each);
        println!("{name}");
        let best = self.each.iter().copied().fold(0.0, f64::max);
        println!("  {speed:>9.0} positions/s, {best:.0} in the best round");
        println!("            loss {first:.5}, then {last:.5}");
        speed
    }
}

pub(crate) fn learner(architecture: &str) -> Learner {
    let architecture = architecture.parse().expect("an architecture");
    let value = Some(ValueObjective::default());
    let objective = Objective { score_scale: 400.0, value, ..Objective::default() };
    let settings = OptimiserSettings::default();
    Learner::new(architecture, None, objective, settings, THREADS, 1).expect("a learner")
}

pub(crate) const SETTINGS: StepSettings =
    StepSettings { rate: 1e-3, result_share: 0.0, td_lambda: None };

impl Competitor {
    pub(crate) fn new(name: &'static str, batches: Vec<Vec<Batch>>) -> Self {
        Self { name, learner: learner(name), batches, speeds: Speeds::default() }
    }

    pub(crate) fn round(&mut self) {
        let begin = Instant::now();
        let mut losses = Losses::default();
        for shards in &self.batches {
            losses += &self.learner.step(shards, SETTINGS).expect("a step");
        }
        self.speeds.add(&losses, begin);
    }

    pub(crate) fn report(&self) -> f64 {
        let speed = self.speeds.report(&format!("{}, in memory", self.name));
        report_phases(self.learner.phases(), &[], self.speeds.thread_seconds());
        speed
    }
}

/// Prints which share of the time each phase took. `more` are phases of the caller's, summed over threads.
pub(crate) fn report_phases(phases: Phases, more: &[(&str, f64)], all: f64) {
    let Phases { gather, layers, loss, scatter, optimiser } = phases;
    let mut parts = more.to_vec();
    parts.extend([
        ("gather", gather.as_secs_f64()),
        ("layers", layers.as_secs_f64()),
        ("loss", loss.as_secs_f64()),
        ("scatter", scatter.as_secs_f64()),
        ("optimiser", optimiser.as_secs_f64() * THREADS as f64),
    ]);
    let known: f64 = parts.iter().map(|(_, part)| part).sum();
    parts.push(("waiting", all - known));
    for (name, part) in parts {
        println!("  {:>8.1} % {name}", 100.0 * part / all);
    }
}

pub(crate) fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
