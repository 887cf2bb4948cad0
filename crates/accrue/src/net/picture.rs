//! Boards in colours, as SVG: one row for each neuron, one board for each kind of piece.

use std::fmt::Write;

use crate::output::escape;
use games::{BoardGeometry, CellShape};

/// What is drawn.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    /// The headline.
    pub(crate) title: String,
    /// The line below it.
    pub(crate) subtitle: String,
    /// The board.
    pub(crate) geometry: BoardGeometry,
    /// What each board of a neuron is about, for example `P`; own pieces first.
    pub(crate) columns: Vec<Column>,
    /// The neurons.
    pub(crate) neurons: Vec<Neuron>,
}

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Column {
    /// Its letter.
    pub(crate) piece: char,
    /// Whether it is the opponent's.
    pub(crate) theirs: bool,
}

/// What a neuron weighs.
#[derive(Clone, Debug)]
pub(crate) struct Neuron {
    /// Its number.
    pub(crate) number: usize,
    /// `[column][cell]`; NaN where there is no such feature.
    pub(crate) weights: Vec<Vec<f32>>,
}

const MARGIN: f32 = 24.0;
const LABEL: f32 = 92.0;
const GAP: f32 = 8.0;
/// Between own and their boards, and between neurons that stand side by side.
const WIDE_GAP: f32 = 26.0;
const HEAD: f32 = 92.0;
/// How wide pictures are, if their boards are neither too small nor too large then.
const WIDTH: f32 = 1240.0;
/// How wide boards are at least, and at most.
const BOARD: (f32, f32) = (84.0, 150.0);

/// Sizes that follow from what is drawn.
struct Plan {
    /// Pixels for a cell's width.
    unit: f32,
    board: (f32, f32),
    block: (f32, f32),
    abreast: usize,
}

impl Plan {
    fn of(picture: &Picture) -> Self {
        let (across, up) = extent(&picture.geometry);
        let columns = picture.columns.len().max(1);
        let halves = if is_mixed(picture) { WIDE_GAP - GAP } else { 0.0 };
        let fixed = LABEL + halves + columns as f32 * GAP + WIDE_GAP;
        let room = WIDTH - 2.0 * MARGIN + WIDE_GAP;
        // As many neurons side by side as there is room for with small boards; then the boards take it all.
        let fitting = (room / (fixed + columns as f32 * BOARD.0)) as usize;
        let abreast = fitting.clamp(1, picture.neurons.len().max(1));
        let left = room / abreast as f32 - fixed;
        let unit = (left / columns as f32).clamp(BOARD.0, BOARD.1) / across;
        let board = (across * unit, up * unit);
        let block = (fixed + columns as f32 * board.0, board.1 + 14.0);
        Self { unit, board, block, abreast }
    }

    /// Where a board's left edge is within its block.
    fn left(&self, picture: &Picture, column: usize) -> f32 {
        let theirs = is_mixed(picture) && picture.columns[column].theirs;
        let halves = if theirs { WIDE_GAP - GAP } else { 0.0 };
        LABEL + halves + column as f32 * (self.board.0 + GAP)
    }
}

/// Whether both own and their pieces are drawn.
fn is_mixed(picture: &Picture) -> bool {
    let theirs = picture.columns.iter().filter(|column| column.theirs).count();
    theirs > 0 && theirs < picture.columns.len()
}

/// How wide and high a board is, in cells.
fn extent(geometry: &BoardGeometry) -> (f32, f32) {
    let right = geometry.cells.iter().map(|cell| cell.x).fold(0.0, f32::max);
    let top = geometry.cells.iter().map(|cell| cell.y).fold(0.0, f32::max);
    (right + cell_width(geometry.shape), top + 1.0)
}

fn cell_width(shape: CellShape) -> f32 {
    match shape {
        CellShape::Square => 1.0,
        CellShape::Hexagon => 2.0 / 3_f32.sqrt(),
    }
}

/// The picture as SVG.
pub(crate) fn neurons_svg(picture: &Picture) -> String {
    let plan = Plan::of(picture);
    let rows = picture.neurons.len().div_ceil(plan.abreast);
    let width = 2.0 * MARGIN + plan.abreast as f32 * plan.block.0 - WIDE_GAP;
    // The headline and the legend need room too.
    let width = width.max(720.0);
    let height = HEAD + rows as f32 * plan.block.1 + MARGIN;
    let mut svg = String::new();
    // Writing into a string does not fail.
    let _ = write_svg(&mut svg, picture, &plan, (width, height));
    svg
}

