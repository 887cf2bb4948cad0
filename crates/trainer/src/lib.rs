//! Training of networks on the CPU.

mod learner;
mod objective;
mod optimiser;

pub use learner::{HeadLoss, Learner, Losses, StepSettings, TrainerError};
pub use objective::{
    Objective, PolicyLoss, PolicyObjective, QuantileObjective, QuantileTarget, ValueLoss,
    ValueObjective, WdlObjective,
};
pub use optimiser::{OptimiserKind, OptimiserSettings};
