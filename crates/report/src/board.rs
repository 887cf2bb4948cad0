//! Board drawings: a position of any game as a picture, with marks, a heat map and arrows.

mod outline;
mod pieces;

use games::{BoardGame, BoardGeometry};
use maud::{Markup, html};

use crate::picture::{Picture, Px};
pub use outline::outlines_svg;
pub(crate) use outline::{REFERENCE, UNIT, outlines};
pub(crate) use pieces::piece;

/// Room for coordinates below and at the left, in the units of the drawing.
const COORDINATES: f32 = 11.0;
/// Pixels for each unit: boards are drawn in units of a twentieth of a cell.
const SCALE: f32 = 1.3;

/// A board that is being drawn: cells first, then marks, pieces and arrows.
///
/// ```
/// use games::Game;
/// use games::chess::Chess;
/// use report::board::BoardDrawing;
///
/// let before = Chess::start();
/// let mut after = before.clone();
/// after.play(after.parse_move("e2e4")?);
/// let drawing = BoardDrawing::of(&after).changes_since(&before).coordinates();
/// let svg = drawing.picture().standalone();
/// assert_eq!(svg.matches("class=\"last\"").count(), 2);
/// # Ok::<(), games::MoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoardDrawing {
    geometry: BoardGeometry,
    /// By the game's own numbers of cells, as everything below.
    pieces: Vec<Option<char>>,
    marked: Vec<usize>,
    heat: Vec<f32>,
    arrows: Vec<Arrow>,
    coordinates: bool,
    label: String,
}

/// An arrow between the centres of two cells.
#[derive(Clone, Copy, Debug)]
struct Arrow {
    from: usize,
    to: usize,
    /// From 0 to 1: how wide and opaque it is.
    weight: f32,
}

impl BoardDrawing {
    /// A board without pieces.
    pub fn empty(geometry: BoardGeometry) -> Self {
        Self {
            pieces: vec![None; geometry.cells.len()],
            geometry,
            marked: Vec::new(),
            heat: Vec::new(),
            arrows: Vec::new(),
            coordinates: false,
            label: "board".to_owned(),
        }
    }

    /// A position.
    pub fn of<G: BoardGame>(position: &G) -> Self {
        let mut drawing = Self::empty(G::geometry());
        for (cell, piece) in drawing.pieces.iter_mut().enumerate() {
            *piece = position.piece_on(cell);
        }
        drawing.label = position.to_fen();
        drawing
    }

    /// Marks the cells whose pieces differ from those of an earlier position.
    #[must_use]
    pub fn changes_since<G: BoardGame>(mut self, before: &G) -> Self {
        let pieces = self.pieces.iter().enumerate();
        let changed = pieces.filter(|&(cell, piece)| before.piece_on(cell) != *piece);
        self.marked = changed.map(|(cell, _)| cell).collect();
        self
    }

    /// Colours each cell by a value from −1 to 1; cells whose value is not a number are grey.
    #[must_use]
    pub fn heat(mut self, values: &[f32]) -> Self {
        self.heat = values.to_vec();
        self
    }

    /// Draws an arrow from cell to cell; `weight` from 0 to 1 is its strength.
    #[must_use]
    pub fn arrow(mut self, from: usize, to: usize, weight: f32) -> Self {
        let cells = self.geometry.cells.len();
        if from < cells && to < cells {
            self.arrows.push(Arrow { from, to, weight: weight.clamp(0.0, 1.0) });
        }
        self
    }

    /// Writes the names of files and ranks at the edge.
    #[must_use]
    pub fn coordinates(mut self) -> Self {
        self.coordinates = true;
        self
    }

    /// The picture.
    pub fn picture(&self) -> Picture {
        let edge = if self.coordinates { COORDINATES } else { 1.0 };
        let (width, height) = extent(&self.geometry);
        let (width, height) = ((width + edge + 1.0) * SCALE, (height + edge + 1.0) * SCALE);
        let place = format!("scale({SCALE}) translate({edge} 1)");
        let body = html! {
            g transform=(place) {
                (self.cells())
                @for (cell, letter) in self.pieces.iter().enumerate() {
                    @if let Some(letter) = letter { (piece(*letter, self.centre(cell))) }
                }
                @for arrow in &self.arrows { (self.draw_arrow(*arrow)) }
                @if self.coordinates { (self.draw_coordinates()) }
            }
        };
        Picture { uses_outlines: true, ..Picture::new(width, height, &self.label, body) }
    }

    /// The cells alone, in units of [`UNIT`] to a cell.
    pub(crate) fn cells(&self) -> Markup {
        let outline = outline::cell_id(self.geometry.shape);
        let shades = self.geometry.cells.iter().map(|cell| cell.shade).max().unwrap_or(0);
        let cell = |number: usize, class: &str| {
            outline::reference(outline, class, self.centre(number), "")
        };
        let numbers = 0..self.geometry.cells.len();
        if !self.heat.is_empty() {
            let values = numbers.zip(&self.heat);
            return html! {
                g class="weights" {
                    @for (number, &value) in values {
                        @let (class, opacity) = heat(value);
                        (outline::reference(outline, class, self.centre(number), &opacity))
                    }
                }
            };
        }
        html! {
            @for number in numbers {
                @match self.geometry.cells[number].shade {
                    _ if shades == 0 => (cell(number, "plain")),
                    0 => (cell(number, "shade0")),
                    1 => (cell(number, "shade1")),
                    _ => (cell(number, "shade2")),
                }
            }
            @for &number in &self.marked { (cell(number, "last")) }
        }
    }

