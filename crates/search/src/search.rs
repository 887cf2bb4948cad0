//! Search worker: the state of one thread's search, its node count and its stop conditions.

mod job;
mod stack;

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use games::SearchGame;
use nnue::ScoreUnit;

use crate::engine::SearchMode;
use crate::evaluator::{Evaluator, NetworkSize};
use crate::history::{CorrectionHistory, Histories};
use crate::iterative_deepening::RootMove;
use crate::learned::{ShadowStats, Sources};
use crate::lmr::LmrTable;
use crate::move_ordering::OrderingWeights;
use crate::params::{Params, Selectivity};
use crate::repetition;
use crate::result::SearchInfo;
use crate::sampling::{SampleKind, Sampler, SearchSample};
use crate::score::{self, DRAW, MAX_PLY};

pub(crate) use job::{NodeSampler, SearchJob, SharedState, ThreadResult, Worker};
pub(crate) use stack::StackEntry;

use stack::PLIES_BEFORE_ROOT;

/// Nodes between two polls of the clock and the stop signals; one node in so many is sampled by
/// [`Engine::go_sampling`].
///
/// [`Engine::go_sampling`]: crate::Engine::go_sampling
pub const SAMPLE_EVERY: u64 = 256;

/// A thread's search with one kind of evaluator.
pub(crate) struct Search<G: SearchGame, E> {
    pub(crate) evaluator: E,
    /// The parameters of the current search: the given ones, in the learned mode with the fitted
    /// ones of the network.
    pub(crate) params: Params,
    given_params: Params,
    /// The mode that `params` are for.
    params_mode: Option<SearchMode>,
    pub(crate) lmr: LmrTable,
    pub(crate) sources: Sources,
    pub(crate) histories: Histories<G>,
    pub(crate) corrections: CorrectionHistory,
    /// The search stack, by ply.
    pub(crate) stack: Vec<StackEntry<G>>,
    /// The moves from the root to the current node, by [`HistoryIndex::continuation_number`], 0 for
    /// a null move. The first is that of ply −[`PLIES_BEFORE_ROOT`].
    ///
    /// [`HistoryIndex::continuation_number`]: crate::history::HistoryIndex::continuation_number
    played: Vec<u16>,
    /// Hash keys of the positions from the start of the game to the current node.
    pub(crate) keys: Vec<u64>,
    /// How many of these positions the evaluator has: all, or all but the last one.
    evaluator_len: usize,
    pub(crate) root_moves: Vec<RootMove<G>>,
    /// The line that is being searched (multi-PV), from 0: so many root moves are done.
    pub(crate) pv_index: usize,
    pub(crate) root_depth: i32,
    /// Before this ply there is no null move, because a null-move cutoff is being verified.
    pub(crate) null_move_min_ply: usize,
    pub(crate) nodes: u64,
    pub(crate) seldepth: usize,
    /// Whether the limits ask for a mate.
    pub(crate) wants_mate: bool,
    pub(crate) stopped: bool,
    node_limit: u64,
    thread: usize,
    /// When the clock began to run.
    clock_start: Option<Instant>,
    /// The shadow searches of cutoffs by quantiles.
    pub(crate) shadow: ShadowStats,
    pub(crate) sampler: Sampler<G>,
    /// The change of the hash key by a null move, in games that have one.
    pub(crate) null_move_key: Option<u64>,
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    pub(crate) fn new(evaluator: E, params: &Params) -> Self {
        Self {
            evaluator,
            params: params.clone(),
            given_params: params.clone(),
            params_mode: None,
            lmr: LmrTable::new(params),
            sources: Sources::new(SearchMode::Classical, params),
            histories: Histories::new(),
            corrections: CorrectionHistory::new(),
            stack: std::iter::repeat_with(StackEntry::default).take(MAX_PLY + 4).collect(),
            played: vec![0; PLIES_BEFORE_ROOT + MAX_PLY + 4],
            keys: Vec::new(),
            evaluator_len: 0,
            root_moves: Vec::new(),
            pv_index: 0,
            root_depth: 0,
            null_move_min_ply: 0,
            nodes: 0,
            seldepth: 0,
            wants_mate: false,
            stopped: false,
            node_limit: u64::MAX,
            thread: 0,
            clock_start: None,
            shadow: ShadowStats::default(),
            sampler: Sampler::new(None, 1),
            null_move_key: repetition::null_move_key::<G>(),
        }
    }

    /// Prepares for a search.
    fn begin(&mut self, job: &SearchJob<'_, G>, thread: usize) {
        let root = job.history.position();
        self.evaluator.reset(root);
        self.resolve_params(job.mode);
        self.keys.clear();
        self.keys.extend_from_slice(job.history.past());
        self.keys.push(root.hash());
        self.evaluator_len = self.keys.len();
        self.root_moves = job.moves.iter().map(|&mv| RootMove::new(mv)).collect();
        for entry in &mut self.stack {
            (entry.killers, entry.excluded, entry.extensions) = ([None; 2], None, 0);
        }
        (self.nodes, self.seldepth, self.stopped, self.null_move_min_ply) = (0, 0, false, 0);
        self.wants_mate = job.limits.mate.is_some();
        let alone = job.shared.nodes.len() == 1;
        self.node_limit = job.limits.nodes.filter(|_| alone).unwrap_or(u64::MAX).max(1);
        self.thread = thread;
        self.clock_start = (!job.limits.ponder).then(Instant::now);
    }

