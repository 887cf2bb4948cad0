//! SVG pictures: one drawing that stands inline on a page or alone in a file.

use maud::{Markup, PreEscaped, Render, html};

use crate::board;

/// Colours of charts and boards, for light and dark pages.
pub(crate) const STYLE: &str = include_str!("picture.css");

/// A drawing of a known size.
///
/// ```
/// use games::Game;
/// use games::connect_four::ConnectFour;
/// use report::board::BoardDrawing;
///
/// let picture = BoardDrawing::of(&ConnectFour::start()).picture();
/// assert!(picture.inline().into_string().starts_with("<svg"));
/// // A file of its own needs a name space, a style sheet and the outlines of cells and pieces.
/// assert!(picture.standalone().contains("xmlns="));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The text for screen readers.
    pub(crate) label: String,
    /// Whether the body refers to the outlines of cells and pieces.
    pub(crate) uses_outlines: bool,
    /// Where a chart has its values.
    pub(crate) plot: Option<PlotArea>,
    pub(crate) body: Markup,
}

/// The part of a chart between its axes, so that a page can turn a click into a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PlotArea {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
    /// The values at the left and right end; `None` where the axis is logarithmic.
    pub(crate) x: Option<(f64, f64)>,
}

impl PlotArea {
    /// The value of `data-plot`.
    fn place(&self) -> String {
        [self.left, self.top, self.width, self.height].map(|edge| Px(edge).render().0).join(" ")
    }

    /// The value of `data-x`.
    fn range(&self) -> Option<String> {
        self.x.map(|(low, high)| format!("{low} {high}"))
    }
}

impl Picture {
    /// A picture that does not refer to outlines and is not a chart.
    pub(crate) fn new(width: f32, height: f32, label: &str, body: Markup) -> Self {
        Self { width, height, label: label.to_owned(), uses_outlines: false, plot: None, body }
    }

    /// The picture as an element of a [`Page`](crate::page::Page). Charts have the attributes
    /// `data-plot` with the left, top, width and height of the plot area in the units of the
    /// picture, and `data-x` with the values at its left and right end.
    pub fn inline(&self) -> Markup {
        let Self { width, height, label, body, .. } = self;
        let plot = self.plot.as_ref();
        html! {
            svg width=(Px(*width)) height=(Px(*height)) viewBox=(view_box(*width, *height))
                role="img" aria-label=(label) data-plot=[plot.map(PlotArea::place)]
                data-x=[plot.and_then(PlotArea::range)] { (body) }
        }
    }

    /// The picture as the text of an SVG file.
    pub fn standalone(&self) -> String {
        let Self { width, height, label, body, .. } = self;
        let svg = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(Px(*width)) height=(Px(*height))
                viewBox=(view_box(*width, *height)) role="img" aria-label=(label) {
                style { (PreEscaped(STYLE)) }
                @if self.uses_outlines { (board::outlines()) }
                rect class="ground" width="100%" height="100%" {}
                g { (body) }
            }
        };
        svg.into_string() + "\n"
    }

    /// Pictures above each other, as one.
    #[must_use]
    pub fn stack(pictures: &[Self]) -> Self {
        let mut height = 0.0;
        let body = html! {
            @for picture in pictures {
                g transform=(format_args!("translate(0 {height:.0})")) { (picture.body) }
                @let () = height += picture.height;
            }
        };
        Self {
            width: pictures.iter().map(|picture| picture.width).fold(0.0, f32::max),
            height,
            label: pictures.iter().map(|picture| &*picture.label).collect::<Vec<_>>().join("; "),
            uses_outlines: pictures.iter().any(|picture| picture.uses_outlines),
            plot: None,
            body,
        }
    }
}

fn view_box(width: f32, height: f32) -> String {
    format!("0 0 {} {}", Px(width).render().0, Px(height).render().0)
}

/// A coordinate, as short as it can be: one decimal is finer than a screen shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Px(pub(crate) f32);

impl Render for Px {
    fn render_to(&self, buffer: &mut String) {
        let text = format!("{:.1}", self.0);
        let text = text.strip_suffix(".0").unwrap_or(&text);
        buffer.push_str(if text == "-0" { "0" } else { text });
    }
}

/// How wide a text of that size is, about; enough to place legends and axes.
pub(crate) fn text_width(text: &str, size: f32) -> f32 {
    text.chars().count() as f32 * size * 0.56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short() {
        let text = |value| Px(value).render().into_string();
        assert_eq!([3.0, -0.01, 2.25, -7.5].map(text), ["3", "0", "2.2", "-7.5"]);
    }

    #[test]
    fn stacked_pictures_are_as_high_as_all_together() {
        let body = html! { rect {} };
        let picture = |width, height| Picture::new(width, height, "a", body.clone());
        let stack = Picture::stack(&[picture(30.0, 20.0), picture(10.0, 5.0)]);
        assert_eq!((stack.width, stack.height, &*stack.label), (30.0, 25.0, "a; a"));
        let svg = stack.standalone();
        assert!(svg.contains("translate(0 20)") && svg.contains("viewBox=\"0 0 30 25\""), "{svg}");
    }
}
