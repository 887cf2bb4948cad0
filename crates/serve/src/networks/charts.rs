//! Charts of what a network file records: its calibration and its score model.

use nnue::{Calibration, QUANTILE_LEVELS, ScoreModel};
use report::chart::{Axis, Chart, Point, Series, Tone};
use serde::Serialize;

use super::view::Facts;

/// The calibration of a network.
#[derive(Debug, Serialize)]
pub(super) struct CalibrationView {
    facts: Facts,
    svgs: Vec<String>,
}

/// A range of depths, pieces or values: its name, and a number in it.
struct Range {
    name: String,
    sample: u16,
}

/// The ranges between limits, which are the last numbers of all but the last range.
fn ranges(limits: &[u16]) -> Vec<Range> {
    let mut first = 0;
    let mut ranges: Vec<_> = limits
        .iter()
        .map(|&last| {
            let name = match first {
                0 => format!("≤ {last}"),
                first if first == last => last.to_string(),
                first => format!("{first}–{last}"),
            };
            first = last.saturating_add(1);
            Range { name, sample: last }
        })
        .collect();
    let name = if first == 0 { "all".to_owned() } else { format!("≥ {first}") };
    ranges.push(Range { name, sample: first });
    ranges
}

fn names(ranges: &[Range]) -> Vec<String> {
    ranges.iter().map(|range| range.name.clone()).collect()
}

/// The calibration as facts and charts.
pub(super) fn calibration(calibration: &Calibration) -> CalibrationView {
    let limits = calibration.ranges();
    let [depths, pieces, values] =
        [&limits.depths, &limits.pieces, &limits.values].map(|limits| ranges(limits));
    let mut facts: Facts = vec![
        ("scores", calibration.positions().to_string()),
        ("depths", names(&depths).join(", ")),
        ("pieces", names(&pieces).join(", ")),
        ("medians, centipawns from 0", names(&values).join(", ")),
    ];
    if let Some(policy) = calibration.policy() {
        facts.push(("policy", format!("logits × {:.3}", policy.inverse_temperature)));
        let classes = format!("{} ({})", policy.move_classes, policy.class_biases.len());
        facts.push(("move classes", classes));
    }
    let svgs = [scales(calibration, &depths, &pieces), offsets(calibration, &depths, &pieces)];
    CalibrationView { facts, svgs: svgs.map(|chart| drawn(&chart)).to_vec() }
}

/// The factor of the widths by depth: few, some and many pieces.
fn scales(calibration: &Calibration, depths: &[Range], pieces: &[Range]) -> Chart {
    let mut shown = vec![0, pieces.len() / 2, pieces.len() - 1];
    shown.dedup();
    let axis = Axis::new("depth").categories(names(depths));
    let chart = Chart::new("Width factor of the quantiles", axis, Axis::new("factor"));
    shown.into_iter().zip([Tone::Blue, Tone::Orange, Tone::Green]).fold(
        chart,
        |chart, (place, tone)| {
            let range = &pieces[place];
            let points = depths.iter().enumerate().map(|(at, depth)| {
                let found =
                    calibration.conformal(depth.sample.into(), range.sample.into(), 0).scale;
                Point::new(at as f64, f64::from(found))
            });
            let name = format!("{} pieces", range.name);
            chart.series(Series::line_and_dots(&name, tone, points))
        },
    )
}