fn write_svg(
    svg: &mut String,
    picture: &Picture,
    plan: &Plan,
    (width, height): (f32, f32),
) -> std::fmt::Result {
    writeln!(
        svg,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.0} {height:.0}" font-family="sans-serif" fill="{INK}">"#
    )?;
    writeln!(svg, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    writeln!(svg, "<defs>{}</defs>", cell_outline(picture.geometry.shape, plan.unit))?;
    writeln!(
        svg,
        r#"<text x="{MARGIN}" y="30" font-size="17" font-weight="bold">{}</text>"#,
        escape(&picture.title)
    )?;
    writeln!(
        svg,
        r#"<text x="{MARGIN}" y="50" font-size="12" fill="{PALE_INK}">{}</text>"#,
        escape(&picture.subtitle)
    )?;
    legend(svg, width)?;
    for block in 0..plan.abreast {
        column_heads(svg, picture, plan, MARGIN + block as f32 * plan.block.0)?;
    }
    for (place, neuron) in picture.neurons.iter().enumerate() {
        let left = MARGIN + (place % plan.abreast) as f32 * plan.block.0;
        let top = HEAD + (place / plan.abreast) as f32 * plan.block.1;
        write_neuron(svg, picture, plan, neuron, (left, top))?;
    }
    writeln!(svg, "</svg>")
}

const INK: &str = "#222222";
const PALE_INK: &str = "#666666";
/// Cells without a weight.
const NOTHING: &str = "#dddddd";

