//! `chess.halfka-hm`: the 22528 inputs of Stockfish 15's networks, number for number.

use super::{
    Man, flip, list_changes_of_both, own_king, push_all, push_changes, push_packed, same_kings,
};
use crate::chess::Chess;
use crate::{
    Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, FewFeatures, PackedRows, Update,
};

pub(super) const NAME: &str = "chess.halfka-hm";

/// Features of one king bucket: eleven kinds of piece on 64 squares.
const BUCKET: u32 = 11 * 64;

/// Index = 704 × bucket of the own king + 64 × kind + square, on a board that is turned upside down for
/// Black and mirrored so that the own king stands on the files e–h.
///
/// Kinds are own pawn, their pawn, own knight … their queen, and 10 for either king. The own king's 32
/// squares have a bucket each, from its last rank and the h-file on.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfKaHm;

/// What the own king decides about all indices.
#[derive(Clone, Copy)]
struct View {
    /// First index of the bucket.
    base: u32,
    /// Xor that reflects squares.
    flip: u32,
}

impl View {
    /// The view of a perspective whose king is on this square (a1 = 0, whoever looks).
    #[inline]
    fn new(king: u32, perspective: Color) -> Self {
        let upright = flip(perspective);
        let mirror = if king & 7 < 4 { 7 } else { 0 };
        let seen = king ^ upright ^ mirror;
        let bucket = 4 * (7 - seen / 8) + (7 - seen % 8);
        Self { base: BUCKET * bucket, flip: upright ^ mirror }
    }

    #[inline]
    fn index(self, man: Man) -> FeatureIndex {
        let kind = (2 * man.piece + man.theirs).min(10);
        self.base + 64 * kind + (man.square ^ self.flip)
    }
}

/// The man of a feature within its bucket. The own king is told from theirs by standing where the bucket says.
fn man(bucket: u32, within: u32) -> Man {
    let (kind, square) = (within / 64, within % 64);
    let king = 8 * (7 - bucket / 4) + (7 - bucket % 4);
    match kind {
        10 => Man { piece: 5, theirs: u32::from(square != king), square },
        _ => Man { piece: kind / 2, theirs: kind % 2, square },
    }
}

impl FeatureSet<Chess> for HalfKaHm {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn size(&self) -> usize {
        32 * BUCKET as usize
    }

    fn max_active(&self) -> usize {
        32
    }

    /// The squares of the own king: bucket and mirroring together tell all 64 apart.
    fn slots(&self) -> usize {
        64
    }

    fn slot(&self, position: &Chess, perspective: Color) -> usize {
        own_king(position.board(), perspective) as usize
    }

    fn place(&self, feature: FeatureIndex) -> Option<FeaturePlace> {
        let bucket = feature / BUCKET;
        if bucket < 32 { man(bucket, feature % BUCKET).place(bucket) } else { None }
    }

    /// Kind and square, wherever the own king is.
    fn factors(&self) -> usize {
        BUCKET as usize
    }

    fn factor(&self, feature: FeatureIndex) -> FeatureIndex {
        feature % BUCKET
    }

    fn active(&self, position: &Chess, perspective: Color, features: &mut Vec<FeatureIndex>) {
        let view = View::new(own_king(position.board(), perspective), perspective);
        push_all(position.board(), perspective, features, |man| view.index(man));
    }

    fn active_packed(
        &self,
        _ply: u16,
        bytes: &mut &[u8],
        features: &mut Vec<FeatureIndex>,
    ) -> Option<PackedRows> {
        push_packed(bytes, features, |king, perspective| {
            let view = View::new(king, perspective);
            move |man| view.index(man)
        })
    }

    fn changes(
        &self,
        before: &Chess,
        after: &Chess,
        perspective: Color,
        changes: &mut Changes,
    ) -> Update {
        if self.slot(before, perspective) != self.slot(after, perspective) {
            return Update::Refresh;
        }
        let (before, after) = (before.board(), after.board());
        let king = own_king(after, perspective);
        let view = View::new(king, perspective);
        push_changes(before, after, perspective, changes, |man| view.index(man));
        Update::Changes
    }

    fn changes_of_both(
        &self,
        before: &Chess,
        after: &Chess,
        added: &mut FewFeatures,
        removed: &mut FewFeatures,
    ) -> Option<[u8; 2]> {
        if !same_kings(before.board(), after.board()) {
            return None;
        }
        let [white, black] = Color::BOTH
            .map(|perspective| View::new(own_king(after.board(), perspective), perspective));
        list_changes_of_both(before.board(), after.board(), added, removed, |man| {
            [white.index(man), black.index(man.seen_by_other())]
        })
    }
}
