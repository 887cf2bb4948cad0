//! Search over any [`Game`](games::Game) and any evaluation.
//!
//! - [`Engine`] is what a program talks to: options, a table that is kept between moves, and [`Engine::go`].
//! - [`Evaluator`] values positions: [`NetworkEvaluator`], [`Linear`] for when there is no network, [`Blend`] of two.
//!   The search is compiled for each of them; which one plays is chosen once for each search.
//! - [`GameInputs`] is how a network reads the positions of a game.
//!
//! ```
//! use games::{Game, Line, chess::Chess};
//! use search::{Control, Engine, EngineOptions, Limits, Score};
//!
//! // Without a network it plays by the worth of the pieces, which is enough to see a mate.
//! let mut engine = Engine::new(EngineOptions::default())?;
//! let line = Line::new(Chess::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")?);
//! let answer = engine.go(&line, &Limits::to_depth(3), &Control::new(), &mut |_| {});
//! let best = answer.best.expect("there are moves");
//! assert_eq!(line.position().move_text(best), "a1a8");
//! assert_eq!(answer.score, Score::Mate(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bench;
#[cfg(doctest)]
mod documents;
mod engine;
mod evaluator;
mod history;
mod inputs;
mod learned;
mod limits;
mod moves;
mod node;
mod ordering;
mod params;
mod pruning;
mod quiescence;
mod reductions;
mod repetition;
mod report;
mod root;
mod score;
mod search;
mod table;
mod threads;
mod time;

pub use bench::{BENCH_DEPTH, Bench, BenchEngines, bench};
pub use engine::{
    Engine, EngineError, EngineOptions, MOST_HASH_MIB, MOST_MULTI_PV, MOST_THREADS, SearchMode,
};
pub use evaluator::{Blend, Evaluator, Linear, NetworkEvaluator, Opinion, Quantiles};
pub use inputs::{GameInputs, InputsError};
pub use learned::{MOVE_SORTS, Shadow, move_sorts};
pub use limits::{Clock, Control, Limits};
pub use params::{Param, Params};
pub use report::{Answer, Bound, Info, Score};
pub use search::SAMPLE_EVERY;

#[cfg(test)]
mod tests;
