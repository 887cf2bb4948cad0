//! Calibration charts: quantile reliability, coverage by group, correlations of signals.

use maud::{Markup, html};

use super::{CalibrationReport, CoverageGroup, CoverageRow, QuantileShares};
use crate::Picture;
use crate::chart::{Axis, Bar, Chart, Point, Series, Tone, bar_chart};
use crate::page::figures;

/// One for each quantile: cold below the median, warm above it.
const TONES: [Tone; 5] = [Tone::Blue, Tone::Sky, Tone::Gray, Tone::Orange, Tone::Red];
/// How far the coverage of a group may be from nominal.
const TOLERANCE: f64 = 0.04;

/// The share of scores below each quantile, over its level: on the diagonal if it is calibrated.
pub(super) fn reliability(report: &CalibrationReport) -> Picture {
    let line = |name: &str, tone: Tone, shares: &QuantileShares| {
        let points = report.levels.iter().zip(&shares.below);
        let points = points.map(|(&level, &below)| {
            Point::new(level, below).tooltip(format!(
                "{name}: {:.1} % of scores are below q{:.0}",
                below * 100.0,
                level * 100.0
            ))
        });
        Series::line_and_dots(name, tone, points)
    };
    let diagonal = [Point::new(0.0, 0.0), Point::new(1.0, 1.0)];
    let (x, y) =
        (Axis::new("level of the quantile").percent(), Axis::new("scores below").percent());
    let mut chart = Chart::new("Quantiles of all positions", x, y)
        .series(Series::reference("nominal", Tone::Gray, diagonal))
        .size(480.0, 440.0);
    if let Some(all) = report.coverage.first() {
        chart = chart.series(line(&report.before, Tone::Red, &all.before));
        if let Some(after) = &all.after {
            chart = chart.series(line("calibrated", Tone::Blue, after));
        }
    }
    chart.picture()
}

/// For each kind of group a chart before, and one after if something was fitted.
pub(super) fn coverage(report: &CalibrationReport) -> Vec<Picture> {
    let kinds = [
        (CoverageGroup::Depth, "By depth", "depth"),
        (CoverageGroup::Pieces, "By number of pieces", "pieces"),
        (CoverageGroup::Value, "By distance of the median from 0", "centipawns"),
    ];
    let mut pictures = Vec::new();
    for (group, title, label) in kinds {
        let rows: Vec<&CoverageRow> =
            report.coverage.iter().filter(|row| row.group == group).collect();
        if rows.is_empty() {
            continue;
        }
        let before = rows.iter().map(|row| &row.before).collect::<Vec<_>>();
        let title_of = |what: &str| format!("{title}, {what}");
        pictures.push(panel(report, &title_of(&report.before), label, &rows, &before));
        let after: Option<Vec<_>> = rows.iter().map(|row| row.after.as_ref()).collect();
        if let Some(after) = after {
            pictures.push(panel(report, &title_of("calibrated"), label, &rows, &after));
        }
    }
    pictures
}

fn panel(
    report: &CalibrationReport,
    title: &str,
    label: &str,
    rows: &[&CoverageRow],
    shares: &[&QuantileShares],
) -> Picture {
    let ticks = rows.iter().map(|row| row.tick.clone()).collect();
    let x = Axis::new(label).categories(ticks);
    let mut chart = Chart::new(title, x, Axis::new("scores below").percent());
    let right = rows.len() as f64 - 0.5;
    for (quantile, (&level, tone)) in report.levels.iter().zip(TONES).enumerate() {
        let edge = |x| Point::new(x, level).interval(level - TOLERANCE, level + TOLERANCE);
        let points = shares.iter().zip(rows).enumerate().map(|(x, (shares, row))| {
            let below = shares.below.get(quantile).copied().unwrap_or(f64::NAN);
            let tooltip =
                format!("{}: {:.1} % below q{:.0}", row.name, below * 100.0, level * 100.0);
            Point::new(x as f64, below).tooltip(tooltip)
        });
        chart = chart
            .series(Series::band("", tone, [edge(-0.5), edge(right)]))
            .series(Series::line_and_dots(&format!("q{:.0}", level * 100.0), tone, points));
    }
    chart.picture()
}

/// The rank correlation of each signal with the error.
pub(super) fn correlations(report: &CalibrationReport) -> Option<Markup> {
    let bar = |(name, value): &(String, Option<f64>)| Bar {
        name: name.clone(),
        value: value.unwrap_or(0.0).abs(),
        text: value.map_or("–".to_owned(), |value| format!("{value:.3}")),
        tone: if value.is_some_and(|value| value < 0.0) { Tone::Red } else { Tone::Blue },
    };
    let bars: Vec<Bar> = report.correlations.iter().map(bar).collect();
    let title = "Spearman correlation with |deep score − median|";
    (!bars.is_empty()).then(|| {
        html! {
            p { "On the deepest score of " (report.correlation_positions) " positions." }
            (figures(&[bar_chart(title, &bars)]))
        }
    })
}
