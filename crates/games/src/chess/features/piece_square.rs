//! `chess.piece-square`: 768 inputs, one for each kind of piece on each square.

use super::{PlacedPiece, flip, list_changes_both, push_all, push_changes, push_packed};
use crate::chess::Chess;
use crate::{
    Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, FewFeatures, PackedRows, Update,
};

pub(super) const NAME: &str = "chess.piece-square";

/// Features of one orientation.
pub(super) const SIZE: u32 = 768;

/// Index = 384 if the piece is theirs + 64 × piece (P N B R Q K) + square, on a board that is
/// flipped vertically for Black.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceSquare;

/// The index of a piece, with `flip` as the xor mask that reflects its square.
#[inline]
pub(super) fn index(placed: PlacedPiece, flip: u32) -> FeatureIndex {
    384 * placed.theirs + 64 * placed.piece + (placed.square ^ flip)
}

/// The index computation of both orientations in one `u64`: White's in the lower half, Black's in
/// the upper half. One addition and one xor then serve both.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    base: u64,
    flip: u64,
}

impl Pair {
    /// Takes the first index of each orientation and the xor mask that reflects its squares.
    #[inline]
    pub(super) fn new(bases: [u32; 2], flips: [u32; 2]) -> Self {
        let join = |[white, black]: [u32; 2]| u64::from(white) | u64::from(black) << 32;
        Self { base: join(bases) + Self::theirs([0, 1]), flip: join(flips) }
    }

    /// The offset of the opponent's pieces in these orientations.
    const fn theirs([white, black]: [u64; 2]) -> u64 {
        384 * (white | black << 32)
    }

    /// [`index`] of a piece in both orientations. The owner is given from White's perspective.
    #[inline]
    pub(super) fn indices(self, placed: PlacedPiece) -> [FeatureIndex; 2] {
        const BOTH: u64 = 1 << 32 | 1;
        // The base assumes that the piece is White's.
        let of_black = const { Self::theirs([1, 0]).wrapping_sub(Self::theirs([0, 1])) };
        let place = (u64::from(64 * placed.piece + placed.square) * BOTH) ^ self.flip;
        let owner = u64::from(placed.theirs).wrapping_neg() & of_black;
        let both = self.base.wrapping_add(place).wrapping_add(owner);
        [both as u32, (both >> 32) as u32]
    }
}

/// The inverse of [`index`], for a board that is not reflected.
pub(super) fn placed(index: FeatureIndex) -> PlacedPiece {
    PlacedPiece { theirs: index / 384, piece: index / 64 % 6, square: index % 64 }
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
        if feature < SIZE { placed(feature).place(0) } else { None }
    }

    fn active(&self, position: &Chess, perspective: Color, features: &mut Vec<FeatureIndex>) {
        let flip = flip(perspective);
        push_all(position.board(), perspective, features, |placed| index(placed, flip));
    }

    fn active_packed(
        &self,
        _ply: u16,
        bytes: &mut &[u8],
        features: &mut Vec<FeatureIndex>,
    ) -> Option<PackedRows> {
        push_packed(bytes, features, |_, perspective| {
            let flip = flip(perspective);
            move |placed| index(placed, flip)
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
        push_changes(before, after, perspective, changes, |placed| index(placed, flip));
        Update::Changes
    }

    fn changes_both(
        &self,
        before: &Chess,
        after: &Chess,
        added: &mut FewFeatures,
        removed: &mut FewFeatures,
    ) -> Option<[u8; 2]> {
        let pair = Pair::new([0; 2], Color::BOTH.map(flip));
        let (before, after) = (before.board(), after.board());
        list_changes_both(before, after, added, removed, |placed| pair.indices(placed))
    }
}
