//! Engine: options, evaluator, transposition table and threads behind one type, which programs use.

mod classical_order;
mod options;

use std::time::{Duration, Instant};

use games::{GameHistory, SearchGame};
use nnue::ScoreUnit;

use crate::evaluator::{Evaluator, Material};
use crate::lazy_smp;
use crate::learned::ShadowStats;
use crate::limits::{Control, Limits};
use crate::params::Params;
use crate::result::{Bound, SearchInfo, SearchResult};
use crate::sampling::{SampleKind, SearchSample};
use crate::score;
use crate::search::{NodeSampler, Search, SearchJob, SharedState, Worker};
use crate::time_management::TimeManager;
use crate::transposition_table::TranspositionTable;

pub use options::{
    EngineError, EngineOptions, MAX_HASH_MIB, MAX_MULTI_PV, MAX_THREADS, SearchMode,
};

/// Makes a worker whose search is compiled for one kind of evaluator.
type MakeWorker<G> = Box<dyn Fn(&Params) -> Box<dyn Worker<G>> + Send + Sync>;

fn worker_maker<G: SearchGame, E: Evaluator<G>>(
    make: impl Fn() -> E + Send + Sync + 'static,
) -> MakeWorker<G> {
    Box::new(move |params| Box::new(Search::new(make(), params)))
}

/// A search engine for the game `G`, with everything that is kept from one search to the next.
///
/// ```
/// use games::{Game, GameHistory, chess::Chess};
/// use search::{Control, Engine, EngineOptions, Limits};
///
/// let mut engine = Engine::<Chess>::new(EngineOptions::default())?;
/// let game = GameHistory::new(Chess::start());
/// let mut depths = Vec::new();
/// let result = engine.go(&game, &Limits::to_depth(4), &Control::new(), &mut |info| {
///     depths.push(info.depth);
/// });
/// assert!(game.position().is_legal(result.best.unwrap()));
/// assert_eq!((result.depth, depths.last()), (4, Some(&4)));
/// # Ok::<(), search::EngineError>(())
/// ```
pub struct Engine<G: SearchGame> {
    options: EngineOptions,
    make_worker: MakeWorker<G>,
    workers: Vec<Box<dyn Worker<G>>>,
    table: TranspositionTable,
    params: Params,
}

impl<G: SearchGame> std::fmt::Debug for Engine<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("options", &self.options).finish_non_exhaustive()
    }
}

impl<G: SearchGame> Engine<G> {
    /// An engine that evaluates positions by [`Material`].
    pub fn new(options: EngineOptions) -> Result<Self, EngineError> {
        options.check()?;
        if options.mode.needs_calibration() {
            return Err(EngineError::NotCalibrated);
        }
        let material = Material::<G>::new()?;
        let make_worker = worker_maker(move || material.another());
        let table = TranspositionTable::new(options.hash_mib)?;
        let params = Params::default();
        let mut engine = Self { options, make_worker, workers: Vec::new(), table, params };
        engine.set_workers();
        Ok(engine)
    }

    /// Evaluates positions by what `make` returns, one evaluator for each thread. A mode that this
    /// evaluator does not support becomes [`SearchMode::Classical`].
    pub fn set_evaluator<E: Evaluator<G>>(&mut self, make: impl Fn() -> E + Send + Sync + 'static) {
        self.make_worker = worker_maker(make);
        self.workers.clear();
        self.set_workers();
        if self.options.mode.needs_calibration() && !self.supports_learned() {
            self.options.mode = SearchMode::Classical;
        }
    }

    /// Whether the evaluator has what the learned modes need: calibrated quantiles and a policy.
    pub fn supports_learned(&mut self) -> bool {
        self.workers.first_mut().is_some_and(|worker| worker.supports_learned())
    }

    /// The unit of the evaluator's scores before they were normalised. Scores of a search are
    /// normalised centipawns; [`ScoreUnit::raw`] gives a network's own.
    pub fn score_unit(&self) -> ScoreUnit {
        self.workers.first().map_or(ScoreUnit::NORMALISED, |worker| worker.score_unit())
    }

    /// Checks one in `every` cutoffs by quantiles by a shadow search in its place from now on, none
    /// if 0. Returns the counts since the last call.
    pub fn set_shadow_rate(&mut self, every: u64) -> ShadowStats {
        let counts = self.workers.iter_mut().map(|worker| worker.set_shadow_rate(every));
        counts.fold(ShadowStats::default(), |sum, one| sum + one)
    }

    /// Takes one in `every` samples of a kind in later searches, none without one. Samples change
    /// what is searched, but the same searches give the same samples. Only the main thread takes any.
    pub fn set_sampling(&mut self, kind: Option<SampleKind>, every: u64) {
        if let Some(worker) = self.workers.first_mut() {
            worker.set_sampling(kind, every);
        }
    }

