//! FEN parser and printer of hexchess.
//!
//! The board is written rank by rank, 11 down to 1, each from file a to l. Two other orders are in
//! use elsewhere, both file by file from a to l: one writes each file from rank 1 up, the other
//! from the top down. The lengths of their rows (6 7 8 9 10 11 10 9 8 7 6 instead of 1 3 5 7 9 11
//! 11 11 11 11 11) distinguish them from ours but not from each other, and nothing else in the text
//! does. So a board by files is accepted only if exactly one of the two readings is a legal
//! position.

use super::cell::{Cell, file_length};
use super::piece::Piece;
use super::position::Hexchess;
use super::validate::validate;
use crate::{Color, FenError};

/// The fields, for error messages.
const FIELDS: &str = "5: board, side to move, en-passant cell, half-move clock, move number";

/// The highest accepted move number. The fifty-move rule ends games long before it, and the rest of
/// the 16 bits exceeds the length of any continuation.
pub(super) const MAX_NUMBER: u16 = 50_000;

/// The initial position.
pub(super) const START: &str =
    "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - 0 1";

/// Parses a position; rejects it unless it is playable.
pub(super) fn read(fen: &str) -> Result<Hexchess, FenError> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().collect();
    let &[board, side, passed, clock, number] = fields.as_slice() else {
        return Err(FenError::FieldCount { found: fields.len(), expected: FIELDS });
    };
    let side = match side {
        "w" => Color::White,
        "b" => Color::Black,
        _ => return Err(FenError::field("side to move", side, "expected w or b")),
    };
    let passed = read_passed(passed)?;
    let clock = read_number("half-move clock", clock, 0, 100)?;
    let number = read_number("move number", number, 1, MAX_NUMBER)?;

    let read_in = |order: Order| -> Result<Hexchess, FenError> {
        let mut position = Hexchess::empty(side);
        read_board(board, order, &mut position)?;
        position.set_state(passed, clock as u8, number);
        validate(&position)?;
        Ok(position)
    };
    if !is_by_files(board) {
        return read_in(Order::Ranks);
    }
    match (read_in(Order::FilesUp), read_in(Order::FilesDown)) {
        (Ok(_), Ok(_)) => Err(FenError::field(
            "board",
            board,
            "written by files, and either reading, from rank 1 up or from the top down, is a position; \
             expected ranks 11 to 1",
        )),
        (Ok(position), Err(_)) | (Err(_), Ok(position)) => Ok(position),
        (Err(FenError::Illegal(up)), Err(FenError::Illegal(down))) => {
            Err(FenError::illegal(format!(
                "the board is written by files; from rank 1 up: {up}; from the top down: {down}"
            )))
        }
        (Err(error), Err(_)) => Err(error),
    }
}

/// Writes a position.
pub(super) fn write(position: &Hexchess) -> String {
    let mut fen = String::with_capacity(96);
    for row in 0..11 {
        if row > 0 {
            fen.push('/');
        }
        let mut empty = 0;
        for cell in Order::Ranks.row(row) {
            let Some((piece, color)) = position.on(cell) else {
                empty += 1;
                continue;
            };
            push_run(&mut fen, &mut empty);
            fen.push(char::from(piece.letter_of(color)));
        }
        push_run(&mut fen, &mut empty);
    }
    let side = if position.side() == Color::White { 'w' } else { 'b' };
    let passed = position.passed().map_or_else(|| "-".to_owned(), |cell| cell.to_string());
    let (clock, number) = (position.clock(), position.number());
    fen + &format!(" {side} {passed} {clock} {number}")
}

fn push_run(fen: &mut String, empty: &mut usize) {
    if *empty > 0 {
        fen.push_str(&empty.to_string());
        *empty = 0;
    }
}

/// The order in which a board is written.
#[derive(Clone, Copy, Debug)]
enum Order {
    /// Ranks 11 to 1, each from file a to l.
    Ranks,
    /// Files a to l, each from rank 1 up.
    FilesUp,
    /// Files a to l, each from the top down.
    FilesDown,
}

