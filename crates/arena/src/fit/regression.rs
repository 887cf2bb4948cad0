//! Logistic and conditional logistic regression by Newton's method.
//!
//! Both minimise the total negative log-likelihood plus `ridge / 2` times the sum of the squared
//! coefficients of the standardised columns: a Gaussian prior of precision `ridge`. Newton's
//! method does not depend on the scale of the columns, so only the penalty uses their variances.

use std::ops::Range;

const MAX_ITERATIONS: usize = 50;
const MAX_HALVINGS: i32 = 40;
/// Convergence: the decrease of the loss that the next step predicts, relative to the loss.
const TOLERANCE: f64 = 1e-9;
/// A smaller pivot, relative to its diagonal element, means a column without information.
const MIN_PIVOT: f64 = 1e-11;

/// Rows of features of equal length, stored one after the other.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    columns: usize,
    values: Vec<f32>,
}

impl Rows {
    /// Creates an empty list of rows with this number of features.
    pub(super) fn new(columns: usize) -> Self {
        Self { columns, values: Vec::new() }
    }
    /// Appends a row, which has exactly [`Self::columns`] features.
    pub(super) fn push(&mut self, row: &[f32]) {
        debug_assert_eq!(row.len(), self.columns, "rows have equal length");
        self.values.extend_from_slice(row);
    }
    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.values.len().checked_div(self.columns).unwrap_or(0)
    }
    /// Returns the features of the row with this index, which is below [`Self::len`].
    pub(super) fn row(&self, index: usize) -> &[f32] {
        &self.values[index * self.columns..][..self.columns]
    }
}

/// Coefficients with standard errors. A column without information (all zero, constant within every
/// group or, up to rounding and without a ridge, a linear combination of earlier columns) has
/// coefficient 0 and an infinite error.
#[derive(Debug, Clone)]
pub(super) struct Coefficients {
    /// One coefficient for each column.
    pub(super) values: Vec<f64>,
    /// Standard errors from the inverse Hessian of the penalised loss. Without a ridge this is the
    /// inverse Fisher information; with one they are those of the penalised fit, and smaller.
    pub(super) errors: Vec<f64>,
}

/// The choice of one row from a group of consecutive rows.
#[derive(Debug, Clone)]
pub(super) struct ChoiceGroup {
    /// The rows to choose from.
    pub(super) rows: Range<usize>,
    /// The index of the chosen row within the group.
    pub(super) chosen: usize,
}

/// The reason why a regression has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RegressionError {
    /// No row has a positive weight, or the outcomes, weights or groups do not match the rows.
    NoRows,
    /// All outcomes are equal.
    OneOutcome,
    /// The loss has no minimum: the columns separate the outcomes perfectly and there is no ridge.
    NoConvergence,
    /// A feature, a weight or the ridge is not finite, or one of the latter two is negative.
    NotFinite,
}
use RegressionError::{NoConvergence, NoRows, NotFinite, OneOutcome};

impl std::fmt::Display for RegressionError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            NoRows => "the regression has no rows, or they do not match the outcomes",
            OneOutcome => "all outcomes of the regression are equal",
            NoConvergence => "the regression does not converge: increase the ridge",
            NotFinite => "a feature, a weight or the ridge of the regression is out of range",
        })
    }
}
impl std::error::Error for RegressionError {}

/// The result of a regression.
pub(super) type Fit = Result<Coefficients, RegressionError>;

/// Logistic regression: a binary outcome for each row, which counts `weights` times. The caller
/// adds a column of ones for the intercept; a constant column has no penalty.
pub(super) fn logistic(rows: &Rows, outcomes: &[bool], weights: &[f32], ridge: f64) -> Fit {
    check_finite(rows, weights, ridge)?;
    let used: Vec<usize> = (0..weights.len()).filter(|&index| weights[index] > 0.0).collect();
    let match_rows = outcomes.len() == rows.len() && weights.len() == rows.len();
    let (true, Some(&first)) = (match_rows, used.first()) else { return Err(NoRows) };
    if used.iter().all(|&index| outcomes[index] == outcomes[first]) {
        return Err(OneOutcome);
    }
    // Moments of the differences from one row: the variance of a constant column is exactly 0.
    let (mut total, mut moments) = (0.0, vec![(0.0, 0.0); rows.columns]);
    for index in used {
        let weight = f64::from(weights[index]);
        total += weight;
        for (moment, x) in moments.iter_mut().zip(differences(rows.row(index), rows.row(first))) {
            *moment = (moment.0 + weight * x, moment.1 + weight * x * x);
        }
    }
    let variance = |(sum, squares): (f64, f64)| (squares / total - (sum / total).powi(2)).max(0.0);
    let penalties: Vec<f64> = moments.into_iter().map(|x| ridge * variance(x)).collect();
    newton(&penalties, |sums, values| sums.with_outcomes(rows, outcomes, weights, values))
}

