//! Attack tables of hexchess, computed at compile time.

use super::bitboard::Bitboard;
use super::cell::{CELLS, Cell};

/// A table with an entry for each bit, including the gaps between files.
pub(super) type PerCell<T> = [T; 128];

/// Steps across the edges of a cell: the rook's.
pub(super) const EDGES: [(i32, i32); 6] = [(0, 1), (1, -1), (1, 0), (0, -1), (-1, 1), (-1, 0)];

/// Steps across the corners of a cell: the bishop's.
pub(super) const CORNERS: [(i32, i32); 6] = [(1, -2), (1, 1), (2, -1), (-1, 2), (-1, -1), (-2, 1)];

/// The knight's jumps.
const JUMPS: [(i32, i32); 12] = [
    (1, 2),
    (2, 1),
    (3, -1),
    (3, -2),
    (2, -3),
    (1, -3),
    (-1, -2),
    (-2, -1),
    (-3, 1),
    (-3, 2),
    (-2, 3),
    (-1, 3),
];

/// The capture steps of White's pawns.
const WHITE_CAPTURES: [(i32, i32); 2] = [(1, 0), (-1, 1)];

/// The capture steps of Black's pawns.
const BLACK_CAPTURES: [(i32, i32); 2] = [(-1, 0), (1, -1)];

/// Knight attacks.
pub(super) static KNIGHT: PerCell<Bitboard> = leaps(&JUMPS);

/// King attacks.
pub(super) static KING: PerCell<Bitboard> = {
    let (edges, corners) = (leaps(&EDGES), leaps(&CORNERS));
    let mut table = [Bitboard::EMPTY; 128];
    let mut bit = 0;
    while bit < 128 {
        table[bit] = edges[bit].with(corners[bit]);
        bit += 1;
    }
    table
};

/// Pawn attacks, by colour.
pub(super) static PAWN_CAPTURES: [PerCell<Bitboard>; 2] =
    [leaps(&WHITE_CAPTURES), leaps(&BLACK_CAPTURES)];

/// Rook attacks on an empty board.
pub(super) static ROOK_RAYS: PerCell<Bitboard> = all_rays(&EDGES);

/// Bishop attacks on an empty board.
pub(super) static BISHOP_RAYS: PerCell<Bitboard> = all_rays(&CORNERS);

/// A line through a cell, without the cell: the part with lower bits and the part with higher ones.
#[derive(Clone, Copy)]
pub(super) struct CellLine {
    /// From the cell towards lower bits.
    pub(super) lower: Bitboard,
    /// From the cell towards higher bits.
    pub(super) upper: Bitboard,
}

impl CellLine {
    /// The whole line, without the cell.
    #[inline]
    pub(super) fn whole(&self) -> Bitboard {
        self.lower | self.upper
    }
}

/// The rook's lines: along the file, falling to the right, rising to the right.
pub(super) static ROOK_LINES: [PerCell<CellLine>; 3] = lines(&EDGES);

/// The bishop's lines.
pub(super) static BISHOP_LINES: [PerCell<CellLine>; 3] = lines(&CORNERS);

/// The cells strictly between two cells on a common line; empty if there is no such line.
pub(super) static BETWEEN: PerCell<PerCell<Bitboard>> = {
    let mut table = [[Bitboard::EMPTY; 128]; 128];
    let mut number = 0;
    while number < CELLS {
        let from = Cell::numbered(number);
        let mut direction = 0;
        while direction < 12 {
            let (dx, dy) = if direction < 6 { EDGES[direction] } else { CORNERS[direction - 6] };
            let (mut x, mut y) = from.coordinates();
            let mut passed = Bitboard::EMPTY;
            while let Some(cell) = Cell::at(x + dx, y + dy) {
                table[from.slot()][cell.slot()] = passed;
                passed = passed.with(cell.set());
                (x, y) = (x + dx, y + dy);
            }
            direction += 1;
        }
        number += 1;
    }
    table
};

