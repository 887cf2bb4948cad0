//! Errors of UCI text: which word of a line is wrong, and what was expected.

/// A text that is not a whole number between two bounds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{found}` is not a whole number from {min} to {max}")]
pub struct NumberError {
    /// The text, shortened if it is long.
    pub found: String,
    /// The smallest number that is accepted.
    pub min: i128,
    /// The largest number that is accepted.
    pub max: i128,
}

/// Why a line is not a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// The first word is not a command.
    #[error("unknown command `{found}`; `help` lists the commands")]
    UnknownCommand {
        /// The word, shortened if it is long.
        found: String,
    },
    /// A word that the command does not accept there.
    #[error("{command} `{found}`: expected {expected}")]
    Unexpected {
        /// The command, with its words so far.
        command: &'static str,
        /// The word, shortened if it is long.
        found: String,
        /// What the command accepts there.
        expected: &'static str,
    },
    /// The command ends too early.
    #[error("{command}: expected {expected}")]
    Incomplete {
        /// The command.
        command: &'static str,
        /// What it needs.
        expected: &'static str,
    },
    /// A part of the command is missing.
    #[error("{command}: {part} is missing; expected {expected}")]
    Missing {
        /// The command.
        command: &'static str,
        /// The part.
        part: &'static str,
        /// The form of the command.
        expected: &'static str,
    },
    /// A number of the command is wrong.
    #[error("{command} `{}`: {fault}", fault.found)]
    Number {
        /// The command.
        command: &'static str,
        /// The number.
        fault: NumberError,
    },
    /// `genfens` has a word in a wrong place or without its value.
    #[error("genfens: `{found}` {fault}; expected {expected}")]
    GenFens {
        /// The word, shortened if it is long.
        found: String,
        /// What is wrong with it.
        fault: &'static str,
        /// The form of the command.
        expected: &'static str,
    },
    /// `go` is wrong.
    #[error(transparent)]
    Go(#[from] GoError),
}

/// Why a `go` command cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GoError {
    /// Every word is unknown.
    #[error("go `{found}`: expected one of {expected}")]
    Unknown {
        /// The first word, shortened if it is long.
        found: String,
        /// The words that `go` accepts.
        expected: String,
    },
    /// A word has no value.
    #[error("go {word}: expected a number after it")]
    Missing {
        /// The word.
        word: &'static str,
    },
    /// `searchmoves` has no moves.
    #[error("go searchmoves: expected moves after it")]
    NoMoves,
    /// The value of a word is wrong.
    #[error("go {word}: {fault}")]
    Number {
        /// The word.
        word: &'static str,
        /// Its value.
        fault: NumberError,
    },
}

/// Why an option does not accept a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionValueError {
    /// There is no value.
    #[error("the value is missing; expected {expected}")]
    Missing {
        /// The values that the option accepts.
        expected: String,
    },
    /// A check is neither on nor off.
    #[error("`{found}` is neither `true` nor `false`")]
    Check {
        /// The value, shortened if it is long.
        found: String,
    },
    /// A spin is not a number within its bounds.
    #[error(transparent)]
    Spin(#[from] NumberError),
    /// A combo does not have this value.
    #[error("`{found}` is not one of {expected}")]
    Combo {
        /// The value, shortened if it is long.
        found: String,
        /// The values that the option accepts.
        expected: String,
    },
    /// A button has a value.
    #[error("it is a button and takes no value")]
    Button,
}