    /// The samples since the last call.
    pub fn take_samples(&mut self) -> Vec<SearchSample<G>> {
        self.workers.first_mut().map_or_else(Vec::new, |worker| worker.take_samples())
    }

    /// The options.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Changes the options. The transposition table keeps its entries unless its size changes.
    pub fn set_options(&mut self, options: EngineOptions) -> Result<(), EngineError> {
        options.check()?;
        if options.mode.needs_calibration() && !self.supports_learned() {
            return Err(EngineError::NotCalibrated);
        }
        if options.hash_mib != self.options.hash_mib {
            // Free the old table first, so that both need not fit; without room for the new one it
            // comes back empty.
            self.table = TranspositionTable::smallest();
            let table = TranspositionTable::new(options.hash_mib);
            self.table = match table {
                Ok(table) => table,
                Err(error) => {
                    self.table = TranspositionTable::new(self.options.hash_mib)?;
                    return Err(error);
                }
            };
        }
        self.options = options;
        self.set_workers();
        Ok(())
    }

    /// The search parameters.
    pub fn params(&self) -> &Params {
        &self.params
    }

    /// Changes the search parameters.
    pub fn set_params(&mut self, params: Params) {
        self.params = params;
        for worker in &mut self.workers {
            worker.set_params(&self.params);
        }
    }

    /// Clears the transposition table and all histories: later searches do not depend on earlier
    /// ones.
    pub fn new_game(&mut self) {
        self.table.clear();
        for worker in &mut self.workers {
            worker.clear();
        }
    }

    fn set_workers(&mut self) {
        self.workers.resize_with(self.options.threads, || (self.make_worker)(&self.params));
    }

    /// Searches the last position of a game until a limit is reached or `control` stops it, and
    /// calls `report` for every iteration.
    ///
    /// The last report of the best line has the exact score of the result.
    ///
    /// # Panics
    ///
    /// Only if `report` does.
    pub fn go(
        &mut self,
        history: &GameHistory<G>,
        limits: &Limits<G>,
        control: &Control,
        report: &mut dyn FnMut(&SearchInfo<G>),
    ) -> SearchResult<G> {
        self.search(history, limits, control, report, None)
    }

    /// The same, and `sample` gets every [`SAMPLE_EVERY`](crate::SAMPLE_EVERY)th position that the
    /// main thread searches and its distance from the root. The result is the same.
    ///
    /// # Panics
    ///
    /// Only if `report` or `sample` does.
    pub fn go_sampling(
        &mut self,
        history: &GameHistory<G>,
        limits: &Limits<G>,
        control: &Control,
        report: &mut dyn FnMut(&SearchInfo<G>),
        sample: &(dyn Fn(&G, usize) + Sync),
    ) -> SearchResult<G> {
        self.search(history, limits, control, report, Some(sample))
    }

    fn search(
        &mut self,
        history: &GameHistory<G>,
        limits: &Limits<G>,
        control: &Control,
        report: &mut dyn FnMut(&SearchInfo<G>),
        sample: Option<&NodeSampler<'_, G>>,
    ) -> SearchResult<G> {
        let start = Instant::now();
        let overhead = Duration::from_millis(self.options.move_overhead);
        let time = TimeManager::new(limits, &self.params, overhead, start);
        let legal = history.position().legal_moves();
        if legal.is_empty() {
            return result_without_moves(history, report);
        }
        let wanted = |mv: &G::Move| limits.search_moves.contains(mv);
        let chosen: Vec<G::Move> = legal.iter().copied().filter(wanted).collect();
        self.table.new_generation();
        let mode = self.resolved_mode();
        let job = SearchJob {
            history,
            limits,
            moves: if chosen.is_empty() { &legal } else { &chosen },
            multi_pv: self.options.multi_pv,
            table: Some(&self.table),
            control,
            time,
            shared: &SharedState::new(self.workers.len()),
            selective: true,
            mode,
            sample,
        };
        lazy_smp::search(&mut self.workers, &job, report)
    }

    /// The mode of the next search: that of the options, with [`SearchMode::Auto`] resolved by what
    /// the evaluator supports.
    pub fn resolved_mode(&mut self) -> SearchMode {
        let mode = self.options.mode;
        match mode {
            SearchMode::Auto if self.supports_learned() => SearchMode::Learned,
            SearchMode::Auto => SearchMode::Classical,
            mode => mode,
        }
    }
}

/// The result in a position without legal moves.
fn result_without_moves<G: SearchGame>(
    history: &GameHistory<G>,
    report: &mut dyn FnMut(&SearchInfo<G>),
) -> SearchResult<G> {
    let position = history.position();
    let score = score::of_outcome(position, position.outcome_without_moves(), 0);
    let score = score::to_reported(score);
    let time = Duration::ZERO;
    report(&SearchInfo {
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
    SearchResult { best: None, ponder: None, score, depth: 0, nodes: 0, time }
}
