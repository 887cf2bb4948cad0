//! A thread's search: what it holds, how it moves about the tree, and when it stops.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use games::{Game, Line};
use nnue::PolicyCorrection;

use crate::engine::SearchMode;
use crate::evaluator::{Evaluator, Opinion};
use crate::history::{Before, Histories, Place};
use crate::learned::{MOVE_SORTS, Parts, Policy, Shadow};
use crate::limits::{Control, Limits};
use crate::ordering::{Picker, Ranked};
use crate::params::Params;
use crate::reductions::Reductions;
use crate::repetition;
use crate::report::{Answer, Info};
use crate::root::RootMove;
use crate::score::{self, MATE, MAX_PLY};
use crate::table::Table;
use crate::time::Timer;

/// Positions between two looks at the clock; so many of them are one that [`Engine::go_sampling`] shows.
///
/// [`Engine::go_sampling`]: crate::Engine::go_sampling
pub const SAMPLE_EVERY: u64 = 256;

/// How far back the farthest of [`Before`] is.
const BEFORE_ROOT: usize = 4;

/// What threads that search the same position share beside the table.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) stop: AtomicBool,
    /// Positions looked at, by thread.
    pub(crate) nodes: Vec<AtomicU64>,
}

impl Shared {
    pub(crate) fn new(threads: usize) -> Self {
        let nodes = std::iter::repeat_with(AtomicU64::default).take(threads).collect();
        Self { stop: AtomicBool::new(false), nodes }
    }

    /// Positions looked at, by all threads.
    pub(crate) fn total(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }
}

/// Who is shown a position and its ply.
pub(crate) type Sample<'a, G> = dyn Fn(&G, usize) + Sync + 'a;

/// What is to be searched, and with what.
pub(crate) struct Job<'a, G: Game> {
    pub(crate) line: &'a Line<G>,
    pub(crate) limits: &'a Limits<G>,
    /// The moves that may be played. There is at least one.
    pub(crate) moves: &'a [G::Move],
    pub(crate) multi_pv: usize,
    /// No table: nothing is remembered.
    pub(crate) table: Option<&'a Table>,
    pub(crate) control: &'a Control,
    pub(crate) timer: Timer,
    pub(crate) shared: &'a Shared,
    /// Whether anything is left out, reduced or extended. If not, the result is that of plain minimax.
    pub(crate) selective: bool,
    /// How it is decided what that is.
    pub(crate) mode: SearchMode,
    /// Who is shown every [`SAMPLE_EVERY`](crate::SAMPLE_EVERY)th position that the first thread looks at, and its ply.
    pub(crate) sample: Option<&'a Sample<'a, G>>,
}

impl<G: Game> Job<'_, G> {
    /// Whether limits do not count yet.
    pub(crate) fn is_pondering(&self) -> bool {
        self.limits.ponder && !self.control.is_ponder_hit()
    }
}

/// What a thread's search comes to.
#[derive(Debug)]
pub(crate) struct Finding<G: Game> {
    pub(crate) answer: Answer<G>,
    /// The report of its line.
    pub(crate) info: Info<G>,
    /// What the line is worth, as the search counts.
    pub(crate) score: i32,
}

/// A thread's search, whatever its evaluator.
pub(crate) trait Worker<G: Game>: Send {
    /// Searches as the thread with that number; the first one watches the limits and reports.
    fn search(
        &mut self,
        job: &Job<'_, G>,
        thread: usize,
        report: &mut dyn FnMut(&Info<G>),
    ) -> Finding<G>;

    /// Forgets what was learnt.
    fn clear(&mut self);

    /// The moves of a position in classical order.
    fn order(&self, position: &G) -> Vec<G::Move>;

    /// Searches with other numbers from now on.
    fn set_params(&mut self, params: &Params);

    /// Whether the evaluator has what the learned mode needs.
    fn can_learn(&mut self) -> bool;

    /// Checks one in so many cutoffs by quantiles from now on, none if that is 0; gives what was counted before.
    fn set_shadow(&mut self, every: u64) -> Shadow;
}

/// What is remembered of a position on the line that is being looked at.
pub(crate) struct Ply<G: Game> {
    /// What it is worth without looking ahead, with corrections. `None` in check.
    pub(crate) evaluation: Option<i32>,
    /// The move that is not to be looked at, to see what there is without it.
    pub(crate) excluded: Option<G::Move>,
    /// Quiet moves that refuted a sister position.
    pub(crate) killers: [Option<G::Move>; 2],
    /// `None` while it is in use. In a box, because it is taken out and put back at every node.
    pub(crate) picker: Option<Box<Picker<G>>>,
    /// Moves that were looked at without success.
    pub(crate) tried: Vec<Ranked<G::Move>>,
    pub(crate) pv: Vec<G::Move>,
    /// How often this line was extended by two plies.
    pub(crate) doubles: i32,
    /// What the network would play here.
    pub(crate) policy: Policy,
}

