//! What a program talks to.

use std::time::Instant;

use games::{FeatureSetError, Game, Line};

use crate::evaluator::{Evaluator, Linear};
use crate::limits::{Control, Limits};
use crate::report::{Answer, Info};
use crate::search::{Job, Search, Worker};

/// The largest table, in MiB.
pub const MOST_HASH_MIB: usize = 1 << 20;
/// The most threads.
pub const MOST_THREADS: usize = 1024;
/// The most lines that can be asked for.
pub const MOST_MULTI_PV: usize = 512;

/// How the search decides what not to look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// By rules and histories.
    #[default]
    Classical,
    /// By what a network says of its own uncertainty.
    Learned,
}

/// What can be set before a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineOptions {
    /// The size of the transposition table in MiB, from 1 to [`MOST_HASH_MIB`] and to what memory there is.
    pub hash_mib: usize,
    /// How many threads search, from 1 to [`MOST_THREADS`].
    pub threads: usize,
    /// How many of the best lines are reported, from 1 to [`MOST_MULTI_PV`].
    pub multi_pv: usize,
    /// Time that passes between the answer and its arrival, in milliseconds.
    pub move_overhead: u64,
    /// How the search decides what not to look at.
    pub mode: SearchMode,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            hash_mib: 16,
            threads: 1,
            multi_pv: 1,
            move_overhead: 10,
            mode: SearchMode::Classical,
        }
    }
}

/// Why an engine cannot be had as asked. The engine stays as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// An option is outside its limits.
    #[error("{option} is {value}; expected 1 to {most}")]
    Option {
        /// Its name.
        option: &'static str,
        /// What was asked for.
        value: usize,
        /// The most that there can be.
        most: usize,
    },
    /// There is not that much memory.
    #[error("there is no memory for a table of {mib} MiB: ask for a smaller one")]
    Memory {
        /// The size that was asked for.
        mib: usize,
    },
    /// The learned mode was asked for without what it needs.
    #[error(
        "the learned search needs a calibrated network, with quantile and policy heads: use classical"
    )]
    NotCalibrated,
    /// The game has no feature set to value positions by.
    #[error(transparent)]
    FeatureSet(#[from] FeatureSetError),
}

impl EngineOptions {
    fn check(&self) -> Result<(), EngineError> {
        for (option, value, most) in [
            ("the size of the table in MiB", self.hash_mib, MOST_HASH_MIB),
            ("the number of threads", self.threads, MOST_THREADS),
            ("the number of lines", self.multi_pv, MOST_MULTI_PV),
        ] {
            if !(1..=most).contains(&value) {
                return Err(EngineError::Option { option, value, most });
            }
        }
        if self.mode == SearchMode::Learned { Err(EngineError::NotCalibrated) } else { Ok(()) }
    }
}

/// Makes a worker whose search is compiled for one kind of evaluator.
type MakeWorker<G> = Box<dyn Fn() -> Box<dyn Worker<G>> + Send + Sync>;

fn worker_maker<G: Game, E: Evaluator<G>>(
    make: impl Fn() -> E + Send + Sync + 'static,
) -> MakeWorker<G> {
    Box::new(move || Box::new(Search::new(make())))
}

/// A player of `G`: options, evaluator, and what is remembered from one search to the next.
pub struct Engine<G: Game> {
    options: EngineOptions,
    make_worker: MakeWorker<G>,
    workers: Vec<Box<dyn Worker<G>>>,
}

impl<G: Game> std::fmt::Debug for Engine<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: Game> Engine<G> {
    /// An engine that knows the worth of the pieces; see [`Linear::material`].
    pub fn new(options: EngineOptions) -> Result<Self, EngineError> {
        options.check()?;
        let weights = Linear::<G>::material()?;
        let make_worker = worker_maker(move || weights.another());
        let mut engine = Self { options, make_worker, workers: Vec::new() };
        engine.set_workers();
        Ok(engine)
    }

    /// Values positions by what `make` gives: one for each thread.
    pub fn set_evaluator<E: Evaluator<G>>(&mut self, make: impl Fn() -> E + Send + Sync + 'static) {
        self.make_worker = worker_maker(make);
        self.workers.clear();
        self.set_workers();
    }

    /// The options.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Changes the options. What is remembered of the game is kept unless the size of the table changes.
    pub fn set_options(&mut self, options: EngineOptions) -> Result<(), EngineError> {
        options.check()?;
        self.options = options;
        self.set_workers();
        Ok(())
    }

    /// Forgets everything: what follows has nothing to do with what was before.
    pub fn new_game(&mut self) {
        self.workers.clear();
        self.set_workers();
    }

    fn set_workers(&mut self) {
        self.workers.resize_with(self.options.threads, || (self.make_worker)());
    }

    /// Searches until a limit is reached or `control` says to stop, and calls `report` with what is found on the way.
    ///
    /// An exact score of the best line is reported before every answer.
    ///
    /// # Panics
    ///
    /// Only if `report` does.
    pub fn go(
        &mut self,
        line: &Line<G>,
        limits: &Limits<G>,
        control: &Control,
        report: &mut dyn FnMut(&Info<G>),
    ) -> Answer<G> {
        let start = Instant::now();
        let job = Job { line, limits, control, start };
        let worker = self.workers.first_mut().expect("there is at least one thread");
        worker.search(&job, report)
    }
}
