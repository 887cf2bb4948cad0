//! Search limits: depth, nodes, time, clocks, and the signals that end a search from outside.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use games::SearchGame;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// The time left.
    pub remaining: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// The number of moves until the next time control; `None` if the time is for the whole game.
    pub moves_to_go: Option<u32>,
}

/// What ends a search: the first of these limits that is reached. Without any, the search runs
/// until
/// [`Control::stop`].
///
/// ```
/// use games::chess::Chess;
/// use search::Limits;
///
/// // At most eight plies, and at most 10,000 nodes.
/// let limits = Limits::<Chess> { nodes: Some(10_000), ..Limits::to_depth(8) };
/// assert_eq!(limits.depth, Some(8));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Limits<G: SearchGame> {
    /// The maximum depth in plies.
    pub depth: Option<usize>,
    /// The maximum number of nodes, of all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// The number of nodes after which no further iteration begins. Results vary less in quality
    /// than with `nodes`.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in that many moves is found.
    pub mate: Option<u32>,
    /// The time for this move.
    pub movetime: Option<Duration>,
    /// The clock, for time management.
    pub clock: Option<Clock>,
    /// Search until [`Control::stop`], whatever other limit is reached.
    pub infinite: bool,
    /// Pondering, on the opponent's time: like `infinite` until [`Control::ponder_hit`].
    pub ponder: bool,
    /// Search these moves only. Moves that are not legal are ignored; if none is left, all are
    /// searched.
    pub search_moves: Vec<G::Move>,
    /// Search every iteration in the full window instead of an aspiration window, so that its score
    /// does not depend on the scores of earlier iterations. Slower.
    pub full_window: bool,
}

impl<G: SearchGame> Default for Limits<G> {
    fn default() -> Self {
        Self {
            depth: None,
            nodes: None,
            soft_nodes: None,
            mate: None,
            movetime: None,
            clock: None,
            infinite: false,
            ponder: false,
            search_moves: Vec::new(),
            full_window: false,
        }
    }
}

impl<G: SearchGame> Limits<G> {
    /// A search to this depth.
    pub fn to_depth(depth: usize) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of that many nodes.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

/// Signals to a running search from other threads. Create one for each search and share it by
/// `Arc`.
///
/// ```
/// use games::{Game, GameHistory, chess::Chess};
/// use search::{Control, Engine, EngineOptions, Limits};
/// use std::{sync::Arc, thread, time::Duration};
///
/// let control = Arc::new(Control::new());
/// let other = Arc::clone(&control);
/// thread::spawn(move || {
///     thread::sleep(Duration::from_millis(20));
///     other.stop();
/// });
/// let mut engine = Engine::new(EngineOptions::default())?;
/// let limits = Limits { infinite: true, ..Limits::default() };
/// let result = engine.go(&GameHistory::new(Chess::start()), &limits, &control, &mut |_| {});
/// assert!(result.best.is_some());
/// # Ok::<(), search::EngineError>(())
/// ```
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    ponder_hit: AtomicBool,
    nodes: AtomicU64,
}

impl Control {
    /// A control without any signal.
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the search, which then returns its result. May be called before the search begins.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether [`stop`](Control::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Signals that the opponent played the expected move: the limits hold from now on.
    pub fn ponder_hit(&self) {
        self.ponder_hit.store(true, Ordering::Relaxed);
    }

    /// Whether [`ponder_hit`](Control::ponder_hit) was called.
    pub fn is_ponder_hit(&self) -> bool {
        self.ponder_hit.load(Ordering::Relaxed)
    }

    /// Nodes searched so far, by all threads: what a report would say now. Iterations of a deep
    /// search take long, so a program that shows progress reads this between reports.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Publishes the nodes searched so far.
    pub(crate) fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }
}
