//! Material: piece values, and draws by insufficient material.

use cozy_chess::{BitBoard, Piece};

use super::Board;

/// The values of pieces in centipawns, for move ordering. The king's value only makes it the last
/// piece to capture with.
static VALUES: [i32; 8] = [100, 320, 330, 500, 900, 20_000, 0, 0];

/// The value of a piece. A table in memory: a match may compile to one jump per kind, which is
/// unpredictable.
#[inline]
pub(super) fn value(piece: Piece) -> i32 {
    value_of_kind(piece as usize)
}

/// The value of the piece of that kind. The table has a power-of-two length, so that no bounds
/// check is needed.
#[inline]
pub(super) fn value_of_kind(kind: usize) -> i32 {
    VALUES[kind % VALUES.len()]
}

/// Whether no sequence of legal moves can lead to mate: both sides together have at most a single
/// knight, or only bishops of one square colour.
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
