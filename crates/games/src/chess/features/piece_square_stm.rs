//! `chess.piece-square-stm`: 769 inputs for a network with one perspective.

use super::piece_square::{self, PieceSquare};
use super::push_packed_perspective;
use crate::chess::Chess;
use crate::chess::pack::Packed;
use crate::{
    Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, Game, PackedRows, PerspectiveCount,
    Update,
};

pub(super) const NAME: &str = "chess.piece-square-stm";

/// The input for the side to move: active if the other player is to move. Seen from White, it is
/// active if Black is to move.
const OTHER_TO_MOVE: FeatureIndex = piece_square::SIZE;

/// The features of [`PieceSquare`], and the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceSquareStm;

impl FeatureSet<Chess> for PieceSquareStm {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    fn size(&self) -> usize {
        OTHER_TO_MOVE as usize + 1
    }

    fn max_active(&self) -> usize {
        PieceSquare.max_active() + 1
    }

    fn perspectives(&self) -> PerspectiveCount {
        PerspectiveCount::One
    }

    fn place(&self, feature: FeatureIndex) -> Option<FeaturePlace> {
        PieceSquare.place(feature)
    }

    fn active(&self, position: &Chess, perspective: Color, features: &mut Vec<FeatureIndex>) {
        PieceSquare.active(position, perspective, features);
        if position.side_to_move() != perspective {
            features.push(OTHER_TO_MOVE);
        }
    }

    fn active_packed(
        &self,
        _ply: u16,
        bytes: &mut &[u8],
        features: &mut Vec<FeatureIndex>,
    ) -> Option<PackedRows> {
        let packed = Packed::take(bytes)?;
        push_packed_perspective(&packed, Color::White, features, &|_, _| {
            |placed| piece_square::index(placed, 0)
        });
        if packed.side == cozy_chess::Color::Black {
            features.push(OTHER_TO_MOVE);
        }
        Some(PackedRows { middle: features.len(), pieces: packed.count() })
    }

    fn changes(
        &self,
        before: &Chess,
        after: &Chess,
        perspective: Color,
        changes: &mut Changes,
    ) -> Update {
        let update = PieceSquare.changes(before, after, perspective, changes);
        if before.side_to_move() != after.side_to_move() {
            let now = after.side_to_move() != perspective;
            let list = if now { &mut changes.added } else { &mut changes.removed };
            list.push(OTHER_TO_MOVE);
        }
        update
    }
}
