//! Slider attacks of hexchess.
//!
//! Each ray is cut off behind the first piece on it, which a bit scan finds: up the bits the
//! lowest, down the bits the highest. How this compares with other ways is measured in
//! `benches/hexchess.rs`.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::tables::{BISHOP_LINES, GameHistory, PerCell, ROOK_LINES};

/// What a rook on `from` attacks when the cells of `occupied` are taken.
#[inline]
pub(super) fn rook(from: Cell, occupied: Bitboard) -> Bitboard {
    three(&ROOK_LINES, from, occupied)
}

/// What a bishop on `from` attacks when the cells of `occupied` are taken.
#[inline]
pub(super) fn bishop(from: Cell, occupied: Bitboard) -> Bitboard {
    three(&BISHOP_LINES, from, occupied)
}

#[inline]
fn three(lines: &[PerCell<GameHistory>; 3], from: Cell, occupied: Bitboard) -> Bitboard {
    along(&lines[0], from, occupied)
        | along(&lines[1], from, occupied)
        | along(&lines[2], from, occupied)
}

#[inline]
fn along(lines: &PerCell<GameHistory>, from: Cell, occupied: Bitboard) -> Bitboard {
    let GameHistory { lower, upper } = lines[from.slot()];
    // Bits 127 and 0 stand for nothing in the way: from there, no ray goes on in the same
    // direction.
    let above = ((upper & occupied).0 | 1 << 127).trailing_zeros() as usize;
    let below = ((lower & occupied).0 | 1).ilog2() as usize;
    (upper ^ lines[above & 127].upper) | (lower ^ lines[below & 127].lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hexchess::tables::{CORNERS, EDGES};

    fn walked(from: Cell, occupied: Bitboard, steps: &[(i32, i32); 6]) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for (dx, dy) in steps {
            let (mut x, mut y) = from.coordinates();
            while let Some(cell) = Cell::at(x + dx, y + dy) {
                seen |= cell.set();
                if occupied.has(cell) {
                    break;
                }
                (x, y) = (x + dx, y + dy);
            }
        }
        seen
    }

    proptest::proptest! {
        #[test]
        fn sliders_see_what_walking_sees(a: u128, b: u128, sparse: bool) {
            let occupied = Bitboard(if sparse { a & b } else { a }) & Bitboard::BOARD;
            for from in Bitboard::BOARD {
                proptest::prop_assert_eq!(rook(from, occupied), walked(from, occupied, &EDGES));
                proptest::prop_assert_eq!(bishop(from, occupied), walked(from, occupied, &CORNERS));
            }
        }
    }
}