impl Order {
    /// The cells of a row, 0 to 10.
    fn row(self, row: usize) -> impl Iterator<Item = Cell> {
        (0..11).filter_map(move |i| match self {
            Self::Ranks => Cell::on(i, 11 - row),
            Self::FilesUp => Cell::on(row, i + 1),
            Self::FilesDown => Cell::on(row, file_length(row).checked_sub(i)?),
        })
    }

    /// The name of a row.
    fn name(self, row: usize) -> String {
        match self {
            Self::Ranks => format!("rank {}", 11 - row),
            Self::FilesUp | Self::FilesDown => {
                format!("file {}", char::from(super::cell::FILES[row]))
            }
        }
    }
}

/// Whether the rows of a board have the lengths of the files. Decided by the first row, which has
/// one cell in our order.
fn is_by_files(board: &str) -> bool {
    let first = board.split('/').next().unwrap_or_default();
    let (mut cells, mut run) = (0_usize, 0_usize);
    for byte in first.bytes() {
        if byte.is_ascii_digit() {
            run = run.saturating_mul(10).saturating_add(usize::from(byte - b'0'));
        } else {
            cells = cells.saturating_add(run).saturating_add(1);
            run = 0;
        }
    }
    cells.saturating_add(run) == file_length(0)
}

fn read_board(board: &str, order: Order, position: &mut Hexchess) -> Result<(), FenError> {
    let rows: Vec<&str> = board.split('/').take(12).collect();
    if rows.len() != 11 {
        return Err(FenError::field("board", board, "expected 11 rows with `/` between them"));
    }
    for (row, text) in rows.into_iter().enumerate() {
        read_row(text, order, row, position).map_err(|fault| {
            FenError::field("board", text, format!("{}: {fault}", order.name(row)))
        })?;
    }
    Ok(())
}

fn read_row(text: &str, order: Order, row: usize, position: &mut Hexchess) -> Result<(), String> {
    let length = order.row(row).count();
    let mut cells = order.row(row);
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        if byte.is_ascii_digit() {
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (run, after) = rest.split_at(digits);
            rest = after;
            // More than two digits exceed the length of any row, whatever their value.
            let count = match *run {
                [one @ b'1'..=b'9'] => usize::from(one - b'0'),
                [ten @ b'1'..=b'9', one] => usize::from(10 * (ten - b'0') + (one - b'0')),
                [b'0', ..] => return Err("a run of empty cells cannot begin with 0".to_owned()),
                _ => usize::MAX,
            };
            if count > length || cells.by_ref().take(count).count() < count {
                return Err(format!("more than {length} cells"));
            }
        } else if let Some((piece, color)) = Piece::from_letter(byte) {
            let cell = cells.next().ok_or_else(|| format!("more than {length} cells"))?;
            position.put(piece, color, cell);
            rest = after;
        } else {
            let found = String::from_utf8_lossy(rest).chars().next().unwrap_or('?');
            return Err(format!("`{found}` is neither a piece (PNBRQK, pnbrqk) nor a number"));
        }
    }
    match cells.count() {
        0 => Ok(()),
        missing => Err(format!("{missing} of {length} cells missing")),
    }
}

fn read_passed(text: &str) -> Result<Option<Cell>, FenError> {
    if text == "-" {
        return Ok(None);
    }
    match Cell::read(text.as_bytes()) {
        Some((cell, [])) => Ok(Some(cell)),
        _ => Err(FenError::field("en-passant cell", text, "expected a cell such as e5, or -")),
    }
}

fn read_number(field: &'static str, text: &str, least: u16, most: u16) -> Result<u16, FenError> {
    // `str::parse` alone also accepts a plus sign.
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok());
    let number = number.flatten().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| {
        FenError::field(field, text, format!("expected a whole number from {least} to {most}"))
    })
}
