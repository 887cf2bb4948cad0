//! Alpha-beta search over any [`Game`](games::Game) and any evaluation.
//!
//! - [`Engine`] is what a program uses: options, a transposition table that is kept between moves,
//!   and [`Engine::go`].
//! - [`Evaluator`] evaluates positions: [`NetworkEvaluator`], [`Material`] without a network,
//!   [`Blend`] of two. The search is compiled for each of them; the engine chooses one for each
//!   search.
//! - [`GameInputs`] is the feature set of a game as the inputs of a network.
//! - [`Params`] are the numbers that can be tuned.
//!
//! ```
//! use games::{Game, GameHistory, chess::Chess};
//! use search::{Control, Engine, EngineOptions, Limits, Score};
//!
//! // Without a network the engine evaluates material, which is enough to find a mate.
//! let mut engine = Engine::new(EngineOptions::default())?;
//! let game = GameHistory::new(Chess::from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")?);
//! let result = engine.go(&game, &Limits::to_depth(3), &Control::new(), &mut |_| {});
//! let best = result.best.expect("there are moves");
//! assert_eq!(game.position().move_text(best), "a1a8");
//! assert_eq!(result.score, Score::Mate(1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where each rule is
//!
//! | rule | file |
//! |---|---|
//! | iterative deepening | `iterative_deepening.rs` |
//! | aspiration windows | `iterative_deepening/aspiration.rs` |
//! | alpha-beta node (PV, cut, all), internal iterative reductions (IIR) | `node.rs` |
//! | static evaluation | `node/static_eval.rs`, `evaluator.rs` |
//! | razoring, reverse futility (RFP) and null-move pruning (NMP), ProbCut | `node_pruning.rs` |
//! | principal variation search (PVS), re-searches | `move_loop.rs` |
//! | late-move pruning (LMP), futility, history and SEE pruning | `move_loop/move_pruning.rs` |
//! | singular extensions, check extensions | `move_loop/extensions.rs` |
//! | late-move reductions (LMR) | `lmr.rs` |
//! | quiescence search | `quiescence.rs` |
//! | move ordering, move picker | `move_ordering.rs`, `move_ordering/move_picker.rs` |
//! | static exchange evaluation (SEE) | `see.rs`, and `SearchGame::see_ge_by_kind` of each game |
//! | killer moves, counter-moves, history heuristic | `move_loop/history_update.rs`, `history.rs` |
//! | continuation history | `history/continuation.rs` |
//! | correction history | `history/correction.rs` |
//! | transposition table (TT) | `transposition_table.rs` |
//! | mate scores, mate-distance pruning | `score.rs` |
//! | repetition | `repetition.rs` |
//! | time management | `time_management.rs` |
//! | Lazy SMP | `lazy_smp.rs` |
//! | learned selectivity: policy, quantile intervals, move classes | `learned.rs` |

mod bench;
#[cfg(doctest)]
mod documents;
mod engine;
mod evaluator;
mod history;
mod inputs;
mod iterative_deepening;
mod lazy_smp;
mod learned;
mod limits;
mod lmr;
mod move_loop;
mod move_ordering;
mod named;
mod node;
mod node_pruning;
mod params;
mod quiescence;
mod repetition;
mod result;
mod sampling;
mod score;
mod search;
mod see;
mod time_management;
mod transposition_table;

pub use bench::{BENCH_DEPTH, BenchResult, bench};
pub use engine::{
    Engine, EngineError, EngineOptions, MAX_HASH_MIB, MAX_MULTI_PV, MAX_THREADS, SearchMode,
};
pub use evaluator::{
    Blend, Evaluator, Linear, LinearError, Material, NetworkEvaluator, NetworkSize, Quantiles,
    foreign_move_classes,
};
pub use inputs::{GameInputs, InputsError};
pub use learned::{MOVE_CLASS_SCHEME, MOVE_CLASSES, ShadowStats, move_classes};
pub use limits::{Clock, Control, Limits};
pub use named::UnknownName;
pub use params::{
    CutoffVerification, GateRule, NamedNumbers, Param, ParamChoice, ParamError, Params, Selectivity,
};
pub use result::{Bound, Score, SearchInfo, SearchResult};
pub use sampling::{
    CutNodeSample, LateMoveSample, OrderingFeatures, RfpNodeSample, SampleKind, SearchSample,
};
pub use search::SAMPLE_EVERY;

#[cfg(test)]
mod tests;