impl<G: Game> Default for Ply<G> {
    fn default() -> Self {
        Self {
            evaluation: None,
            excluded: None,
            killers: [None; 2],
            picker: None,
            tried: Vec::new(),
            pv: Vec::new(),
            doubles: 0,
            policy: Policy::default(),
        }
    }
}

/// A search with one kind of evaluator.
pub(crate) struct Search<G: Game, E> {
    pub(crate) evaluator: E,
    pub(crate) params: Params,
    pub(crate) reductions: Reductions,
    pub(crate) parts: Parts,
    pub(crate) histories: Histories<G>,
    pub(crate) plies: Vec<Ply<G>>,
    /// The moves that were played from the root to the position that is being looked at, by [`Place::number`], 0 where it was passed.
    /// The first is that of ply [`BEFORE_ROOT`].
    ///
    /// [`Place::number`]: crate::history::Place::number
    played: Vec<u16>,
    /// Hashes of the positions from the beginning of the game to the one that is being looked at.
    pub(crate) hashes: Vec<u64>,
    /// How many of them lie at or below the position that the evaluator is at: all, or all but the last one.
    shown: usize,
    pub(crate) root_moves: Vec<RootMove<G>>,
    /// How many of the root moves already have a line of their own.
    pub(crate) lines: usize,
    pub(crate) root_depth: i32,
    /// Before this ply nobody passes, because a cutoff by passing is being verified.
    pub(crate) passing_from: usize,
    pub(crate) nodes: u64,
    pub(crate) seldepth: usize,
    /// Whether a mate is asked for.
    pub(crate) wants_mate: bool,
    pub(crate) stopped: bool,
    node_limit: u64,
    thread: usize,
    /// When the clock began to run.
    clock_start: Option<Instant>,
    /// How often cutoffs by quantiles were checked, and wrong.
    pub(crate) shadow: Shadow,
    /// By what the hash changes when the turn passes, where that is known.
    pub(crate) turn: Option<u64>,
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    pub(crate) fn new(evaluator: E, params: &Params) -> Self {
        Self {
            evaluator,
            params: params.clone(),
            reductions: Reductions::new(params),
            parts: Parts::new(SearchMode::Classical, params),
            histories: Histories::new(),
            plies: std::iter::repeat_with(Ply::default).take(MAX_PLY + 4).collect(),
            played: vec![0; BEFORE_ROOT + MAX_PLY + 4],
            hashes: Vec::new(),
            shown: 0,
            root_moves: Vec::new(),
            lines: 0,
            root_depth: 0,
            passing_from: 0,
            nodes: 0,
            seldepth: 0,
            wants_mate: false,
            stopped: false,
            node_limit: u64::MAX,
            thread: 0,
            clock_start: None,
            shadow: Shadow::default(),
            turn: repetition::turn::<G>(),
        }
    }

    /// Makes ready for a search.
    pub(crate) fn begin(&mut self, job: &Job<'_, G>, thread: usize) {
        let root = job.line.position();
        self.evaluator.reset(root);
        self.parts = Parts::new(job.mode, &self.params);
        self.hashes.clear();
        self.hashes.extend_from_slice(job.line.past());
        self.hashes.push(root.hash());
        self.shown = self.hashes.len();
        self.root_moves = job.moves.iter().map(|&mv| RootMove::new(mv)).collect();
        for ply in &mut self.plies {
            (ply.killers, ply.excluded, ply.doubles) = ([None; 2], None, 0);
        }
        (self.nodes, self.seldepth, self.stopped, self.passing_from) = (0, 0, false, 0);
        self.wants_mate = job.limits.mate.is_some();
        let alone = job.shared.nodes.len() == 1;
        self.node_limit = job.limits.nodes.filter(|_| alone).unwrap_or(u64::MAX).max(1);
        self.thread = thread;
        self.clock_start = (!job.limits.ponder).then(Instant::now);
    }

    /// Goes on to a position that follows from the current one.
    #[inline]
    pub(crate) fn descend(&mut self, job: &Job<'_, G>, child: &G) {
        let key = child.hash();
        if let Some(table) = job.table {
            table.prefetch(key);
        }
        self.hashes.push(key);
    }

    /// Shows the current position to the evaluator, if it was not shown before. Must be done before the evaluator is asked
    /// and before any move is played; where the table knows the answer, neither is.
    #[inline]
    pub(crate) fn arrive(&mut self, position: &G) {
        if self.shown < self.hashes.len() {
            self.shown += 1;
            self.evaluator.push(position);
        }
        debug_assert_eq!(self.shown, self.hashes.len(), "a position was passed over");
    }

