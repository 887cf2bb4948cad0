//! Slider attacks of hexchess: bishop and rook attacks by bit scans.
//!
//! Each ray ends at its first blocker, which a bit scan finds: the lowest bit in the direction of
//! higher bits, the highest bit in the other direction. `benches/hexchess.rs` compares this with
//! alternatives.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::tables::{BISHOP_LINES, CellLine, PerCell, ROOK_LINES};

/// Rook attacks from `from`, with `occupied` as the blockers.
#[inline]
pub(super) fn rook(from: Cell, occupied: Bitboard) -> Bitboard {
    three(&ROOK_LINES, from, occupied)
}

/// Bishop attacks from `from`, with `occupied` as the blockers.
#[inline]
pub(super) fn bishop(from: Cell, occupied: Bitboard) -> Bitboard {
    three(&BISHOP_LINES, from, occupied)
}

#[inline]
fn three(lines: &[PerCell<CellLine>; 3], from: Cell, occupied: Bitboard) -> Bitboard {
    along(&lines[0], from, occupied)
        | along(&lines[1], from, occupied)
        | along(&lines[2], from, occupied)
}

#[inline]
fn along(lines: &PerCell<CellLine>, from: Cell, occupied: Bitboard) -> Bitboard {
    let CellLine { lower, upper } = lines[from.slot()];
    // Bits 127 and 0 are sentinels for no blocker: their entries have no ray in that direction.
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
