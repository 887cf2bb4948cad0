//! Training of networks on the CPU.
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
mod objective;
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
    Best, Checkpoint, CheckpointError, CheckpointFolder, Found, Progress, check_finite,
    write_checkpoint,
};
pub use config::{
    BucketSettings, ClipSettings, Config, ConfigError, DataSettings, Field, HiddenLayer,
    InitSettings, Kind, Limit, LossSettings, NetworkSettings, Order, OutputSettings, Row,
    ScheduleSettings, TargetSettings, ValidationSettings, policy_form,
};
pub use learner::{HeadLoss, Learner, Losses, StepSettings, TrainerError};
pub use objective::{
    Objective, PolicyLoss, PolicyMoves, PolicyObjective, QuantileForm, QuantileObjective,
    QuantileTarget, ValueLoss, ValueObjective, WdlObjective,
};
pub use optimiser::{OptimiserKind, OptimiserSettings};
pub use run::{
    Begin, Event, Outcome, Run, RunError, Started, StepReport, SuperbatchReport, Times, Validation,
    head_means, restored_learner,
};
pub use schedule::{Moment, Schedule, warm_up};
pub use worker::Phases;
