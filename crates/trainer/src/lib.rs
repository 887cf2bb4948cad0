//! Training of networks on the CPU.

mod config;
mod learner;
mod objective;
mod optimiser;
mod schedule;

pub use config::{
    BucketSettings, ClipSettings, Config, ConfigError, DataSettings, Field, HiddenLayer,
    InitSettings, Kind, Limit, LossSettings, NetworkSettings, Order, OutputSettings, Row,
    ScheduleSettings, TargetSettings, ValidationSettings,
};
pub use learner::{HeadLoss, Learner, Losses, StepSettings, TrainerError};
pub use objective::{
    Objective, PolicyLoss, PolicyObjective, QuantileObjective, QuantileTarget, ValueLoss,
    ValueObjective, WdlObjective,
};
pub use optimiser::{OptimiserKind, OptimiserSettings};
pub use schedule::{Moment, Schedule, warm_up};