/// The shape of a cell around the origin, for `use`.
fn cell_outline(shape: CellShape, unit: f32) -> String {
    match shape {
        CellShape::Square => {
            let half = unit / 2.0;
            format!(
                r#"<rect id="c" x="-{half:.2}" y="-{half:.2}" width="{unit:.2}" height="{unit:.2}"/>"#
            )
        }
        CellShape::Hexagon => {
            let radius = unit / 3_f32.sqrt();
            let corner = |n: u8| {
                let angle = f32::from(n) * std::f32::consts::FRAC_PI_3;
                format!("{:.2},{:.2}", radius * angle.cos(), radius * angle.sin())
            };
            let corners: Vec<_> = (0..6).map(corner).collect();
            format!(r#"<polygon id="c" points="{}"/>"#, corners.join(" "))
        }
    }
}

/// A bar from red to blue at the upper right.
fn legend(svg: &mut String, width: f32) -> std::fmt::Result {
    const STEPS: u8 = 40;
    const BAR: f32 = 160.0;
    let (left, top) = (width - MARGIN - BAR, 18.0);
    for step in 0..STEPS {
        let share = f32::from(step) / f32::from(STEPS - 1);
        let x = left + f32::from(step) * BAR / f32::from(STEPS);
        // A little wider than its share, so that no gaps show between the steps.
        let wide = BAR / f32::from(STEPS) + 0.5;
        let fill = colour(2.0 * share - 1.0);
        writeln!(
            svg,
            r#"<rect x="{x:.1}" y="{top}" width="{wide:.1}" height="10" fill="{fill}"/>"#
        )?;
    }
    let words = [
        ("start", left, "lowers"),
        ("middle", left + BAR / 2.0, "0"),
        ("end", left + BAR, "raises"),
    ];
    for (anchor, x, words) in words {
        writeln!(
            svg,
            r#"<text x="{x:.1}" y="42" font-size="11" text-anchor="{anchor}" fill="{PALE_INK}">{words}</text>"#
        )?;
    }
    Ok(())
}

fn column_heads(svg: &mut String, picture: &Picture, plan: &Plan, left: f32) -> std::fmt::Result {
    let mut group = None;
    for (place, column) in picture.columns.iter().enumerate() {
        let x = left + plan.left(picture, place);
        if group != Some(column.theirs) {
            group = Some(column.theirs);
            let words = if column.theirs { "their pieces" } else { "own pieces" };
            writeln!(
                svg,
                r#"<text x="{x:.1}" y="{:.1}" font-size="12" fill="{PALE_INK}">{words}</text>"#,
                HEAD - 22.0
            )?;
        }
        let middle = x + plan.board.0 / 2.0;
        writeln!(
            svg,
            r#"<text x="{middle:.1}" y="{:.1}" font-size="13" font-weight="bold" text-anchor="middle">{}</text>"#,
            HEAD - 6.0,
            escape(&column.piece.to_string())
        )?;
    }
    Ok(())
}

fn write_neuron(
    svg: &mut String,
    picture: &Picture,
    plan: &Plan,
    neuron: &Neuron,
    (left, top): (f32, f32),
) -> std::fmt::Result {
    let weights = neuron.weights.iter().flatten().filter(|weight| weight.is_finite());
    let most = weights.fold(0.0, |most: f32, weight| most.max(weight.abs()));
    let middle = top + plan.board.1 / 2.0;
    writeln!(
        svg,
        r#"<text x="{left:.1}" y="{:.1}" font-size="13" font-weight="bold">neuron {}</text>"#,
        middle - 3.0,
        neuron.number
    )?;
    writeln!(
        svg,
        r#"<text x="{left:.1}" y="{:.1}" font-size="11" fill="{PALE_INK}">most {most:.3}</text>"#,
        middle + 12.0
    )?;
    for (place, weights) in neuron.weights.iter().enumerate() {
        let x = left + plan.left(picture, place);
        write_board(svg, picture, plan, weights, most, (x, top))?;
    }
    Ok(())
}

fn write_board(
    svg: &mut String,
    picture: &Picture,
    plan: &Plan,
    weights: &[f32],
    most: f32,
    (left, top): (f32, f32),
) -> std::fmt::Result {
    let (_, up) = extent(&picture.geometry);
    let half = cell_width(picture.geometry.shape) / 2.0;
    // The edges of cells are drawn in a pale line, which keeps boards apart from the paper.
    writeln!(svg, r##"<g stroke="#b8b8b8" stroke-width="0.4">"##)?;
    for (cell, &weight) in picture.geometry.cells.iter().zip(weights) {
        let x = left + (cell.x + half) * plan.unit;
        let y = top + (up - 0.5 - cell.y) * plan.unit;
        let share = if most > 0.0 { weight / most } else { 0.0 };
        let fill = if weight.is_finite() { colour(share) } else { NOTHING.to_owned() };
        writeln!(svg, r##"<use href="#c" x="{x:.1}" y="{y:.1}" fill="{fill}"/>"##)?;
    }
    writeln!(svg, "</g>")
}

/// From red (−1) over white (0) to blue (1), by steps that look even; the middle ones are paler than a straight line
/// would have them, so that weak weights do not look strong.
fn colour(share: f32) -> String {
    const RED: [[f32; 3]; 5] = [
        [247.0, 247.0, 247.0],
        [253.0, 219.0, 199.0],
        [244.0, 165.0, 130.0],
        [214.0, 96.0, 77.0],
        [158.0, 20.0, 40.0],
    ];
    const BLUE: [[f32; 3]; 5] = [
        [247.0, 247.0, 247.0],
        [209.0, 229.0, 240.0],
        [146.0, 197.0, 222.0],
        [67.0, 147.0, 195.0],
        [24.0, 84.0, 150.0],
    ];
    let scale = if share < 0.0 { RED } else { BLUE };
    let at = share.abs().min(1.0) * (scale.len() - 1) as f32;
    let step = (at as usize).min(scale.len() - 2);
    let part = at - step as f32;
    let mixed: Vec<u8> = scale[step]
        .iter()
        .zip(scale[step + 1])
        .map(|(from, to)| (from + (to - from) * part).round() as u8)
        .collect();
    format!("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::Game;
    use games::hexchess::Hexchess;

    #[test]
    fn colours_go_from_red_over_white_to_blue() {
        assert_eq!(colour(0.0), "#f7f7f7");
        assert_eq!([colour(-1.0), colour(1.0)], ["#9e1428", "#185496"]);
        assert_eq!(colour(7.0), colour(1.0));
    }

    #[test]
    fn every_cell_is_drawn_within_the_picture() {
        let geometry = Hexchess::geometry();
        let cells = geometry.cells.len();
        let columns = [false, true].map(|theirs| Column { piece: 'N', theirs }).to_vec();
        let mut weights = vec![vec![0.5; cells], vec![-0.25; cells]];
        weights[1][3] = f32::NAN;
        let neurons = vec![Neuron { number: 4, weights }; 3];
        let picture = Picture {
            title: "a < b & c".into(),
            subtitle: String::new(),
            geometry,
            columns,
            neurons,
        };
        let svg = neurons_svg(&picture);
        assert_eq!(svg.matches("<use ").count(), 3 * 2 * cells);
        assert_eq!(svg.matches(NOTHING).count(), 3);
        assert!(svg.contains("a &lt; b &amp; c") && svg.contains("neuron 4"), "{svg}");
        let number = |line: &str, name: &str| -> f32 {
            let (_, rest) = line.split_once(&format!(" {name}=\"")).expect("an attribute");
            rest.split('"').next().and_then(|text| text.parse().ok()).expect("a number")
        };
        let first = svg.lines().next().unwrap();
        let (width, height) = (number(first, "width"), number(first, "height"));
        for line in svg.lines().filter(|line| line.starts_with("<use ")) {
            let (x, y) = (number(line, "x"), number(line, "y"));
            assert!(x > 0.0 && x < width && y > HEAD && y < height, "{line}");
        }
    }
}
