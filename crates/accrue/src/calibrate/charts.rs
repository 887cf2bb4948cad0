//! Plots: how often the truth is below each quantile.

use anyhow::anyhow;
use arena::calibration::Group;
use plotters::coord::Shift;
use plotters::prelude::{
    ChartBuilder, Circle, DrawingArea, IntoDrawingArea, LineSeries, RGBColor, SVGBackend, WHITE,
};
use plotters::style::Color;

use super::measure::{Cell, Report, Row};

const NOMINAL: RGBColor = RGBColor(0x99, 0x99, 0x99);
/// One for each quantile: cold below the median, warm above it.
const COLORS: [RGBColor; 5] = [
    RGBColor(0x1f, 0x4e, 0x9c),
    RGBColor(0x4f, 0xa3, 0xc7),
    RGBColor(0x44, 0x44, 0x44),
    RGBColor(0xe0, 0x8a, 0x2c),
    RGBColor(0xb2, 0x22, 0x22),
];
const BEFORE: RGBColor = COLORS[4];
const AFTER: RGBColor = COLORS[0];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A title and a picture each.
pub(super) fn draw(report: &Report) -> anyhow::Result<Vec<(&'static str, String)>> {
    let mut svgs = vec![("Reliability", svg((420, 420), |area| reliability(area, report))?)];
    let by_depth = |group: Group| matches!(group, Group::Depth(_));
    let by_pieces = |group: Group| matches!(group, Group::Pieces(..));
    let by_value = |group: Group| matches!(group, Group::Value(..));
    let mut add = |title, kind: fn(Group) -> bool| {
        let rows: Vec<&Row> = report.coverage.iter().filter(|row| kind(row.kind)).collect();
        svgs.push((title, svg((900, 340), |area| coverage(area, report.before, &rows))?));
        anyhow::Ok(())
    };
    add("Coverage by depth", by_depth)?;
    add("Coverage by number of pieces", by_pieces)?;
    add("Coverage by distance of the median from 0", by_value)?;
    Ok(svgs)
}

fn svg(
    size: (u32, u32),
    draw: impl FnOnce(&Area<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        root.fill(&WHITE)
            .map_err(|error| anyhow!("{error}"))
            .and_then(|()| draw(&root))
            .and_then(|()| root.present().map_err(|error| anyhow!("{error}")))
            .map_err(|error| error.context("cannot draw the coverage"))?;
    }
    Ok(svg)
}

/// What was found over what should be: on the diagonal, if the quantiles are what they say.
fn reliability(area: &Area<'_>, report: &Report) -> anyhow::Result<()> {
    let wrong = |error: &dyn std::fmt::Display| anyhow!("{error}");
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..100.0, 0.0..100.0)
        .map_err(|error| wrong(&error))?;
    chart
        .configure_mesh()
        .x_desc("nominal, per cent")
        .y_desc("scores below the quantile, per cent")
        .light_line_style(WHITE.mix(0.0))
        .draw()
        .map_err(|error| wrong(&error))?;
    let diagonal = LineSeries::new([(0.0, 0.0), (100.0, 100.0)], NOMINAL);
    chart.draw_series(diagonal).map_err(|error| wrong(&error))?;
    let Some(all) = report.coverage.first() else { return Ok(()) };
    for (cell, color) in [(Some(all.before), BEFORE), (all.after, AFTER)] {
        let Some(cell) = cell else { continue };
        let points = report.levels.iter().zip(cell.below);
        let points: Vec<_> =
            points.map(|(&level, below)| (f64::from(level) * 100.0, below * 100.0)).collect();
        let line = LineSeries::new(points.iter().copied(), color.stroke_width(2));
        chart.draw_series(line).map_err(|error| wrong(&error))?;
        let dots = points.iter().map(|&point| Circle::new(point, 4, color.filled()));
        chart.draw_series(dots).map_err(|error| wrong(&error))?;
    }
    Ok(())
}

/// One chart before, one after, if there is an after.
fn coverage(area: &Area<'_>, before: &str, rows: &[&Row]) -> anyhow::Result<()> {
    let panels = area.split_evenly((1, 2));
    let [left, right] = &panels[..] else { return Ok(()) };
    let cells = |of: fn(&Row) -> Option<Cell>| -> Vec<Cell> {
        rows.iter().filter_map(|row| of(row)).collect()
    };
    panel(left, before, rows, &cells(|row| Some(row.before)))?;
    let after = cells(|row| row.after);
    if after.is_empty() { Ok(()) } else { panel(right, "corrected", rows, &after) }
}

fn panel(area: &Area<'_>, caption: &str, rows: &[&Row], cells: &[Cell]) -> anyhow::Result<()> {
    let wrong = |error: &dyn std::fmt::Display| anyhow!("{error}");
    let most = rows.len() as f64;
    let label = |x: &f64| {
        // Groups stand in the middle of their unit; marks between them have no name.
        let is_middle = (x.fract() - 0.5).abs() < 0.1;
        let row = rows.get(*x as usize).filter(|_| is_middle);
        row.map_or(String::new(), |row| short_name(row.kind))
    };
    let mut chart = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 16))
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(40)
        .build_cartesian_2d(0.0..most, 0.0..100.0)
        .map_err(|error| wrong(&error))?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(2 * rows.len() + 1)
        .x_label_formatter(&label)
        .light_line_style(WHITE.mix(0.0))
        .draw()
        .map_err(|error| wrong(&error))?;
    for (place, (level, color)) in nnue::QUANTILE_LEVELS.into_iter().zip(COLORS).enumerate() {
        let level = f64::from(level) * 100.0;
        let nominal = LineSeries::new([(0.0, level), (most, level)], color.mix(0.4));
        chart.draw_series(nominal).map_err(|error| wrong(&error))?;
        let points: Vec<_> = cells
            .iter()
            .enumerate()
            .map(|(x, cell)| (x as f64 + 0.5, cell.below[place] * 100.0))
            .collect();
        let line = LineSeries::new(points.iter().copied(), color.stroke_width(2));
        chart.draw_series(line).map_err(|error| wrong(&error))?;
        let dots = points.iter().map(|&point| Circle::new(point, 3, color.filled()));
        chart.draw_series(dots).map_err(|error| wrong(&error))?;
    }
    Ok(())
}

/// A group under an axis that says what it is about.
fn short_name(group: Group) -> String {
    match group {
        Group::All => String::new(),
        Group::Depth(depth) => depth.to_string(),
        Group::Pieces(first, last) => format!("{first}–{last}"),
        Group::Value(first, Some(last)) => format!("{first}–{last}"),
        Group::Value(first, None) => format!("{first}–"),
    }
}
