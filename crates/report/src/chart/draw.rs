//! Chart drawing: frame, ticks, legend and series as SVG.

use maud::{Markup, html};

use super::axis::{Fitted, number};
use super::{Chart, Mark, Point, Series};
use crate::picture::{Picture, PlotArea, Px, text_width};

const FONT: f32 = 13.0;
/// Lines with more points than this have no visible dots.
const MAX_DOTS: usize = 60;
/// Lines with more points than this have no tooltips: they would be most of the page.
const MAX_TOOLTIPS: usize = 500;

/// The plot area and its axes.
struct Frame {
    left: f32,
    top: f32,
    width: f32,
    height: f32,
    x: Fitted,
    y: Fitted,
}

impl Frame {
    fn new(chart: &Chart) -> Self {
        let (width, height) = chart.size;
        let points = || chart.series.iter().flat_map(|series| &series.points);
        let bands = chart.series.iter().filter(|series| series.mark == Mark::Band);
        let edges = bands.flat_map(|series| &series.points).filter_map(|point| point.interval);
        let heights =
            points().map(|point| point.y).chain(edges.flat_map(|(low, high)| [low, high]));
        let top = if legend_entries(chart).next().is_some() { 56.0 } else { 34.0 };
        let plot_height = height - top - 48.0;
        let y = chart.y.fit(heights, plot_height, 40.0);
        let labels = y.ticks.iter().map(|(_, name)| text_width(name, FONT)).fold(0.0, f32::max);
        let left = 30.0 + labels;
        let plot_width = width - left - 26.0;
        let x = chart.x.fit(points().map(|point| point.x), plot_width, 52.0);
        Self { left, top, width: plot_width, height: plot_height, x, y }
    }

    fn x(&self, value: f64) -> f32 {
        self.x.share(value) * self.width
    }

    fn y(&self, value: f64) -> f32 {
        (1.0 - self.y.share(value)) * self.height
    }
}

pub(super) fn picture(chart: &Chart) -> Picture {
    let frame = Frame::new(chart);
    let Frame { left, top, width, height, .. } = frame;
    let body = html! {
        text class="title" x="8" y="20" { (chart.title) }
        (legend(chart))
        g transform=(format_args!("translate({left:.1} {top:.1})")) {
            (grid(chart, &frame))
            // Lines that leave the range end at the edge of the inner picture.
            svg width=(Px(width)) height=(Px(height)) {
                @for series in &chart.series {
                    g class=(series.tone.class()) { (line(series, &frame)) }
                }
            }
            @for series in &chart.series {
                g class=(series.tone.class()) { (dots(series, &frame)) }
            }
        }
    };
    let plot = PlotArea { left, top, width, height, x: frame.x.linear_range() };
    let (width, height) = chart.size;
    Picture { plot: Some(plot), ..Picture::new(width, height, &chart.title, body) }
}

fn legend_entries(chart: &Chart) -> impl Iterator<Item = &Series> {
    chart.series.iter().filter(|series| !series.name.is_empty())
}

/// The names of the series in one row below the title.
fn legend(chart: &Chart) -> Markup {
    let mut x = 8.0;
    html! {
        @for series in legend_entries(chart) {
            g class=(series.tone.class()) transform=(format_args!("translate({x:.1} 38)")) {
                @match series.mark {
                    Mark::Dots => circle class="dot" cx="10" r="5" {},
                    Mark::Band => rect class="band" y="-6" width="20" height="12" {},
                    Mark::Dashes => line class="dashed" x2="20" {},
                    Mark::Line | Mark::LineAndDots => line class="line" x2="20" {},
                }
                text x="26" y="4.5" { (series.name) }
            }
            @let () = x += 42.0 + text_width(&series.name, FONT);
        }
    }
}

