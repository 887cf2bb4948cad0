//! Measuring fairly: what is compared runs in turn, many times, and the medians count.
//!
//! `cargo bench -p bench` prints the tables of `docs/speed.md`.
//!
//! Another program that slows the machine down for a moment slows all down, and a median does not notice.

use std::hint::black_box;
use std::time::{Duration, Instant};

pub mod floor;
pub mod lines;
pub mod networks;

/// How often each competitor runs.
const ROUNDS: usize = 201;

/// How long a run takes at least: many operations, and so short that the system seldom interrupts it.
const LEAST: Duration = Duration::from_micros(100);

/// Times what a competitor does, leaving out what it prepares.
#[derive(Debug, Default)]
pub struct Watch {
    elapsed: Duration,
    operations: usize,
}

impl Watch {
    /// Does `work`, which is `operations` operations.
    pub fn time<T>(&mut self, operations: usize, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = black_box(work());
        self.elapsed += start.elapsed();
        self.operations += operations;
        result
    }

    fn nanoseconds(&self) -> f64 {
        self.elapsed.as_nanos() as f64 / self.operations as f64
    }
}

/// What runs: it does the same each time and gives a number that shows that it did.
type Run<'a> = Box<dyn FnMut(&mut Watch) -> i64 + 'a>;

/// Competitors at one task.
#[derive(Default)]
pub struct Race<'a>(Vec<Competitor<'a>>);

struct Competitor<'a> {
    name: String,
    run: Run<'a>,
    repeats: usize,
    check: i64,
    samples: Vec<f64>,
}

/// How a competitor did.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Its name.
    pub name: String,
    /// What it gave.
    pub check: i64,
    /// Nanoseconds of an operation, round by round.
    samples: Vec<f64>,
}

impl<'a> Race<'a> {
    /// Enters a competitor, whose number is the place in the list that [`run`](Race::run) gives.
    pub fn enter(&mut self, name: impl Into<String>, run: impl FnMut(&mut Watch) -> i64 + 'a) {
        let mut competitor = Competitor {
            name: name.into(),
            run: Box::new(run),
            repeats: 1,
            check: 0,
            samples: Vec::new(),
        };
        let mut watch = Watch::default();
        competitor.check = (competitor.run)(&mut watch);
        let once = watch.elapsed.as_nanos().max(1);
        competitor.repeats = LEAST.as_nanos().div_ceil(once) as usize;
        self.0.push(competitor);
    }

    /// Lets them run in turn.
    ///
    /// # Panics
    ///
    /// If one does not give the same number each time.
    pub fn run(mut self) -> Vec<Timing> {
        for _ in 0..ROUNDS {
            for competitor in &mut self.0 {
                // The one before has filled the caches with weights of its own.
                (competitor.run)(&mut Watch::default());
                let mut watch = Watch::default();
                for _ in 0..competitor.repeats {
                    let check = (competitor.run)(&mut watch);
                    assert_eq!(check, competitor.check, "{} is not steady", competitor.name);
                }
                competitor.samples.push(watch.nanoseconds());
            }
        }
        let timing = |Competitor { name, check, samples, .. }| Timing { name, check, samples };
        self.0.into_iter().map(timing).collect()
    }
}

impl Timing {
    /// The median time of an operation, in nanoseconds.
    pub fn nanoseconds(&self) -> f64 {
        median(self.samples.clone())
    }

    /// The shortest time, which a busy machine tells more truly than its median.
    pub fn best(&self) -> f64 {
        self.samples.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// How many times as long as `other` it takes, round by round; the median of that.
    pub fn ratio(&self, other: &Self) -> f64 {
        median(self.samples.iter().zip(&other.samples).map(|(a, b)| a / b).collect())
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples[samples.len() / 2]
}
