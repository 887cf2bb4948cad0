//! What a program talks to.

mod order;

use std::time::{Duration, Instant};

use games::{FeatureSetError, Game, Line};

use crate::evaluator::{Evaluator, Linear};
use crate::learned::Shadow;
use crate::limits::{Control, Limits};
use crate::params::Params;
use crate::report::{Answer, Bound, Info};
use crate::score;
use crate::search::{Job, Sample, Search, Shared, Worker};
use crate::table::Table;
use crate::threads;
use crate::time::Timer;

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
    /// By what a network says of its own uncertainty beside the rules: which moves its policy thinks likely, and calibrated quantiles.
    Learned,
    /// By the plain rules that the learned mode grew from: raw quantiles as bounds, and a ply less or more at fixed
    /// widths. A reference to beat.
    Seed,
    /// [`Learned`](Self::Learned) where the evaluator has what that needs, [`Classical`](Self::Classical) where it has not.
    Auto,
}

impl SearchMode {
    /// Whether there is no search of this mode without a calibrated network.
    fn needs_calibration(self) -> bool {
        matches!(self, Self::Learned | Self::Seed)
    }
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
        Ok(())
    }
}

/// Makes a worker whose search is compiled for one kind of evaluator.
type MakeWorker<G> = Box<dyn Fn(&Params) -> Box<dyn Worker<G>> + Send + Sync>;

fn worker_maker<G: Game, E: Evaluator<G>>(
    make: impl Fn() -> E + Send + Sync + 'static,
) -> MakeWorker<G> {
    Box::new(move |params| Box::new(Search::new(make(), params)))
}

/// A player of `G`: options, evaluator, and what is remembered from one search to the next.
pub struct Engine<G: Game> {
    options: EngineOptions,
    make_worker: MakeWorker<G>,
    workers: Vec<Box<dyn Worker<G>>>,
    table: Table,
    params: Params,
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
        if options.mode.needs_calibration() {
            return Err(EngineError::NotCalibrated);
        }
        let weights = Linear::<G>::material()?;
        let make_worker = worker_maker(move || weights.another());
        let table = Table::new(options.hash_mib)?;
        let params = Params::default();
        let mut engine = Self { options, make_worker, workers: Vec::new(), table, params };
        engine.set_workers();
        Ok(engine)
    }

    /// Values positions by what `make` gives: one for each thread. A mode that this does not allow becomes
    /// [`SearchMode::Classical`].
    pub fn set_evaluator<E: Evaluator<G>>(&mut self, make: impl Fn() -> E + Send + Sync + 'static) {
        self.make_worker = worker_maker(make);
        self.workers.clear();
        self.set_workers();
        if self.options.mode.needs_calibration() && !self.can_learn() {
            self.options.mode = SearchMode::Classical;
        }
    }

    /// Whether the evaluator has what other modes than the classical one need: quantiles that were calibrated, and a
    /// policy.
    pub fn can_learn(&mut self) -> bool {
        self.workers.first_mut().is_some_and(|worker| worker.can_learn())
    }

    /// Checks one in so many of the cutoffs by quantiles from now on, by a search in its place; none if `every` is 0. Gives
    /// what was counted since the last call.
    pub fn set_shadow(&mut self, every: u64) -> Shadow {
        let counted = self.workers.iter_mut().map(|worker| worker.set_shadow(every));
        counted.fold(Shadow::default(), |sum, one| sum + one)
    }

    /// The options.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Changes the options. What is remembered of the game is kept unless the size of the table changes.
    pub fn set_options(&mut self, options: EngineOptions) -> Result<(), EngineError> {
        options.check()?;
        if options.mode.needs_calibration() && !self.can_learn() {
            return Err(EngineError::NotCalibrated);
        }
        if options.hash_mib != self.options.hash_mib {
            // The old table goes first, so that both need not fit; if there is no room, it comes back empty.
            self.table = Table::smallest();
            let table = Table::new(options.hash_mib);
            self.table = match table {
                Ok(table) => table,
                Err(error) => {
                    self.table = Table::new(self.options.hash_mib)?;
                    return Err(error);
                }
            };
        }
        self.options = options;
        self.set_workers();
        Ok(())
    }

    /// The numbers that the search is made of.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the numbers that the search is made of.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
        for worker in &mut self.workers {
            worker.set_params(&self.params);
        }
    }

    /// Forgets everything: what follows has nothing to do with what was before.
    pub fn new_game(&mut self) {
        self.table.clear();
        for worker in &mut self.workers {
            worker.clear();
        }
    }

    fn set_workers(&mut self) {
        self.workers.resize_with(self.options.threads, || (self.make_worker)(&self.params));
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
        self.search(line, limits, control, report, None)
    }

    /// The same, and `sample` is shown every [`SAMPLE_EVERY`](crate::SAMPLE_EVERY)th position that the first thread looks at,
    /// and how many moves from the root it is. Neither the answer nor the speed is another.
    ///
    /// # Panics
    ///
    /// Only if `report` or `sample` does.
    pub fn go_sampling(
        &mut self,
        line: &Line<G>,
        limits: &Limits<G>,
        control: &Control,
        report: &mut dyn FnMut(&Info<G>),
        sample: &(dyn Fn(&G, usize) + Sync),
    ) -> Answer<G> {
        self.search(line, limits, control, report, Some(sample))
    }

    fn search(
        &mut self,
        line: &Line<G>,
        limits: &Limits<G>,
        control: &Control,
        report: &mut dyn FnMut(&Info<G>),
        sample: Option<&Sample<'_, G>>,
    ) -> Answer<G> {
        let start = Instant::now();
        let overhead = Duration::from_millis(self.options.move_overhead);
        let timer = Timer::new(limits, &self.params, overhead, start);
        let legal = line.position().legal_moves();
        if legal.is_empty() {
            return without_moves(line, report);
        }
        let wanted = |mv: &G::Move| limits.search_moves.contains(mv);
        let chosen: Vec<G::Move> = legal.iter().copied().filter(wanted).collect();
        self.table.age();
        let learns = self.options.mode == SearchMode::Auto && self.can_learn();
        let mode = match self.options.mode {
            SearchMode::Auto if learns => SearchMode::Learned,
            SearchMode::Auto => SearchMode::Classical,
            mode => mode,
        };
        let job = Job {
            line,
            limits,
            moves: if chosen.is_empty() { &legal } else { &chosen },
            multi_pv: self.options.multi_pv,
            table: Some(&self.table),
            control,
            timer,
            shared: &Shared::new(self.workers.len()),
            selective: true,
            mode,
            sample,
        };
        threads::search(&mut self.workers, &job, report)
    }
}

/// The answer where there is nothing to play.
fn without_moves<G: Game>(line: &Line<G>, report: &mut dyn FnMut(&Info<G>)) -> Answer<G> {
    let position = line.position();
    let score = score::of_outcome(position, position.outcome_without_moves(), 0);
    let score = score::for_users(score);
    let time = Duration::ZERO;
    report(&Info {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        time,
        hashfull: 0,
        tb_hits: 0,
        pv: Vec::new(),
    });
    Answer { best: None, ponder: None, score, depth: 0, nodes: 0, time }
}
