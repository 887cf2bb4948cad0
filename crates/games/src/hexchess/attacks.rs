//! What sliding pieces see past the pieces in their way.
//!
//! Each line is answered by one subtraction: with the nearest blocker above the piece and the nearest
//! below it, the difference of the two has exactly the bits from the one to the other. How this compares
//! with ray tables and multiplication is measured in `benches/hexchess.rs`.

use super::bitboard::Bitboard;
use super::cell::Cell;
use super::tables::{BISHOP_LINES, Line, ROOK_LINES};

/// What a rook on `from` attacks when the cells of `occupied` are taken.
#[inline]
pub(super) fn rook(from: Cell, occupied: Bitboard) -> Bitboard {
    three(&ROOK_LINES[from.slot()], occupied)
}

/// What a bishop on `from` attacks when the cells of `occupied` are taken.
#[inline]
pub(super) fn bishop(from: Cell, occupied: Bitboard) -> Bitboard {
    three(&BISHOP_LINES[from.slot()], occupied)
}

#[inline]
fn three(lines: &[Line; 3], occupied: Bitboard) -> Bitboard {
    along(&lines[0], occupied) | along(&lines[1], occupied) | along(&lines[2], occupied)
}

#[inline]
fn along(line: &Line, occupied: Bitboard) -> Bitboard {
    let upper = (line.upper & occupied).0;
    // Bit 0 stands for the edge of the board when nothing is in the way below.
    let lower = (line.lower & occupied).0 | 1;
    let from_below = u128::MAX << (127 - lower.leading_zeros());
    let nearest_above = upper & upper.wrapping_neg();
    // Twice the blocker minus the other blocker: all bits from the one up to and with the other. Without
    // a blocker above, the subtraction runs on to the top.
    Bitboard(nearest_above.wrapping_mul(2).wrapping_add(from_below)) & line.whole()
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
