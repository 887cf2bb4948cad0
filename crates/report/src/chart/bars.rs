//! Bar charts: a row for each value, its name at the left and its figure at the right.

use maud::html;

use super::Tone;
use crate::picture::{Picture, Px, text_width};

/// A row of a bar chart.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What is measured.
    pub name: String,
    /// How long the bar is; nothing is drawn for what is not positive and finite.
    pub value: f64,
    /// The value as it is written.
    pub text: String,
    /// The colour.
    pub tone: Tone,
}

const FONT: f32 = 13.0;
const ROW: f32 = 26.0;
const WIDTH: f32 = 480.0;
const HEAD: f32 = 34.0;

/// A chart of bars that begin at 0, the longest as long as there is room.
///
/// ```
/// use report::chart::{Bar, Tone, bar_chart};
///
/// let bar = |name: &str, value: f64| Bar {
///     name: name.to_owned(),
///     value,
///     text: format!("{value:.0}"),
///     tone: Tone::Blue,
/// };
/// let svg = bar_chart("nodes to depth 8", &[bar("plain", 900.0), bar("ordered", 300.0)]);
/// assert_eq!(svg.standalone().matches("class=\"bar\"").count(), 2);
/// ```
pub fn bar_chart(title: &str, bars: &[Bar]) -> Picture {
    let widest = |text: fn(&Bar) -> &str| {
        bars.iter().map(|bar| text_width(text(bar), FONT)).fold(0.0, f32::max)
    };
    let left = 16.0 + widest(|bar| &bar.name);
    let room = (WIDTH - left - widest(|bar| &bar.text) - 24.0).max(40.0);
    let values = bars.iter().map(|bar| bar.value).filter(|value| value.is_finite());
    let most = values.fold(f64::MIN_POSITIVE, f64::max);
    let body = html! {
        text class="title" x="8" y="20" { (title) }
        @for (row, bar) in bars.iter().enumerate() {
            @let top = HEAD + row as f32 * ROW;
            @let length = if bar.value > 0.0 { (bar.value / most) as f32 * room } else { 0.0 };
            @let length = if length.is_finite() { length } else { 0.0 };
            g class=(bar.tone.class()) {
                text x=(Px(left - 8.0)) y=(Px(top + 16.0)) text-anchor="end" { (bar.name) }
                rect class="bar" x=(Px(left)) y=(Px(top + 3.0)) width=(Px(length))
                    height=(Px(ROW - 8.0)) rx="2" {}
                text class="pale" x=(Px(left + length + 6.0)) y=(Px(top + 16.0)) { (bar.text) }
            }
        }
    };
    let height = HEAD + bars.len() as f32 * ROW + 8.0;
    Picture::new(WIDTH, height, title, body)
}
