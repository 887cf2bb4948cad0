//! Random numbers for hashing positions.

use super::tables::PerCell;

/// A number for each piece of each colour on each cell; the sixth and seventh piece do not exist.
pub(super) static PIECES: [[PerCell<u64>; 8]; 2] = {
    let mut table = [[[0; 128]; 8]; 2];
    let mut state = 0x6865_7863_6865_7373;
    let mut i = 0;
    while i < 2 * 6 * 128 {
        let next;
        (next, state) = random(state);
        table[i / 768][i / 128 % 6][i % 128] = next;
        i += 1;
    }
    table
};

/// For Black to move.
pub(super) const BLACK: u64 = random(1).0;

/// For the file of a pawn that can be taken in passing.
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

/// A number and the next state of the splitmix64 generator.
const fn random(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    (z ^ z >> 31, state)
}
