//! Packed positions of chess: a compact binary format, 23 bytes for the starting position.
//!
//! - Eight bytes: the occupied squares, a1 the lowest bit.
//! - A byte: the halfmove clock, with the top bit set if Black is to move. A clock of 127 means
//!   that the move number does not follow from the ply; the actual clock and the number come next,
//!   7 bits per byte, lowest first.
//! - For each occupied square in order, from the lowest bit up: a pawn is a 0 and its colour; any
//!   other piece is a 1, its kind in three bits and its colour. Kinds are knight, bishop, rook,
//!   queen, king, a rook with castling rights, and a pawn that has just made a double step. Black
//!   is 1. The last byte is padded with zeros.

mod packed;

use cozy_chess::{BitBoard, BoardBuilder, Color, File, Piece, Rank, Square, get_king_moves};

use super::{Board, Chess, castling};
pub(super) use packed::Packed;

/// Kinds beyond the regular pieces.
const CASTLING_ROOK: u32 = 5;
const PASSING_PAWN: u32 = 6;

/// The clock value that announces an explicit clock and move number.
const NUMBERED: u8 = 127;

/// The maximum number of pieces on a board.
const MAX_PIECES: usize = 32;

/// The maximum number of bytes of all pieces.
const MAX_BYTES: usize = MAX_PIECES * 5 / 8;

/// The move number after `ply` plies of a game that begins with move 1. If the game began with
/// Black to move, Black's plies are even.
fn number_after(ply: u16, side: Color) -> u16 {
    let black = u16::from(side == Color::Black);
    1 + ply / 2 + (ply % 2) * (1 - black)
}

