//! The report as lines.

use super::measure::{Cell, Loss, Order, PolicyReport, Report, Row};
use super::{Args, searches};

/// All of it.
pub(super) fn lines(args: &Args, report: &Report) -> Vec<String> {
    let data = &report.data;
    let mut lines = vec![
        format!("network     {}", report.architecture),
        format!(
            "data        {} records of {}; left out: {} in check, {} without depths, {} scores of mates{}",
            data.records,
            report.game,
            data.in_check,
            data.without_depths,
            data.scores_of_mates,
            match data.damaged_records {
                0 => String::new(),
                damaged => format!(", {damaged} damaged"),
            }
        ),
    ];
    if !args.check {
        lines.push(format!(
            "fitted on   {} scores of {} positions",
            data.fitted_scores, data.fitted_positions
        ));
    }
    lines.push(format!(
        "measured on {} scores of {} positions of {} other games",
        data.measured_scores, data.measured_positions, data.measured_games
    ));
    coverage(report, &mut lines);
    losses(report, &mut lines);
    signals(report, &mut lines);
    if let Some(policy) = &report.policy {
        policy_lines(report.before, policy, &mut lines);
    }
    lines.extend(report.searches.iter().flat_map(searches::lines));
    lines.push(verdict(args, report));
    lines
}

fn coverage(report: &Report, lines: &mut Vec<String>) {
    let levels = report.levels.map(|level| format!("{:>6.0}", level * 100.0)).concat();
    let heading = format!("{levels}  10–90 ");
    lines.push(format!(
        "\nper cent of scores below each quantile: {}{}",
        report.before,
        if report.coverage.iter().any(|row| row.after.is_some()) { ", then corrected" } else { "" }
    ));
    let second = if report.coverage.first().is_some_and(|row| row.after.is_some()) {
        format!("  {heading}")
    } else {
        String::new()
    };
    lines.push(format!("{:<20} {:>9} {heading}{second}", "", "positions"));
    lines.extend(report.coverage.iter().map(row_line));
}

fn row_line(row: &Row) -> String {
    let cell = |cell: &Cell| {
        let below = cell.below.map(|share| format!("{:>6.1}", share * 100.0)).concat();
        let mark = if cell.off { '*' } else { ' ' };
        format!("{below}  {:>5.1}{mark}", cell.between * 100.0)
    };
    let after = row.after.as_ref().map_or(String::new(), |after| format!("  {}", cell(after)));
    format!("{:<20} {:>9} {}{after}", row.group, row.positions, cell(&row.before))
}

fn losses(report: &Report, lines: &mut Vec<String>) {
    let line = |name: &str, loss: &Loss| {
        format!(
            "{name:<22} {:>7.2} centipawns, skill {:+.1} %; with shuffled widths {:+.1} %",
            loss.pinball,
            loss.skill * 100.0,
            loss.skill_with_shuffled_widths * 100.0
        )
    };
    lines.push(
        "\npinball loss, and its skill over widths that depend on the depth alone".to_owned(),
    );
    lines.push(line(report.before, &report.loss.before));
    lines.extend(report.loss.after.as_ref().map(|after| line("corrected", after)));
}

fn signals(report: &Report, lines: &mut Vec<String>) {
    lines.push(format!(
        "\nSpearman correlation with |deep score − median|, {} positions",
        report.signal_positions
    ));
    for signal in &report.signals {
        let value = signal.spearman.map_or("–".to_owned(), |value| format!("{value:.3}"));
        lines.push(format!("{:<28} {value:>7}", signal.name));
    }
}

fn policy_lines(before: &str, policy: &PolicyReport, lines: &mut Vec<String>) {
    lines.push(
        "\nwhere the best move is put    positions  first  in 3   in 5  mean rank  log-loss"
            .to_owned(),
    );
    let mut line = |name: &str, order: &Order| {
        let log_loss = order.log_loss.map_or("–".to_owned(), |loss| format!("{loss:.3}"));
        lines.push(format!(
            "{name:<30} {:>8} {:>6.1} {:>5.1} {:>6.1} {:>10.2} {log_loss:>9}",
            order.positions,
            order.top_1 * 100.0,
            order.top_3 * 100.0,
            order.top_5 * 100.0,
            order.mean_rank,
        ));
    };
    line(&format!("policy, {before}"), &policy.before);
    if let Some(after) = &policy.after {
        line("policy, corrected", after);
    }
    if let Some(compared) = &policy.compared {
        line("the same, on some of them", &compared.policy);
        line("captures by gain, the same", &compared.captures_by_gain);
        let name = format!("and histories of depth {}", compared.history_depth);
        line(&name, &compared.with_histories);
    }
    lines.push(format!("all moves alike would have a log-loss of {:.3}", policy.log_loss_of_none));
}

fn verdict(args: &Args, report: &Report) -> String {
    let (between, expected) = (report.between * 100.0, report.expected_between * 100.0);
    let held = format!(
        "q10 to q90, {}, hold {between:.1} % of the scores where 80 % is nominal",
        report.before
    );
    match (report.too_narrow, &report.written) {
        (Some(true), _) => format!(
            "\ntoo narrow: {held} and {expected:.1} % is the least that is accepted\n\
             Correct it with `accrue calibrate {} --data … --out FILE`",
            args.net.display()
        ),
        (Some(false), _) => {
            format!("\nwide enough: {held}; at least {expected:.1} % was asked for")
        }
        (None, Some(out)) => format!("\nwrote {out}, with its corrections"),
        (None, None) => {
            "\nnothing was written; --out FILE writes the network with its corrections".to_owned()
        }
    }
}
