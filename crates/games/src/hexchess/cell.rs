//! Cells of hexchess: coordinates, numbers and names.
//!
//! A cell has the axial coordinates x (file, −5 to 5) and y, with z = −x−y. It is on the board if
//! none of the three exceeds ±5. Its *bit* is 12x + y + 60, so that a step in a given direction
//! adds the same number from every cell, and a step off the board never lands on another cell. Its
//! *number*, 0 to 90, is its position in the order a1 … a6, b1 … b7, … l6. Bits have the same
//! order, so the two differ only by the gaps.

use super::bitboard::Bitboard;

/// The number of cells.
pub(super) const CELLS: usize = 91;

/// The letters of the files.
pub(super) const FILES: [u8; 11] = *b"abcdefghikl";

/// A cell of the board, stored as its bit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cell(u8);

impl Cell {
    /// The cell with these axial coordinates.
    pub(super) const fn at(x: i32, y: i32) -> Option<Self> {
        let z = -x - y;
        if x.abs() > 5 || y.abs() > 5 || z.abs() > 5 {
            return None;
        }
        Some(Self((12 * x + y + 60) as u8))
    }

    /// The cell on a file (0 to 10) and rank (from 1).
    pub(super) const fn on(file: usize, rank: usize) -> Option<Self> {
        if file > 10 || rank < 1 || rank > file_length(file) {
            return None;
        }
        let x = file as i32 - 5;
        let dip = if x < 0 { x } else { 0 };
        Self::at(x, rank as i32 - 6 - dip)
    }

    /// The cell with this bit, which must be the bit of a cell.
    #[inline]
    pub(super) const fn from_bit(bit: u32) -> Self {
        Self(bit as u8)
    }

    /// The cell with this number, 0 to 90.
    #[inline]
    pub(super) const fn numbered(number: usize) -> Self {
        BY_NUMBER[number]
    }

    /// The bit. The mask lets the optimiser simplify the packing of moves.
    #[inline]
    pub(super) const fn bit(self) -> u32 {
        self.0 as u32 & 127
    }

    /// The bit as an index into a table of 128; the mask removes the bounds check.
    #[inline]
    pub(super) const fn slot(self) -> usize {
        self.0 as usize & 127
    }

    /// The set with only this cell.
    #[inline]
    pub(super) const fn set(self) -> Bitboard {
        Bitboard(1 << (self.0 & 127))
    }

    /// The same from a table: faster than shifting 128 bits in hot code.
    #[inline]
    pub(super) fn set_from_table(self) -> Bitboard {
        SETS[self.slot()]
    }

    /// The number, 0 to 90.
    #[inline]
    pub(super) const fn number(self) -> usize {
        NUMBERS[self.slot()] as usize
    }

    /// The cell `by` bits away.
    #[inline]
    pub(super) const fn offset(self, by: i32) -> Self {
        Self((self.0 as i32 + by) as u8)
    }

    /// The axial coordinates.
    pub(super) const fn coordinates(self) -> (i32, i32) {
        let x = self.file() as i32 - 5;
        (x, self.0 as i32 - 60 - 12 * x)
    }

    /// The file, 0 to 10.
    #[inline]
    pub(super) const fn file(self) -> usize {
        // Bits of file x start at 12x + 60 − 5 − min(x, 0); adding 5 puts each file into its own
        // dozen.
        (self.0 as usize + 5) / 12
    }

    /// The rank, from 1.
    pub(super) const fn rank(self) -> usize {
        let (x, y) = self.coordinates();
        (y + 6 + if x < 0 { x } else { 0 }) as usize
    }

    /// The cell mirrored top to bottom within its file.
    pub(super) const fn top_bottom(self) -> Self {
        let rank = file_length(self.file()) + 1 - self.rank();
        Self::on(self.file(), rank).expect("the rank is within the file")
    }

    /// The cell mirrored left to right.
    pub(super) const fn left_right(self) -> Self {
        Self::on(10 - self.file(), self.rank()).expect("opposite files have equal length")
    }

    /// The index of its cell colour, of three; bishops never leave theirs.
    pub(super) const fn shade(self) -> u8 {
        let (x, y) = self.coordinates();
        (x - y).rem_euclid(3) as u8
    }

    /// Parses a name at the front of `text` and returns the rest.
    pub(super) fn read(text: &[u8]) -> Option<(Self, &[u8])> {
        let (&letter, rest) = text.split_first()?;
        let file = FILES.iter().position(|&file| file == letter)?;
        let (rank, rest) = match rest {
            [b'1', digit @ (b'0' | b'1'), rest @ ..] => (10 + usize::from(digit - b'0'), rest),
            [digit @ b'1'..=b'9', rest @ ..] => (usize::from(digit - b'0'), rest),
            _ => return None,
        };
        Some((Self::on(file, rank)?, rest))
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", char::from(FILES[self.file()]), self.rank())
    }
}

impl std::fmt::Debug for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// The number of cells of a file.
pub(super) const fn file_length(file: usize) -> usize {
    11 - file.abs_diff(5)
}

/// The cells in the order of their numbers.
const BY_NUMBER: [Cell; CELLS] = {
    let mut cells = [Cell(0); CELLS];
    let mut number = 0;
    let mut file = 0;
    while file < 11 {
        let mut rank = 1;
        while let Some(cell) = Cell::on(file, rank) {
            cells[number] = cell;
            number += 1;
            rank += 1;
        }
        file += 1;
    }
    cells
};

/// The set of each bit.
static SETS: [Bitboard; 128] = {
    let mut sets = [Bitboard::EMPTY; 128];
    let mut bit = 0;
    while bit < 128 {
        sets[bit] = Bitboard(1 << bit);
        bit += 1;
    }
    sets
};

/// The number of each cell, by its bit.
const NUMBERS: [u8; 128] = {
    let mut numbers = [0; 128];
    let mut number = 0;
    while number < CELLS {
        numbers[BY_NUMBER[number].slot()] = number as u8;
        number += 1;
    }
    numbers
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_names_and_coordinates_agree() {
        for number in 0..CELLS {
            let cell = Cell::numbered(number);
            assert_eq!(cell.number(), number);
            assert_eq!(Cell::on(cell.file(), cell.rank()), Some(cell));
            let (x, y) = cell.coordinates();
            assert_eq!(Cell::at(x, y), Some(cell));
            assert_eq!(Cell::read(cell.to_string().as_bytes()), Some((cell, &b""[..])));
            assert_eq!(cell.top_bottom().top_bottom(), cell);
            assert_eq!(cell.left_right().left_right(), cell);
        }
        assert_eq!(Cell::numbered(0).to_string(), "a1");
        assert_eq!(Cell::numbered(6).to_string(), "b1");
        assert_eq!(Cell::numbered(90).to_string(), "l6");
    }

    #[test]
    fn there_are_31_cells_of_the_middle_colour() {
        let mut counts = [0; 3];
        for number in 0..CELLS {
            counts[usize::from(Cell::numbered(number).shade())] += 1;
        }
        assert_eq!(counts, [31, 30, 30]);
        assert_eq!(Cell::on(5, 6).map(Cell::shade), Some(0));
    }

    #[test]
    fn names_off_the_board_are_refused() {
        for name in ["a0", "a7", "f12", "j1", "m1", "e", "", "4e", "e04", "l7", "A1"] {
            let whole = Cell::read(name.as_bytes()).filter(|(_, rest)| rest.is_empty());
            assert_eq!(whole, None, "{name}");
        }
    }
}
