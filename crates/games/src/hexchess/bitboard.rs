//! Bitboards of hexchess: sets of the 91 cells.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::cell::{CELLS, Cell};

/// A set of cells, one bit each.
///
/// The complement includes bits that are not cells; intersect it with a set of cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Bitboard(pub(super) u128);

impl Bitboard {
    /// The empty set.
    pub(super) const EMPTY: Self = Self(0);

    /// The set of all cells.
    pub(super) const BOARD: Self = {
        let mut board = 0;
        let mut number = 0;
        while number < CELLS {
            board |= Cell::numbered(number).set().0;
            number += 1;
        }
        Self(board)
    };

    /// Whether the set is empty.
    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set is not empty.
    #[inline]
    pub(super) const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has more than one cell.
    #[inline]
    pub(super) const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// The number of cells.
    #[inline]
    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set contains this cell.
    #[inline]
    pub(super) const fn has(self, cell: Cell) -> bool {
        // Works on one half: shifting all 128 bits is slower.
        let half = if cell.bit() < 64 { self.0 as u64 } else { (self.0 >> 64) as u64 };
        half >> (cell.bit() & 63) & 1 != 0
    }

    /// The union of both sets, for use in constants.
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The cell with the lowest number. The set must not be empty.
    #[inline]
    pub(super) const fn first(self) -> Cell {
        Cell::from_bit(self.0.trailing_zeros())
    }

    /// Moves every cell by this many bits; drops those that leave the board.
    #[inline]
    pub(super) const fn step<const BY: i32>(self) -> Self {
        let moved = if BY > 0 { self.0 << BY } else { self.0 >> -BY };
        Self(moved & Self::BOARD.0)
    }
}

/// An iterator over the cells of a set, in order.
///
/// It visits the lower half of the set, then the upper: on machine words, finding and removing the
/// lowest bit takes three instructions.
pub(super) struct Cells {
    half: u64,
    upper: u64,
    base: u32,
}

impl IntoIterator for Bitboard {
    type Item = Cell;
    type IntoIter = Cells;

    #[inline]
    fn into_iter(self) -> Cells {
        Cells { half: self.0 as u64, upper: (self.0 >> 64) as u64, base: 0 }
    }
}

impl Iterator for Cells {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        if self.half == 0 {
            if self.upper == 0 {
                return None;
            }
            (self.half, self.upper, self.base) = (self.upper, 0, 64);
        }
        let bit = self.base + self.half.trailing_zeros();
        self.half &= self.half - 1;
        Some(Cell::from_bit(bit))
    }
}

impl FromIterator<Cell> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Cell>>(cells: T) -> Self {
        cells.into_iter().fold(Self::EMPTY, |all, cell| all | cell.set())
    }
}

impl std::fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

impl BitAnd for Bitboard {
    type Output = Self;

    #[inline]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Self;

    #[inline]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Self;

    #[inline]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

impl Not for Bitboard {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline]
    fn bitxor_assign(&mut self, other: Self) {
        self.0 ^= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_in_order_and_once() {
        let numbers: Vec<_> = Bitboard::BOARD.into_iter().map(Cell::number).collect();
        assert_eq!(numbers, (0..CELLS).collect::<Vec<_>>());
        assert_eq!(Bitboard::BOARD.len(), 91);
    }

    #[test]
    fn steps_off_the_board_are_dropped() {
        for cell in Bitboard::BOARD {
            let (x, y) = cell.coordinates();
            let expected = |dx, dy| Cell::at(x + dx, y + dy).into_iter().collect::<Bitboard>();
            assert_eq!(cell.set().step::<1>(), expected(0, 1));
            assert_eq!(cell.set().step::<-1>(), expected(0, -1));
            assert_eq!(cell.set().step::<12>(), expected(1, 0));
            assert_eq!(cell.set().step::<-12>(), expected(-1, 0));
            assert_eq!(cell.set().step::<11>(), expected(1, -1));
            assert_eq!(cell.set().step::<-11>(), expected(-1, 1));
        }
    }
}
