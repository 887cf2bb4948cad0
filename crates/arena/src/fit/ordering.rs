//! Fit of move ordering: the weights of histories, checks and policy by conditional logistic
//! regression of the quiet move that cuts.

use search::Params;

use super::regression::{ChoiceGroup, Rows, conditional, conditional_loss};
use super::{MIN_SAMPLES, RIDGE, RuleFit, SampleTable, is_held_out, number};

/// The columns of a row of the table.
const NODE: usize = 0;
const CUTS: usize = 2;
const HISTORIES: std::ops::Range<usize> = 3..9;
const CHECK: usize = 9;
const HAS_POLICY: usize = 10;
const POLICY: usize = 11;

const FEATURES: [&str; 8] =
    ["butterfly", "threats", "one", "two", "four", "six", "check", "policy"];
/// Histories enter the regression in units of so many.
const HISTORY_UNIT: f32 = 1024.0;

/// The numbers of the weights, without policy and beside it.
const CLASSICAL: [&str; 7] = [
    "order_butterfly",
    "order_threats",
    "order_one",
    "order_two",
    "order_four",
    "order_six",
    "order_check",
];
const BESIDE_POLICY: [&str; 8] = [
    "policy_order_butterfly",
    "policy_order_threats",
    "policy_order_one",
    "policy_order_two",
    "policy_order_four",
    "policy_order_six",
    "policy_order_check",
    "policy_blend",
];

/// The choices of one move from each of some nodes.
struct Choices {
    rows: Rows,
    groups: Vec<ChoiceGroup>,
}

impl Choices {
    fn new(columns: usize) -> Self {
        Self { rows: Rows::new(columns), groups: Vec::new() }
    }

    fn push(&mut self, moves: &[&[i32]], features: impl Fn(&[i32]) -> Vec<f32>) {
        let start = self.rows.len();
        for row in moves {
            self.rows.push(&features(row));
        }
        let chosen = moves.iter().position(|row| row[CUTS] != 0).unwrap_or(0);
        self.groups.push(ChoiceGroup { rows: start..self.rows.len(), chosen });
    }
}

/// Fits the weights where there is no policy, and those beside the policy.
pub(super) fn fit(table: &SampleTable, params: &Params) -> Vec<RuleFit> {
    let rows: Vec<&[i32]> = table.rows().collect();
    let nodes: Vec<&[&[i32]]> = rows.chunk_by(|a, b| a[NODE] == b[NODE]).collect();
    let without = nodes.iter().copied().filter(|node| node[0][HAS_POLICY] == 0);
    let with = nodes.iter().copied().filter(|node| node[0][HAS_POLICY] != 0);
    vec![
        fit_weights("ordering", &CLASSICAL, &without.collect::<Vec<_>>(), params),
        fit_weights(
            "ordering beside the policy",
            &BESIDE_POLICY,
            &with.collect::<Vec<_>>(),
            params,
        ),
    ]
}

fn fit_weights(
    rule: &'static str,
    names: &[&'static str],
    nodes: &[&[&[i32]]],
    params: &Params,
) -> RuleFit {
    if nodes.len() < MIN_SAMPLES {
        return RuleFit::none(rule, nodes.len(), &format!("expected at least {MIN_SAMPLES} nodes"));
    }
    let columns = names.len();
    let features = |row: &[i32]| {
        let histories = row[HISTORIES].iter().map(|&history| history as f32 / HISTORY_UNIT);
        let others = [row[CHECK] as f32, row[POLICY] as f32 / 1024.0];
        histories.chain(others).take(columns).collect()
    };
    // The score by the weights as they are.
    let weights: Vec<f32> = names.iter().map(|name| params.get(name).unwrap_or(0) as f32).collect();
    let score = |row: &[i32]| {
        let parts: Vec<f32> = features(row);
        let sum: f32 = parts.iter().zip(&weights).map(|(part, weight)| part * weight).sum();
        vec![sum / 1024.0]
    };
    let mut sets = [Choices::new(columns), Choices::new(columns)];
    let mut scores = [Choices::new(1), Choices::new(1)];
    for (index, node) in nodes.iter().enumerate() {
        let held_out = usize::from(is_held_out(index));
        sets[held_out].push(node, features);
        scores[held_out].push(node, score);
    }
    let [training, held_out] = &sets;
    let fitted = match conditional(&training.rows, &training.groups, RIDGE) {
        Ok(fitted) => fitted,
        Err(error) => return RuleFit::none(rule, nodes.len(), &error),
    };
    let before = match conditional(&scores[0].rows, &scores[0].groups, RIDGE) {
        Ok(scale) => conditional_loss(&scores[1].rows, &scores[1].groups, &scale.values),
        Err(_) => f64::INFINITY,
    };
    let after = conditional_loss(&held_out.rows, &held_out.groups, &fitted.values);
    // Only ratios of weights matter: the weights of histories keep their sum.
    let sum: f64 = fitted.values[..HISTORIES.len()].iter().sum();
    let usual: f64 = weights[..HISTORIES.len()].iter().copied().map(f64::from).sum();
    let params = if sum > 0.0 {
        let known = |index: &usize| fitted.errors[*index].is_finite();
        let scale = usual / sum;
        (0..columns)
            .filter(known)
            .map(|index| number(names[index], fitted.values[index] * scale))
            .collect()
    } else {
        Vec::new()
    };
    RuleFit {
        rule,
        samples: [training.groups.len(), held_out.groups.len()],
        coefficients: (0..columns)
            .map(|index| (FEATURES[index], fitted.values[index], fitted.errors[index]))
            .collect(),
        log_loss: [before, after],
        params,
        reason: None,
    }
    .judged()
}
