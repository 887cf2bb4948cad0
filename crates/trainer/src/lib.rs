//! NNUE training on the CPU.
//!
//! - [`Config`] is a training in TOML; [`Run`] executes it, with checkpoints and validation.
//! - [`Learner`] is one level below: a network that makes steps on batches of the caller.
//! - [`export`] quantises a trained network, with a proof against overflow.
//!
//! ```
//! use dataset::GameList;
//! use games::chess::Chess;
//! use nnue::Architecture;
//! use trainer::{Learner, Objective, OptimiserSettings, StepSettings, ValueObjective};
//! use trainer::export::random_positions;
//!
//! // Sixty-four positions of random play, all with the score +100: easy to learn.
//! let architecture: Architecture = "chess.piece-square (768→8)×2→1 screlu".parse()?;
//! let mut batch = random_positions(&architecture, 64, 1, &GameList::new().with::<Chess>())?;
//! batch.scores.fill(100.0);
//! let value = Some(ValueObjective::default());
//! let objective = Objective { score_scale: 400.0, value, ..Objective::default() };
//! let settings = OptimiserSettings::default();
//! let mut learner = Learner::new(architecture, None, objective, settings, 1, 1)?;
//! let settings = StepSettings { rate: 1e-2, result_share: 0.0, td_lambda: None };
//! let first = learner.step(std::slice::from_ref(&batch), settings)?.mean();
//! for _ in 0..50 {
//!     learner.step(std::slice::from_ref(&batch), settings)?;
//! }
//! let last = learner.evaluate(std::slice::from_ref(&batch), settings)?.mean();
//! assert!(last < first, "{first}, then {last}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/05-training.md` describes training, `docs/quantisation.md` the conversion of floats to
//! integers.
#![allow(
    clippy::inline_always,
    reason = "what runs in the loops of `pulp` must be compiled into them, with their instructions"
)]

#[cfg(test)]
mod gradient_tests;

mod activation;
mod check;
mod checkpoint;
mod config;
mod core;
pub mod export;
mod heads;
mod layers;
mod layout;
mod learner;
mod loss;
mod matrix;
mod optimiser;
mod real;
mod run;
mod schedule;
mod shape;
mod sparse;
mod tensors;
mod transformer;
mod worker;

pub use checkpoint::{
    Best, Checkpoint, CheckpointError, CheckpointFolder, FoundCheckpoint, TrainingProgress,
    check_finite, write_checkpoint,
};
pub use config::{
    BucketSettings, ClipSettings, Config, ConfigError, DataOrder, DataSettings, Field, HiddenLayer,
    InitSettings, Kind, Limit, NetworkSettings, OutputSettings, Row, ScheduleSettings,
    TargetSettings, ValidationSettings, policy_form,
};
pub use heads::{
    LossSettings, Objective, PolicyLoss, PolicyObjective, QuantileForm, QuantileObjective,
    QuantileTarget, ValueLoss, ValueObjective, WdlObjective, loss_names,
};
pub use learner::{HeadLoss, Learner, Losses, StepSettings, TrainerError};
pub use optimiser::{OptimiserKind, OptimiserSettings};
pub use run::{
    Begin, Run, RunError, Started, StepReport, SuperbatchReport, Times, TrainingEvent,
    TrainingOutcome, Validation, first_learner, head_means, restored_learner,
};
pub use schedule::{Moment, ParameterSchedule, warm_up};
pub use worker::Phases;
