//! Client errors: why an external engine fails.

use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// Why an external engine fails. It can be started again.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// The program could not be started.
    #[error("{command} cannot be started: {source}")]
    Start {
        /// The program.
        command: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The engine does not have an option that was to be set.
    #[error("the program has no option `{name}`")]
    UnknownOption {
        /// The name of the option.
        name: String,
    },
    /// The program ended.
    #[error("the program ended with {status}")]
    Ended {
        /// How.
        status: ExitStatus,
    },
    /// The program closed its output, but still runs.
    #[error("the program closed its output")]
    Closed,
    /// The program still runs, but does not read.
    #[error("the program does not read its input: {0}")]
    Write(io::Error),
    /// The program was lost before, and no new game has begun since.
    #[error("the program is not running")]
    Lost,
    /// No answer came in time.
    #[error("no answer in {0:.1?}")]
    Timeout(Duration),
    /// The wait was ended from outside.
    #[error("the wait for the program was stopped")]
    Stopped,
}
