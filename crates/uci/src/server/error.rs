//! Errors of the server: why a command is not carried out, and why the server ends.

use std::io;

use search::EngineError;

use super::host::HostError;
use crate::limits::LimitsError;
use crate::text::{GoError, OptionValueError, PositionError, TextError};

/// Why a command was not carried out. Everything stays as it was.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The line is too long.
    #[error("the line has {length} bytes; expected at most {max}")]
    TooLong {
        /// Its length in bytes.
        length: usize,
        /// The largest length.
        max: usize,
    },
    /// The line is not a command.
    #[error(transparent)]
    Text(TextError),
    /// `go` cannot be read.
    #[error("{0}; nothing is searched")]
    Go(GoError),
    /// The limits of `go` do not fit the position.
    #[error("go: {0}; nothing is searched")]
    Limits(#[from] LimitsError),
    /// The command has to wait for the end of a search.
    #[error("{command}: a search is running and continues; expected `stop` first")]
    Busy {
        /// The command.
        command: &'static str,
    },
    /// `stop` without a search.
    #[error("stop: no search is running")]
    NotSearching,
    /// `ponderhit` without `go ponder`.
    #[error("ponderhit: no search ponders; expected after `go ponder`")]
    NotPondering,
    /// `register`.
    #[error("register: this engine needs no registration")]
    Registration,
    /// `position` does not describe a game.
    #[error("{0}; the position stays as it was")]
    Position(#[from] PositionError),
    /// There is no option of that name.
    #[error("no option is called `{name}`; known: {known}")]
    UnknownOption {
        /// The name, shortened if it is long.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The option does not accept the value.
    #[error("option {name}: {fault}")]
    OptionValue {
        /// The name of the option.
        name: &'static str,
        /// What is wrong with the value.
        fault: OptionValueError,
    },
    /// The network of an option cannot be used.
    #[error("option {option}: {fault}; it stays {current}")]
    Network {
        /// The name of the option.
        option: &'static str,
        /// What is wrong with the network.
        fault: HostError,
        /// The value that the option keeps.
        current: String,
    },
    /// The engine cannot be set up as the options demand.
    #[error("{0}; the options stay as they were")]
    Options(SetupError),
    /// The engine cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A command that the host carries out failed.
    #[error("{command}: {fault}")]
    Host {
        /// The command.
        command: &'static str,
        /// What is wrong.
        fault: HostError,
    },
    /// The thread that searches cannot be started.
    #[error("cannot start a thread to search with: {0}")]
    Thread(io::Error),
}

impl From<TextError> for CommandError {
    fn from(error: TextError) -> Self {
        match error {
            TextError::Go(error) => Self::Go(error),
            error => Self::Text(error),
        }
    }
}

/// Why an engine cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The host refuses.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The search refuses.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Why the server ended.
#[derive(Debug, thiserror::Error)]
pub enum UciError {
    /// The commands cannot be read any further.
    #[error("cannot read the next command")]
    Read(#[source] io::Error),
    /// A command of a script was not carried out.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// No engine can be set up for a game, not even with the default options.
    #[error("cannot set up an engine for {game}: {fault}")]
    Setup {
        /// The game.
        game: &'static str,
        /// What is wrong.
        fault: SetupError,
    },
    /// The server has no game.
    #[error("the server has no games: add at least one")]
    NoGames,
}
