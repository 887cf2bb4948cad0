//! Calibration report: its figures as lines of text.

use arena::calibration::{
    CalibrationMeasurement, CoverageShares, CutoffCounts, GroupCoverage, OrderingQuality,
    PinballLoss, PolicyMeasurement, SearchMeasurement,
};
use pipeline::stages::{CalibrateNetwork, CalibrationOutcome, QuantileReport};

use crate::score_model;

/// All lines.
pub(crate) fn lines(stage: &CalibrateNetwork, report: &CalibrationOutcome) -> Vec<String> {
    match report {
        CalibrationOutcome::Quantiles(report) => quantile_lines(stage, report),
        CalibrationOutcome::Scores(report) => {
            let network = format!("network     {}", report.network);
            let written = report.written.as_ref().map(|out| format!("wrote {out}"));
            let scores = score_model::lines(&report.score_model);
            std::iter::once(network).chain(scores).chain(written).collect()
        }
    }
}

/// The lines of the score model, or why there is none.
fn score_lines(report: &QuantileReport) -> Vec<String> {
    let (model, reason) = (report.score_model.as_ref(), report.no_score_model.as_ref());
    let mut lines = Vec::new();
    if model.is_some() || reason.is_some() {
        lines.push(String::new());
    }
    lines.extend(model.into_iter().flat_map(score_model::lines));
    lines.extend(reason.map(|reason| format!("no score model: {reason}")));
    lines
}

fn quantile_lines(stage: &CalibrateNetwork, report: &QuantileReport) -> Vec<String> {
    let scores = score_lines(report);
    let report = &report.measured;
    let data = &report.data;
    let mut lines = vec![
        format!("network     {}", report.architecture),
        format!(
            "data        {} records of {}; skipped: {} in check, {} without depths, {} scores of mates{}",
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
    if stage.options.fit {
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
    lines.extend(report.searches.iter().flat_map(search_lines));
    lines.extend(scores);
    lines.push(verdict(stage, report));
    lines
}

fn coverage(report: &CalibrationMeasurement, lines: &mut Vec<String>) {
    let levels = report.levels.map(|level| format!("{:>6.0}", level * 100.0)).concat();
    let heading = format!("{levels}  10–90 ");
    lines.push(format!(
        "\nper cent of scores below each quantile: {}{}",
        report.before,
        if report.coverage.iter().any(|row| row.after.is_some()) {
            ", then calibrated"
        } else {
            ""
        }
    ));
    let second = if report.coverage.first().is_some_and(|row| row.after.is_some()) {
        format!("  {heading}")
    } else {
        String::new()
    };
    lines.push(format!("{:<20} {:>9} {heading}{second}", "", "positions"));
    lines.extend(report.coverage.iter().map(row_line));
}

fn row_line(row: &GroupCoverage) -> String {
    let cell = |cell: &CoverageShares| {
        let below = cell.below.map(|share| format!("{:>6.1}", share * 100.0)).concat();
        let mark = if cell.off { '*' } else { ' ' };
        format!("{below}  {:>5.1}{mark}", cell.between * 100.0)
    };
    let after = row.after.as_ref().map_or(String::new(), |after| format!("  {}", cell(after)));
    format!("{:<20} {:>9} {}{after}", row.group, row.positions, cell(&row.before))
}

fn losses(report: &CalibrationMeasurement, lines: &mut Vec<String>) {
    let line = |name: &str, loss: &PinballLoss| {
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
    lines.extend(report.loss.after.as_ref().map(|after| line("calibrated", after)));
}

fn signals(report: &CalibrationMeasurement, lines: &mut Vec<String>) {
    lines.push(format!(
        "\nSpearman correlation with |deep score − median|, {} positions",
        report.signal_positions
    ));
    for signal in &report.signals {
        let value = signal.spearman.map_or("–".to_owned(), |value| format!("{value:.3}"));
        lines.push(format!("{:<28} {value:>7}", signal.name));
    }
}

fn policy_lines(before: &str, policy: &PolicyMeasurement, lines: &mut Vec<String>) {
    lines.push(
        "\nwhere the best move is put    positions  first  in 3   in 5  mean rank  log-loss"
            .to_owned(),
    );
    let mut line = |name: &str, order: &OrderingQuality| {
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
        line("policy, calibrated", after);
    }
    if let Some(compared) = &policy.compared {
        line("policy, on a sample", &compared.policy);
        line("captures by SEE, same sample", &compared.captures_by_gain);
        let name = format!("with histories of depth {}", compared.history_depth);
        line(&name, &compared.with_histories);
    }
    lines.push(format!("a uniform policy has a log-loss of {:.3}", policy.log_loss_of_none));
}

fn verdict(stage: &CalibrateNetwork, report: &CalibrationMeasurement) -> String {
    let (between, expected) = (report.between * 100.0, report.expected_between * 100.0);
    let held = format!(
        "q10 to q90, {}, hold {between:.1} % of the scores where 80 % is nominal",
        report.before
    );
    match (report.too_narrow, &stage.out) {
        (Some(true), _) => format!(
            "\ntoo narrow: {held} and at least {expected:.1} % is required\n\
             Calibrate it with `accrue calibrate {} --data … --out FILE`",
            stage.net.display()
        ),
        (Some(false), _) => {
            format!("\nwide enough: {held}; at least {expected:.1} % is required")
        }
        (None, Some(out)) => format!("\nwrote {}, with its calibration", out.display()),
        (None, None) => {
            "\nnothing was written; --out FILE writes the network with its calibration".to_owned()
        }
    }
}

fn search_lines(searches: &SearchMeasurement) -> Vec<String> {
    let SearchMeasurement { positions, depth, nodes_by_ordering, nodes_learned, .. } = searches;
    let per = |nodes: u64| nodes as f64 / *positions as f64;
    let wrong = |cutoffs: CutoffCounts| {
        let share = match cutoffs.checked {
            0 => "–".to_owned(),
            checked => format!("{:.1} %", cutoffs.wrong as f64 / checked as f64 * 100.0),
        };
        format!("{:>9} made, {:>6} verified, {share} wrong", cutoffs.made, cutoffs.checked)
    };
    let [classical, both, policy] = nodes_by_ordering.map(per);
    vec![
        format!("\nnodes to depth {depth}, mean of {positions} positions"),
        format!("classical move ordering        {classical:>9.0}"),
        format!("with the policy                {both:>9.0}"),
        format!("policy and histories           {policy:>9.0}"),
        format!("learned search                 {:>9.0}", per(*nodes_learned)),
        "\ncutoffs by quantiles in these searches, one in 100 verified by a search".to_owned(),
        format!("fail high (above beta)         {}", wrong(searches.cutoffs_above_beta)),
        format!("fail low (below alpha)         {}", wrong(searches.cutoffs_below_alpha)),
    ]
}
