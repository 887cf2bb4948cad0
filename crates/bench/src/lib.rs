//! Benchmarks: competitors run alternately, many times, and medians are compared.
//!
//! `cargo bench -p bench` prints the tables of `docs/speed.md`.
//!
//! A program that slows the machine down for a moment affects all competitors, and medians ignore
//! it.

use std::hint::black_box;
use std::time::{Duration, Instant};

pub mod floor;
pub mod lines;
pub mod networks;

/// The number of runs of each competitor.
const ROUNDS: usize = 201;

/// The minimum time of a run: many operations, yet short enough that the system seldom interrupts
/// it.
const MIN_RUN: Duration = Duration::from_micros(100);

/// Times the work of a competitor, without its preparation.
#[derive(Debug, Default)]
pub struct Stopwatch {
    elapsed: Duration,
    operations: usize,
}

impl Stopwatch {
    /// Runs `work`, which is `operations` operations.
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

/// A run: repeats the same work and returns a checksum of its results.
type Run<'a> = Box<dyn FnMut(&mut Stopwatch) -> i64 + 'a>;

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

/// The result of a competitor.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The name.
    pub name: String,
    /// The checksum.
    pub check: i64,
    /// Nanoseconds of an operation in each round.
    samples: Vec<f64>,
}

impl<'a> Race<'a> {
    /// Adds a competitor. Returns its index in the list that [`run`](Race::run) returns.
    pub fn enter(&mut self, name: impl Into<String>, run: impl FnMut(&mut Stopwatch) -> i64 + 'a) {
        let mut competitor = Competitor {
            name: name.into(),
            run: Box::new(run),
            repeats: 1,
            check: 0,
            samples: Vec::new(),
        };
        let mut watch = Stopwatch::default();
        competitor.check = (competitor.run)(&mut watch);
        let once = watch.elapsed.as_nanos().max(1);
        competitor.repeats = MIN_RUN.as_nanos().div_ceil(once) as usize;
        self.0.push(competitor);
    }

    /// Runs all competitors alternately.
    ///
    /// # Panics
    ///
    /// If a competitor does not return the same checksum each time.
    pub fn run(mut self) -> Vec<Timing> {
        for _ in 0..ROUNDS {
            for competitor in &mut self.0 {
                // Warm up: the previous competitor has filled the caches with its weights.
                (competitor.run)(&mut Stopwatch::default());
                let mut watch = Stopwatch::default();
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

    /// The minimum time, which is more reliable than the median on a busy machine.
    pub fn best(&self) -> f64 {
        self.samples.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The median over rounds of the time relative to `other`.
    pub fn ratio(&self, other: &Self) -> f64 {
        median(self.samples.iter().zip(&other.samples).map(|(a, b)| a / b).collect())
    }
}

fn median(mut samples: Vec<f64>) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples[samples.len() / 2]
}
