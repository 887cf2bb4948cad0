//! Policy head: logits of moves, computed from the accumulator.
//!
//! The logit of a move is the sum of two outputs: one for its origin cell and one for its target
//! cell. [`MoveEncoding`] defines how the second is indexed.

use alloc::format;
use alloc::string::String;

use super::{Definition, Head, HeadInput};

pub(super) const NAME: &str = "policy";

/// The maximum number of outputs of each half of a policy head.
pub const MAX_POLICY: usize = 4096;

/// How the outputs of a policy head represent moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveEncoding {
    /// One output for the origin cell of a move, one for the target cell.
    FromTo,
    /// One output for the origin cell of a move, one for each kind of piece and target cell.
    PieceTo,
    /// The same, in the orientation of the features, with outputs of their own for origin cells that
    /// are attacked and for moves that lose material by static exchange evaluation (SEE).
    PieceToSee,
}

impl MoveEncoding {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::FromTo, Self::PieceTo, Self::PieceToSee];

    /// The name in network files: `from-to`, `piece-to` or `piece-to-see`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FromTo => "from-to",
            Self::PieceTo => "piece-to",
            Self::PieceToSee => "piece-to-see",
        }
    }

    /// The encoding of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|encoding| encoding.name() == name)
    }
}

/// The shape of a policy head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PolicyHead {
    /// The number of outputs for origin cells; 1 if moves have a single index.
    pub from: usize,
    /// The number of outputs for target cells. They follow the others.
    pub to: usize,
    /// The move encoding. `None` if the file does not name it (version 1): a game then infers it
    /// from the number of outputs.
    pub moves: Option<MoveEncoding>,
}

impl PolicyHead {
    /// The number of outputs.
    pub const fn outputs(self) -> usize {
        self.from + self.to
    }

    /// The name of the move encoding, if it is known.
    pub fn encoding_name(self) -> Option<&'static str> {
        self.moves.map(MoveEncoding::name)
    }

    /// Whether two heads have outputs for the same moves. An unknown encoding matches any.
    pub fn is_compatible(self, other: Self) -> bool {
        let encodings = self.moves.zip(other.moves);
        (self.from, self.to) == (other.from, other.to) && encodings.is_none_or(|(a, b)| a == b)
    }
}

impl Definition for PolicyHead {
    fn head_name(&self) -> &'static str {
        NAME
    }

    fn label(&self) -> String {
        let Self { from, to, .. } = self;
        match self.moves {
            Some(encoding) => format!("policy {from} + {to}, {}", encoding.name()),
            None => format!("policy {from} + {to}"),
        }
    }

    fn shape_text(&self) -> String {
        let Self { from, to, .. } = self;
        match self.moves {
            Some(encoding) => format!("{from}/{to}:{}", encoding.name()),
            None => format!("{from}/{to}"),
        }
    }

    fn named_text(&self) -> String {
        let Self { from, to, .. } = self;
        match self.moves {
            Some(encoding) => format!("{NAME}:{}:{from}/{to}", encoding.name()),
            None => format!("{NAME}:{from}/{to}"),
        }
    }

    fn input(&self) -> HeadInput {
        HeadInput::Accumulator
    }

    fn fault(&self, _heads: &[Head]) -> Option<String> {
        [("left", self.from), ("entered", self.to)].into_iter().find_map(|(cell, outputs)| {
            let within = (1..=MAX_POLICY).contains(&outputs);
            let fault = || {
                format!(
                    "policy outputs for the cell {cell} is {outputs}; expected 1 to {MAX_POLICY}"
                )
            };
            (!within).then(fault)
        })
    }
}

/// Parses `64/64`, `64/64:from-to`, `policy:64/64` or `policy:from-to:64/64`.
pub(super) fn parse(text: &str) -> Option<Result<Head, String>> {
    let (shape, encoding) = match text.strip_prefix(NAME) {
        Some(rest) => {
            let rest = rest.strip_prefix(':').unwrap_or(rest);
            rest.split_once(':').map_or((rest, None), |(name, shape)| (shape, Some(name)))
        }
        None if text.contains('/') => {
            text.split_once(':').map_or((text, None), |(shape, name)| (shape, Some(name)))
        }
        None => return None,
    };
    let bad = |what: &str| {
        format!("has head `{text}` with {what}; expected a form such as policy:from-to:64/64")
    };
    let moves = match encoding.map(|name| (name, MoveEncoding::from_name(name))) {
        Some((name, None)) => return Some(Err(bad(&format!("move encoding `{name}`")))),
        Some((_, known)) => known,
        None => None,
    };
    let numbers = shape.split_once('/').and_then(|(from, to)| {
        Some(PolicyHead { from: from.parse().ok()?, to: to.parse().ok()?, moves })
    });
    Some(numbers.map(Head::Policy).ok_or_else(|| bad(&format!("outputs `{shape}`"))))
}
