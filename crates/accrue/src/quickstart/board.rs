//! A position as a picture, for any game that has a board of squares or hexagons.

use std::fmt::Write;

use games::{BoardGeometry, CellShape, Game};

/// Pixels of a cell's height.
const UNIT: f32 = 24.0;
const MARGIN: f32 = 2.0;
/// Cells, by their shade.
const SHADES: [&str; 3] = ["#c9a882", "#ead9bd", "#dcc29f"];
/// Cells that the last move changed, by their shade.
const CHANGED: [&str; 3] = ["#b3b04d", "#d6d37a", "#c6c263"];

/// The position as SVG. Cells whose piece is another one than in `before` are marked.
pub(super) fn svg<G: Game>(position: &G, before: Option<&G>) -> String {
    let geometry = G::geometry();
    let wide = match geometry.shape {
        CellShape::Square => 1.0,
        CellShape::Hexagon => 2.0 / 3_f32.sqrt(),
    };
    let most =
        |value: fn(&games::Cell) -> f32| geometry.cells.iter().map(value).fold(0.0, f32::max);
    let (right, top) = (most(|cell| cell.x), most(|cell| cell.y));
    let width = (right + wide) * UNIT + 2.0 * MARGIN;
    let height = (top + 1.0) * UNIT + 2.0 * MARGIN;
    let mut svg = format!(
        r#"<svg class="board" xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.1} {height:.1}">"#
    );
    for (number, cell) in geometry.cells.iter().enumerate() {
        let x = MARGIN + (cell.x + wide / 2.0) * UNIT;
        let y = MARGIN + (top - cell.y + 0.5) * UNIT;
        let piece = position.piece_on(number);
        let changed = before.is_some_and(|before| before.piece_on(number) != piece);
        let fill = if changed { CHANGED } else { SHADES }[usize::from(cell.shade).min(2)];
        // Writing into a string does not fail.
        let _ = write_cell(&mut svg, &geometry, (x, y), fill);
        if let Some(piece) = piece {
            let _ = write_piece(&mut svg, (x, y), piece);
        }
    }
    svg.push_str("</svg>");
    svg
}

fn write_cell(
    svg: &mut String,
    geometry: &BoardGeometry,
    (x, y): (f32, f32),
    fill: &str,
) -> std::fmt::Result {
    match geometry.shape {
        CellShape::Square => {
            let (left, top) = (x - UNIT / 2.0, y - UNIT / 2.0);
            write!(
                svg,
                r#"<rect x="{left:.1}" y="{top:.1}" width="{UNIT}" height="{UNIT}" fill="{fill}"/>"#
            )
        }
        CellShape::Hexagon => {
            let radius = UNIT / 3_f32.sqrt();
            write!(svg, r#"<polygon fill="{fill}" points=""#)?;
            for corner in 0..6u8 {
                let angle = f32::from(corner) * std::f32::consts::FRAC_PI_3;
                write!(svg, "{:.1},{:.1} ", x + radius * angle.cos(), y + radius * angle.sin())?;
            }
            write!(svg, r#""/>"#)
        }
    }
}

/// Chess pieces are drawn as such; all others are discs.
fn write_piece(svg: &mut String, (x, y): (f32, f32), piece: char) -> std::fmt::Result {
    let glyph = match piece.to_ascii_uppercase() {
        'K' => '♚',
        'Q' => '♛',
        'R' => '♜',
        'B' => '♝',
        'N' => '♞',
        'P' => '♟',
        _ => {
            let fill = if piece == 'X' { "#d8402f" } else { "#f2c230" };
            let radius = UNIT * 0.4;
            return write!(
                svg,
                r##"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" fill="{fill}" stroke="#333" stroke-width="0.6"/>"##
            );
        }
    };
    let fill = if piece.is_ascii_uppercase() { "#ffffff" } else { "#1d1d1d" };
    let (size, low) = (UNIT * 0.82, y + UNIT * 0.28);
    // The variation selector asks for a letter in the given colour, where a system would draw a picture.
    write!(
        svg,
        r##"<text x="{x:.1}" y="{low:.1}" font-size="{size:.1}" text-anchor="middle" fill="{fill}" stroke="#333" stroke-width="0.5">{glyph}&#xfe0e;</text>"##
    )
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::connect_four::ConnectFour;
    use games::hexchess::Hexchess;

    use super::*;

    #[test]
    fn all_pieces_of_all_games_are_drawn() {
        let chess = svg(&Chess::start(), None);
        assert_eq!((chess.matches("<rect").count(), chess.matches("<text").count()), (64, 32));
        let hexchess = svg(&Hexchess::start(), None);
        assert_eq!(
            (hexchess.matches("<polygon").count(), hexchess.matches("<text").count()),
            (91, 36)
        );
        let before = ConnectFour::start();
        let mut after = before.clone();
        after.play(after.legal_moves()[3]);
        let discs = svg(&after, Some(&before));
        assert_eq!((discs.matches("<rect").count(), discs.matches("<circle").count()), (42, 1));
        assert_eq!(CHANGED.iter().map(|fill| discs.matches(fill).count()).sum::<usize>(), 1);
    }
}
