//! Calibration page: the measured figures as the report crate takes them.

use arena::calibration::{
    CalibrationMeasurement, CalibrationRecords, CoverageShares, CutoffCounts, Group, GroupCoverage,
    OrderingQuality, PinballLoss, PolicyMeasurement, SearchMeasurement,
};
use report::calibration::{
    CalibrationCounts, CalibrationReport, CoverageGroup, CoverageRow, CutoffRow, OrderingRow,
    PinballReport, QuantileShares, SearchCosts,
};

/// The page.
pub(super) fn page(report: &CalibrationMeasurement) -> String {
    let policy = report.policy.as_ref();
    let report = CalibrationReport {
        network: report.network.clone(),
        architecture: report.architecture.clone(),
        game: report.game.to_owned(),
        counts: counts(&report.data),
        before: report.before.to_owned(),
        levels: report.levels.map(f64::from).to_vec(),
        coverage: report.coverage.iter().map(coverage).collect(),
        pinball: pinball(&report.loss.before),
        calibrated_pinball: report.loss.after.as_ref().map(pinball),
        correlations: report.signals.iter().map(|of| (of.name.clone(), of.spearman)).collect(),
        correlation_positions: report.signal_positions,
        orderings: policy.map(|policy| orderings(report.before, policy)).unwrap_or_default(),
        uniform_log_loss: policy.map(|policy| policy.log_loss_of_none),
        searches: report.searches.as_ref().map(searches),
    };
    report.html()
}

fn counts(data: &CalibrationRecords) -> CalibrationCounts {
    CalibrationCounts {
        records: data.records,
        in_check: data.in_check,
        without_depths: data.without_depths,
        mate_scores: data.scores_of_mates,
        fitted_positions: data.fitted_positions,
        fitted_scores: data.fitted_scores,
        measured_positions: data.measured_positions,
        measured_games: data.measured_games,
        measured_scores: data.measured_scores,
    }
}

fn coverage(row: &GroupCoverage) -> CoverageRow {
    let shares = |cell: CoverageShares| QuantileShares {
        below: cell.below.to_vec(),
        between: cell.between,
        is_off: cell.off,
    };
    let (group, tick) = match row.kind {
        Group::All => (CoverageGroup::All, String::new()),
        Group::Depth(depth) => (CoverageGroup::Depth, depth.to_string()),
        Group::Pieces(first, last) => (CoverageGroup::Pieces, format!("{first}–{last}")),
        Group::Value(first, Some(last)) => (CoverageGroup::Value, format!("{first}–{last}")),
        Group::Value(first, None) => (CoverageGroup::Value, format!("{first}–")),
    };
    CoverageRow {
        group,
        name: row.group.clone(),
        tick,
        positions: row.positions,
        before: shares(row.before),
        after: row.after.map(shares),
    }
}

fn pinball(loss: &PinballLoss) -> PinballReport {
    PinballReport {
        loss: loss.pinball,
        skill: loss.skill,
        shuffled_skill: loss.skill_with_shuffled_widths,
    }
}

fn orderings(before: &str, policy: &PolicyMeasurement) -> Vec<OrderingRow> {
    let row = |name: String, order: &OrderingQuality| OrderingRow {
        name,
        positions: order.positions,
        top: [order.top_1, order.top_3, order.top_5],
        mean_rank: order.mean_rank,
        log_loss: order.log_loss,
    };
    let mut rows = vec![row(format!("policy, {before}"), &policy.before)];
    rows.extend(policy.after.iter().map(|after| row("policy, calibrated".to_owned(), after)));
    if let Some(compared) = &policy.compared {
        rows.push(row("policy, on a sample".to_owned(), &compared.policy));
        rows.push(row("captures by SEE, same sample".to_owned(), &compared.captures_by_gain));
        let name = format!("with histories of depth {}, same sample", compared.history_depth);
        rows.push(row(name, &compared.with_histories));
    }
    rows
}

fn searches(searches: &SearchMeasurement) -> SearchCosts {
    let mean = |nodes: u64| nodes as f64 / searches.positions as f64;
    let [classical, both, policy] = searches.nodes_by_ordering.map(mean);
    let cutoffs = |name: &str, CutoffCounts { made, checked, wrong }: CutoffCounts| CutoffRow {
        name: name.to_owned(),
        made,
        checked,
        wrong,
    };
    SearchCosts {
        positions: searches.positions,
        depth: searches.depth,
        nodes: vec![
            ("classical ordering".to_owned(), classical),
            ("with the policy".to_owned(), both),
            ("policy and histories".to_owned(), policy),
            ("learned search".to_owned(), mean(searches.nodes_learned)),
        ],
        cutoffs: vec![
            cutoffs("fail high (above beta)", searches.cutoffs_above_beta),
            cutoffs("fail low (below alpha)", searches.cutoffs_below_alpha),
        ],
    }
}
