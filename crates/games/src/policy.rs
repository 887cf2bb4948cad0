//! How a policy head numbers moves.

use crate::game::{Game, PolicyIndex, PolicyShape};

/// What a policy head knows of a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PolicyForm {
    /// The cell that it leaves and the one that it enters.
    #[default]
    FromTo,
    /// The cell that it leaves, and which kind of piece enters which cell: a pawn that takes is not a queen that takes.
    PieceTo,
}

impl PolicyForm {
    /// How many outputs a head of this form has for moves of `G`.
    pub const fn shape<G: Game>(self) -> PolicyShape {
        let PolicyShape { from, to } = G::POLICY;
        match self {
            Self::FromTo => PolicyShape { from, to },
            Self::PieceTo => PolicyShape { from, to: to * G::PIECE_KINDS },
        }
    }

    /// The form of a head with so many outputs; `None` if it is not for moves of `G`.
    pub fn of<G: Game>(from: usize, to: usize) -> Option<Self> {
        let shape = PolicyShape { from, to };
        [Self::FromTo, Self::PieceTo].into_iter().find(|form| form.shape::<G>() == shape)
    }

    /// The outputs of a move.
    pub fn index<G: Game>(self, position: &G, mv: G::Move) -> PolicyIndex {
        let index = position.policy_index(mv);
        match self {
            Self::FromTo => index,
            Self::PieceTo => {
                PolicyIndex { to: position.moved_kind(mv) * G::POLICY.to + index.to, ..index }
            }
        }
    }
}
