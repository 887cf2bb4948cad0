//! Material: piece values, and draws by insufficient material.

use cozy_chess::{BitBoard, Piece};

use super::Board;

/// The values of pieces in centipawns, for ordering moves. The king's only says that it is the
/// last piece to risk.
static VALUES: [i32; 8] = [100, 320, 330, 500, 900, 20_000, 0, 0];

/// The value of a piece. Read from memory: a choice of numbers can become a jump for each kind,
/// which no processor can predict.
#[inline]
pub(super) fn value(piece: Piece) -> i32 {
    value_of_kind(piece as usize)
}

/// The value of the piece with that number. There are more values than kinds, so that no number
/// needs to be checked.
#[inline]
pub(super) fn value_of_kind(kind: usize) -> i32 {
    VALUES[kind % VALUES.len()]
}

/// Whether no sequence of legal moves could mate: a single knight, or bishops of one square colour
/// only, of either side.
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
