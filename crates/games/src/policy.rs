//! Policy head indices: the numbering of moves.

use crate::SearchGame;

/// The number of outputs of a policy head for the origin and target cells of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyShape {
    /// The number of origin cells. 1 if pieces are only placed.
    pub from: usize,
    /// The number of target cells.
    pub to: usize,
}

/// The outputs of a policy head for a move, from the mover's perspective.
///
/// ```
/// use games::{Game, PolicyIndex, chess::Chess};
///
/// let mut position = Chess::start();
/// let e4 = position.parse_move("e2e4")?;
/// let index = position.policy_index(e4);
/// assert_eq!(index, PolicyIndex { from: 12, to: 28 });
///
/// // From the perspective of Black, the reply e7e5 is the same move.
/// position.play(e4);
/// assert_eq!(position.policy_index(position.parse_move("e7e5")?), index);
/// # Ok::<(), games::MoveError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyIndex {
    /// Below [`PolicyShape::from`].
    pub from: usize,
    /// Below [`PolicyShape::to`].
    pub to: usize,
}

/// What a policy head distinguishes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PolicyForm {
    /// The origin and target cells of a move.
    #[default]
    FromTo,
    /// The origin cell of a move, and the combination of piece kind and target cell: a capturing
    /// pawn is not a capturing queen.
    PieceTo,
}

impl PolicyForm {
    /// The number of outputs of a head of this form for moves of `G`.
    pub const fn shape<G: SearchGame>(self) -> PolicyShape {
        let PolicyShape { from, to } = G::POLICY;
        match self {
            Self::FromTo => PolicyShape { from, to },
            Self::PieceTo => PolicyShape { from, to: to * G::PIECE_KINDS },
        }
    }

    /// All of them.
    pub const ALL: [Self; 2] = [Self::FromTo, Self::PieceTo];

    /// The name in network files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FromTo => "from-to",
            Self::PieceTo => "piece-to",
        }
    }

    /// The form of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// The form of a network's policy head with these numbers of outputs: the one that the network
    /// names, or without a name the first that matches. `None` if the head is not for moves of `G`.
    pub fn of_head<G: SearchGame>(name: Option<&str>, from: usize, to: usize) -> Option<Self> {
        let shape = PolicyShape { from, to };
        let named = |form: &Self| name.is_none_or(|name| name == form.name());
        Self::ALL.into_iter().filter(named).find(|form| form.shape::<G>() == shape)
    }

    /// The outputs of a move.
    pub fn index<G: SearchGame>(self, position: &G, mv: G::Move) -> PolicyIndex {
        let index = position.policy_index(mv);
        match self {
            Self::FromTo => index,
            Self::PieceTo => {
                PolicyIndex { to: position.moved_kind(mv) * G::POLICY.to + index.to, ..index }
            }
        }
    }
}
