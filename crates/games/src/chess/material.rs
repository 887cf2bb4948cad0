//! What pieces are worth, and when they are too few to mate.

use cozy_chess::{BitBoard, Board, Piece};

/// The value of a piece in hundredths of a pawn, for ordering moves. The king's only says that it is the
/// last piece to risk.
pub(super) const fn value(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn => 100,
        Piece::Knight => 320,
        Piece::Bishop => 330,
        Piece::Rook => 500,
        Piece::Queen => 900,
        Piece::King => 20_000,
    }
}

/// Whether no sequence of legal moves could mate: a single knight, or bishops of one square colour only,
/// whoever's they are.
pub(super) fn is_insufficient(board: &Board) -> bool {
    let mighty = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if !mighty.is_empty() {
        return false;
    }
    let bishops = board.pieces(Piece::Bishop);
    match board.pieces(Piece::Knight).len() {
        0 => {
            bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_disjoint(BitBoard::DARK_SQUARES)
        }
        1 => bishops.is_empty(),
        _ => false,
    }
}
