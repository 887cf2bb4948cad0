//! `curves.svg`: how loss and rate went.

use std::ops::Range;

use anyhow::anyhow;
use plotters::coord::Shift;
use plotters::coord::ranged1d::{AsRangedCoord, Ranged, ValueFormatter};
use plotters::prelude::{
    ChartBuilder, DrawingArea, IntoDrawingArea, IntoLogRange, LineSeries, PathElement, RGBColor,
    SVGBackend, WHITE,
};
use plotters::style::Color;
use serde_json::Value;

const SIZE: (u32, u32) = (900, 560);
/// How high the chart of losses is; the rest is the rate's.
const LOSS_HEIGHT: u32 = 380;
const TRAINING: RGBColor = RGBColor(0x1f, 0x6f, 0xb4);
const VALIDATION: RGBColor = RGBColor(0xd9, 0x5f, 0x02);
const RATE: RGBColor = RGBColor(0x55, 0x55, 0x55);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A line of a chart.
struct Curve {
    name: &'static str,
    color: RGBColor,
    points: Vec<(f64, f64)>,
}

/// Draws the records of a log.
pub(super) fn draw(records: &[Value]) -> anyhow::Result<String> {
    let points = |value: fn(&Value) -> &Value| -> Vec<(f64, f64)> {
        let point =
            |record: &Value| Some((record["superbatch"].as_f64()?, value(record).as_f64()?));
        records.iter().filter_map(point).collect()
    };
    let training = without_the_fall(points(|record| &record["loss"]));
    let training = Curve { name: "training", color: TRAINING, points: training };
    let validation = without_the_fall(points(|record| &record["validation"]["loss"]));
    let validation = Curve { name: "validation", color: VALIDATION, points: validation };
    let rate = Curve { name: "rate", color: RATE, points: points(|record| &record["rate"]) };
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let drawn = root.fill(&WHITE).map_err(|error| anyhow!("{error}"));
        let (losses, rates) = root.split_vertically(LOSS_HEIGHT);
        drawn
            .and_then(|()| chart(&losses, "loss", &[training, validation]))
            .and_then(|()| chart(&rates, "learning rate", &[rate]))
            .and_then(|()| root.present().map_err(|error| anyhow!("{error}")))
            .map_err(|error| error.context("cannot draw the curves"))?;
    }
    Ok(svg)
}

/// The first points lowered to the highest of the later ones: a network that knows nothing has a loss so large that
/// everything after it would look flat.
fn without_the_fall(mut points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    let fall = points.len().div_ceil(10);
    let most = points.iter().skip(fall).map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
    if most.is_finite() {
        points.iter_mut().take(fall).for_each(|point| point.1 = point.1.min(most));
    }
    points
}

/// A chart of some curves over the superbatches. The scale is logarithmic where they go far.
fn chart(area: &Area<'_>, caption: &str, curves: &[Curve]) -> anyhow::Result<()> {
    let heights = curves.iter().flat_map(|curve| &curve.points).map(|(_, y)| *y);
    let heights = height_range(heights);
    if heights.end / heights.start > 10.0 {
        chart_with(area, caption, curves, heights.log_scale())
    } else {
        chart_with(area, caption, curves, heights)
    }
}

fn chart_with<Y>(area: &Area<'_>, caption: &str, curves: &[Curve], heights: Y) -> anyhow::Result<()>
where
    Y: AsRangedCoord<Value = f64>,
    Y::CoordDescType: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let last = points().map(|(x, _)| *x).fold(2.0, f64::max);
    let wrong = |error: &dyn std::fmt::Display| anyhow!("{error}");
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(32)
        .y_label_area_size(72)
        .build_cartesian_2d(1.0..last, heights)
        .map_err(|error| wrong(&error))?;
    chart
        .configure_mesh()
        .x_desc("superbatch")
        .x_labels(20.min(last as usize))
        .y_labels((area.dim_in_pixel().1 / 40) as usize)
        .x_label_formatter(&|x| if x.fract() == 0.0 { format!("{x}") } else { String::new() })
        .y_label_formatter(&|y| number(*y))
        .light_line_style(WHITE.mix(0.0))
        .draw()
        .map_err(|error| wrong(&error))?;
    for curve in curves.iter().filter(|curve| !curve.points.is_empty()) {
        let visible = curve.points.iter().copied().filter(|(_, y)| *y > 0.0);
        let (color, name) = (curve.color, curve.name);
        chart
            .draw_series(LineSeries::new(visible, color.stroke_width(2)))
            .map_err(|error| wrong(&error))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
    }
    if curves.len() > 1 {
        let mut labels = chart.configure_series_labels();
        labels.background_style(WHITE.mix(0.8)).border_style(RATE.mix(0.4));
        labels.draw().map_err(|error| wrong(&error))?;
    }
    Ok(())
}

/// A number as short as it can be read.
fn number(value: f64) -> String {
    if !(1e-4..1e5).contains(&value) {
        return format!("{value:e}");
    }
    // Steps of an axis are not quite round in binary.
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A range that holds all heights and is never empty.
fn height_range(heights: impl Iterator<Item = f64>) -> Range<f64> {
    let heights = heights.filter(|height| height.is_finite() && *height > 0.0);
    let (least, most) =
        heights.fold((f64::INFINITY, 0.0f64), |(a, b), height| (a.min(height), b.max(height)));
    if least > most { 0.1..1.0 } else { least / 1.1..most * 1.1 }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.1, "0.1"), (0.1 + 0.2, "0.3"), (2.0, "2"), (0.00001, "1e-5"), (300.0, "300")]
        {
            assert_eq!(number(value), text);
        }
    }

    #[test]
    fn the_first_loss_does_not_flatten_the_rest() {
        let falling = |first| vec![(1.0, first), (2.0, 0.3), (3.0, 0.2), (4.0, 0.1)];
        assert_eq!(without_the_fall(falling(9.0)), falling(0.3));
        assert_eq!(without_the_fall(falling(0.25)), falling(0.25));
        for few in [vec![], vec![(1.0, 9.0)]] {
            assert_eq!(without_the_fall(few.clone()), few);
        }
    }

    #[test]
    fn curves_are_drawn_for_any_log() {
        let record = |n: u64, loss: f64| json!({"superbatch": n, "loss": loss, "rate": 0.001});
        let with_validation =
            json!({"superbatch": 3, "loss": 0.1, "rate": 0.0, "validation": {"loss": 0.2}});
        for records in [
            vec![],
            vec![record(1, 0.5)],
            vec![record(1, 0.0), record(2, 0.0)],
            vec![record(1, 0.5), record(2, 0.25), with_validation],
            vec![json!({"superbatch": "x"}), json!(null)],
        ] {
            let svg = draw(&records).unwrap();
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
            assert!(svg.contains("learning rate"));
        }
    }
}
