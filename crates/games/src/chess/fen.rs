//! FEN parser and printer of chess.

use std::fmt::Write;

use cozy_chess::{BoardBuilder, Color, File, Piece, Rank, Square};

use super::{Board, castling, en_passant_square, validate};
use crate::FenError;

const FIELDS: &str = "4 or 6: pieces, side to move, castling, en passant \
                      and perhaps halfmove clock and fullmove number";
const PIECES: &str = "pieces";

/// Parses every field. The result mirrors the text and may not be a legal position.
pub(super) fn parse(fen: &str) -> Result<BoardBuilder, FenError> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let ([pieces, side, castling, en_passant], counters) = match fields[..] {
        [a, b, c, d] => ([a, b, c, d], None),
        [a, b, c, d, halfmoves, fullmoves] => ([a, b, c, d], Some((halfmoves, fullmoves))),
        _ => return Err(FenError::FieldCount { found: fields.len(), expected: FIELDS }),
    };
    let mut builder = BoardBuilder::empty();
    parse_pieces(pieces, &mut builder)?;
    builder.side_to_move = match side {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(FenError::field("side to move", side, "expected `w` or `b`")),
    };
    validate::validate_counts(&builder)?;
    castling::parse(castling, &mut builder)?;
    builder.en_passant = parse_en_passant(en_passant)?;
    if let Some((halfmoves, fullmoves)) = counters {
        let halfmoves = parse_counter("halfmove clock", halfmoves, 0, 100)?;
        builder.halfmove_clock = halfmoves as u8;
        builder.fullmove_number = parse_counter("fullmove number", fullmoves, 1, u16::MAX)?;
    }
    Ok(builder)
}

fn parse_pieces(field: &str, builder: &mut BoardBuilder) -> Result<(), FenError> {
    let ranks = field.split('/').count();
    if ranks != 8 {
        let fault = format!("{ranks} ranks; expected 8, divided by `/`");
        return Err(FenError::field(PIECES, field, fault));
    }
    for (text, &rank) in field.split('/').zip(Rank::ALL.iter().rev()) {
        parse_rank(text, rank, builder)?;
    }
    Ok(())
}

fn parse_rank(text: &str, rank: Rank, builder: &mut BoardBuilder) -> Result<(), FenError> {
    let number = rank as usize + 1;
    let refuse = |fault: String| Err(FenError::field(PIECES, text, fault));
    let mut file = 0;
    let mut after_digit = false;
    for letter in text.chars() {
        let empty = letter.to_digit(10).filter(|count| (1..=8).contains(count));
        if let Some(count) = empty {
            if after_digit {
                return refuse(format!(
                    "rank {number} has two digits in a row; expected their sum"
                ));
            }
            file += count as usize;
        } else if let Some(piece) = piece(letter) {
            // Beyond the last file only the count matters, for the error message below.
            if let Some(file) = File::try_index(file) {
                *builder.square_mut(Square::new(file, rank)) = Some(piece);
            }
            file += 1;
        } else {
            return refuse(format!(
                "`{letter}` on rank {number} is neither a piece (PNBRQKpnbrqk) nor a digit 1–8"
            ));
        }
        after_digit = empty.is_some();
    }
    if file != 8 {
        return refuse(format!("rank {number} has {file} squares; expected 8"));
    }
    Ok(())
}

fn parse_en_passant(field: &str) -> Result<Option<Square>, FenError> {
    if field == "-" {
        return Ok(None);
    }
    let square = square(field.as_bytes());
    let square = square.filter(|square| matches!(square.rank(), Rank::Third | Rank::Sixth));
    let refuse = || FenError::field("en passant", field, "expected `-` or a square of rank 3 or 6");
    square.map(Some).ok_or_else(refuse)
}

fn parse_counter(name: &'static str, text: &str, least: u16, most: u16) -> Result<u16, FenError> {
    // `str::parse` alone also accepts a sign.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let value = text.parse().ok().filter(|value| digits && (least..=most).contains(value));
    value.ok_or_else(|| {
        FenError::field(name, text, format!("expected a whole number from {least} to {most}"))
    })
}

/// The square with this name.
pub(super) fn square(name: &[u8]) -> Option<Square> {
    let &[file, rank] = name else { return None };
    let file = File::try_index(usize::from(file.wrapping_sub(b'a')))?;
    let rank = Rank::try_index(usize::from(rank.wrapping_sub(b'1')))?;
    Some(Square::new(file, rank))
}

/// The letter of a piece, upper case for White.
pub(super) fn letter(piece: Piece, color: Color) -> char {
    let letter = char::from(piece);
    if color == Color::White { letter.to_ascii_uppercase() } else { letter }
}

/// The piece with this letter.
fn piece(letter: char) -> Option<(Piece, Color)> {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let piece = match letter.to_ascii_lowercase() {
        'p' => Piece::Pawn,
        'n' => Piece::Knight,
        'b' => Piece::Bishop,
        'r' => Piece::Rook,
        'q' => Piece::Queen,
        'k' => Piece::King,
        _ => return None,
    };
    Some((piece, color))
}

/// X-FEN of six fields.
pub(super) fn write(board: &Board) -> String {
    let mut fen = String::with_capacity(90);
    for &rank in Rank::ALL.iter().rev() {
        if rank != Rank::Eighth {
            fen.push('/');
        }
        write_rank(board, rank, &mut fen);
    }
    let side = if board.side_to_move() == Color::White { 'w' } else { 'b' };
    let castling = castling::write(board);
    let en_passant = board
        .en_passant()
        .map_or("-".to_owned(), |file| en_passant_square(file, board.side_to_move()).to_string());
    let (halfmoves, fullmoves) = (board.halfmove_clock(), board.fullmove_number());
    write!(fen, " {side} {castling} {en_passant} {halfmoves} {fullmoves}")
        .expect("writing to a String cannot fail");
    fen
}

fn write_rank(board: &Board, rank: Rank, fen: &mut String) {
    let mut empty = 0;
    for file in File::ALL {
        let square = Square::new(file, rank);
        if let Some((piece, color)) = board.piece_on(square).zip(board.color_on(square)) {
            push_empty(empty, fen);
            empty = 0;
            fen.push(letter(piece, color));
        } else {
            empty += 1;
        }
    }
    push_empty(empty, fen);
}

fn push_empty(count: u8, fen: &mut String) {
    if count > 0 {
        fen.push((b'0' + count) as char);
    }
}
