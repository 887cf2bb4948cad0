//! The report as a page that needs nothing else.

use std::fmt::Write;

use super::measure::{Cell, Loss, Order, Report, Row};
use super::searches;
use crate::output::escape;

/// The page.
pub(super) fn page(report: &Report, svgs: &[(&'static str, String)]) -> String {
    let (network, architecture) = (escape(&report.network), escape(&report.architecture));
    let (figures, coverage, policy) = (figures(report), coverage(report), policy(report));
    let searches = report.searches.iter().map(|searches| {
        let lines = escape(searches::lines(searches).join("\n").trim_start());
        format!("<h2>What the learned search makes of it</h2>\n<pre>{lines}</pre>\n")
    });
    let searches: String = searches.collect();
    let mut charts = String::new();
    for (title, svg) in svgs {
        // Writing to a string cannot fail.
        let _ = write!(charts, "<h2>{title}</h2>\n<figure>{svg}</figure>\n");
    }
    let before = report.before;
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "<!doctype html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>Calibration of {network}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Calibration of {network}</h1>
<p>{architecture}</p>
<table>{figures}</table>
{charts}<p>Red is {before}, blue is corrected, where there are both; in the other pictures each colour is a quantile, and its faint line is where it
should be.</p>
<h2>Per cent of scores below each quantile</h2>
<div class=\"scroll\">{coverage}</div>
<p>Marked where it is off by more than 2 points for all, or by more than 4 for a group of at least 1000 positions.</p>
{policy}{searches}<footer>accrue {version}</footer>
</body>
</html>
"
    )
}

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}
table{border-collapse:collapse}th,td{padding:.15rem .8rem .15rem 0;text-align:left;font-variant-numeric:tabular-nums}
thead th{border-bottom:1px solid}.scroll{overflow:auto}.off{font-weight:bold;color:#c62828}
figure{margin:0}figure svg{max-width:100%;height:auto}
footer{margin:2rem 0;opacity:.7}";

fn figures(report: &Report) -> String {
    let data = &report.data;
    let loss = |loss: &Loss| {
        format!(
            "{:.2} centipawns, skill {:+.1} %, with shuffled widths {:+.1} %",
            loss.pinball,
            loss.skill * 100.0,
            loss.skill_with_shuffled_widths * 100.0
        )
    };
    let mut figures = vec![
        ("game".to_owned(), report.game.to_owned()),
        ("records".to_owned(), data.records.to_string()),
        (
            "left out".to_owned(),
            format!(
                "{} in check, {} without depths, {} scores of mates",
                data.in_check, data.without_depths, data.scores_of_mates
            ),
        ),
        (
            "fitted on".to_owned(),
            format!("{} scores of {} positions", data.fitted_scores, data.fitted_positions),
        ),
        (
            "measured on".to_owned(),
            format!(
                "{} scores of {} positions of {} other games",
                data.measured_scores, data.measured_positions, data.measured_games
            ),
        ),
        (format!("pinball loss, {}", report.before), loss(&report.loss.before)),
    ];
    figures.extend(
        report.loss.after.as_ref().map(|after| ("pinball loss, corrected".to_owned(), loss(after))),
    );
    for signal in &report.signals {
        let value = signal.spearman.map_or("–".to_owned(), |value| format!("{value:.3}"));
        let name = format!("{}: correlation with the error", signal.name);
        figures.push((name, format!("{value} ({} positions)", report.signal_positions)));
    }
    let row = |(name, value): &(String, String)| {
        format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", escape(name), escape(value))
    };
    figures.iter().map(row).collect()
}

fn coverage(report: &Report) -> String {
    let levels = report.levels.map(|level| format!("<th>{:.0}</th>", level * 100.0)).concat();
    let has_after = report.coverage.iter().any(|row| row.after.is_some());
    let heading = |name: &str| format!("{levels}<th>10–90, {}</th>", escape(name));
    let after = if has_after { heading("corrected") } else { String::new() };
    let rows: String = report.coverage.iter().map(coverage_row).collect();
    format!(
        "<table><thead><tr><th>group</th><th>positions</th>{}{after}</tr></thead><tbody>{rows}</tbody></table>",
        heading(report.before)
    )
}

fn coverage_row(row: &Row) -> String {
    let cell = |cell: &Cell| {
        let below = cell.below.map(|share| format!("<td>{:.1}</td>", share * 100.0)).concat();
        let class = if cell.off { " class=\"off\"" } else { "" };
        format!("{below}<td{class}>{:.1}</td>", cell.between * 100.0)
    };
    let after = row.after.as_ref().map_or(String::new(), &cell);
    format!(
        "<tr><th scope=\"row\">{}</th><td>{}</td>{}{after}</tr>",
        escape(&row.group),
        row.positions,
        cell(&row.before)
    )
}

fn policy(report: &Report) -> String {
    let Some(policy) = &report.policy else { return String::new() };
    let row = |name: &str, order: &Order| {
        let log_loss = order.log_loss.map_or("–".to_owned(), |loss| format!("{loss:.3}"));
        format!(
            "<tr><th scope=\"row\">{name}</th><td>{}</td><td>{:.1}</td><td>{:.1}</td><td>{:.1}</td><td>{:.2}</td>\
             <td>{log_loss}</td></tr>",
            order.positions,
            order.top_1 * 100.0,
            order.top_3 * 100.0,
            order.top_5 * 100.0,
            order.mean_rank
        )
    };
    let mut rows = row(&format!("policy, {}", report.before), &policy.before);
    if let Some(after) = &policy.after {
        rows += &row("policy, corrected", after);
    }
    if let Some(compared) = &policy.compared {
        rows += &row("the same, on some of them", &compared.policy);
        rows += &row("captures by gain, the same", &compared.captures_by_gain);
        let name = format!("and histories of depth {}", compared.history_depth);
        rows += &row(&name, &compared.with_histories);
    }
    format!(
        "<h2>Where the best move is put</h2>\n<table><thead><tr><th></th><th>positions</th><th>first, %</th>\
         <th>in 3</th><th>in 5</th><th>mean rank</th><th>log-loss</th></tr></thead><tbody>{rows}</tbody></table>\n\
         <p>All moves alike would have a log-loss of {:.3}.</p>\n",
        policy.log_loss_of_none
    )
}
