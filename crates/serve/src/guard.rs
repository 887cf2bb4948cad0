//! Guard: which requests are answered at all.

/// The secret that a page on another machine must have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token(pub(crate) String);
