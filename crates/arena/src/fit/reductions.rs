//! Fit of late-move reductions (LMR): what evidence about a move counts, by logistic regression of
//! whether it fails high without reduction.
//!
//! The structure of the reduction (depth, move number, node type) stays what it is: it weighs what
//! an error costs there, of which the samples know nothing. In the regression it is free, so that it
//! explains nothing of the evidence.

use search::Params;

use super::regression::{Rows, logistic, logistic_loss};
use super::{MIN_SAMPLES, RIDGE, RuleFit, SampleTable, is_held_out, number};

const RULE: &str = "late-move reductions";

/// A row of the table.
struct Move<'a>(&'a [i32]);

const DEPTH: usize = 0;
const NUMBER: usize = 1;
const NOISY: usize = 2;
const NODES: usize = 16;
const FAILS_HIGH: usize = 17;

impl Move<'_> {
    /// A flag.
    fn is(&self, column: usize) -> f32 {
        f32::from(u8::from(self.0[column] != 0))
    }

    fn thousands(&self, column: usize) -> f32 {
        self.0[column] as f32 / 1024.0
    }

    /// What the reduction depends on beside evidence: constants, depth, move number, node type.
    fn structure(&self) -> [f32; STRUCTURE] {
        let ln = |column: usize| (self.0[column].max(1) as f32).ln();
        let (depth, number, noisy) = (ln(DEPTH), ln(NUMBER), self.is(NOISY));
        [
            1.0,
            noisy,
            depth,
            number,
            depth * number,
            depth * number * noisy,
            self.is(3),
            self.is(4),
            self.is(4) * (1.0 - self.is(5)),
        ]
    }
}

const STRUCTURE: usize = 9;
/// The constant of noisy moves among the structure.
const NOISY_CONSTANT: usize = 1;

/// Evidence about a move: its number of the search with its sign there, and its feature in the unit
/// of that number.
struct Evidence {
    name: &'static str,
    param: &'static str,
    sign: f64,
    feature: fn(&Move) -> f32,
}

/// The divisor of histories is not a factor; it comes last.
const HISTORY: &str = "lmr_history_divisor";

const EVIDENCE: [Evidence; 9] = [
    Evidence {
        name: "quiet, TT move noisy",
        param: "lmr_tt_noisy",
        sign: 1.0,
        feature: |mv| mv.is(6) * (1.0 - mv.is(NOISY)),
    },
    Evidence {
        name: "cutoffs below",
        param: "lmr_cutoff_count",
        sign: 1.0,
        feature: |mv| mv.is(7),
    },
    Evidence {
        name: "not improving",
        param: "lmr_not_improving",
        sign: 1.0,
        feature: |mv| 1.0 - mv.is(8),
    },
    Evidence { name: "check", param: "lmr_check", sign: -1.0, feature: |mv| mv.is(9) },
    Evidence { name: "killer", param: "lmr_killer", sign: -1.0, feature: |mv| mv.is(10) },
    Evidence {
        name: "correction",
        param: "lmr_correction",
        sign: -1.0,
        feature: |mv| mv.thousands(11),
    },
    Evidence { name: "evaluation", param: "lmr_eval", sign: -1.0, feature: |mv| mv.thousands(12) },
    Evidence { name: "policy", param: "lmr_policy", sign: -1.0, feature: |mv| mv.thousands(14) },
    Evidence { name: "history", param: HISTORY, sign: -1.0, feature: |mv| mv.thousands(13) },
];

/// The plies of reduction for each unit of evidence, with its sign.
fn plies(params: &Params) -> [f64; EVIDENCE.len()] {
    EVIDENCE.map(|Evidence { param, sign, .. }| {
        let value = f64::from(params.get(param).unwrap_or(0));
        // Features of histories are in units of 1024 of them.
        sign * if param == HISTORY { 1024.0 / value.max(1.0) } else { value / 1024.0 }
    })
}

/// Rows of one set, with what a regression needs.
struct Set {
    /// Structure and evidence.
    rows: Rows,
    /// Structure and the reduction by evidence as it is, in plies.
    before: Rows,
    outcomes: Vec<bool>,
    weights: Vec<f32>,
}

impl Set {
    fn new() -> Self {
        Self {
            rows: Rows::new(STRUCTURE + EVIDENCE.len()),
            before: Rows::new(STRUCTURE + 1),
            outcomes: Vec::new(),
            weights: Vec::new(),
        }
    }

