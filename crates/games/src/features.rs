//! Feature sets: map a position to the inputs of a network.

use std::fmt::Debug;

use crate::{BoardGame, Color, PackedGame};

/// The index of a feature.
pub type FeatureIndex = u32;

/// A buffer for the features of both perspectives, White's first, that change in a move or two.
pub type FewFeatures = [[FeatureIndex; 2]; 8];

/// The perspectives that a set provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerspectiveCount {
    /// Only White's; one input encodes that Black is to move.
    One,
    /// Each player's own; the network puts the side to move first.
    Two,
}

/// The result of [`FeatureSet::changes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Update {
    /// Applying the changes gives the features of the later position.
    Changes,
    /// The refresh bucket differs (the king entered another bucket): the features must be listed
    /// afresh.
    Refresh,
}

/// The result of [`FeatureSet::active_packed`] besides the features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedRows {
    /// The end of the first perspective's features in the list.
    pub middle: usize,
    /// The number of pieces on the board.
    pub pieces: usize,
}

/// The difference between the features of two positions. Reuse a value to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Features of the later position only.
    pub added: Vec<FeatureIndex>,
    /// Features of the earlier position only.
    pub removed: Vec<FeatureIndex>,
}

impl Changes {
    /// Removes all changes.
    pub fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }
}

/// The piece and the cell of a feature, from White's perspective.
///
/// For a set that mirrors the board, this is the unmirrored form: the own king is on the side where
/// the set does not mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeaturePlace {
    /// The king bucket, from 0. All active features of a perspective that have a place share one
    /// bucket.
    pub bucket: usize,
    /// The letter of the piece, upper case.
    pub piece: char,
    /// Whether the piece is the opponent's.
    pub theirs: bool,
    /// The cell, numbered as in [`BoardGame::geometry`]. No two active features of a perspective
    /// share one.
    pub cell: usize,
}

/// A numbering of the inputs of a network for the game `G`.
///
/// Feature indices are computed only here, by the trainer and the engine alike.
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
    /// The name of this set for [`BoardGame::feature_set`], including parameters.
    fn name(&self) -> String;

    /// The number of features; every index is below it.
    fn size(&self) -> usize;

    /// The maximum number of active features in one perspective of one position.
    fn max_active(&self) -> usize;

    /// The perspectives that a network uses.
    fn perspectives(&self) -> PerspectiveCount {
        PerspectiveCount::Two
    }

    /// The number of refresh buckets; see [`refresh_bucket`](FeatureSet::refresh_bucket).
    fn refresh_buckets(&self) -> usize {
        1
    }

    /// How the side to move's perspective mirrors the board: the cell of the features at each cell
    /// of [`PolicyIndex`](crate::PolicyIndex); `None` where both are the same. A policy head must
    /// mirror moves likewise, for the network cannot distinguish a position from its mirror image.
    fn mirror(&self, _position: &G) -> Option<&'static [u8]> {
        None
    }

    /// The part of the features that a perspective reads, for example its king bucket: below
    /// [`refresh_buckets`](FeatureSet::refresh_buckets). Between positions of the same refresh
    /// bucket an update is always possible; between different refresh buckets a refresh is
    /// required.
    fn refresh_bucket(&self, _position: &G, _perspective: Color) -> usize {
        0
    }

    /// The piece and the cell of a feature; `None` for features of another kind, such as the side
    /// to move, and for numbers that are not a feature.
    fn place(&self, _feature: FeatureIndex) -> Option<FeaturePlace> {
        None
    }

    /// The number of *factors*: features that several features of this set share, such as a piece
    /// on its square independent of the own king. Training adds them as inputs (factorisation), so
    /// that rare features learn from common ones, and folds them into the weights afterwards. 0 if
    /// there is nothing to share.
    fn factors(&self) -> usize {
        0
    }

    /// The factor of a feature: below [`factors`](FeatureSet::factors), unless that is 0.
    fn factor(&self, _feature: FeatureIndex) -> FeatureIndex {
        0
    }

    /// Appends the active features of `position` from `perspective`, each once.
    fn active(&self, position: &G, perspective: Color, features: &mut Vec<FeatureIndex>);

    /// Reads a position written by [`PackedGame::pack`] from the front of `bytes`, and appends its
    /// features without constructing the position, which would otherwise dominate the time of
    /// loading training data. The side to move's perspective comes first, then the other; a set of
    /// one perspective appends only White's. Returns `None` if the bytes are not a packed position;
    /// some features may have been appended then.
    ///
    /// The features are those of [`active`](FeatureSet::active), possibly in another order. For
    /// bytes that [`PackedGame::unpack`] rejects because the position is not playable, features may
    /// still be returned.
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

    /// Replaces `changes` with the difference between two positions from `perspective`.
    ///
    /// The positions may be any two: a move, a null move or several plies apart. Returns
    /// [`Update::Refresh`] exactly if their refresh buckets differ; the content of `changes` is
    /// then unspecified.
    fn changes(&self, before: &G, after: &G, perspective: Color, changes: &mut Changes) -> Update;

    /// The difference between two positions in both perspectives at once. Writes pairs of features
    /// to the front of `added` and `removed`, White's first in each pair, and returns the two
    /// numbers of pairs. The entries after them are unspecified.
    ///
    /// Returns `None` if the refresh buckets of a perspective differ, if the changes do not fit,
    /// and always for a set without this fast path; the caller then uses
    /// [`changes`](FeatureSet::changes). A set that is used in searches should override it.
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

/// The active features in a new list, in ascending order.
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
