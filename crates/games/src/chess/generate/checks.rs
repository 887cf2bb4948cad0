//! Check detection: the squares from which each kind of piece gives check.

use cozy_chess::{
    BitBoard, Piece, Square, get_between_rays, get_bishop_rays, get_knight_moves, get_line_rays,
    get_pawn_attacks, get_rook_rays,
};

use super::maker::Group;
use crate::chess::Board;
use crate::chess::sliders::{bishop_moves, rook_moves};

/// The squares from which the enemy king can be checked.
pub(super) struct Checks {
    king: Square,
    /// The squares from which a piece of each kind attacks the king.
    direct: [BitBoard; Piece::NUM],
    /// Own pieces that block an own slider's attack on the king: candidates for discovered checks.
    pub(super) barring: BitBoard,
}

impl Checks {
    #[inline]
    pub(super) fn of(board: &Board) -> Self {
        let side = board.side_to_move();
        let (own, occupied) = (board.colors(side), board.occupied());
        let king = board.king(!side);
        let (diagonal, straight) = (bishop_moves(king, occupied), rook_moves(king, occupied));
        let queens = board.pieces(Piece::Queen);
        let behind = get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens)
            | get_rook_rays(king) & (board.pieces(Piece::Rook) | queens);
        let mut barring = BitBoard::EMPTY;
        for slider in behind & own {
            let between = get_between_rays(slider, king) & occupied;
            if between.0 & between.0.wrapping_sub(1) == 0 {
                barring |= between & own;
            }
        }
        let pawns = get_pawn_attacks(king, !side);
        let knights = get_knight_moves(king);
        let all = diagonal | straight;
        let direct = [pawns, knights, diagonal, straight, all, BitBoard::EMPTY];
        Self { king, direct, barring }
    }

    /// The squares on which the pieces of a group give check. The moved piece cannot discover a
    /// check of its own: from its old square it would have given that check already. Pawns in a
    /// group of several never block a slider.
    #[inline]
    pub(super) fn squares(&self, group: &Group) -> BitBoard {
        let mut squares = self.direct[group.piece as usize];
        if let Some(from) = group.single()
            && self.barring.has(from)
        {
            squares |= !get_line_rays(self.king, from);
        }
        squares
    }
}
