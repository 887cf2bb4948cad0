use super::*;

fn shares(shift: f64) -> QuantileShares {
    let below = [0.1, 0.25, 0.5, 0.75, 0.9].map(|level| level + shift);
    QuantileShares { below: below.to_vec(), between: 0.8 - shift, is_off: shift != 0.0 }
}

fn row(group: CoverageGroup, tick: &str, after: bool) -> CoverageRow {
    CoverageRow {
        group,
        name: format!("group {tick}"),
        tick: tick.to_owned(),
        positions: 1200,
        before: shares(0.05),
        after: after.then(|| shares(0.0)),
    }
}

fn report(after: bool) -> CalibrationReport {
    let pinball = PinballReport { loss: 12.5, skill: 0.1, shuffled_skill: -0.02 };
    CalibrationReport {
        network: "<net>".into(),
        architecture: "(768→16)×2→1".into(),
        game: "chess".into(),
        counts: CalibrationCounts { records: 77, ..CalibrationCounts::default() },
        before: "uncorrected".into(),
        levels: vec![0.1, 0.25, 0.5, 0.75, 0.9],
        coverage: vec![
            row(CoverageGroup::All, "all", after),
            row(CoverageGroup::Depth, "2", after),
            row(CoverageGroup::Depth, "4", after),
        ],
        pinball,
        calibrated_pinball: after.then_some(pinball),
        correlations: vec![("width".into(), Some(0.31)), ("constant".into(), None)],
        correlation_positions: 600,
        orderings: vec![OrderingRow {
            name: "policy".into(),
            positions: 600,
            top: [0.3, 0.5, 0.7],
            mean_rank: 4.5,
            log_loss: Some(2.345),
        }],
        uniform_log_loss: Some(3.4),
        searches: Some(SearchCosts {
            positions: 10,
            depth: 8,
            nodes: vec![("classical order".into(), 5000.0), ("learned".into(), 2500.0)],
            cutoffs: vec![CutoffRow { name: "fail high".into(), made: 9, checked: 0, wrong: 0 }],
        }),
    }
}

#[test]
fn everything_that_was_measured_is_shown() {
    let html = report(true).html();
    for text in [
        "Calibration of &lt;net&gt;",
        "12.50 centipawns, skill +10.0 %",
        "<span class=\"off\">75.0</span>",
        "group 2: 15.0 % below q10",
        "0.310",
        "2.345",
        "log-loss of 3.400",
        "Nodes to depth 8, mean of 10 positions",
        "fail high",
    ] {
        assert!(html.contains(text), "no {text:?}");
    }
    // Reliability, coverage by depth before and after, bars of correlations and of nodes.
    assert_eq!(html.matches("<svg width=\"480\"").count(), 5);
}

#[test]
fn without_a_fit_there_is_nothing_calibrated() {
    let html = report(false).html();
    assert!(!html.contains("calibrated"), "{html}");
    assert_eq!(html.matches("<svg width=\"480\"").count(), 4);
}

#[test]
fn a_report_without_data_is_drawn() {
    let empty = CalibrationReport {
        coverage: Vec::new(),
        correlations: Vec::new(),
        orderings: Vec::new(),
        searches: None,
        ..report(false)
    };
    let html = empty.html();
    assert!(!html.contains("NaN") && !html.contains("id=\"policy\""), "{html}");
}