/// Conditional (multinomial) logistic regression: the choice of one row from each group. A column
/// that is constant within every group has no information, so there is no intercept.
pub(super) fn conditional(rows: &Rows, groups: &[ChoiceGroup], ridge: f64) -> Fit {
    check_finite(rows, &[], ridge)?;
    let valid = |g: &ChoiceGroup| g.chosen < g.rows.len() && g.rows.end <= rows.len();
    if groups.is_empty() || !groups.iter().all(valid) {
        return Err(NoRows);
    }
    // With all coefficients 0, the Hessian is the sum of the covariances within the groups.
    let start = Sums::new(rows.columns).with_choices(rows, groups, &vec![0.0; rows.columns]);
    let penalty = |covariance: &f64| ridge * covariance / groups.len() as f64;
    let penalties: Vec<f64> = start.hessian.iter().step_by(rows.columns + 1).map(penalty).collect();
    newton(&penalties, |sums, values| sums.with_choices(rows, groups, values))
}

/// The weighted mean negative log-likelihood of the outcomes in nats, one outcome for each row.
pub(super) fn logistic_loss(
    rows: &Rows,
    outcomes: &[bool],
    weights: &[f32],
    coefficients: &[f64],
) -> f64 {
    let total: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    Sums::new(0).with_outcomes(rows, outcomes, weights, coefficients).loss / total
}

/// The mean negative log-likelihood of the choices in nats, for groups within the rows.
pub(super) fn conditional_loss(rows: &Rows, groups: &[ChoiceGroup], coefficients: &[f64]) -> f64 {
    Sums::new(0).with_choices(rows, groups, coefficients).loss / groups.len() as f64
}

/// A total loss, its gradient and the lower triangle of its Hessian; no columns: only the loss.
struct Sums {
    loss: f64,
    gradient: Vec<f64>,
    hessian: Vec<f64>,
}

impl Sums {
    fn new(columns: usize) -> Self {
        Self { loss: 0.0, gradient: vec![0.0; columns], hessian: vec![0.0; columns * columns] }
    }
    /// Adds binary outcomes, each of which is a choice between the row and a row of zeros.
    fn with_outcomes(mut self, rows: &Rows, won: &[bool], weights: &[f32], values: &[f64]) -> Self {
        for (index, (&won, &weight)) in won.iter().zip(weights).enumerate() {
            let sign = if won { -1.0 } else { 1.0 };
            let row: Vec<f64> = rows.row(index).iter().map(|&x| sign * f64::from(x)).collect();
            self.add_choice(&row, f64::from(weight), values);
        }
        self
    }
    fn with_choices(mut self, rows: &Rows, groups: &[ChoiceGroup], values: &[f64]) -> Self {
        let mut others = Vec::new();
        for group in groups {
            let chosen = group.rows.start + group.chosen;
            others.clear();
            for index in group.rows.clone().filter(|&index| index != chosen) {
                others.extend(differences(rows.row(index), rows.row(chosen)));
            }
            self.add_choice(&others, 1.0, values);
        }
        self
    }
    /// Adds a choice, given the differences of the other rows from the chosen row: with these,
    /// loss and gradient stay exact where the probability of the choice is close to 1.
    fn add_choice(&mut self, others: &[f64], weight: f64, values: &[f64]) {
        let rows = || others.chunks_exact(values.len());
        let mut odds: Vec<f64> = rows().map(|row| dot(row, values)).collect();
        let max = odds.iter().copied().fold(0.0, f64::max);
        for score in &mut odds {
            *score = (*score - max).exp();
        }
        let (chosen, sum) = ((-max).exp(), odds.iter().sum::<f64>());
        self.loss += weight * (max + (sum + (chosen - 1.0)).ln_1p());
        if let &[odds] = &odds[..] {
            let p = odds / (chosen + sum);
            return self.add(others, weight * p, weight * p * chosen / (chosen + sum));
        }
        let mut mean = vec![0.0; self.gradient.len()];
        for (row, p) in rows().zip(odds.iter().map(|odds| odds / (chosen + sum))) {
            add_scaled(&mut mean, row, p);
            self.add(row, 0.0, weight * p);
        }
        self.add(&mean, weight, -weight);
    }
    /// Adds a multiple of the row to the gradient and of its outer product to the Hessian.
    fn add(&mut self, row: &[f64], slope: f64, curvature: f64) {
        add_scaled(&mut self.gradient, row, slope);
        for (column, line) in self.hessian.chunks_exact_mut(row.len().max(1)).enumerate() {
            if row[column] != 0.0 {
                add_scaled(&mut line[..=column], row, curvature * row[column]);
            }
        }
    }
}

