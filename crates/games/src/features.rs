//! Feature sets: how a position becomes the inputs of a network.

use std::fmt::Debug;

use crate::{BoardGame, Color, PackedGame};

/// The number of an input.
pub type FeatureIndex = u32;

/// Room for as many features of both perspectives, White's first, as come or go in a move or two.
pub type FewFeatures = [[FeatureIndex; 2]; 8];

/// The perspectives of a position that a set offers to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerspectiveCount {
    /// White's only; an input is active while Black is to move.
    One,
    /// Each player's own; the network puts the side to move first.
    Two,
}

/// What [`FeatureSet::changes`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Applying the changes gives the features of the later position.
    Changes,
    /// So much differs (the king entered another bucket) that they must be listed anew.
    Refresh,
}

/// What [`FeatureSet::active_packed`] found beside features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedRows {
    /// Where the first perspective's features end in the list.
    pub middle: usize,
    /// How many pieces are on the board.
    pub pieces: usize,
}

/// The difference between the features of two positions. Reuse one value: it keeps its memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Features of the later position only.
    pub added: Vec<FeatureIndex>,
    /// Features of the earlier position only.
    pub removed: Vec<FeatureIndex>,
}

impl Changes {
    /// Forgets all changes.
    pub fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }
}

/// What a feature stands for: a piece on a cell, as White sees the board.
///
/// A set that mirrors the board is taken unmirrored: the own king stands on the side where the set
/// leaves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeaturePlace {
    /// Which of the groups that depend on the own king's place, from 0. All features that are
    /// active in a perspective and have a place are of one bucket.
    pub bucket: usize,
    /// The letter of the piece, upper case.
    pub piece: char,
    /// Whether it is the opponent's.
    pub theirs: bool,
    /// The cell, as [`BoardGame::geometry`] numbers it. No two features that are active in a
    /// perspective share one.
    pub cell: usize,
}

/// A numbering of the inputs of a network for the game `G`.
///
/// The index of a feature is computed here and nowhere else.
///
/// ```
/// use games::{BoardGame, Changes, Color, Game, Update, chess::Chess};
///
/// let set = Chess::feature_set("chess.piece-square")?;
/// assert_eq!((set.size(), set.max_active()), (768, 32));
///
/// // A move changes few features: White's pawn leaves e2 (12) and enters e4 (28).
/// let before = Chess::start();
/// let mut after = before.clone();
/// after.play(after.parse_move("e2e4")?);
/// let mut changes = Changes::default();
/// let update = set.changes(&before, &after, Color::White, &mut changes);
/// assert_eq!(update, Update::Changes);
/// assert_eq!((changes.removed, changes.added), (vec![12], vec![28]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait FeatureSet<G: BoardGame>: Debug + Send + Sync {
    /// The name that [`BoardGame::feature_set`] finds this set by, parameters included.
    fn name(&self) -> String;

    /// How many features there are; every index is below.
    fn size(&self) -> usize;

    /// The most features that can be active in one perspective of one position.
    fn max_active(&self) -> usize;

    /// Which perspectives a network is to use.
    fn perspectives(&self) -> PerspectiveCount {
        PerspectiveCount::Two
    }

    /// How many refresh buckets there are; see [`refresh_bucket`](FeatureSet::refresh_bucket).
    fn refresh_buckets(&self) -> usize {
        1
    }

    /// Which part of the features a perspective reads, for example its king's bucket: below
    /// [`refresh_buckets`](FeatureSet::refresh_buckets). Between positions of one refresh bucket
    /// there are always changes; between refresh buckets a refresh is due.
    fn refresh_bucket(&self, _position: &G, _perspective: Color) -> usize {
        0
    }

    /// The piece and the cell that a feature stands for; `None` for features of another kind, such
    /// as whose turn it is, and for numbers that are no feature.
    fn place(&self, _feature: FeatureIndex) -> Option<FeaturePlace> {
        None
    }

    /// How many *factors* there are: features that several of this set share, such as a piece on
    /// its square wherever the own king is. Training adds them as inputs, so that rare features
    /// learn from common ones, and folds them into the weights afterwards. 0 where there is nothing
    /// to share.
    fn factors(&self) -> usize {
        0
    }

    /// The factor behind a feature: below [`factors`](FeatureSet::factors), unless that is 0.
    fn factor(&self, _feature: FeatureIndex) -> FeatureIndex {
        0
    }

    /// Appends the active features of `position`, as `perspective` sees it, each once.
    fn active(&self, position: &G, perspective: Color, features: &mut Vec<FeatureIndex>);

    /// Takes a position that [`PackedGame::pack`] wrote from the front of `bytes`, and appends its
    /// features without making the position, which is what training spends its time on otherwise:
    /// the side to move's perspective first, then the other; White's alone for a set of one
    /// perspective. `None` if the bytes are no packed position, with whatever was appended.
    ///
    /// Features are those of [`active`](FeatureSet::active), perhaps in another order. Of bytes
    /// that [`PackedGame::unpack`] would refuse, because they cannot be played, they may still be
    /// listed.
    fn active_packed(
        &self,
        ply: u16,
        bytes: &mut &[u8],
        features: &mut Vec<FeatureIndex>,
    ) -> Option<PackedRows>
    where
        G: PackedGame,
    {
        let position = G::unpack(ply, bytes)?;
        let first = match self.perspectives() {
            PerspectiveCount::One => Color::White,
            PerspectiveCount::Two => position.side_to_move(),
        };
        self.active(&position, first, features);
        let middle = features.len();
        if self.perspectives() == PerspectiveCount::Two {
            self.active(&position, !first, features);
        }
        Some(PackedRows { middle, pieces: position.piece_count() })
    }

    /// Replaces `changes` by the difference between two positions, as `perspective` sees them.
    ///
    /// The positions may be any two: a move, a null move or several plies apart. The answer is
    /// [`Update::Refresh`] just where their refresh buckets differ; the content of `changes` then
    /// means nothing.
    fn changes(&self, before: &G, after: &G, perspective: Color, changes: &mut Changes) -> Update;

    /// The difference between two positions in both perspectives at once: returns how many pairs of
    /// features it has put into `added` and into `removed`, White's first in each pair. What lies
    /// behind them means nothing.
    ///
    /// `None` where the refresh buckets of a perspective differ, where more differs than there is
    /// room for, and always for a set without this shortcut: [`changes`](FeatureSet::changes) then
    /// answers. A set that is searched with overrides it.
    fn changes_both(
        &self,
        _before: &G,
        _after: &G,
        _added: &mut FewFeatures,
        _removed: &mut FewFeatures,
    ) -> Option<[u8; 2]> {
        None
    }
}

/// The active features in ascending order, in a list of their own.
pub fn sorted_active<G: BoardGame>(
    set: &dyn FeatureSet<G>,
    position: &G,
    perspective: Color,
) -> Vec<FeatureIndex> {
    let mut features = Vec::with_capacity(set.max_active());
    set.active(position, perspective, &mut features);
    features.sort_unstable();
    features
}