    fn push(&mut self, row: &[i32], plies: &[f64]) {
        let mv = Move(row);
        let mut features = mv.structure().to_vec();
        let evidence = EVIDENCE.map(|evidence| (evidence.feature)(&mv));
        let reduction: f64 =
            evidence.iter().zip(plies).map(|(&feature, plies)| f64::from(feature) * plies).sum();
        let mut before = features.clone();
        before.push(reduction as f32);
        features.extend(evidence);
        self.rows.push(&features);
        self.before.push(&before);
        self.outcomes.push(row[FAILS_HIGH] != 0);
        // Large subtrees cost more, but few of them must not decide.
        self.weights.push((row[NODES].max(1) as f32).sqrt());
    }

    fn loss(&self, rows: &Rows, coefficients: &[f64]) -> f64 {
        logistic_loss(rows, &self.outcomes, &self.weights, coefficients)
    }
}

pub(super) fn fit(table: &SampleTable, params: &Params) -> RuleFit {
    let plies = plies(params);
    let mut sets = [Set::new(), Set::new()];
    for (index, row) in table.rows().enumerate() {
        sets[usize::from(is_held_out(index))].push(row, &plies);
    }
    let [training, held_out] = &sets;
    let count = training.rows.len();
    if count < MIN_SAMPLES {
        return RuleFit::none(RULE, count, &format!("expected at least {MIN_SAMPLES} moves"));
    }
    let fitted = logistic(&training.rows, &training.outcomes, &training.weights, RIDGE);
    let before = logistic(&training.before, &training.outcomes, &training.weights, RIDGE);
    let (fitted, before) = match (fitted, before) {
        (Ok(fitted), Ok(before)) => (fitted, before),
        (Err(error), _) | (_, Err(error)) => return RuleFit::none(RULE, count, &error),
    };
    let log_loss = [
        held_out.loss(&held_out.before, &before.values),
        held_out.loss(&held_out.rows, &fitted.values),
    ];
    let (values, errors) = (&fitted.values[STRUCTURE..], &fitted.errors[STRUCTURE..]);
    let (slope, shifts) = line(training, values);
    let mut numbers = Vec::new();
    for (index, Evidence { param, sign, .. }) in EVIDENCE.iter().enumerate() {
        let plies = sign * slope * values[index];
        match *param {
            _ if !errors[index].is_finite() => {}
            HISTORY if plies <= 0.0 => {}
            HISTORY => numbers.push(number(HISTORY, 1024.0 / plies)),
            param => numbers.push(number(param, 1024.0 * plies)),
        }
    }
    for (base, shift) in ["lmr_base", "lmr_noisy_base"].into_iter().zip(shifts) {
        let old = f64::from(params.get(base).unwrap_or(0));
        numbers.push(number(base, old + 1024.0 * shift));
    }
    let coefficients = EVIDENCE.iter().zip(values.iter().zip(errors));
    RuleFit {
        rule: RULE,
        samples: [count, held_out.rows.len()],
        coefficients: coefficients
            .map(|(evidence, (&value, &error))| (evidence.name, value, error))
            .collect(),
        log_loss,
        params: numbers,
        reason: None,
    }
    .judged()
}

/// The line from the logit of the evidence to its reduction, in plies, that keeps the spread of the
/// reductions by evidence as they are: its slope, and by how much the constant part of the reductions
/// of quiet and of noisy moves changes so that their means stay.
fn line(set: &Set, coefficients: &[f64]) -> (f64, [f64; 2]) {
    let points: Vec<(bool, [f64; 3])> = (0..set.rows.len())
        .map(|index| {
            let row = set.rows.row(index);
            let evidence = row[STRUCTURE..].iter().zip(coefficients);
            let logit: f64 = evidence.map(|(&feature, weight)| f64::from(feature) * weight).sum();
            let reduction = f64::from(set.before.row(index)[STRUCTURE]);
            (row[NOISY_CONSTANT] != 0.0, [logit, reduction, f64::from(set.weights[index])])
        })
        .collect();
    // Weighted means of logits and reductions of the quiet or the noisy moves.
    let means = |noisy: bool| {
        let points = points.iter().filter(|point| point.0 == noisy).map(|point| point.1);
        let (mut total, mut sums) = (0.0, [0.0; 2]);
        for [logit, reduction, weight] in points {
            total += weight;
            sums[0] += weight * logit;
            sums[1] += weight * reduction;
        }
        if total > 0.0 { sums.map(|sum| sum / total) } else { [0.0; 2] }
    };
    let means = [means(false), means(true)];
    let mut variances = [0.0; 2];
    for &(noisy, [logit, reduction, weight]) in &points {
        let mean = means[usize::from(noisy)];
        variances[0] += weight * (logit - mean[0]).powi(2);
        variances[1] += weight * (reduction - mean[1]).powi(2);
    }
    let slope = if variances[0] > 0.0 { -(variances[1] / variances[0]).sqrt() } else { 0.0 };
    (slope, means.map(|[logit, reduction]| reduction - slope * logit))
}
