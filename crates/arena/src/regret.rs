//! Regret: the expected score that an engine's moves lose, by the scores of a reference search.
//!
//! Each engine searches the same positions, each from a clean state. A reference search scores the
//! moves that they choose and its own best move of the position. The regret of a choice is the
//! expected score of the best of these moves minus that of the chosen one. Two engines are compared
//! position by position, so that the difficulty of the positions cancels.
//!
//! - [`RegretTest`] is the experiment; [`RegretTest::run`] carries it out on several threads.
//! - [`Reference`] scores moves, and [`ReferenceCache`] is the file of its scores.
//! - [`RegretReport`] has the mean regret of each engine and the paired differences.
//!
//! `docs/regret.md` compares it with matches.

mod cache;
mod positions;
mod reference;
mod statistics;
#[cfg(test)]
mod tests;
mod worker;

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use games::ToolkitGame;
use search::Control;

use crate::player::PlayerFault;
use crate::tournament::Entrant;
pub use cache::{CacheError, ReferenceCache, ReferenceEntry};
pub use positions::distinct_positions;
pub use reference::{Reference, expected_score, reference_identity};
pub use statistics::{Comparison, EngineRegret, MeanEstimate, RegretReport};
use worker::Worker;

/// The time between two polls of `stop`.
const PATIENCE: Duration = Duration::from_millis(20);

/// The engines, the positions and the reference of a measurement.
#[derive(Debug)]
pub struct RegretTest<G: ToolkitGame> {
    /// The engines. The first is compared with each other one.
    pub entrants: Vec<Entrant<G>>,
    /// Scores moves.
    pub reference: Reference<G>,
    /// Distinct positions in which the game is not over.
    pub positions: Vec<G>,
    /// The number of positions that are searched at the same time.
    pub concurrency: usize,
}

/// What the engines chose in a position.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionRegret {
    /// The code of each engine's move.
    pub moves: Vec<u32>,
    /// The code of the reference's best move.
    pub best: u32,
    /// The expected score of each engine's move.
    pub expected: Vec<f64>,
    /// The highest expected score of these moves and the reference's best move.
    pub highest: f64,
    /// The number of reference searches that were not in the cache.
    pub searches: u64,
}

/// Why regret cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum RegretError {
    /// An engine or the reference fails.
    #[error("{name} {fault}, in the position `{fen}`")]
    Player {
        /// Its name.
        name: String,
        /// The position.
        fen: String,
        /// What it does.
        fault: PlayerFault,
    },
    /// The reference answers without a score.
    #[error("{name} reports no score for the position `{fen}`; expected a reference that searches")]
    NoScore {
        /// The name of the reference.
        name: String,
        /// The position.
        fen: String,
    },
    /// The cache cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

impl<G: ToolkitGame> RegretTest<G> {
    /// Searches all positions. `observe` is called with the number of positions that are done.
    ///
    /// Returns `None` if `stop` becomes true before the end; the cache then has the reference
    /// searches so far. At fixed nodes the result is the same whatever the concurrency and the
    /// contents of the cache, but for the number of new reference searches.
    pub fn run(
        &self,
        cache: &mut ReferenceCache<G>,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(usize),
    ) -> Result<Option<RegretReport>, RegretError> {
        let control = Control::new();
        let next = AtomicUsize::new(0);
        let shared = Mutex::new(&mut *cache);
        let mut done: Vec<Option<PositionRegret>> = vec![None; self.positions.len()];
        let (sender, receiver) = channel();
        let searched = std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let sender = sender.clone();
                let mut worker = Worker::new(self, &shared, &control);
                let next = &next;
                scope.spawn(move || {
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(position) = self.positions.get(index) else { return };
                        let Some(result) = worker.search(position).transpose() else { return };
                        if sender.send((index, result)).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut count = 0;
            let end = loop {
                match receiver.recv_timeout(PATIENCE) {
                    Ok((index, Ok(regret))) => {
                        done[index] = Some(regret);
                        count += 1;
                        observe(count);
                    }
                    Ok((_, Err(error))) => break Err(error),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break Ok(()),
                }
                if stop.load(Ordering::Relaxed) {
                    break Ok(());
                }
            };
            control.stop();
            end
        });
        cache.sync()?;
        searched?;
        let done: Option<Vec<PositionRegret>> = done.into_iter().collect();
        let names = self.entrants.iter().map(|entrant| entrant.name.clone());
        Ok(done.map(|done| RegretReport::new(&names.collect::<Vec<_>>(), &done)))
    }
}
