//! UCI move notation: moves as text and as integer codes.
//!
//! Internally, castling is encoded as king takes rook, as in cozy-chess. Text uses the same form if
//! the setting `chess960` is on.

use cozy_chess::{File, Move, Piece, Rank, Square, get_king_moves};

use super::{Chess, castling, fen};
use crate::{Game, MoveError};

/// The promotion pieces, by their UCI letter.
const PROMOTIONS: [(u8, Piece); 4] =
    [(b'n', Piece::Knight), (b'b', Piece::Bishop), (b'r', Piece::Rook), (b'q', Piece::Queen)];

/// Writes a move in UCI notation.
pub(super) fn text(position: &Chess, mv: Move) -> String {
    let board = position.board();
    let mut shown = mv;
    if !position.is_chess960() {
        shown.to = castling::standard_target(board, mv).unwrap_or(mv.to);
    }
    shown.to_string()
}

/// Parses UCI notation, with castling in both forms.
pub(super) fn parse(position: &Chess, text: &str) -> Result<Move, MoveError> {
    let mv = read(text).ok_or_else(|| MoveError::syntax(text, super::MOVE_EXAMPLE))?;
    let mv = king_takes_rook(position, mv);
    if position.board().is_legal(mv) {
        Ok(mv)
    } else {
        Err(MoveError::illegal(text, position.to_fen()))
    }
}

fn read(text: &str) -> Option<Move> {
    let bytes = text.as_bytes();
    let promotion = match bytes.get(4..)? {
        [] => None,
        [letter] => Some(PROMOTIONS.iter().find(|(known, _)| known == letter)?.1),
        _ => return None,
    };
    Some(Move { from: fen::square(&bytes[..2])?, to: fen::square(&bytes[2..4])?, promotion })
}

/// Converts castling written with the king's squares (e1g1) to king takes rook (e1h1).
///
/// A king move to an adjacent square is a plain step, even to g1 or c1, and a king that takes an
/// own rook is already in the target form. The remaining case, a king that moves two or more
/// squares to g1 or c1, can only be castling.
fn king_takes_rook(position: &Chess, mv: Move) -> Move {
    let board = position.board();
    let color = board.side_to_move();
    let rank = Rank::First.relative_to(color);
    let from_king = mv.from == board.king(color) && mv.from.rank() == rank;
    if !from_king || board.colors(color).has(mv.to) || get_king_moves(mv.from).has(mv.to) {
        return mv;
    }
    let rights = board.castle_rights(color);
    let rook = match mv.to.file() {
        File::G => rights.short,
        File::C => rights.long,
        _ => None,
    };
    match rook {
        Some(rook) if mv.to.rank() == rank => Move { to: Square::new(rook, rank), ..mv },
        _ => mv,
    }
}

/// 16 bits: from, to (six bits each), promotion (0 for none, 1 knight to 4 queen).
pub(super) fn code(mv: Move) -> u32 {
    let promotion = mv.promotion.map_or(0, |piece| piece as u32);
    mv.from as u32 | (mv.to as u32) << 6 | promotion << 12
}

/// The move with this code, legal or not.
pub(super) fn from_code(code: u32) -> Option<Move> {
    let square = |shift: u32| Square::index((code >> shift & 63) as usize);
    let promotion = match code >> 12 {
        0 => None,
        index @ 1..=4 => Piece::try_index(index as usize),
        _ => return None,
    };
    Some(Move { from: square(0), to: square(6), promotion })
}
