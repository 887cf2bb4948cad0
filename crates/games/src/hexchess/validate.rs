//! Position validation: the one definition of a playable position of hexchess.

use super::piece::Piece;
use super::position::Hexchess;
use super::tables::{PAWN_CELLS, PAWN_STARTS, PROMOTION};
use crate::{Color, FenError};

/// The maximum number of pieces of a side.
const MAX_PIECES: u32 = 18;

/// The maximum number of pawns of a side.
const MAX_PAWNS: u32 = 9;

/// The maximum number of checkers after a single move: the pawn that captured en passant, a slider
/// on the line that it opened, and one on the line that the captured pawn had blocked.
const MAX_CHECKERS: u32 = 3;

/// Rejects a position that certainly cannot arise in a game, and names the fault. It does not
/// search for a game that leads to the position, so many unreachable positions pass.
pub(super) fn validate(position: &Hexchess) -> Result<(), FenError> {
    for color in Color::BOTH {
        count(position, color)?;
        pawns(position, color)?;
    }
    let side = position.side();
    if position.is_attacked(!side) {
        return Err(FenError::illegal(format!(
            "{side} is to move, but the king of {} is in check",
            !side
        )));
    }
    let checkers = position.checkers().len();
    if checkers > MAX_CHECKERS {
        return Err(FenError::illegal(format!("{checkers} pieces give check")));
    }
    passed(position)
}

/// Checks the numbers of kings, pieces and promoted pieces.
fn count(position: &Hexchess, color: Color) -> Result<(), FenError> {
    let number = |piece| position.pieces_of(piece, color).len();
    match position.kings_of(color).len() {
        1 => {}
        0 => return Err(FenError::illegal(format!("{color} has no king"))),
        kings => return Err(FenError::illegal(format!("{color} has {kings} kings"))),
    }
    let pieces = position.color(color).len();
    if pieces > MAX_PIECES {
        let fault = format!("{color} has {pieces} pieces; there are at most {MAX_PIECES}");
        return Err(FenError::illegal(fault));
    }
    let pawns = number(Piece::Pawn);
    if pawns > MAX_PAWNS {
        let fault = format!("{color} has {pawns} pawns; there are at most {MAX_PAWNS}");
        return Err(FenError::illegal(fault));
    }
    let start = [(Piece::Knight, 2), (Piece::Bishop, 3), (Piece::Rook, 2), (Piece::Queen, 1)];
    let promoted: u32 =
        start.into_iter().map(|(piece, at_start)| number(piece).saturating_sub(at_start)).sum();
    if pawns + promoted > MAX_PAWNS {
        return Err(FenError::illegal(format!(
            "{color} has {pawns} pawns and {promoted} promoted pieces; \
             there are at most {MAX_PAWNS} together"
        )));
    }
    Ok(())
}

/// Checks for pawns on impossible cells.
fn pawns(position: &Hexchess, color: Color) -> Result<(), FenError> {
    let pawns = position.pieces_of(Piece::Pawn, color);
    if let Some(cell) = (pawns & PROMOTION[color as usize]).into_iter().next() {
        let fault = format!("the {color} pawn on {cell} should have been promoted");
        return Err(FenError::illegal(fault));
    }
    if let Some(cell) = (pawns & !PAWN_CELLS[color as usize]).into_iter().next() {
        let fault = format!("no {color} pawn can come to {cell}, behind where they start");
        return Err(FenError::illegal(fault));
    }
    Ok(())
}

/// Checks the cell that a pawn of the side not to move has just skipped.
fn passed(position: &Hexchess) -> Result<(), FenError> {
    let Some(cell) = position.passed() else { return Ok(()) };
    let color = !position.side();
    let fault = |fault: &str| {
        Err(FenError::illegal(format!("no {color} pawn has just stepped over {cell}: {fault}")))
    };
    let ahead = if color == Color::White { 1 } else { -1 };
    let (start, end) = (cell.offset(-ahead), cell.offset(ahead));
    if !PAWN_STARTS[color as usize].has(start) {
        return fault("none starts behind it");
    }
    if !position.pieces_of(Piece::Pawn, color).has(end) {
        return fault(&format!("there is none on {end}"));
    }
    if (position.occupied() & (start.set() | cell.set())).any() {
        return fault(&format!("{start} and {cell} should be empty"));
    }
    if position.clock() > 0 {
        return fault("the half-move clock should be 0");
    }
    Ok(())
}