fn grid(chart: &Chart, frame: &Frame) -> Markup {
    let Frame { width, height, .. } = *frame;
    // Where names are long, not every tick has one.
    let widest =
        frame.x.ticks.iter().map(|(_, name)| text_width(name, FONT) + 10.0).fold(1.0, f32::max);
    let room = width / frame.x.ticks.len().max(1) as f32;
    let every = (widest / room).ceil().max(1.0) as usize;
    html! {
        @for (at, name) in &frame.y.ticks {
            @let y = frame.y(*at);
            line class="grid" x2=(Px(width)) y1=(Px(y)) y2=(Px(y)) {}
            text class="pale" x="-7" y=(Px(y + 4.5)) text-anchor="end" { (name) }
        }
        @for (at, name) in frame.x.ticks.iter().step_by(every) {
            @let x = frame.x(*at);
            line class="axis" x1=(Px(x)) x2=(Px(x)) y1=(Px(height)) y2=(Px(height + 4.0)) {}
            text class="pale" x=(Px(x)) y=(Px(height + 19.0)) text-anchor="middle" { (name) }
        }
        path class="axis" d=(format_args!("M0,0V{height:.1}H{width:.1}")) {}
        text x=(Px(width / 2.0)) y=(Px(height + 39.0)) text-anchor="middle" { (chart.x.label) }
        @let (x, y) = (16.0 - frame.left, height / 2.0);
        text text-anchor="middle" transform=(format_args!("translate({x:.1} {y:.1}) rotate(-90)")) {
            (chart.y.label)
        }
    }
}

fn coordinates<'a>(points: impl Iterator<Item = (f64, f64)> + 'a, frame: &Frame) -> String {
    let text = points.map(|(x, y)| format!("{:.1},{:.1}", frame.x(x), frame.y(y)));
    text.collect::<Vec<_>>().join(" ")
}

/// What of a series may leave the range.
fn line(series: &Series, frame: &Frame) -> Markup {
    let points = || series.points.iter().map(|point| (point.x, point.y));
    let class = match series.mark {
        Mark::Dots => return html! {},
        Mark::Band => {
            let edge = |point: &Point| point.interval.unwrap_or((point.y, point.y));
            let upper = series.points.iter().map(|point| (point.x, edge(point).1));
            let lower = series.points.iter().rev().map(|point| (point.x, edge(point).0));
            return html! {
                polygon class="band" points=(coordinates(upper.chain(lower), frame)) {}
            };
        }
        Mark::Dashes => "dashed",
        Mark::Line | Mark::LineAndDots => "line",
    };
    html! { polyline class=(class) points=(coordinates(points(), frame)) {} }
}

/// What of a series stays within the range: dots, error bars and where tooltips appear.
fn dots(series: &Series, frame: &Frame) -> Markup {
    let is_visible = |mark| match mark {
        Mark::Dots | Mark::LineAndDots => true,
        Mark::Line => series.points.len() <= MAX_TOOLTIPS,
        Mark::Band | Mark::Dashes => false,
    };
    let has_dots = series.mark != Mark::Line && series.points.len() <= MAX_DOTS;
    let points =
        series.points.iter().filter(|point| is_visible(series.mark) && frame.y.has(point.y));
    html! {
        @for point in points {
            @let (x, y) = (frame.x(point.x), frame.y(point.y));
            @let ends = point.interval.map(|(low, high)| [low, high].map(|end| {
                frame.y(end).clamp(0.0, frame.height)
            }));
            @if let Some([low, high]) = ends {
                line class="error" x1=(Px(x)) x2=(Px(x)) y1=(Px(low)) y2=(Px(high)) {}
            }
            @let class = match (has_dots || series.mark == Mark::Dots, point.is_hollow) {
                (true, true) => "hollow",
                (true, false) => "dot",
                (false, _) => "hover",
            };
            @let radius = if class == "hover" { 6.0 } else { point.radius };
            circle class=(class) cx=(Px(x)) cy=(Px(y)) r=(Px(radius)) {
                title { (tooltip(series, point)) }
            }
        }
    }
}

fn tooltip(series: &Series, point: &Point) -> String {
    let (x, y) = (number(point.x), number(point.y));
    match &point.tooltip {
        Some(tooltip) => tooltip.clone(),
        None if series.name.is_empty() => format!("{x}: {y}"),
        None => format!("{}, {x}: {y}", series.name),
    }
}
