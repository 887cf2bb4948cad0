//! Fit of the margin of reverse futility pruning (RFP): what evidence about a node counts beside its
//! surplus above beta, by logistic regression of whether it fails high.
//!
//! How the margin grows with depth stays what it is: it weighs what an error costs.

use search::Params;

use super::regression::{Rows, logistic, logistic_loss};
use super::{MIN_SAMPLES, RIDGE, RuleFit, SampleTable, is_held_out, number};

const RULE: &str = "reverse futility pruning";
const FEATURES: [&str; 5] = ["constant", "surplus", "depth", "improving", "correction"];

struct Set {
    rows: Rows,
    /// Surplus and depth, and the evidence as it is.
    margins: Rows,
    outcomes: Vec<bool>,
    mean_margin: f64,
}

pub(super) fn fit(table: &SampleTable, params: &Params) -> RuleFit {
    let set = || Set {
        rows: Rows::new(FEATURES.len()),
        margins: Rows::new(4),
        outcomes: Vec::new(),
        mean_margin: 0.0,
    };
    let mut sets = [set(), set()];
    for (index, row) in table.rows().enumerate() {
        let &[depth, surplus, improving, correction, margin, fails_high] = row else { continue };
        let set = &mut sets[usize::from(is_held_out(index))];
        let [surplus, depth, improving, correction, margin] =
            [surplus, depth, improving, correction, margin].map(|value| value as f32);
        set.rows.push(&[1.0, surplus / 100.0, depth, improving, correction / 100.0]);
        let by_evidence = margin - params.rfp_margin as f32 * depth;
        set.margins.push(&[1.0, surplus / 100.0, depth, by_evidence / 100.0]);
        set.outcomes.push(fails_high != 0);
        set.mean_margin += f64::from(margin);
    }
    let [training, held_out] = &sets;
    let count = training.rows.len();
    if count < MIN_SAMPLES {
        return RuleFit::none(RULE, count, &format!("expected at least {MIN_SAMPLES} nodes"));
    }
    let weights = vec![1.0; count];
    let fitted = logistic(&training.rows, &training.outcomes, &weights, RIDGE);
    let before = logistic(&training.margins, &training.outcomes, &weights, RIDGE);
    let (fitted, before) = match (fitted, before) {
        (Ok(fitted), Ok(before)) => (fitted, before),
        (Err(error), _) | (_, Err(error)) => return RuleFit::none(RULE, count, &error),
    };
    let held_weights = vec![1.0; held_out.rows.len()];
    let loss = |rows: &Rows, coefficients: &[f64]| {
        logistic_loss(rows, &held_out.outcomes, &held_weights, coefficients)
    };
    let log_loss = [loss(&held_out.margins, &before.values), loss(&held_out.rows, &fitted.values)];
    let surplus = fitted.values[1];
    let coefficients = FEATURES.iter().zip(fitted.values.iter().zip(&fitted.errors));
    let report = RuleFit {
        rule: RULE,
        samples: [count, held_out.rows.len()],
        coefficients: coefficients.map(|(&name, (&value, &error))| (name, value, error)).collect(),
        log_loss,
        params: Vec::new(),
        reason: None,
    };
    if surplus <= 0.0 {
        let reason =
            Some("nodes do not fail high more often the farther they are above beta".into());
        return RuleFit { reason, ..report };
    }
    // Centipawns of margin for each unit of a feature.
    let [improving, correction] = [3, 4].map(|index| -100.0 * fitted.values[index] / surplus);
    let mean = |column: usize| {
        let sum: f64 = (0..count).map(|index| f64::from(training.rows.row(index)[column])).sum();
        sum / count as f64
    };
    let margin_per_ply = f64::from(params.rfp_margin);
    let base = training.mean_margin / count as f64
        - margin_per_ply * mean(2)
        - improving * mean(3)
        - correction * mean(4);
    let params = vec![
        number("rfp_base", base),
        number("rfp_improving", -improving),
        number("rfp_correction", correction * 1024.0 / 100.0),
    ];
    RuleFit { params, ..report }.judged()
}