/// Appends a position.
pub(super) fn pack(board: &Board, ply: u16, bytes: &mut Vec<u8>) {
    let side = board.side_to_move();
    bytes.extend(board.occupied().0.to_le_bytes());
    let turn = (side as u8) << 7;
    if board.fullmove_number() == number_after(ply, side) {
        bytes.push(board.halfmove_clock() | turn);
    } else {
        bytes.extend([NUMBERED | turn, board.halfmove_clock()]);
        let mut number = board.fullmove_number();
        while number >= 0x80 {
            bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        bytes.push(number as u8);
    }
    let (mut bits, mut filled) = (0_u64, 0);
    for square in board.occupied() {
        let (code, length) = code(board, square);
        bits |= u64::from(code) << filled;
        filled += length;
        while filled >= 8 {
            bytes.push(bits as u8);
            bits >>= 8;
            filled -= 8;
        }
    }
    if filled > 0 {
        bytes.push(bits as u8);
    }
}

/// The code of a piece and its length in bits.
fn code(board: &Board, square: Square) -> (u32, u32) {
    let piece = board.piece_on(square).unwrap_or(Piece::Pawn);
    let color = board.color_on(square).unwrap_or(Color::White);
    let kind = match piece {
        Piece::Pawn if passed_by(board) == Some(square) => PASSING_PAWN,
        Piece::Pawn => return ((color as u32) << 1, 2),
        Piece::Rook if can_castle(board, color, square) => CASTLING_ROOK,
        other => other as u32 - 1,
    };
    (1 | kind << 1 | (color as u32) << 4, 5)
}

/// The pawn that has just made a double step.
fn passed_by(board: &Board) -> Option<Square> {
    let rank = Rank::Fifth.relative_to(board.side_to_move());
    board.en_passant().map(|file| Square::new(file, rank))
}

fn can_castle(board: &Board, color: Color, rook: Square) -> bool {
    let rights = board.castle_rights(color);
    rook.rank() == Rank::First.relative_to(color)
        && (rights.short == Some(rook.file()) || rights.long == Some(rook.file()))
}

/// Reads a position from the front of `bytes`.
pub(super) fn unpack(ply: u16, bytes: &mut &[u8]) -> Option<Chess> {
    let mut rest = *bytes;
    let packed = Packed::take(&mut rest)?;
    let mut builder = BoardBuilder::empty();
    builder.side_to_move = packed.side;
    builder.halfmove_clock = packed.clock;
    builder.fullmove_number = packed.number.unwrap_or_else(|| number_after(ply, packed.side));
    let mut specials = BitBoard::EMPTY;
    for placed in packed.pieces() {
        let color = if placed.color == 0 { Color::White } else { Color::Black };
        builder.board[usize::from(placed.square)] =
            Piece::try_index(placed.piece.into()).map(|piece| (piece, color));
        specials.0 |= u64::from(placed.special) << placed.square;
    }
    for square in specials {
        set_special(square, &mut builder)?;
    }
    let board = Board::from(&builder.build().ok()?);
    // Faults that cozy-chess accepts and `Chess` rejects.
    let touching = get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
    if touching || board.checkers().len() > 2 {
        return None;
    }
    let chess960 = !castling::is_standard(&board);
    *bytes = rest;
    Some(Chess { board, chess960 })
}

/// Sets the castling right of a rook, or the en-passant square of a pawn.
fn set_special(square: Square, builder: &mut BoardBuilder) -> Option<()> {
    let (piece, color) = builder.square(square)?;
    if piece == Piece::Pawn {
        let side = builder.side_to_move;
        let passed = Square::new(square.file(), Rank::Sixth.relative_to(side));
        let just_stepped = color != side && square.rank() == Rank::Fifth.relative_to(side);
        return (just_stepped && builder.en_passant.replace(passed).is_none()).then_some(());
    }
    let rank = Rank::First.relative_to(color);
    let is_king =
        |&file: &File| builder.square(Square::new(file, rank)) == Some((Piece::King, color));
    let king = File::ALL.iter().find(|&file| is_king(file))?;
    let rights = builder.castle_rights_mut(color);
    let right = if square.file() > *king { &mut rights.short } else { &mut rights.long };
    (square.rank() == rank && right.replace(square.file()).is_none()).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::PackedGame;

    fn packed(fen: &str, ply: u16) -> Vec<u8> {
        let position = Chess::from_fen(fen).unwrap();
        let mut bytes = Vec::new();
        position.pack(ply, &mut bytes);
        let read = Chess::unpack(ply, &mut bytes.as_slice()).unwrap();
        assert_eq!(read, position);
        assert_eq!(read.is_chess960(), position.is_chess960());
        bytes
    }

    #[test]
    fn lengths_are_as_documented() {
        let start = Chess::start().to_fen();
        assert_eq!(packed(&start, 0).len(), 23);
        assert_eq!(packed("8/8/8/8/3k4/8/4K2R/8 w - - 90 60", 118).len(), 11);
        assert_eq!(packed("8/8/8/8/3k4/8/4K2R/8 b - - 90 61", 118).len(), 11 + 2);
        assert_eq!(packed("8/8/8/8/3k4/8/4K2R/8 b - - 90 65535", 1).len(), 11 + 4);
    }

    /// The number follows from the ply, whichever side moved first.
    #[test]
    fn numbers_follow_from_plies() {
        for begins in ["w", "b"] {
            let fen = format!("4k3/8/8/8/8/8/8/4K2R {begins} K - 0 1");
            let mut position = Chess::from_fen(&fen).unwrap();
            for ply in 0..20 {
                let number = number_after(ply, position.board.side_to_move());
                assert_eq!(number, position.board.fullmove_number(), "{fen}, ply {ply}");
                position.play(position.legal_moves()[0]);
            }
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let legal = packed("r3k2r/8/8/8/4p3/8/8/R3K2R w KQkq - 3 1", 0);
        let pieces = legal[9..].to_vec();
        let unpack = |occupied: u64, state: u8, pieces: &[u8]| {
            let bytes = [&occupied.to_le_bytes()[..], &[state], pieces].concat();
            Chess::unpack(0, &mut bytes.as_slice())
        };
        let occupied = u64::from_le_bytes(legal[..8].try_into().unwrap());
        assert!(unpack(occupied, 100, &pieces).is_some());
        assert!(unpack(occupied, 101, &pieces).is_none(), "a clock that has run out");
        assert!(unpack(u64::MAX, 0, &[0xFF; 64]).is_none(), "64 pieces");
        assert!(unpack(0, 0, &[]).is_none(), "no kings");
        // Kings on a1 and b1, which cozy-chess accepts and we reject.
        let kings = 0b01001 | 0b11001 << 5;
        assert!(unpack(0b11, 0, &u16::to_le_bytes(kings)).is_none());
        assert!(unpack(0b101, 0, &u16::to_le_bytes(kings)).is_some());
        assert!(unpack(0b101, 0, &u16::to_le_bytes(kings | 1 << 10)).is_none(), "padding");
    }
}
