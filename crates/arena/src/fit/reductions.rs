//! Fit of late-move reductions (LMR): a logistic regression of whether a late move fails high without
//! reduction. The reduction is a linear function of the logit.

use super::regression::{Rows, logistic, logistic_loss};
use super::{MIN_SAMPLES, RIDGE, RuleFit, SampleTable, is_held_out, number};

const RULE: &str = "late-move reductions";

/// A term of the reduction: its name, the number of the search and its sign there, and the feature in
/// the unit of that number.
struct Term {
    name: &'static str,
    param: &'static str,
    sign: f64,
    feature: fn(&Move) -> f32,
}

/// A row of the table.
struct Move<'a> {
    row: &'a [i32],
    ln_depth: f32,
    ln_number: f32,
}

impl<'a> Move<'a> {
    fn new(row: &'a [i32]) -> Self {
        let ln = |number: i32| (number.max(1) as f32).ln();
        Self { row, ln_depth: ln(row[0]), ln_number: ln(row[1]) }
    }

    fn is(&self, column: usize) -> f32 {
        f32::from(u8::from(self.row[column] != 0))
    }

    fn product(&self) -> f32 {
        self.ln_depth * self.ln_number
    }

    fn thousands(&self, column: usize) -> f32 {
        self.row[column] as f32 / 1024.0
    }
}

const NOISY: usize = 2;
const REDUCTION: usize = 15;
const NODES: usize = 16;
const FAILS_HIGH: usize = 17;

/// The divisor of histories is not a factor.
const HISTORY: &str = "lmr_history_divisor";

const TERMS: [Term; 17] = [
    Term { name: "quiet", param: "lmr_base", sign: 1.0, feature: |mv| 1.0 - mv.is(NOISY) },
    Term { name: "noisy", param: "lmr_noisy_base", sign: 1.0, feature: |mv| mv.is(NOISY) },
    Term {
        name: "ln depth · ln number, quiet",
        param: "lmr_scale",
        sign: 1.0,
        feature: |mv| mv.product() * (1.0 - mv.is(NOISY)),
    },
    Term {
        name: "ln depth · ln number, noisy",
        param: "lmr_noisy_scale",
        sign: 1.0,
        feature: |mv| mv.product() * mv.is(NOISY),
    },
    Term { name: "ln depth", param: "lmr_ln_depth", sign: 1.0, feature: |mv| mv.ln_depth },
    Term { name: "ln number", param: "lmr_ln_number", sign: 1.0, feature: |mv| mv.ln_number },
    Term { name: "TT PV", param: "lmr_tt_pv", sign: -1.0, feature: |mv| mv.is(3) },
    Term { name: "cut node", param: "lmr_cut_node", sign: 1.0, feature: |mv| mv.is(4) },
    Term {
        name: "cut node without TT move",
        param: "lmr_no_tt_move",
        sign: 1.0,
        feature: |mv| mv.is(4) * (1.0 - mv.is(5)),
    },
    Term {
        name: "quiet, TT move noisy",
        param: "lmr_tt_noisy",
        sign: 1.0,
        feature: |mv| mv.is(6) * (1.0 - mv.is(NOISY)),
    },
    Term { name: "cutoffs below", param: "lmr_cutoff_count", sign: 1.0, feature: |mv| mv.is(7) },
    Term {
        name: "not improving",
        param: "lmr_not_improving",
        sign: 1.0,
        feature: |mv| 1.0 - mv.is(8),
    },
    Term { name: "check", param: "lmr_check", sign: -1.0, feature: |mv| mv.is(9) },
    Term { name: "killer", param: "lmr_killer", sign: -1.0, feature: |mv| mv.is(10) },
    Term {
        name: "correction",
        param: "lmr_correction",
        sign: -1.0,
        feature: |mv| mv.thousands(11),
    },
    Term { name: "evaluation", param: "lmr_eval", sign: -1.0, feature: |mv| mv.thousands(12) },
    Term { name: "policy", param: "lmr_policy", sign: -1.0, feature: |mv| mv.thousands(14) },
];
const HISTORY_COLUMN: usize = 13;

/// Rows of one set, with what a regression needs.
struct Set {
    rows: Rows,
    reductions: Rows,
    outcomes: Vec<bool>,
    weights: Vec<f32>,
}

