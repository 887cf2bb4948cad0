//! `chess.halfka-hm`: the 22528 inputs of Stockfish 15's networks, with identical indices.

use super::{
    PlacedPiece, flip, list_changes_both, mirror, own_king, push_all, push_changes, push_packed,
    same_kings,
};
use crate::chess::Chess;
use crate::{
    Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, FewFeatures, PackedRows, Update,
};

pub(super) const NAME: &str = "chess.halfka-hm";

/// Features of one king bucket: eleven kinds of piece on 64 squares.
const BUCKET: u32 = 11 * 64;

/// Index = 704 × king bucket + 64 × kind + square, on a board that is flipped vertically for Black
/// and mirrored so that the own king is on the files e–h.
///
/// Kinds are own pawn, their pawn, own knight … their queen, and 10 for either king. Each of the
/// own king's 32 squares has its own bucket, counted from its last rank and the h-file.
#[derive(Clone, Copy, Debug)]
pub(super) struct HalfKaHm;

/// The part of every feature index that depends on the own king.
#[derive(Clone, Copy)]
struct Orientation {
    /// First index of the king bucket.
    base: u32,
    /// The xor mask that reflects squares.
    flip: u32,
}

/// Whether the board is mirrored because the own king is on this file.
fn mirrors(file: u32) -> bool {
    file < 4
}

impl Orientation {
    /// The orientation of a perspective by its king square (a1 = 0 in both).
    #[inline]
    fn new(king: u32, perspective: Color) -> Self {
        let upright = flip(perspective);
        let mirror = if mirrors(king & 7) { 7 } else { 0 };
        let seen = king ^ upright ^ mirror;
        let bucket = 4 * (7 - seen / 8) + (7 - seen % 8);
        Self { base: BUCKET * bucket, flip: upright ^ mirror }
    }

    #[inline]
    fn index(self, placed: PlacedPiece) -> FeatureIndex {
        let kind = (2 * placed.piece + placed.theirs).min(10);
        self.base + 64 * kind + (placed.square ^ self.flip)
    }
}

/// The piece of a feature within its bucket. A king on the square of the bucket is the own king.
fn placed(bucket: u32, within: u32) -> PlacedPiece {
    let (kind, square) = (within / 64, within % 64);
    let king = 8 * (7 - bucket / 4) + (7 - bucket % 4);
    match kind {
        10 => PlacedPiece { piece: 5, theirs: u32::from(square != king), square },
        _ => PlacedPiece { piece: kind / 2, theirs: kind % 2, square },
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

    fn mirror(&self, position: &Chess) -> Option<&'static [u8]> {
        mirror(position, mirrors)
    }

    /// One for each square of the own king: king bucket and mirroring together distinguish all 64.
    fn refresh_buckets(&self) -> usize {
        64
    }

    fn refresh_bucket(&self, position: &Chess, perspective: Color) -> usize {
        own_king(position.board(), perspective) as usize
    }

    fn place(&self, feature: FeatureIndex) -> Option<FeaturePlace> {
        let bucket = feature / BUCKET;
        if bucket < 32 { placed(bucket, feature % BUCKET).place(bucket) } else { None }
    }

    /// Kind and square, independent of the own king.
    fn factors(&self) -> usize {
        BUCKET as usize
    }

    fn factor(&self, feature: FeatureIndex) -> FeatureIndex {
        feature % BUCKET
    }

    fn active(&self, position: &Chess, perspective: Color, features: &mut Vec<FeatureIndex>) {
        let orientation = Orientation::new(own_king(position.board(), perspective), perspective);
        push_all(position.board(), perspective, features, |placed| orientation.index(placed));
    }

    fn active_packed(
        &self,
        _ply: u16,
        bytes: &mut &[u8],
        features: &mut Vec<FeatureIndex>,
    ) -> Option<PackedRows> {
        push_packed(bytes, features, |king, perspective| {
            let orientation = Orientation::new(king, perspective);
            move |placed| orientation.index(placed)
        })
    }

    fn changes(
        &self,
        before: &Chess,
        after: &Chess,
        perspective: Color,
        changes: &mut Changes,
    ) -> Update {
        if self.refresh_bucket(before, perspective) != self.refresh_bucket(after, perspective) {
            return Update::Refresh;
        }
        let (before, after) = (before.board(), after.board());
        let king = own_king(after, perspective);
        let orientation = Orientation::new(king, perspective);
        push_changes(before, after, perspective, changes, |placed| orientation.index(placed));
        Update::Changes
    }

    fn changes_both(
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
            .map(|perspective| Orientation::new(own_king(after.board(), perspective), perspective));
        list_changes_both(before.board(), after.board(), added, removed, |placed| {
            [white.index(placed), black.index(placed.seen_by_other())]
        })
    }
}
