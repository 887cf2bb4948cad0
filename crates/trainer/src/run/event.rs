//! Training events: what a run reports while it continues.

use std::path::Path;
use std::time::Duration;

use crate::{Losses, StepSettings};

/// Something has happened.
#[derive(Debug)]
pub enum TrainingEvent<'a> {
    /// A step has been made.
    Step(StepReport<'a>),
    /// A superbatch is over.
    Superbatch(SuperbatchReport<'a>),
    /// A checkpoint has been written.
    Checkpoint {
        /// After how many steps.
        step: u64,
        /// Its file.
        path: &'a Path,
    },
    /// Something that a person should know.
    Warning(&'a str),
}

/// A step.
#[derive(Debug)]
pub struct StepReport<'a> {
    /// Its number, from 1.
    pub step: u64,
    /// How many there will be.
    pub steps: u64,
    /// What it was made with.
    pub settings: StepSettings,
    /// The losses before it.
    pub losses: &'a Losses,
    /// Where the time went, all steps of this run together.
    pub times: Times,
}

/// A superbatch.
#[derive(Debug)]
pub struct SuperbatchReport<'a> {
    /// Its number, from 1.
    pub superbatch: u64,
    /// The number of its last step.
    pub step: u64,
    /// How many positions training has seen.
    pub positions: u64,
    /// The rate of its last step.
    pub rate: f32,
    /// The share of results of its last step.
    pub result_share: f32,
    /// The losses of its steps.
    pub training: &'a Losses,
    /// The losses on what it does not learn from, if they were measured.
    pub validation: Option<&'a Validation>,
    /// Where the time went, since this run began.
    pub times: Times,
}

/// A validation.
#[derive(Clone, Debug, PartialEq)]
pub struct Validation {
    /// Its losses.
    pub losses: Losses,
    /// Whether no earlier one was as good.
    pub best: bool,
}

/// Where the time of a run went.
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
    /// Validations did not get better for as long as `validation.patience` says.
    StoppedEarly,
    /// It was told to stop.
    Stopped,
}
