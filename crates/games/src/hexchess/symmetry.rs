//! Symmetries of hexchess: colour swap and left-right mirror.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::piece::Piece;
use super::position::Hexchess;
use crate::Color;
use crate::conformance::{Symmetric, Symmetry};

impl Symmetric for Hexchess {
    fn symmetries() -> Vec<Symmetry<Self>> {
        vec![
            Symmetry {
                name: "left-right",
                swaps_colors: false,
                position: |position| Some(image(position, Cell::left_right, |color| color)),
                move_text: |text| turn_text(text, Cell::left_right),
            },
            Symmetry {
                name: "top-bottom, colours swapped",
                swaps_colors: true,
                position: |position| Some(image(position, Cell::top_bottom, |color| !color)),
                move_text: |text| turn_text(text, Cell::top_bottom),
            },
        ]
    }
}

fn image(position: &Hexchess, turn: fn(Cell) -> Cell, swap: fn(Color) -> Color) -> Hexchess {
    let mut image = Hexchess::empty(swap(position.side()));
    for cell in Bitboard::BOARD {
        if let Some((piece, color)) = position.on(cell) {
            image.put(piece, swap(color), turn(cell));
        }
    }
    image.set_state(position.passed().map(turn), position.clock(), position.number());
    image.set_stalemate(position.stalemate());
    image
}

/// Maps the text of a move. Text that is not a move maps to itself.
fn turn_text(text: &str, turn: fn(Cell) -> Cell) -> String {
    let Some((from, to, promotion)) = read_text(text) else { return text.to_owned() };
    let promotion = promotion.map(|piece| char::from(piece.letter()));
    format!("{}{}{}", turn(from), turn(to), promotion.map(String::from).unwrap_or_default())
}

/// Parses the cells and the promotion piece of a move's text.
pub(super) fn read_text(text: &str) -> Option<(Cell, Cell, Option<Piece>)> {
    let (from, rest) = Cell::read(text.as_bytes())?;
    let (to, rest) = Cell::read(rest)?;
    match *rest {
        [] => Some((from, to, None)),
        [letter] => {
            let piece = Piece::PROMOTIONS.into_iter().find(|piece| piece.letter() == letter)?;
            Some((from, to, Some(piece)))
        }
        _ => None,
    }
}
