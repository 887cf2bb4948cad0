//! When a search is to end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use games::Game;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// What is left on it.
    pub remaining: Duration,
    /// What each move adds to it.
    pub increment: Duration,
    /// How many moves it must last for, if not for the whole game.
    pub moves_to_go: Option<u32>,
}

/// What ends a search: whichever of these is reached first, or the call to stop if there is none.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits<G: Game> {
    /// Plies to look at in full.
    pub depth: Option<usize>,
    /// Positions to look at, by all threads together; exact with one thread.
    pub nodes: Option<u64>,
    /// Positions after which no further depth is begun: costs vary less in meaning than with `nodes`.
    pub soft_nodes: Option<u64>,
    /// Stop when a mate in that many moves is found.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock to be divided over the game.
    pub clock: Option<Clock>,
    /// Give no answer before being told to stop, whatever else is reached.
    pub infinite: bool,
    /// Think on the opponent's time: like `infinite` until [`Control::ponder_hit`].
    pub ponder: bool,
    /// Look at these moves only. Those that are not legal are ignored; if none is left, all are looked at.
    pub search_moves: Vec<G::Move>,
    /// Search every depth in the full window, so that its score does not hang on the scores of the depths before. Slower.
    pub full_window: bool,
}

impl<G: Game> Default for Limits<G> {
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

impl<G: Game> Limits<G> {
    /// A search to this depth.
    pub fn to_depth(depth: usize) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// A search of that many positions.
    pub fn of_nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }
}

/// How other threads speak to a running search. Make one for each search and share it by `Arc`.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    hit: AtomicBool,
}

impl Control {
    /// One that asks for nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks for the answer now. May come before the search has begun.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether [`stop`](Control::stop) was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Says that the opponent played the expected move: the limits hold from now on.
    pub fn ponder_hit(&self) {
        self.hit.store(true, Ordering::Relaxed);
    }

    /// Whether [`ponder_hit`](Control::ponder_hit) was called.
    pub fn is_ponder_hit(&self) -> bool {
        self.hit.load(Ordering::Relaxed)
    }
}
