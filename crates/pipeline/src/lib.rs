//! Pipeline: the stages from rules to a network as typed values with typed results, and the two
//! programs made of them, quickstart and loop.
//!
//! - [`stages`] has one module per stage: start network, data generation, training, export,
//!   calibration, fit, match. A stage is a plain struct; `run` carries it out on the libraries, and
//!   `command` is the equivalent command line, which is printed and never parsed back.
//! - [`quickstart`] goes from rules to a network in minutes; [`looping`] improves one for as long as
//!   it runs. Both are sequences of stages.
//! - [`StageRunner`] carries stages out on behalf of a program. Its default methods are silent; the
//!   command line overrides them to show progress.
//!
//! Nothing here prints, exits or reads the environment. Every stage resumes from its files, so a
//! pipeline that is stopped or killed continues with the stage that it was in.

mod command;
mod context;
mod error;
pub mod files;
pub mod looping;
pub mod quickstart;
mod runner;
pub mod stages;

pub use command::CommandLine;
pub use context::Context;
pub use error::PipelineError;
pub use runner::StageRunner;
