//! Errors: why a FEN, a move, a setting or the name of a feature set is refused.

/// Why a FEN is not a position of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Too few or too many fields.
    #[error("the FEN has {found} fields; expected {expected}")]
    FieldCount {
        /// How many fields there are.
        found: usize,
        /// The fields that a FEN of this game has, named in order.
        expected: &'static str,
    },
    /// A field that cannot be read.
    #[error("{field} `{found}`: {fault}")]
    Field {
        /// The name of the field, for example `side to move`.
        field: &'static str,
        /// Its text, shortened if it is long.
        found: String,
        /// What is wrong with it and what was expected.
        fault: String,
    },
    /// Every field can be read, but the position cannot arise in the game.
    #[error("illegal position: {0}")]
    Illegal(String),
}

impl FenError {
    /// An error about one field, with the offending text shortened so that it fits a line.
    pub fn field(field: &'static str, found: &str, fault: impl Into<String>) -> Self {
        Self::Field { field, found: shorten(found), fault: fault.into() }
    }

    /// An error about a position that can be read but not played.
    pub fn illegal(fault: impl Into<String>) -> Self {
        Self::Illegal(fault.into())
    }
}

/// Why a text is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    /// Not a move of any position of this game.
    #[error("`{text}` is not a move; expected a form such as {example}")]
    Syntax {
        /// The text.
        text: String,
        /// A move of this game.
        example: &'static str,
    },
    /// Several legal moves fit the text.
    #[error("`{text}` is ambiguous in `{fen}`")]
    Ambiguous {
        /// The text.
        text: String,
        /// The position.
        fen: String,
    },
    /// A move, but not a legal one here.
    #[error("`{text}` is not legal in `{fen}`")]
    Illegal {
        /// The text.
        text: String,
        /// The position.
        fen: String,
    },
}

impl MoveError {
    /// An error about text that no position could read as a move.
    pub fn syntax(text: &str, example: &'static str) -> Self {
        Self::Syntax { text: shorten(text), example }
    }

    /// An error about text that fits several legal moves of the position `fen`.
    pub fn ambiguous(text: &str, fen: String) -> Self {
        Self::Ambiguous { text: shorten(text), fen }
    }

    /// An error about a move that is not legal in the position `fen`.
    pub fn illegal(text: &str, fen: String) -> Self {
        Self::Illegal { text: shorten(text), fen }
    }
}

/// Why a setting was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// The game has no such setting.
    #[error("{game} has no setting `{name}`; it has: {known}")]
    Unknown {
        /// The game.
        game: &'static str,
        /// The name that was asked for.
        name: String,
        /// The names that exist, or `none`.
        known: String,
    },
    /// The setting does not take this value.
    #[error("setting `{name}` cannot be `{value}`; expected {expected}")]
    Value {
        /// The setting.
        name: &'static str,
        /// The refused value.
        value: String,
        /// The values that it takes.
        expected: &'static str,
    },
}

/// Why there is no feature set of that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeatureSetError {
    /// No set has this name.
    #[error("no feature set is called `{name}`; known: {known}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The part of the name after the colon is wrong.
    #[error("feature set `{name}`: {fault}")]
    Parameter {
        /// The whole name.
        name: String,
        /// What is wrong with its parameter and what was expected.
        fault: String,
    },
}

/// At most 60 characters of `text`, so that a hostile line cannot flood a message.
fn shorten(text: &str) -> String {
    const MOST: usize = 60;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST - 1).chain(['…']).collect()
}