impl Set {
    fn new() -> Self {
        let (rows, reductions) = (Rows::new(TERMS.len() + 1), Rows::new(2));
        Self { rows, reductions, outcomes: Vec::new(), weights: Vec::new() }
    }

    fn push(&mut self, row: &[i32]) {
        let mv = Move::new(row);
        let mut features: Vec<f32> = TERMS.iter().map(|term| (term.feature)(&mv)).collect();
        features.push(mv.thousands(HISTORY_COLUMN));
        self.rows.push(&features);
        self.reductions.push(&[1.0, mv.thousands(REDUCTION)]);
        self.outcomes.push(row[FAILS_HIGH] != 0);
        // Large subtrees cost more, but few of them must not decide.
        self.weights.push((row[NODES].max(1) as f32).sqrt());
    }
}

pub(super) fn fit(table: &SampleTable) -> RuleFit {
    let mut sets = [Set::new(), Set::new()];
    for (index, row) in table.rows().enumerate() {
        sets[usize::from(is_held_out(index))].push(row);
    }
    let [training, held_out] = &sets;
    let count = training.rows.len();
    if count < MIN_SAMPLES {
        return RuleFit::none(RULE, count, format!("expected at least {MIN_SAMPLES} moves"));
    }
    let fitted = logistic(&training.rows, &training.outcomes, &training.weights, RIDGE);
    let before = logistic(&training.reductions, &training.outcomes, &training.weights, RIDGE);
    let (fitted, before) = match (fitted, before) {
        (Ok(fitted), Ok(before)) => (fitted, before),
        (Err(error), _) | (_, Err(error)) => return RuleFit::none(RULE, count, error),
    };
    let loss = |rows: &Rows, coefficients: &[f64]| {
        logistic_loss(rows, &held_out.outcomes, &held_out.weights, coefficients)
    };
    let log_loss =
        [loss(&held_out.reductions, &before.values), loss(&held_out.rows, &fitted.values)];
    let (base, scale) = line(training, &fitted.values);
    let mut numbers = Vec::new();
    for (index, term) in TERMS.iter().enumerate() {
        if fitted.errors[index].is_finite() {
            // The constant of the line belongs to quiet and to noisy moves alike.
            let constant = if index < 2 { base } else { 0.0 };
            let value = (constant + scale * fitted.values[index]) * term.sign;
            numbers.push(number(term.param, value * 1024.0));
        }
    }
    let slope = -scale * fitted.values[TERMS.len()];
    if fitted.errors[TERMS.len()].is_finite() && slope > 0.0 {
        numbers.push(number(HISTORY, 1024.0 / slope));
    }
    let names = TERMS.iter().map(|term| term.name).chain(["history"]);
    let coefficients = names.zip(fitted.values.iter().zip(&fitted.errors));
    RuleFit {
        rule: RULE,
        samples: [count, held_out.rows.len()],
        coefficients: coefficients.map(|(name, (&value, &error))| (name, value, error)).collect(),
        log_loss,
        params: numbers,
        reason: None,
    }
    .judged()
}

/// The line from logits to reductions, in plies, that is nearest to the reductions as they are.
fn line(set: &Set, coefficients: &[f64]) -> (f64, f64) {
    let (mut total, mut mean_logit, mut mean_reduction) = (0.0, 0.0, 0.0);
    let points: Vec<(f64, f64, f64)> = (0..set.rows.len())
        .map(|index| {
            let row = set.rows.row(index).iter().zip(coefficients);
            let logit: f64 = row.map(|(&feature, weight)| f64::from(feature) * weight).sum();
            let reduction = f64::from(set.reductions.row(index)[1]);
            (logit, reduction, f64::from(set.weights[index]))
        })
        .collect();
    for &(logit, reduction, weight) in &points {
        total += weight;
        mean_logit += weight * logit;
        mean_reduction += weight * reduction;
    }
    (mean_logit, mean_reduction) = (mean_logit / total, mean_reduction / total);
    let (mut covariance, mut variance) = (0.0, 0.0);
    for &(logit, reduction, weight) in &points {
        covariance += weight * (logit - mean_logit) * (reduction - mean_reduction);
        variance += weight * (logit - mean_logit).powi(2);
    }
    // A move that fails high more often is never reduced more.
    let slope = if variance > 0.0 { (covariance / variance).min(0.0) } else { 0.0 };
    (mean_reduction - slope * mean_logit, slope)
}
