//! Training events: reports of a run in progress.

use std::path::Path;
use std::time::Duration;

use crate::{Losses, StepSettings};

/// An event of a training.
#[derive(Debug)]
pub enum TrainingEvent<'a> {
    /// A step has been made.
    Step(StepReport<'a>),
    /// A superbatch is over.
    Superbatch(SuperbatchReport<'a>),
    /// A checkpoint has been written.
    Checkpoint {
        /// The number of steps before it.
        step: u64,
        /// Its file.
        path: &'a Path,
    },
    /// A warning for the user.
    Warning(&'a str),
}

/// A step.
#[derive(Debug)]
pub struct StepReport<'a> {
    /// Its number, from 1.
    pub step: u64,
    /// The total number of steps.
    pub steps: u64,
    /// The settings of the step.
    pub settings: StepSettings,
    /// The losses before the step.
    pub losses: &'a Losses,
    /// The times of all steps of this run.
    pub times: Times,
}

/// A superbatch.
#[derive(Debug)]
pub struct SuperbatchReport<'a> {
    /// Its number, from 1.
    pub superbatch: u64,
    /// The number of its last step.
    pub step: u64,
    /// The number of positions so far.
    pub positions: u64,
    /// The rate of its last step.
    pub rate: f32,
    /// The result share of its last step.
    pub result_share: f32,
    /// The losses of its steps.
    pub training: &'a Losses,
    /// The validation, if there was one.
    pub validation: Option<&'a Validation>,
    /// The times since the start of this run.
    pub times: Times,
}

/// A validation.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// Its losses.
    pub losses: Losses,
    /// Whether its loss is the lowest so far.
    pub best: bool,
}

/// The time of each part of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Waiting for records.
    pub load: Duration,
    /// Turning them into features.
    pub decode: Duration,
    /// Steps.
    pub step: Duration,
    /// Validations.
    pub validation: Duration,
    /// Writing checkpoints.
    pub checkpoint: Duration,
}

/// How a training ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainingOutcome {
    /// All steps were made.
    Finished,
    /// The validation loss did not improve for `validation.patience` validations.
    StoppedEarly,
    /// The caller stopped it.
    Stopped,
}
