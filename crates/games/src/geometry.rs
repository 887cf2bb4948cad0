//! Where the cells of a board are, for whoever draws it.

/// The outline of every cell of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellShape {
    /// Squares of side 1.
    Square,
    /// Hexagons with a flat top, one unit between the centres of neighbours.
    Hexagon,
}

/// One cell, at the place in [`BoardGeometry::cells`] that the game numbers it by.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// What players call it, for example `e4`.
    pub name: String,
    /// Centre, in cells from that of the leftmost.
    pub x: f32,
    /// Centre, in cells from that of the lowest, at White's side.
    pub y: f32,
    /// Which of the board's cell colours it has, counted from 0.
    pub shade: u8,
}

/// A board as it is drawn from White's side.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardGeometry {
    /// The outline of the cells.
    pub shape: CellShape,
    /// The cells, by the game's own numbers.
    pub cells: Vec<Cell>,
}
