//! Search job: what the threads of a search are given, share and return.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use games::{GameHistory, SearchGame};
use nnue::ScoreUnit;

use crate::engine::SearchMode;
use crate::learned::ShadowStats;
use crate::limits::{Control, Limits};
use crate::params::Params;
use crate::result::{SearchInfo, SearchResult};
use crate::sampling::{SampleKind, SearchSample};
use crate::time_management::TimeManager;
use crate::transposition_table::TranspositionTable;

/// What threads that search the same position share beside the transposition table.
#[derive(Debug)]
pub(crate) struct SharedState {
    pub(crate) stop: AtomicBool,
    /// Nodes searched, by thread.
    pub(crate) nodes: Vec<AtomicU64>,
}

impl SharedState {
    pub(crate) fn new(threads: usize) -> Self {
        let nodes = std::iter::repeat_with(AtomicU64::default).take(threads).collect();
        Self { stop: AtomicBool::new(false), nodes }
    }

    /// Nodes searched by all threads.
    pub(crate) fn total(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// A callback that gets the position of a node and its ply.
pub(crate) type NodeSampler<'a, G> = dyn Fn(&G, usize) + Sync + 'a;

/// The task of a search.
pub(crate) struct SearchJob<'a, G: SearchGame> {
    /// The game so far; the root is its last position.
    pub(crate) history: &'a GameHistory<G>,
    pub(crate) limits: &'a Limits<G>,
    /// The root moves to search, at least one.
    pub(crate) moves: &'a [G::Move],
    pub(crate) multi_pv: usize,
    /// The transposition table; `None` to search without one.
    pub(crate) table: Option<&'a TranspositionTable>,
    pub(crate) control: &'a Control,
    pub(crate) time: TimeManager,
    pub(crate) shared: &'a SharedState,
    /// Whether anything is pruned, reduced or extended. If not, the result is that of plain
    /// minimax.
    pub(crate) selective: bool,
    /// The source of that selectivity; never [`SearchMode::Auto`].
    pub(crate) mode: SearchMode,
    /// Gets every [`SAMPLE_EVERY`](crate::SAMPLE_EVERY)th node of the main thread.
    pub(crate) sample: Option<&'a NodeSampler<'a, G>>,
}

impl<G: SearchGame> SearchJob<'_, G> {
    /// Whether the search ponders, so that limits do not hold yet.
    pub(crate) fn is_pondering(&self) -> bool {
        self.limits.ponder && !self.control.is_ponder_hit()
    }
}

/// The result of one thread.
#[derive(Debug)]
pub(crate) struct ThreadResult<G: SearchGame> {
    pub(crate) result: SearchResult<G>,
    /// The report of its best line.
    pub(crate) info: SearchInfo<G>,
    /// The score of that line inside the search.
    pub(crate) score: i32,
}

/// A thread's search, whatever its evaluator: called once for each search, so that everything below
/// is monomorphic.
pub(crate) trait Worker<G: SearchGame>: Send {
    /// Searches as the thread with that number; thread 0 is the main thread, which polls the limits
    /// and reports.
    fn search(
        &mut self,
        job: &SearchJob<'_, G>,
        thread: usize,
        report: &mut dyn FnMut(&SearchInfo<G>),
    ) -> ThreadResult<G>;

    /// Resets all histories.
    fn clear(&mut self);

    /// The moves of a position in classical order.
    fn classical_order(&self, position: &G) -> Vec<G::Move>;

    /// Sets the parameters of later searches.
    fn set_params(&mut self, params: &Params);

    /// The unit of the evaluator's scores before they were normalised.
    fn score_unit(&self) -> ScoreUnit;

    /// Whether the evaluator has what the learned mode needs.
    fn supports_learned(&mut self) -> bool;

    /// Takes one in `every` samples of a kind in later searches, none without one.
    fn set_sampling(&mut self, kind: Option<SampleKind>, every: u64);

    /// The samples since the last call.
    fn take_samples(&mut self) -> Vec<SearchSample<G>>;

    /// Verifies one in `every` cutoffs by quantiles by a shadow search, none if 0. Returns the
    /// counts since the last call.
    fn set_shadow_rate(&mut self, every: u64) -> ShadowStats;
}
