//! Packed positions of hexchess: a compact binary format, 29 bytes for the start.
//!
//! - Twelve bytes: the occupied cells, by their numbers from the lowest bit up (91 bits); then
//!   whether Black is to move, two bits for the score of a stalemate (¾, ½, 1), whether the move
//!   number is stored, and a zero.
//! - The halfmove clock; then two bytes of move number, if it does not follow from the ply.
//! - For each occupied cell in order, from the lowest bit up: a pawn is a 0 and its colour; any
//!   other piece is a 1, its kind in three bits and its colour. Kinds are knight, bishop, rook,
//!   queen, king, and a pawn that has just made a double step. Black is 1. The last byte is padded
//!   with zeros.

use super::bitboard::Bitboard;
use super::cell::{CELLS, Cell};
use super::fen::MAX_NUMBER;
use super::piece::Piece;
use super::position::{Hexchess, MAX_CLOCK, Stalemate};
use super::validate::validate;
use crate::Color;

/// The kind of a pawn that has just made a double step; lower kinds are the pieces without the
/// pawn.
const PASSING_PAWN: u32 = 5;

const KINDS: [Piece; 5] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];

const STALEMATES: [Stalemate; 3] = [Stalemate::ThreeQuarters, Stalemate::Half, Stalemate::Win];

/// The bits after the cells.
const BLACK: usize = CELLS;
const STALEMATE: usize = CELLS + 1;
const NUMBERED: usize = CELLS + 3;
const ZERO: usize = CELLS + 4;

/// The maximum number of pieces on a board.
const MAX_PIECES: u32 = 36;

/// The move number after `ply` plies of a game that begins with move 1. If the game began with
/// Black to move, Black's plies are even.
fn number_after(ply: u16, side: Color) -> u16 {
    1 + ply / 2 + (ply % 2) * (1 - side as u16)
}

/// Appends a position.
pub(super) fn pack(position: &Hexchess, ply: u16, bytes: &mut Vec<u8>) {
    let (side, number) = (position.side(), position.number());
    let numbered = number != number_after(ply, side);
    let occupied = || position.occupied().into_iter();
    let mut head = occupied().fold(0_u128, |head, cell| head | 1 << cell.number());
    head |= (side as u128) << BLACK
        | (position.stalemate() as u128) << STALEMATE
        | u128::from(numbered) << NUMBERED;
    bytes.extend(&head.to_le_bytes()[..12]);
    bytes.push(position.clock());
    if numbered {
        bytes.extend(number.to_le_bytes());
    }
    let stepped = position.passed().map(|cell| beyond(cell, !side));
    let (mut bits, mut filled) = (0_u32, 0);
    for cell in occupied() {
        let color = u32::from(position.color(Color::Black).has(cell));
        let (code, length) = match position.piece_at(cell) {
            Piece::Pawn if stepped == Some(cell) => (1 | PASSING_PAWN << 1 | color << 4, 5),
            Piece::Pawn => (color << 1, 2),
            other => (1 | (other as u32 - 1) << 1 | color << 4, 5),
        };
        bits |= code << filled;
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

/// The next cell ahead of a pawn of this colour.
fn beyond(cell: Cell, color: Color) -> Cell {
    cell.offset(if color == Color::White { 1 } else { -1 })
}

/// Reads a position from the front of `bytes`.
pub(super) fn unpack(ply: u16, bytes: &mut &[u8]) -> Option<Hexchess> {
    let (head, rest) = bytes.split_first_chunk::<12>()?;
    let mut wide = [0; 16];
    wide[..12].copy_from_slice(head);
    let head = u128::from_le_bytes(wide);
    let bit = |place: usize| head >> place & 1 != 0;
    let side = if bit(BLACK) { Color::Black } else { Color::White };
    let stalemate = *STALEMATES.get((head >> STALEMATE & 3) as usize)?;
    let occupied = head & ((1 << CELLS) - 1);
    let (&clock, mut rest) = rest.split_first()?;
    if bit(ZERO) || clock > MAX_CLOCK || occupied.count_ones() > MAX_PIECES {
        return None;
    }
    let mut number = number_after(ply, side);
    if bit(NUMBERED) {
        let (bytes, after) = rest.split_first_chunk()?;
        (number, rest) = (u16::from_le_bytes(*bytes), after);
    }
    let mut position = Hexchess::empty(side);
    let mut passed = None;
    take_pieces(occupied, &mut rest, &mut position, &mut passed)?;
    position.set_state(passed, clock, number);
    position.set_stalemate(stalemate);
    if !(1..=MAX_NUMBER).contains(&number) || validate(&position).is_err() {
        return None;
    }
    *bytes = rest;
    Some(position)
}

/// Places the pieces on the board. Sets `passed` to the en-passant cell, if a pawn has just stepped
/// twice.
fn take_pieces(
    mut occupied: u128,
    bytes: &mut &[u8],
    position: &mut Hexchess,
    passed: &mut Option<Cell>,
) -> Option<()> {
    let mut reader = BitReader { bits: 0, filled: 0, bytes };
    while occupied != 0 {
        let cell = Cell::numbered(occupied.trailing_zeros() as usize);
        occupied &= occupied - 1;
        let is_pawn = reader.peek(2)? & 1 == 0;
        let code = reader.take(if is_pawn { 2 } else { 5 })?;
        let color = Color::BOTH[usize::from(code >= if is_pawn { 2 } else { 16 })];
        let piece = match code >> 1 & 7 {
            _ if is_pawn => Piece::Pawn,
            PASSING_PAWN => {
                let over = beyond(cell, !color);
                let on_board = Bitboard::BOARD.has(over);
                if color == position.side() || !on_board || passed.replace(over).is_some() {
                    return None;
                }
                Piece::Pawn
            }
            kind => *KINDS.get(kind as usize)?,
        };
        position.put(piece, color, cell);
    }
    (reader.bits == 0).then_some(())
}

/// Reads bits from bytes. Consumes a byte only when one of its bits is needed.
struct BitReader<'a, 'b> {
    bits: u32,
    filled: u32,
    bytes: &'a mut &'b [u8],
}

impl BitReader<'_, '_> {
    /// Ensures that at least `count` bits, up to 8, are available, and returns the available bits.
    fn peek(&mut self, count: u32) -> Option<u32> {
        if self.filled < count {
            let (&byte, rest) = self.bytes.split_first()?;
            *self.bytes = rest;
            self.bits |= u32::from(byte) << self.filled;
            self.filled += 8;
        }
        Some(self.bits)
    }

    fn take(&mut self, count: u32) -> Option<u32> {
        let bits = self.peek(count)? & ((1 << count) - 1);
        self.bits >>= count;
        self.filled -= count;
        Some(bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use crate::{NotatedGame, PackedGame};

    #[test]
    fn lengths_are_as_documented() {
        for (number, length) in [(1, 29), (2, 31)] {
            let mut start = Hexchess::start();
            start.set_state(None, 0, number);
            let mut bytes = Vec::new();
            start.pack(0, &mut bytes);
            assert_eq!(bytes.len(), length);
        }
    }

    #[test]
    fn the_worth_of_stalemate_is_kept() {
        for value in ["3/4", "1/2", "1"] {
            let mut position = Hexchess::start();
            position.set("stalemate", value).unwrap();
            let mut bytes = Vec::new();
            position.pack(7, &mut bytes);
            assert_eq!(Hexchess::unpack(7, &mut bytes.as_slice()), Some(position));
        }
    }
}
