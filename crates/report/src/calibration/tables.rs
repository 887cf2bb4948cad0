//! Calibration tables: counts and losses, coverage, move ordering, cutoffs of the learned search.

use maud::{Markup, html};

use super::{
    CalibrationReport, CoverageRow, CutoffRow, OrderingRow, PinballReport, QuantileShares,
    SearchCosts,
};
use crate::chart::{Bar, Tone, bar_chart};
use crate::page::{figures as charts, table};

/// What was read, and the pinball losses.
pub(super) fn figures(report: &CalibrationReport) -> Vec<(String, String)> {
    let counts = &report.counts;
    let loss = |pinball: &PinballReport| {
        format!(
            "{:.2} centipawns, skill {:+.1} %, with shuffled widths {:+.1} %",
            pinball.loss,
            pinball.skill * 100.0,
            pinball.shuffled_skill * 100.0
        )
    };
    let left_out = format!(
        "{} in check, {} without depths, {} mate scores",
        counts.in_check, counts.without_depths, counts.mate_scores
    );
    let fitted =
        format!("{} scores of {} positions", counts.fitted_scores, counts.fitted_positions);
    let measured = format!(
        "{} scores of {} positions of {} other games",
        counts.measured_scores, counts.measured_positions, counts.measured_games
    );
    let rows = [
        Some(("game".to_owned(), report.game.clone())),
        Some(("records".to_owned(), counts.records.to_string())),
        Some(("left out".to_owned(), left_out)),
        Some(("fitted on".to_owned(), fitted)),
        Some(("measured on".to_owned(), measured)),
        Some((format!("pinball loss, {}", report.before), loss(&report.pinball))),
        report
            .calibrated_pinball
            .as_ref()
            .map(|after| ("pinball loss, calibrated".to_owned(), loss(after))),
    ];
    rows.into_iter().flatten().collect()
}

/// Per cent of scores below each quantile, for each group.
pub(super) fn coverage(report: &CalibrationReport) -> Markup {
    let levels = report.levels.iter().map(|level| format!("{:.0}", level * 100.0));
    let levels: Vec<String> = levels.collect();
    let between = match &levels[..] {
        [first, .., last] => format!("{first}–{last}"),
        _ => String::new(),
    };
    let headings = |name: &str| {
        let between = format!("{between}, {name}");
        levels.iter().cloned().chain([between]).collect::<Vec<_>>()
    };
    let has_after = report.coverage.iter().any(|row| row.after.is_some());
    let after = if has_after { headings("calibrated") } else { Vec::new() };
    let head = ["group", "positions"].map(str::to_owned).into_iter();
    let head: Vec<String> = head.chain(headings(&report.before)).chain(after).collect();
    html! {
        (table(&head, report.coverage.iter().map(coverage_row)))
        p {
            "In per cent. Marked where the last one is off by more than 2 points for all \
             positions, or by more than 4 for a group of at least 1000."
        }
    }
}

fn coverage_row(row: &CoverageRow) -> Vec<Markup> {
    let cells = |shares: &QuantileShares| -> Vec<Markup> {
        let between = format!("{:.1}", shares.between * 100.0);
        let between =
            html! { @if shares.is_off { span class="off" { (between) } } @else { (between) } };
        let below =
            shares.below.iter().map(|share| html! { (format_args!("{:.1}", share * 100.0)) });
        below.chain([between]).collect()
    };
    let mut all = vec![html! { (row.name) }, html! { (row.positions) }];
    all.extend(cells(&row.before));
    all.extend(row.after.iter().flat_map(cells));
    all
}

/// Where orders of moves put the best one.
pub(super) fn orderings(report: &CalibrationReport) -> Option<Markup> {
    let row = |row: &OrderingRow| {
        let top = row.top.map(|share| format!("{:.1}", share * 100.0));
        let [first, third, fifth] = top;
        let log_loss = row.log_loss.map_or("–".to_owned(), |loss| format!("{loss:.3}"));
        let rank = format!("{:.2}", row.mean_rank);
        [row.name.clone(), row.positions.to_string(), first, third, fifth, rank, log_loss]
    };
    let headings = ["", "positions", "first, %", "top 3", "top 5", "mean rank", "log-loss"];
    (!report.orderings.is_empty()).then(|| {
        html! {
            p { "Where the best move of the data is placed." }
            (table(&headings, report.orderings.iter().map(row)))
            @if let Some(loss) = report.uniform_log_loss {
                p { "A uniform policy has a log-loss of " (format_args!("{loss:.3}")) "." }
            }
        }
    })
}

/// The nodes of searches, and how often cutoffs are wrong.
pub(super) fn searches(searches: &SearchCosts) -> Markup {
    let bar = |(name, nodes): &(String, f64)| Bar {
        name: name.clone(),
        value: *nodes,
        text: format!("{nodes:.0}"),
        tone: Tone::Blue,
    };
    let bars: Vec<Bar> = searches.nodes.iter().map(bar).collect();
    let row = |row: &CutoffRow| {
        let wrong = match row.checked {
            0 => "–".to_owned(),
            checked => format!("{:.1} %", row.wrong as f64 / checked as f64 * 100.0),
        };
        [row.name.clone(), row.made.to_string(), row.checked.to_string(), wrong]
    };
    let title =
        format!("Nodes to depth {}, mean of {} positions", searches.depth, searches.positions);
    html! {
        (charts(&[bar_chart(&title, &bars)]))
        h3 { "Cutoffs by quantiles" }
        p { "Verification searches check some of them." }
        (table(&["", "made", "checked", "wrong"], searches.cutoffs.iter().map(row)))
    }
}