/// The start cells of White's pawns, from which they may step twice.
pub(super) const WHITE_STARTS: Bitboard = {
    let mut starts = Bitboard::EMPTY;
    let mut file = 1;
    while file < 10 {
        // b1, c2, d3, e4, f5 and down again to k1.
        if let Some(cell) = Cell::on(file, 5 - file.abs_diff(5)) {
            starts = starts.with(cell.set());
        }
        file += 1;
    }
    starts
};

/// The start cells of pawns, by colour.
pub(super) const PAWN_STARTS: [Bitboard; 2] = [WHITE_STARTS, mirrored(WHITE_STARTS)];

/// The last cells of the files.
const TOP_CELLS: Bitboard = {
    let mut cells = Bitboard::EMPTY;
    let mut file = 0;
    while file < 11 {
        if let Some(cell) = Cell::on(file, super::cell::file_length(file)) {
            cells = cells.with(cell.set());
        }
        file += 1;
    }
    cells
};

/// The promotion cells, by colour.
pub(super) const PROMOTION: [Bitboard; 2] = [TOP_CELLS, mirrored(TOP_CELLS)];

/// The cells that a pawn can reach, by colour.
pub(super) const PAWN_CELLS: [Bitboard; 2] = {
    let mut reached = WHITE_STARTS;
    loop {
        let on = reached.with(reached.step::<1>()).with(reached.step::<12>());
        let on = on.with(reached.step::<-11>());
        if on.0 == reached.0 {
            break;
        }
        reached = on;
    }
    let reached = Bitboard(reached.0 & !TOP_CELLS.0);
    [reached, mirrored(reached)]
};

/// The set mirrored top to bottom.
pub(super) const fn mirrored(set: Bitboard) -> Bitboard {
    let mut result = Bitboard::EMPTY;
    let mut number = 0;
    while number < CELLS {
        let cell = Cell::numbered(number);
        if set.has(cell) {
            result = result.with(cell.top_bottom().set());
        }
        number += 1;
    }
    result
}

const fn leaps(steps: &[(i32, i32)]) -> PerCell<Bitboard> {
    let mut table = [Bitboard::EMPTY; 128];
    let mut number = 0;
    while number < CELLS {
        let from = Cell::numbered(number);
        let (x, y) = from.coordinates();
        let mut i = 0;
        while i < steps.len() {
            if let Some(cell) = Cell::at(x + steps[i].0, y + steps[i].1) {
                table[from.slot()] = table[from.slot()].with(cell.set());
            }
            i += 1;
        }
        number += 1;
    }
    table
}

const fn ray(from: Cell, (dx, dy): (i32, i32)) -> Bitboard {
    let (mut x, mut y) = from.coordinates();
    let mut cells = Bitboard::EMPTY;
    while let Some(cell) = Cell::at(x + dx, y + dy) {
        cells = cells.with(cell.set());
        (x, y) = (x + dx, y + dy);
    }
    cells
}

const fn all_rays(steps: &[(i32, i32); 6]) -> PerCell<Bitboard> {
    let mut table = [Bitboard::EMPTY; 128];
    let mut number = 0;
    while number < CELLS {
        let from = Cell::numbered(number);
        let mut i = 0;
        while i < 6 {
            table[from.slot()] = table[from.slot()].with(ray(from, steps[i]));
            i += 1;
        }
        number += 1;
    }
    table
}

/// Builds lines from pairs of opposite steps; the first three steps lead to higher bits.
const fn lines(steps: &[(i32, i32); 6]) -> [PerCell<CellLine>; 3] {
    let none = CellLine { lower: Bitboard::EMPTY, upper: Bitboard::EMPTY };
    let mut table = [[none; 128]; 3];
    let mut number = 0;
    while number < CELLS {
        let from = Cell::numbered(number);
        let mut i = 0;
        while i < 3 {
            let (dx, dy) = steps[i];
            table[i][from.slot()] =
                CellLine { lower: ray(from, (-dx, -dy)), upper: ray(from, (dx, dy)) };
            i += 1;
        }
        number += 1;
    }
    table
}
