//! Packed positions of connect four: a binary format of seven bytes.
//!
//! Seven bits for each column from the left, its lowest cell first: a 1 is a disc of White, a 0 one
//! of Black, and the last 1 is a marker above the discs. The side to move follows from their
//! number.

use super::{COLUMN, COLUMNS, ConnectFour, STRIDE};
use crate::Color;

/// The size of a position in bytes.
const BYTES: usize = 7;

/// Appends a position.
pub(super) fn pack(position: &ConnectFour, bytes: &mut Vec<u8>) {
    let named = position.landings() | position.discs[0];
    bytes.extend(&named.to_le_bytes()[..BYTES]);
}

/// Reads a position from the front of `bytes`.
pub(super) fn unpack(bytes: &mut &[u8]) -> Option<ConnectFour> {
    let (packed, rest) = bytes.split_first_chunk::<BYTES>()?;
    let mut named = [0; 8];
    named[..BYTES].copy_from_slice(packed);
    let named = u64::from_le_bytes(named);
    let mut discs = [0; 2];
    for shift in (0..COLUMNS).map(|column| column * STRIDE) {
        let column = named >> shift & (COLUMN << 1 | 1);
        let height = column.checked_ilog2()?;
        let filled = (1 << height) - 1;
        discs[0] |= (column & filled) << shift;
        discs[1] |= (!column & filled) << shift;
    }
    let [white, black] = discs.map(u64::count_ones);
    let side = if white == black { Color::White } else { Color::Black };
    let position = ConnectFour { discs, side };
    // Seven columns of seven bits leave seven bits unused.
    let sound = named >> (COLUMNS * STRIDE) == 0 && position.validate().is_ok();
    *bytes = rest;
    sound.then_some(position)
}