/// What is added to the lowest, the middle and the highest quantile by depth.
fn offsets(calibration: &Calibration, depths: &[Range], pieces: &[Range]) -> Chart {
    let range = &pieces[pieces.len() / 2];
    let title = match pieces.len() {
        1 => "Offsets of the quantiles".to_owned(),
        _ => format!("Offsets of the quantiles, {} pieces", range.name),
    };
    let axis = Axis::new("depth").categories(names(depths));
    let chart = Chart::new(&title, axis, Axis::new("centipawns"));
    let levels = [0, QUANTILE_LEVELS.len() / 2, QUANTILE_LEVELS.len() - 1];
    levels.into_iter().zip([Tone::Sky, Tone::Gray, Tone::Red]).fold(
        chart,
        |chart, (level, tone)| {
            let points = depths.iter().enumerate().map(|(at, depth)| {
                let found = calibration.conformal(depth.sample.into(), range.sample.into(), 0);
                Point::new(at as f64, f64::from(found.offsets[level]))
            });
            let name = format!("{:.0} %", 100.0 * QUANTILE_LEVELS[level]);
            chart.series(Series::line_and_dots(&name, tone, points))
        },
    )
}

/// The furthest score of the chart, in centipawns as they are shown.
const FURTHEST: i32 = 500;
const STEP: usize = 20;

/// A share of games, by those that are won and lost.
type Share = fn([f64; 2]) -> f64;

/// Win, draw and loss by score, with many pieces and, where the model depends on them, with few.
pub(super) fn score_model(model: &ScoreModel) -> String {
    let (few, many) = (*model.pieces().start(), *model.pieces().end());
    let depends = model.coefficients().iter().any(|coefficients| coefficients.len() > 1);
    let title = if depends {
        format!("Results: {many} pieces (lines), {few} pieces (dashes)")
    } else {
        "Results by score".to_owned()
    };
    let shares: [(&str, Tone, Share); 3] = [
        ("win", Tone::Green, |[win, _]| win),
        ("draw", Tone::Gray, |[win, loss]| (1.0 - win - loss).max(0.0)),
        ("loss", Tone::Red, |[_, loss]| loss),
    ];
    let points = |pieces: u16, share: Share| {
        let pieces = usize::from(pieces);
        // Shown centipawns are proportional to scores.
        let unit = f64::from(model.centipawns(1_000_000, pieces).max(1)) / 1e6;
        (-FURTHEST..=FURTHEST).step_by(STEP).map(move |shown| {
            let score = (f64::from(shown) / unit) as i32;
            Point::new(f64::from(shown), share(model.win_and_loss(score, pieces)))
        })
    };
    let mut chart =
        Chart::new(&title, Axis::new("centipawns"), Axis::new("share of games").percent());
    for (name, tone, share) in shares {
        if depends {
            chart = chart.series(Series::reference("", tone, points(few, share)));
        }
        chart = chart.series(Series::line(name, tone, points(many, share)));
    }
    drawn(&chart)
}

fn drawn(chart: &Chart) -> String {
    chart.picture().inline().into_string()
}

#[cfg(test)]
mod tests {
    use nnue::{CalibrationRanges, ConformalAdjustment};

    use super::*;

    #[test]
    fn ranges_have_names() {
        assert_eq!(names(&ranges(&[])), ["all"]);
        assert_eq!(names(&ranges(&[8, 9, 12])), ["≤ 8", "9", "10–12", "≥ 13"]);
    }

    #[test]
    fn any_calibration_and_model_can_be_drawn() {
        for (limits, count) in [(CalibrationRanges::default(), 1), (many(), 17 * 2)] {
            let rows = vec![ConformalAdjustment::IDENTITY; count];
            let view = calibration(&Calibration::new(5, limits, rows).expect("a calibration"));
            assert!(view.svgs.iter().all(|svg| svg.contains("90 %") || svg.contains("pieces")));
        }
        let varying = ScoreModel::new(&[200.0, -50.0], &[100.0], 2..=32, 3, 40).expect("a model");
        for (model, lines) in [(ScoreModel::constant(0.0, 80.0), 3), (varying, 6)] {
            let svg = score_model(&model);
            assert_eq!(svg.matches("<polyline").count(), lines, "{svg}");
            assert!(!svg.contains("NaN") && !svg.contains("style="), "{svg}");
        }
    }

    fn many() -> CalibrationRanges {
        CalibrationRanges { depths: (1..=16).collect(), pieces: vec![10], values: vec![] }
    }
}