/// Minimises a loss plus half the penalties times the squared coefficients.
fn newton(penalties: &[f64], add_loss: impl Fn(Sums, &[f64]) -> Sums) -> Fit {
    let n = penalties.len();
    let evaluate = |values: Vec<f64>| {
        let mut sums = add_loss(Sums::new(n), &values);
        for (column, (penalty, value)) in penalties.iter().zip(&values).enumerate() {
            sums.loss += 0.5 * penalty * value * value;
            sums.gradient[column] += penalty * value;
            sums.hessian[column * (n + 1)] += penalty;
        }
        (values, sums)
    };
    let (mut values, mut sums) = evaluate(vec![0.0; n]);
    for _ in 0..MAX_ITERATIONS {
        let factor = cholesky(&sums.hessian, n);
        let step = solve(&factor, &sums.gradient);
        let moved = |share: f64| values.iter().zip(&step).map(|(x, d)| x - share * d).collect();
        if 0.5 * dot(&step, &sums.gradient) <= TOLERANCE * sums.loss {
            let error = |column: usize| {
                let unit: Vec<f64> = (0..n).map(|i| f64::from(u8::from(i == column))).collect();
                let known = factor[column * (n + 1)].is_finite();
                if known { solve(&factor, &unit)[column].sqrt() } else { f64::INFINITY }
            };
            return Ok(Coefficients { values: moved(1.0), errors: (0..n).map(error).collect() });
        }
        let mut tried = (0..MAX_HALVINGS).map(|halvings| evaluate(moved(0.5_f64.powi(halvings))));
        (values, sums) = tried.find(|(_, new)| new.loss <= sums.loss).ok_or(NoConvergence)?;
    }
    Err(NoConvergence)
}

/// The Cholesky factor, with infinity for a pivot that is too small: its unknown becomes 0.
fn cholesky(matrix: &[f64], n: usize) -> Vec<f64> {
    let mut factor = vec![0.0; n * n];
    for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
        let rest = matrix[i * n + j] - dot(&factor[i * n..][..j], &factor[j * n..][..j]);
        factor[i * n + j] = match (i == j, rest > MIN_PIVOT * matrix[i * n + i]) {
            (false, _) => rest / factor[j * n + j],
            (true, true) => rest.sqrt(),
            (true, false) => f64::INFINITY,
        };
    }
    factor
}

/// Solves linear equations, given the Cholesky factor of their matrix.
fn solve(factor: &[f64], right: &[f64]) -> Vec<f64> {
    let (n, mut x) = (right.len(), right.to_vec());
    for i in 0..n {
        x[i] = (x[i] - dot(&factor[i * n..][..i], &x)) / factor[i * n + i];
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| factor[j * n + i] * x[j]).sum();
        x[i] = (x[i] - sum) / factor[i * n + i];
    }
    x
}

fn check_finite(rows: &Rows, weights: &[f32], ridge: f64) -> Result<(), RegressionError> {
    let mut positive = weights.iter().map(|&weight| f64::from(weight)).chain([ridge]);
    let valid = positive.all(|x| x.is_finite() && x >= 0.0);
    (valid && rows.values.iter().all(|x| x.is_finite())).then_some(()).ok_or(NotFinite)
}
fn differences(row: &[f32], origin: &[f32]) -> impl Iterator<Item = f64> {
    row.iter().zip(origin).map(|(&a, &b)| f64::from(a) - f64::from(b))
}
fn add_scaled(sums: &mut [f64], row: &[f64], factor: f64) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += factor * value);
}
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests;
