//! Errors: invalid FENs, moves, settings and feature set names.

/// An error of parsing a FEN.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Too few or too many fields.
    #[error("the FEN has {found} fields; expected {expected}")]
    FieldCount {
        /// The number of fields found.
        found: usize,
        /// The fields of a FEN of this game, in order.
        expected: &'static str,
    },
    /// A field is invalid.
    #[error("{field} `{found}`: {fault}")]
    Field {
        /// The name of the field, for example `side to move`.
        field: &'static str,
        /// Its text, shortened if it is long.
        found: String,
        /// The fault, and what was expected.
        fault: String,
    },
    /// Every field is valid, but the position cannot arise in the game.
    #[error("illegal position: {0}")]
    Illegal(String),
}

impl FenError {
    /// Creates an error about one field. Shortens the offending text to fit on a line.
    pub fn field(field: &'static str, found: &str, fault: impl Into<String>) -> Self {
        Self::Field { field, found: shorten(found), fault: fault.into() }
    }

    /// Creates an error about a position that parses but is not playable.
    pub fn illegal(fault: impl Into<String>) -> Self {
        Self::Illegal(fault.into())
    }
}

/// An error of parsing a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// The text is not a move in any position of this game.
    #[error("`{text}` is not a move; expected a form such as {example}")]
    Syntax {
        /// The text.
        text: String,
        /// An example of a move of this game.
        example: &'static str,
    },
    /// Several legal moves match the text.
    #[error("`{text}` is ambiguous in `{fen}`")]
    Ambiguous {
        /// The text.
        text: String,
        /// The position.
        fen: String,
    },
    /// The move is not legal in the position.
    #[error("`{text}` is not legal in `{fen}`")]
    Illegal {
        /// The text.
        text: String,
        /// The position.
        fen: String,
    },
}

impl MoveError {
    /// Creates an error about text that is not a move in any position.
    pub fn syntax(text: &str, example: &'static str) -> Self {
        Self::Syntax { text: shorten(text), example }
    }

    /// Creates an error about text that matches several legal moves of the position `fen`.
    pub fn ambiguous(text: &str, fen: String) -> Self {
        Self::Ambiguous { text: shorten(text), fen }
    }

    /// Creates an error about a move that is not legal in the position `fen`.
    pub fn illegal(text: &str, fen: String) -> Self {
        Self::Illegal { text: shorten(text), fen }
    }
}

/// An error of changing a setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The game has no such setting.
    #[error("{game} has no setting `{name}`; it has: {known}")]
    Unknown {
        /// The game.
        game: &'static str,
        /// The requested name.
        name: String,
        /// The existing names, or `none`.
        known: String,
    },
    /// The setting does not take this value.
    #[error("setting `{name}` cannot be `{value}`; expected {expected}")]
    Value {
        /// The setting.
        name: &'static str,
        /// The rejected value.
        value: String,
        /// The accepted values.
        expected: &'static str,
    },
}

/// An error of looking up a feature set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureSetError {
    /// No set has this name.
    #[error("no feature set is called `{name}`; known: {known}")]
    Unknown {
        /// The requested name.
        name: String,
        /// The existing names.
        known: String,
    },
    /// The parameter after the colon is invalid.
    #[error("feature set `{name}`: {fault}")]
    Parameter {
        /// The full name.
        name: String,
        /// The fault of the parameter, and what was expected.
        fault: String,
    },
}

/// At most 60 characters of `text`, so that hostile input cannot flood a message.
fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}
