//! Zobrist keys of hexchess.

use super::cell::Cell;
use crate::Color;

/// A key for each piece on each cell, by colour, then at 128 × piece + bit. Kinds six and seven do
/// not exist, but they make the table easier to index.
pub(super) static PIECES: [[u64; 1024]; 2] = {
    let mut table = [[0; 1024]; 2];
    let mut state = 0x6865_7863_6865_7373;
    let mut i = 0;
    while i < 2 * 6 * 128 {
        (table[i / 768][i % 768], state) = random(state);
        i += 1;
    }
    table
};

/// The key of a piece of that kind and colour on a cell.
#[inline]
pub(super) fn piece(color: Color, piece: usize, cell: Cell) -> u64 {
    PIECES[color as usize][(128 * piece + cell.slot()) & 1023]
}

/// The key for Black to move.
pub(super) const BLACK: u64 = random(1).0;

/// The keys for the file of a pawn that can be captured en passant.
pub(super) static EN_PASSANT: [u64; 16] = {
    let mut table = [0; 16];
    let mut state = 2;
    let mut i = 0;
    while i < 16 {
        (table[i], state) = random(state);
        i += 1;
    }
    table
};

/// A random number and the next state of the splitmix64 generator.
const fn random(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ z >> 31, state)
}
