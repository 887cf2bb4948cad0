//! `chess.piece-square`: 768 inputs, one for each kind of piece on each square.

use super::{Man, flip, list_changes_of_both, push_all, push_changes, push_packed};
use crate::chess::Chess;
use crate::{
    Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, FewFeatures, PackedRows, Update,
};

pub(super) const NAME: &str = "chess.piece-square";

/// Features of one view.
pub(super) const SIZE: u32 = 768;

/// Index = 384 if the piece is theirs + 64 × piece (P N B R Q K) + square, the board turned upside down
/// for Black.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceSquare;

/// The index of a piece whose square is reflected by `flip` (xor).
#[inline]
pub(super) fn index(man: Man, flip: u32) -> FeatureIndex {
    384 * man.theirs + 64 * man.piece + (man.square ^ flip)
}

/// The man whose [`index`] this is on a board that is not reflected.
pub(super) fn man(index: FeatureIndex) -> Man {
    Man { theirs: index / 384, piece: index / 64 % 6, square: index % 64 }
}

impl FeatureSet<Chess> for PieceSquare {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn size(&self) -> usize {
        SIZE as usize
    }

    fn max_active(&self) -> usize {
        32
    }

    fn place(&self, feature: FeatureIndex) -> Option<FeaturePlace> {
        if feature < SIZE { man(feature).place(0) } else { None }
    }

    fn active(&self, position: &Chess, perspective: Color, features: &mut Vec<FeatureIndex>) {
        let flip = flip(perspective);
        push_all(position.board(), perspective, features, |man| index(man, flip));
    }

    fn active_packed(
        &self,
        _ply: u16,
        bytes: &mut &[u8],
        features: &mut Vec<FeatureIndex>,
    ) -> Option<PackedRows> {
        push_packed(bytes, features, |_, perspective| {
            let flip = flip(perspective);
            move |man| index(man, flip)
        })
    }

    fn changes(
        &self,
        before: &Chess,
        after: &Chess,
        perspective: Color,
        changes: &mut Changes,
    ) -> Update {
        let flip = flip(perspective);
        let (before, after) = (before.board(), after.board());
        push_changes(before, after, perspective, changes, |man| index(man, flip));
        Update::Changes
    }

    fn changes_of_both(
        &self,
        before: &Chess,
        after: &Chess,
        added: &mut FewFeatures,
        removed: &mut FewFeatures,
    ) -> Option<[u8; 2]> {
        list_changes_of_both(before.board(), after.board(), added, removed, |man| {
            [index(man, flip(Color::White)), index(man.seen_by_other(), flip(Color::Black))]
        })
    }
}