    /// Goes back.
    #[inline]
    pub(crate) fn ascend(&mut self) {
        if self.shown == self.hashes.len() {
            self.shown -= 1;
            self.evaluator.pop();
        }
        self.hashes.pop();
    }

    /// The hash of the current position.
    #[inline]
    pub(crate) fn key(&self) -> u64 {
        self.hashes.last().copied().unwrap_or(0)
    }

    /// The moves that led to a ply, as continuation histories know them.
    #[inline]
    pub(crate) fn before(&self, ply: usize) -> Before {
        // Before the root nobody moved.
        let moves = &self.played[ply..][..BEFORE_ROOT];
        [moves[BEFORE_ROOT - 1], moves[BEFORE_ROOT - 2], moves[0]]
    }

    /// Remembers what is played at a ply; `None` if it is passed.
    #[inline]
    pub(crate) fn note(&mut self, ply: usize, place: Option<Place>) {
        self.played[BEFORE_ROOT + ply] = place.map_or(0, Place::number);
    }

    /// Counts a position; true if the search is over.
    #[inline]
    pub(crate) fn count_node(&mut self, job: &Job<'_, G>, position: &G, ply: usize) -> bool {
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

    /// Looks whether to stop, and shows the position to whoever wants to see some.
    #[cold]
    fn poll(&mut self, job: &Job<'_, G>, position: &G, ply: usize) {
        self.publish_nodes(job);
        self.stopped |= job.shared.stop.load(Ordering::Relaxed);
        if self.thread > 0 {
            return;
        }
        if let Some(sample) = job.sample {
            sample(position, ply);
        }
        self.stopped |= job.control.is_stopped();
        if !job.is_pondering() {
            let since = *self.clock_start.get_or_insert_with(Instant::now);
            self.stopped |= job.timer.is_up(since);
            self.stopped |= job.limits.nodes.is_some_and(|limit| job.shared.total() >= limit);
        }
    }

    /// Tells the others how many positions this thread has looked at.
    pub(crate) fn publish_nodes(&self, job: &Job<'_, G>) {
        if let Some(nodes) = job.shared.nodes.get(self.thread) {
            nodes.store(self.nodes, Ordering::Relaxed);
        }
    }

    /// Whether this thread watches limits and reports.
    pub(crate) fn is_first(&self) -> bool {
        self.thread == 0
    }

    /// The score of a position at which the game, or the line, ends before any move is looked at.
    pub(crate) fn early_end(&mut self, position: &G, ply: usize) -> Option<i32> {
        if self.is_repeated(position, ply) {
            return Some(score::of_draw());
        }
        if let Some(outcome) = position.outcome_by_rule() {
            // Who is mated by the last move before a rule would end the game is mated.
            let outcome =
                if position.has_moves() { outcome } else { position.outcome_without_moves() };
            return Some(score::of_outcome(position, outcome, ply));
        }
        (ply >= MAX_PLY - 1).then(|| {
            self.arrive(position);
            self.fresh_evaluation()
        })
    }
}

/// The window narrowed to the results that are still possible at a ply: not sooner a loss or a win than here.
pub(crate) fn mate_distance(alpha: i32, beta: i32, ply: usize) -> (i32, i32) {
    (alpha.max(ply as i32 - MATE), beta.min(MATE - ply as i32))
}

impl<G: Game, E: Evaluator<G>> Worker<G> for Search<G, E> {
    fn search(
        &mut self,
        job: &Job<'_, G>,
        thread: usize,
        report: &mut dyn FnMut(&Info<G>),
    ) -> Finding<G> {
        self.begin(job, thread);
        let finding = self.deepen(job, report);
        if self.is_first() {
            job.shared.stop.store(true, Ordering::Relaxed);
            let waits = || job.limits.infinite || job.is_pondering();
            while waits() && !job.control.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        finding
    }

    fn clear(&mut self) {
        self.histories.clear();
    }

    fn order(&self, position: &G) -> Vec<G::Move> {
        self.classical_order(position)
    }

    fn set_params(&mut self, params: &Params) {
        self.params = params.clone();
        self.reductions = Reductions::new(params);
    }

    fn can_learn(&mut self) -> bool {
        self.evaluator.reset(&G::start());
        // Sorts of moves that another version told apart mean nothing here.
        let known = |policy: &PolicyCorrection| policy.shifts.len() == MOVE_SORTS;
        let calibration = self.evaluator.calibration(Opinion::First);
        calibration.is_some_and(|calibration| calibration.policy().is_none_or(known))
            && self.evaluator.quantiles(Opinion::First).is_some()
            && self.evaluator.policy_form().is_some()
    }

    fn set_shadow(&mut self, every: u64) -> Shadow {
        std::mem::replace(&mut self.shadow, Shadow { every, ..Shadow::default() })
    }
}
