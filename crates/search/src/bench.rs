//! A fixed piece of work: how many positions the search looks at says whether two versions are the same, and how long
//! it takes says how fast they are.

use std::time::{Duration, Instant};

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Game, Line};

use crate::engine::{Engine, EngineError, EngineOptions};
use crate::limits::{Control, Limits};

/// The depth that version control and test frameworks compare.
pub const BENCH_DEPTH: usize = 9;

// Taken from games of the engine against itself, each after six random plies.
const CHESS: &str = include_str!("bench/chess.fens");
const HEXCHESS: &str = include_str!("bench/hexchess.fens");
const CONNECT_FOUR: &str = include_str!("bench/connect_four.fens");

/// What the work was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bench {
    /// Positions looked at. The same on every machine.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
}

impl Bench {
    /// Positions a second.
    pub fn speed(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }

    fn and(self, other: Self) -> Self {
        Self { nodes: self.nodes + other.nodes, time: self.time + other.time }
    }
}

/// An engine for each game that there is work for.
#[derive(Debug)]
pub struct BenchEngines {
    /// Chess.
    pub chess: Engine<Chess>,
    /// Hexchess.
    pub hexchess: Engine<Hexchess>,
    /// Connect four.
    pub connect_four: Engine<ConnectFour>,
}

impl BenchEngines {
    /// Engines that value positions by the worth of the pieces.
    pub fn new() -> Result<Self, EngineError> {
        let options = EngineOptions::default();
        Ok(Self {
            chess: Engine::new(options)?,
            hexchess: Engine::new(options)?,
            connect_four: Engine::new(options)?,
        })
    }
}

/// Searches positions of every game to `depth`, hexchess, whose positions have more moves, to three plies less.
/// `control` can end it early.
pub fn bench(engines: &mut BenchEngines, depth: usize, control: &Control) -> Bench {
    let chess = bench_game(&mut engines.chess, CHESS, depth, control);
    let hexchess = bench_game(&mut engines.hexchess, HEXCHESS, depth.saturating_sub(3), control);
    let four = bench_game(&mut engines.connect_four, CONNECT_FOUR, depth, control);
    chess.and(hexchess).and(four)
}

fn bench_game<G: Game>(
    engine: &mut Engine<G>,
    fens: &str,
    depth: usize,
    control: &Control,
) -> Bench {
    let limits = Limits::to_depth(depth.max(1));
    let positions = fens.lines().filter_map(|fen| G::from_fen(fen).ok());
    positions.take_while(|_| !control.is_stopped()).fold(Bench::default(), |sum, position| {
        engine.new_game();
        let start = Instant::now();
        let answer = engine.go(&Line::new(position), &limits, control, &mut |_| {});
        sum.and(Bench { nodes: answer.nodes, time: start.elapsed() })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positions_can_be_read() {
        fn check<G: Game>(fens: &str, least: usize) {
            for fen in fens.lines() {
                let position = G::from_fen(fen).expect(fen);
                assert!(position.outcome().is_none(), "{fen}");
            }
            assert!(fens.lines().count() >= least);
        }
        check::<Chess>(CHESS, 40);
        check::<Hexchess>(HEXCHESS, 4);
        check::<ConnectFour>(CONNECT_FOUR, 4);
    }

    #[test]
    fn the_work_is_always_the_same() {
        let [first, second] =
            [(); 2].map(|()| bench(&mut BenchEngines::new().unwrap(), 4, &Control::new()).nodes);
        assert_eq!(first, second);
        assert!(first > 10_000, "{first}");
    }
}
