//! Board geometry: the coordinates of cells, for drawing and mirroring.

/// The outline of every cell of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    /// Squares of side 1.
    Square,
    /// Hexagons with a flat top, one unit between the centres of neighbours.
    Hexagon,
}

/// One cell. Its index in [`BoardGeometry::cells`] is the game's number of the cell.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The usual name, for example `e4`.
    pub name: String,
    /// The x coordinate of the centre, in cells from the leftmost centre.
    pub x: f32,
    /// The y coordinate of the centre, in cells from the lowest centre, at White's side.
    pub y: f32,
    /// The index of the cell's colour, from 0.
    pub shade: u8,
}

/// A board from White's side.
///
/// ```
/// let board = games::BoardGeometry::squares(8, 8);
/// assert_eq!(board.cells[28].name, "e4");
/// assert_eq!(board.reflected(false, true).unwrap()[28], 36); // e5, as Black sees e4
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoardGeometry {
    /// The outline of the cells.
    pub shape: CellShape,
    /// The cells, by the game's numbers.
    pub cells: Vec<Cell>,
}

impl BoardGeometry {
    /// A chequered board of squares: cell `row * columns + column`, named `a1`, `b1` … from White's
    /// left corner. At most 26 columns have unique names.
    pub fn squares(columns: usize, rows: usize) -> Self {
        let cell = |number: usize| {
            let (column, row) = (number % columns, number / columns);
            Cell {
                name: format!("{}{}", char::from(b'a' + (column % 26) as u8), row + 1),
                x: column as f32,
                y: row as f32,
                shade: ((column + row) % 2) as u8,
            }
        };
        Self { shape: CellShape::Square, cells: (0..columns * rows).map(cell).collect() }
    }

    /// The image of every cell after a reflection left to right (`across`), upside down (`over`) or
    /// both; `None` for a board that is not symmetric in this way.
    pub fn reflected(&self, across: bool, over: bool) -> Option<Vec<usize>> {
        const NEAR: f32 = 1e-3;
        let max = |of: fn(&Cell) -> f32| self.cells.iter().map(of).fold(0.0, f32::max);
        let (right, top) = (max(|cell| cell.x), max(|cell| cell.y));
        let image = |cell: &Cell| {
            let x = if across { right - cell.x } else { cell.x };
            let y = if over { top - cell.y } else { cell.y };
            let there = |c: &Cell| (c.x - x).abs() < NEAR && (c.y - y).abs() < NEAR;
            self.cells.iter().position(there)
        };
        self.cells.iter().map(image).collect()
    }
}
