//! Outlines of cells and chess pieces: drawn once on a page, referred to by each board.

use games::CellShape;
use maud::{Markup, PreEscaped, Render, html};

use super::pieces::SILHOUETTES;
use crate::picture::Px;

/// The height of a cell in the coordinates of a drawing.
pub(crate) const UNIT: f32 = 20.0;

/// The width of a cell, its height being 1.
pub(super) fn cell_width(shape: CellShape) -> f32 {
    match shape {
        CellShape::Square => 1.0,
        CellShape::Hexagon => 2.0 / 3_f32.sqrt(),
    }
}

/// How the markup of a cell or a piece begins.
pub(crate) const REFERENCE: &str = "<use ";

/// A cell or a piece around a point. Boards are most of a page, so it is as short as it can be.
pub(super) fn reference(outline: &str, class: &str, (x, y): (f32, f32), style: &str) -> Markup {
    let (x, y) = (Px(x).render().0, Px(y).render().0);
    // All of these are numbers and names of ours.
    PreEscaped(format!(
        r##"{REFERENCE}href="#{outline}" x="{x}" y="{y}" class="{class}"{style}/>"##
    ))
}

/// The name of the outline of a cell.
pub(super) fn cell_id(shape: CellShape) -> &'static str {
    match shape {
        CellShape::Square => "square",
        CellShape::Hexagon => "hexagon",
    }
}

/// The hidden `<svg>` that a page with boards needs once: the outlines that boards refer to.
pub fn outlines_svg() -> String {
    html! { svg xmlns="http://www.w3.org/2000/svg" class="outlines" aria-hidden="true" { (outlines()) } }.into_string()
}

/// The definitions that boards refer to, each around the origin.
pub(crate) fn outlines() -> Markup {
    let radius = UNIT / 3_f32.sqrt();
    let corner = |number: u8| {
        let angle = f32::from(number) * std::f32::consts::FRAC_PI_3;
        format!("{:.2},{:.2}", radius * angle.cos(), radius * angle.sin())
    };
    let corners: Vec<_> = (0..6).map(corner).collect();
    html! {
        defs {
            rect id="square" x="-10" y="-10" width="20" height="20" {}
            polygon id="hexagon" points=(corners.join(" ")) {}
            @for (letter, path) in SILHOUETTES {
                path id=(format_args!("piece-{letter}")) d=(path) {}
            }
        }
    }
}
