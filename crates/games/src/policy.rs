//! Policy head indices: the numbering of moves.

use crate::{FeatureSet, SearchGame};

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
    /// The same, on a board that is mirrored as the [feature set](FeatureSet::mirror) mirrors it.
    /// Origins that the opponent attacks have outputs of their own
    /// ([`SearchGame::attacked_cells`]), and so have moves that lose material by SEE.
    PieceToSee,
}

impl PolicyForm {
    /// The number of outputs of a head of this form for moves of `G`.
    pub const fn shape<G: SearchGame>(self) -> PolicyShape {
        let PolicyShape { from, to } = G::POLICY;
        match self {
            Self::FromTo => PolicyShape { from, to },
            Self::PieceTo => PolicyShape { from, to: to * G::PIECE_KINDS },
            Self::PieceToSee => PolicyShape { from: 2 * from, to: 2 * to * G::PIECE_KINDS },
        }
    }

    /// All of them.
    pub const ALL: [Self; 3] = [Self::FromTo, Self::PieceTo, Self::PieceToSee];

    /// The name in network files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FromTo => "from-to",
            Self::PieceTo => "piece-to",
            Self::PieceToSee => "piece-to-see",
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

    /// The numbering of the moves of a position, for a network that reads it by `set`.
    pub fn numbering<'a, G: SearchGame>(
        self,
        position: &'a G,
        set: &dyn FeatureSet<G>,
    ) -> MoveNumbering<'a, G> {
        match self {
            Self::PieceToSee => self.numbering_with(position, set.mirror(position)),
            Self::FromTo | Self::PieceTo => self.numbering_with(position, None),
        }
    }

    /// The same for a caller that has the [mirror](FeatureSet::mirror) of the position.
    #[inline]
    pub fn numbering_with<'a, G: SearchGame>(
        self,
        position: &'a G,
        mirror: Option<&'static [u8]>,
    ) -> MoveNumbering<'a, G> {
        let attacked = if self == Self::PieceToSee { position.attacked_cells() } else { 0 };
        MoveNumbering { form: self, position, mirror, attacked }
    }
}

/// Numbers the moves of a position for a policy head. Made by [`PolicyForm::numbering`].
///
/// ```
/// use games::{BoardGame, Game, PolicyForm, PolicyIndex, chess::Chess};
///
/// // The own king is on the right half of the board, so the features are mirrored.
/// let position = Chess::from_fen("4k3/8/8/3p4/R7/8/8/4K3 w - - 0 1")?;
/// let set = Chess::feature_set("chess.piece-square-mirrored")?;
/// let numbering = PolicyForm::PieceToSee.numbering(&position, &*set);
/// let outputs = |text: &str| Ok::<_, games::MoveError>(numbering.index(position.parse_move(text)?));
///
/// // A rook, the fourth of six kinds of pieces, from h4 to h1 in the mirrored board.
/// assert_eq!(outputs("a4a1")?, PolicyIndex { from: 31, to: 3 * 64 + 7 });
/// // The same rook to f4, where the pawn captures it.
/// assert_eq!(outputs("a4c4")?, PolicyIndex { from: 31, to: (6 + 3) * 64 + 29 });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MoveNumbering<'a, G> {
    form: PolicyForm,
    position: &'a G,
    mirror: Option<&'static [u8]>,
    /// The cells that the opponent attacks; 0 where that is not known.
    attacked: u128,
}

impl<G: SearchGame> MoveNumbering<'_, G> {
    /// The outputs of a legal move.
    pub fn index(&self, mv: G::Move) -> PolicyIndex {
        let cells = self.position.policy_index(mv);
        if self.form == PolicyForm::FromTo {
            return cells;
        }
        let (kind, taken) = (self.position.moved_kind(mv), self.position.taken_kind(mv));
        self.index_by_kind(mv, cells, kind, taken)
    }

    /// The outputs of a legal move whose [`policy_index`](crate::Game::policy_index), kind of piece
    /// and captured kind are at hand.
    #[inline]
    pub fn index_by_kind(
        &self,
        mv: G::Move,
        cells: PolicyIndex,
        kind: usize,
        taken: Option<usize>,
    ) -> PolicyIndex {
        match self.form {
            PolicyForm::FromTo => cells,
            PolicyForm::PieceTo => PolicyIndex { to: kind * G::POLICY.to + cells.to, ..cells },
            PolicyForm::PieceToSee => {
                let seen = |cell: usize| match self.mirror {
                    Some(mirror) => mirror.get(cell).map_or(cell, |&cell| cell.into()),
                    None => cell,
                };
                let attacked = usize::from(self.is_attacked(cells.from));
                let loses = usize::from(self.loses(mv, cells.to, kind, taken));
                PolicyIndex {
                    from: attacked * G::POLICY.from + seen(cells.from),
                    to: (loses * G::PIECE_KINDS + kind) * G::POLICY.to + seen(cells.to),
                }
            }
        }
    }

    #[inline]
    fn is_attacked(&self, cell: usize) -> bool {
        cell < 128 && self.attacked >> cell & 1 == 1
    }

    /// Whether a move loses material by SEE. Only on attacked cells it can.
    #[inline]
    fn loses(&self, mv: G::Move, to: usize, kind: usize, taken: Option<usize>) -> bool {
        let may_lose = self.attacked == 0 || to >= 128 || self.is_attacked(to);
        may_lose && self.position.see_ge_by_kind(mv, kind, taken, 0) == Some(false)
    }
}
