//! Pipeline context: what stages use of the program that runs them.

use std::sync::atomic::{AtomicBool, Ordering};

use arena::networks::NetworkLoader;
use dataset::GameList;
use nnue::ScoreModel;

/// What stages use of the program that runs them.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The games of the program.
    pub games: &'a GameList,
    /// The loader of networks, with those that are part of the program.
    pub networks: &'a NetworkLoader,
    /// The score model of the game's networks that have none of their own.
    pub score_model: &'a ScoreModel,
    /// Becomes true when the program is to stop.
    pub stop: &'a AtomicBool,
}

impl Context<'_> {
    /// Whether the program is to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}