    fn centre(&self, cell: usize) -> (f32, f32) {
        let highest = self.geometry.cells.iter().map(|cell| cell.y).fold(0.0, f32::max);
        let cell = &self.geometry.cells[cell];
        let half_width = outline::cell_width(self.geometry.shape) / 2.0;
        ((cell.x + half_width) * UNIT, (highest - cell.y + 0.5) * UNIT)
    }

    fn draw_arrow(&self, Arrow { from, to, weight }: Arrow) -> Markup {
        let ((x1, y1), (x2, y2)) = (self.centre(from), self.centre(to));
        let length = (x2 - x1).hypot(y2 - y1).max(1.0);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        let half = 1.0 + 1.5 * weight;
        let head = 3.0 * half;
        // The line ends where the head begins.
        let (neck_x, neck_y) = (x2 - dx * head, y2 - dy * head);
        let (side_x, side_y) = (-dy * 2.0 * half, dx * 2.0 * half);
        let corners =
            [(x2, y2), (neck_x + side_x, neck_y + side_y), (neck_x - side_x, neck_y - side_y)];
        let corners = corners.map(|(x, y)| format!("{x:.1},{y:.1}")).join(" ");
        html! {
            g opacity=(format_args!("{:.2}", 0.35 + 0.5 * weight)) {
                line class="arrow" x1=(Px(x1)) y1=(Px(y1)) x2=(Px(neck_x)) y2=(Px(neck_y))
                    stroke-width=(Px(half * 1.4)) {}
                polygon class="arrowhead" points=(corners) {}
            }
        }
    }

    /// Names below each file and left of each rank, where all cells of a file or rank share them.
    fn draw_coordinates(&self) -> Markup {
        let cells = &self.geometry.cells;
        let file = |cell: &games::Cell| cell.name.trim_end_matches(char::is_numeric).to_owned();
        let rank =
            |cell: &games::Cell| cell.name.trim_start_matches(char::is_alphabetic).to_owned();
        let shared = |of: &dyn Fn(&games::Cell) -> String, at: fn(&games::Cell) -> f32| {
            let alike = |a: &games::Cell, b: &games::Cell| (at(a) - at(b)).abs() < 0.01;
            let agree = |a: &games::Cell| cells.iter().all(|b| !alike(a, b) || of(a) == of(b));
            cells.iter().all(agree)
        };
        let files = shared(&file, |cell| cell.x);
        let ranks = shared(&rank, |cell| cell.y);
        let is_first =
            |number: usize, along: fn(&games::Cell) -> f32, across: fn(&games::Cell) -> f32| {
                let cell = &cells[number];
                cells.iter().all(|other| {
                    (along(other) - along(cell)).abs() > 0.01 || across(other) >= across(cell)
                })
            };
        let text = |x: f32, y: f32, name: &str| {
            html! {
                text class="pale" x=(Px(x)) y=(Px(y)) text-anchor="middle"
                    font-size="8" { (name) }
            }
        };
        html! {
            @for (number, cell) in cells.iter().enumerate() {
                @let (x, y) = self.centre(number);
                @if files && is_first(number, |cell| cell.x, |cell| cell.y) {
                    (text(x, y + UNIT / 2.0 + 8.5, &file(cell)))
                }
                @if ranks && is_first(number, |cell| cell.y, |cell| cell.x) {
                    (text(x - UNIT / 2.0 - 5.0, y + 2.5, &rank(cell)))
                }
            }
        }
    }
}

/// The class and opacity of a cell of a heat map: the stronger the value, the more opaque.
fn heat(value: f32) -> (&'static str, String) {
    if value.is_nan() {
        return ("missing", String::new());
    }
    let class = if value < 0.0 { "lowers" } else { "raises" };
    let opacity = match (value.abs() * 100.0).round() as u32 {
        0 => "0".to_owned(),
        hundredths @ 1..100 => format!(".{hundredths:02}"),
        _ => "1".to_owned(),
    };
    (class, format!(" fill-opacity=\"{opacity}\""))
}

/// The width and height of a board, in units of [`UNIT`] to a cell.
pub(crate) fn extent(geometry: &BoardGeometry) -> (f32, f32) {
    let right = geometry.cells.iter().map(|cell| cell.x).fold(0.0, f32::max);
    let top = geometry.cells.iter().map(|cell| cell.y).fold(0.0, f32::max);
    ((right + outline::cell_width(geometry.shape)) * UNIT, (top + 1.0) * UNIT)
}

#[cfg(test)]
mod tests;
