//! Bench: searches of fixed positions, whose node count identifies the search and whose time gives
//! its speed in nodes per second.

use std::time::{Duration, Instant};

use games::{GameHistory, SearchGame};

use crate::engine::Engine;
use crate::limits::{Control, Limits};

/// The default depth, which version control and testing frameworks compare.
pub const BENCH_DEPTH: usize = 13;

/// The node count and the time of a bench.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes searched. The same on every machine.
    pub nodes: u64,
    /// The time that it took.
    pub time: Duration,
}

impl BenchResult {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

impl std::iter::Sum for BenchResult {
    fn sum<I: Iterator<Item = Self>>(results: I) -> Self {
        results.fold(Self::default(), |sum, other| Self {
            nodes: sum.nodes + other.nodes,
            time: sum.time + other.time,
        })
    }
}

/// Searches the bench positions of the game ([`SearchGame::bench_fens`]) to `depth`, games whose
/// positions have many moves to fewer plies ([`SearchGame::BENCH_DEPTH_LESS`]). `control` can end
/// it early.
///
/// ```
/// use games::connect_four::ConnectFour;
/// use search::{Control, Engine, EngineOptions, bench};
///
/// let mut engine = Engine::<ConnectFour>::new(EngineOptions::default())?;
/// let first = bench(&mut engine, 5, &Control::new());
/// let second = bench(&mut engine, 5, &Control::new());
/// assert!(first.nodes > 0);
/// assert_eq!(first.nodes, second.nodes);
/// # Ok::<(), search::EngineError>(())
/// ```
pub fn bench<G: SearchGame>(
    engine: &mut Engine<G>,
    depth: usize,
    control: &Control,
) -> BenchResult {
    let limits = Limits::to_depth(depth.saturating_sub(G::BENCH_DEPTH_LESS).max(1));
    let fens = G::bench_fens();
    let positions = fens.iter().filter_map(|fen| G::from_fen(fen).ok());
    let each = |position| {
        engine.new_game();
        let start = Instant::now();
        let result = engine.go(&GameHistory::new(position), &limits, control, &mut |_| {});
        BenchResult { nodes: result.nodes, time: start.elapsed() }
    };
    positions.take_while(|_| !control.is_stopped()).map(each).sum()
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;

    use super::*;
    use crate::engine::EngineOptions;

    #[test]
    fn all_positions_can_be_read() {
        fn check<G: SearchGame>(min: usize) {
            let fens = G::bench_fens();
            for fen in &fens {
                let position = G::from_fen(fen).expect(fen);
                assert!(position.outcome().is_none(), "{fen}");
            }
            assert!(fens.len() >= min);
        }
        check::<Chess>(40);
        check::<Hexchess>(4);
        check::<ConnectFour>(4);
    }

    #[test]
    fn node_counts_repeat() {
        let [first, second] = [(); 2].map(|()| {
            let mut engine = Engine::<Chess>::new(EngineOptions::default()).unwrap();
            bench(&mut engine, 4, &Control::new()).nodes
        });
        assert_eq!(first, second);
        assert!(first > 5_000, "{first}");
    }
}