    /// Sets the parameters and sources of a mode.
    fn resolve_params(&mut self, mode: SearchMode) {
        if self.params_mode != Some(mode) {
            let fitted = self.evaluator.fitted_params().filter(|_| mode == SearchMode::Learned);
            self.params = match fitted {
                Some(fitted) => self.given_params.with_fitted(fitted),
                None => self.given_params.clone(),
            };
            self.lmr = LmrTable::new(&self.params);
            self.params_mode = Some(mode);
        }
        self.sources = Sources::new(mode, &self.params);
        // A network may have fitted parameters and neither policy nor quantiles.
        if mode == SearchMode::Learned && self.evaluator.policy_form().is_none() {
            self.sources.ordering = Selectivity::Classical;
            self.sources.reductions = Selectivity::Classical;
        }
        if mode == SearchMode::Learned && self.evaluator.quantiles(NetworkSize::Small).is_none() {
            self.sources.cutoffs = Selectivity::Classical;
        }
    }

    /// What histories and checks count in the ordering of quiet moves.
    #[inline]
    pub(crate) fn ordering_weights(&self, beside_policy: bool) -> OrderingWeights {
        if beside_policy {
            OrderingWeights::beside_policy(&self.params)
        } else {
            OrderingWeights::classical(&self.params)
        }
    }

    /// Counts a node; true if the search is over.
    #[inline]
    pub(crate) fn count_node(&mut self, job: &SearchJob<'_, G>, position: &G, ply: usize) -> bool {
        if self.stopped || self.nodes >= self.node_limit {
            self.stopped = true;
            return true;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(SAMPLE_EVERY) {
            self.poll(job, position, ply);
        }
        self.stopped
    }

    /// Polls the stop signals and the clock, and samples the node.
    #[cold]
    fn poll(&mut self, job: &SearchJob<'_, G>, position: &G, ply: usize) {
        self.publish_nodes(job);
        self.stopped |= job.shared.stop.load(Ordering::Relaxed);
        if self.thread > 0 {
            return;
        }
        if let Some(sample) = job.sample {
            sample(position, ply);
        }
        job.control.set_nodes(job.shared.total());
        self.stopped |= job.control.is_stopped();
        if !job.is_pondering() {
            let since = *self.clock_start.get_or_insert_with(Instant::now);
            self.stopped |= job.time.is_hard_limit_reached(since);
            self.stopped |= job.limits.nodes.is_some_and(|limit| job.shared.total() >= limit);
        }
    }

    /// Publishes the node count of this thread to the others.
    pub(crate) fn publish_nodes(&self, job: &SearchJob<'_, G>) {
        if let Some(nodes) = job.shared.nodes.get(self.thread) {
            nodes.store(self.nodes, Ordering::Relaxed);
        }
    }

    /// Whether this is the main thread, which polls the limits and reports.
    pub(crate) fn is_main_thread(&self) -> bool {
        self.thread == 0
    }

    /// The score of a node at which the game or the line ends before any move is searched: a
    /// repetition, an end by rule, or the maximum ply.
    pub(crate) fn terminal_score(&mut self, position: &G, ply: usize) -> Option<i32> {
        if self.is_repetition(position, ply) {
            return Some(DRAW);
        }
        if let Some(outcome) = position.outcome_by_rule() {
            // A mate by the last move before a rule ends the game counts as a mate.
            let outcome =
                if position.has_moves() { outcome } else { position.outcome_without_moves() };
            return Some(score::of_outcome(position, outcome, ply));
        }
        (ply >= MAX_PLY - 1).then(|| {
            self.push_evaluator(position);
            self.evaluate()
        })
    }
}

impl<G: SearchGame, E: Evaluator<G>> Worker<G> for Search<G, E> {
    fn search(
        &mut self,
        job: &SearchJob<'_, G>,
        thread: usize,
        report: &mut dyn FnMut(&SearchInfo<G>),
    ) -> ThreadResult<G> {
        self.begin(job, thread);
        let result = self.iterative_deepening(job, report);
        if self.is_main_thread() {
            job.shared.stop.store(true, Ordering::Relaxed);
            let waits = || job.limits.infinite || job.is_pondering();
            while waits() && !job.control.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        result
    }

    fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }

    fn classical_order(&self, position: &G) -> Vec<G::Move> {
        self.order_classically(position)
    }

    fn set_params(&mut self, params: &Params) {
        self.given_params = params.clone();
        self.params_mode = None;
    }

    fn score_unit(&self) -> ScoreUnit {
        self.evaluator.unit()
    }

    fn supports_learned(&mut self) -> bool {
        self.evaluator.reset(&G::start());
        let calibrated = self.evaluator.calibration(NetworkSize::Small).is_some()
            && self.evaluator.quantiles(NetworkSize::Small).is_some()
            && self.evaluator.policy_form().is_some();
        calibrated || self.evaluator.fitted_params().is_some()
    }

    fn set_sampling(&mut self, kind: Option<SampleKind>, every: u64) {
        self.sampler = Sampler::new(kind, every);
    }

    fn take_samples(&mut self) -> Vec<SearchSample<G>> {
        self.sampler.take()
    }

    fn set_shadow_rate(&mut self, every: u64) -> ShadowStats {
        std::mem::replace(&mut self.shadow, ShadowStats { every, ..ShadowStats::default() })
    }
}
