//! Charts: lines, dots, error bars, bands and bars in one style, as SVG.

mod axis;
mod bars;
mod draw;

pub use axis::Axis;
pub use bars::{Bar, bar_chart};

use crate::Picture;

/// The colour of a series. Each has a shade for light and one for dark pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The first choice.
    Blue,
    /// Beside blue, for what is related to it.
    Sky,
    /// For what is neutral.
    Gray,
    /// The second choice.
    Orange,
    /// For what is bad, or the warm end of a scale.
    Red,
    /// For what is good.
    Green,
}

impl Tone {
    /// The class of the style sheet that sets the colour.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Blue => "blue",
            Self::Sky => "sky",
            Self::Gray => "gray",
            Self::Orange => "orange",
            Self::Red => "red",
            Self::Green => "green",
        }
    }
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Line,
    LineAndDots,
    Dots,
    Band,
    Dashes,
}

/// One value of a series.
#[derive(Clone, Debug)]
pub struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) interval: Option<(f64, f64)>,
    pub(crate) radius: f32,
    pub(crate) is_hollow: bool,
    pub(crate) tooltip: Option<String>,
}

impl Point {
    /// A point. It is left out where a coordinate is not finite.
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y, interval: None, radius: 3.5, is_hollow: false, tooltip: None }
    }

    /// An error bar, or the lower and upper edge of a band.
    #[must_use]
    pub fn interval(self, low: f64, high: f64) -> Self {
        Self { interval: Some((low, high)), ..self }
    }

    /// The size of the dot, in pixels.
    #[must_use]
    pub fn radius(self, radius: f32) -> Self {
        Self { radius, ..self }
    }

    /// Draws a ring in place of the dot.
    #[must_use]
    pub fn hollow(self) -> Self {
        Self { is_hollow: true, ..self }
    }

    /// What is shown when the pointer rests on the dot; by default the name and both values.
    #[must_use]
    pub fn tooltip(self, tooltip: impl Into<String>) -> Self {
        Self { tooltip: Some(tooltip.into()), ..self }
    }
}

/// Points that belong together. A series with an empty name is not in the legend.
#[derive(Clone, Debug)]
pub struct Series {
    pub(crate) name: String,
    pub(crate) tone: Tone,
    pub(crate) mark: Mark,
    pub(crate) points: Vec<Point>,
}

impl Series {
    fn new(name: &str, tone: Tone, mark: Mark, points: impl IntoIterator<Item = Point>) -> Self {
        let points = points.into_iter().filter(|point| point.x.is_finite() && point.y.is_finite());
        Self { name: name.to_owned(), tone, mark, points: points.collect() }
    }

    /// A line through points.
    pub fn line(name: &str, tone: Tone, points: impl IntoIterator<Item = Point>) -> Self {
        Self::new(name, tone, Mark::Line, points)
    }

    /// A line with a dot on each point.
    pub fn line_and_dots(name: &str, tone: Tone, points: impl IntoIterator<Item = Point>) -> Self {
        Self::new(name, tone, Mark::LineAndDots, points)
    }

    /// Dots alone.
    pub fn dots(name: &str, tone: Tone, points: impl IntoIterator<Item = Point>) -> Self {
        Self::new(name, tone, Mark::Dots, points)
    }

    /// A dashed line for what others are compared with.
    pub fn reference(name: &str, tone: Tone, points: impl IntoIterator<Item = Point>) -> Self {
        Self::new(name, tone, Mark::Dashes, points)
    }

    /// An area between the lower and upper edge of each point's interval.
    pub fn band(name: &str, tone: Tone, points: impl IntoIterator<Item = Point>) -> Self {
        Self::new(name, tone, Mark::Band, points)
    }
}

/// A chart of some series over two axes.
///
/// ```
/// use report::chart::{Axis, Chart, Point, Series, Tone};
///
/// let ratings = [(0.0, 0.0, 0.0), (1.0, 42.0, 12.0), (2.0, 60.0, 9.0)];
/// let ratings = ratings.map(|(generation, elo, error)| {
///     Point::new(generation, elo).interval(elo - error, elo + error)
/// });
/// let chart = Chart::new("rating", Axis::new("generation").integers(), Axis::new("Elo"))
///     .series(Series::line_and_dots("", Tone::Blue, ratings));
/// let svg = chart.picture().standalone();
/// assert_eq!(svg.matches("<circle").count(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct Chart {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) series: Vec<Series>,
    pub(crate) size: (f32, f32),
}

impl Chart {
    /// An empty chart that two of fit beside each other on a page.
    pub fn new(title: &str, x: Axis, y: Axis) -> Self {
        Self { title: title.to_owned(), x, y, series: Vec::new(), size: (480.0, 320.0) }
    }

    /// Adds a series; later ones are drawn over earlier ones.
    #[must_use]
    pub fn series(mut self, series: Series) -> Self {
        self.series.push(series);
        self
    }

    /// The size in pixels.
    #[must_use]
    pub fn size(self, width: f32, height: f32) -> Self {
        Self { size: (width, height), ..self }
    }

    /// The picture.
    pub fn picture(&self) -> Picture {
        draw::picture(self)
    }
}

#[cfg(test)]
mod tests;
