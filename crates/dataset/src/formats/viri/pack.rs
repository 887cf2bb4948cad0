//! Packed boards and moves of viriformat.

use games::GameScore;
use games::chess::cozy_chess::{BitBoard, BoardBuilder, Color, File, Move, Piece, Rank, Square};
use games::chess::{Board, Chess};

use super::HEADER;

const BLACK: u8 = 8;
const CASTLING_ROOK: u8 = 6;
const NO_SQUARE: u8 = 64;

/// The position and White's result in a packed board.
pub(super) fn unpack(header: &[u8; HEADER]) -> Result<(Chess, GameScore), String> {
    let occupied = BitBoard(u64::from_le_bytes(header[..8].try_into().expect("eight bytes")));
    if occupied.len() > 32 {
        return Err(format!("{} pieces; at most 32", occupied.len()));
    }
    let mut builder = BoardBuilder::empty();
    let mut king_seen = [false; 2];
    for (place, square) in occupied.iter().enumerate() {
        let code = header[8 + place / 2] >> (4 * (place % 2)) & 15;
        let color = if code < BLACK { Color::White } else { Color::Black };
        let piece = match code % BLACK {
            CASTLING_ROOK => {
                let rights = builder.castle_rights_mut(color);
                let right =
                    if king_seen[color as usize] { &mut rights.short } else { &mut rights.long };
                if square.rank() != Rank::First.relative_to(color) || right.is_some() {
                    return Err(format!("a rook that may castle on {square}, where none can"));
                }
                *right = Some(square.file());
                Piece::Rook
            }
            code => Piece::try_index(usize::from(code))
                .ok_or_else(|| format!("piece code {code} on {square}; expected 0–6"))?,
        };
        king_seen[color as usize] |= piece == Piece::King;
        *builder.square_mut(square) = Some((piece, color));
    }
    builder.side_to_move = if header[24] & 128 == 0 { Color::White } else { Color::Black };
    builder.en_passant = match header[24] & 127 {
        NO_SQUARE => None,
        square => Some(
            Square::try_index(usize::from(square))
                .ok_or_else(|| format!("en-passant square {square}; expected 0–64"))?,
        ),
    };
    builder.halfmove_clock = header[25];
    builder.fullmove_number = u16::from_le_bytes([header[26], header[27]]);
    let position = Chess::from_builder(&builder).map_err(|fault| fault.to_string())?;
    let white = GameScore::quarters(header[30].saturating_mul(2));
    Ok((position, white.ok_or_else(|| format!("result {}; expected 0, 1 or 2", header[30]))?))
}

/// The packed board of a position, with White's result in quarters.
pub(super) fn pack(position: &Chess, white: GameScore) -> [u8; HEADER] {
    let board = position.board();
    let side = board.side_to_move();
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(&board.occupied().0.to_le_bytes());
    for (place, square) in board.occupied().iter().enumerate() {
        let color =
            if board.colors(Color::White).has(square) { Color::White } else { Color::Black };
        let piece = match board.piece_on(square) {
            Some(Piece::Rook) if may_castle(board, square, color) => CASTLING_ROOK,
            piece => piece.map_or(0, |piece| piece as u8),
        };
        header[8 + place / 2] |= (piece | (BLACK * color as u8)) << (4 * (place % 2));
    }
    let passed = board.en_passant().map(|file| Square::new(file, Rank::Sixth.relative_to(side)));
    header[24] = passed.map_or(NO_SQUARE, |square| square as u8) | (side as u8) << 7;
    header[25] = board.halfmove_clock();
    header[26..28].copy_from_slice(&board.fullmove_number().to_le_bytes());
    header[30] = white.as_quarters() / 2;
    header
}

fn may_castle(board: &Board, rook: Square, color: Color) -> bool {
    let rights = board.castle_rights(color);
    let has = |right: Option<File>| right == Some(rook.file());
    rook.rank() == Rank::First.relative_to(color) && (has(rights.short) || has(rights.long))
}

/// The move of these bits, legal or not.
pub(super) fn decode(code: u16) -> Move {
    let square = |shift: u32| Square::index(usize::from(code >> shift & 63));
    let promotion = (code >> 14 == 3).then(|| Piece::index(usize::from(code >> 12 & 3) + 1));
    Move { from: square(0), to: square(6), promotion }
}

/// The bits of a legal move.
pub(super) fn encode(position: &Chess, mv: Move) -> u16 {
    let board = position.board();
    let side = board.side_to_move();
    let flags = if let Some(piece) = mv.promotion {
        3 << 14 | (piece as u16 - 1) << 12
    } else if board.colors(side).has(mv.to) {
        2 << 14
    } else if board.colored_pieces(side, Piece::Pawn).has(mv.from)
        && mv.from.file() != mv.to.file()
        && !board.occupied().has(mv.to)
    {
        1 << 14
    } else {
        0
    };
    mv.from as u16 | (mv.to as u16) << 6 | flags
}
