//! Quantisation error: the differences between an integer network and its floats.

use dataset::Batch;
use nnue::{Accumulator, Network, Outputs, Workspace};
use serde::Serialize;

use super::ExportError;

/// Positions with at most this absolute value in centipawns count as undecided. The error bound
/// applies to those: beyond, a few centipawns do not matter.
pub const INSIDE: i32 = 1000;

/// Statistics of errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Errors {
    /// The number of compared values.
    pub count: u64,
    /// The mean of the absolute differences.
    pub mean: f32,
    /// The 99th percentile.
    pub percentile_99: f32,
    /// The maximum.
    pub max: f32,
}

/// The errors of the policy head.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PolicyErrors {
    /// Differences of the logits.
    pub logits: Errors,
    /// The share of positions in which both networks prefer the same move: among the legal moves if
    /// these are known, among all pairs of cells otherwise.
    pub agreement: f32,
}

/// The result of [`measure`], in centipawns unless stated otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorReport {
    /// The number of positions.
    pub positions: u64,
    /// The value, on all positions.
    pub value: Errors,
    /// The value, where the floats are within [`INSIDE`].
    pub inside: Errors,
    /// The mean signed difference: the bias of the integers.
    pub lean: f32,
    /// Positions in which the two networks favour different sides.
    pub sign_disagreements: u64,
    /// All five quantiles.
    pub quantiles: Option<Errors>,
    /// The probabilities of win, draw and loss, from 0 to 1.
    pub wdl: Option<Errors>,
    /// The policy.
    pub policy: Option<PolicyErrors>,
}

/// The maximum errors, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ErrorBound {
    /// The maximum mean error.
    pub mean: f32,
    /// The maximum error of any position.
    pub max: f32,
}

impl Default for ErrorBound {
    fn default() -> Self {
        Self { mean: 5.0, max: 50.0 }
    }
}

impl ErrorReport {
    /// Refuses errors above the bound. Uses the undecided positions, or all if none is undecided.
    pub fn check(&self, bound: ErrorBound) -> Result<(), ExportError> {
        let errors = if self.inside.count > 0 { self.inside } else { self.value };
        if errors.mean <= bound.mean && errors.max <= bound.max {
            return Ok(());
        }
        let Errors { mean, max, count: positions, .. } = errors;
        Err(ExportError::TooFar { mean, max, positions, bound })
    }
}

/// Evaluates positions with both networks.
///
/// # Panics
///
/// If the features or the number of perspectives of the batches do not match the networks.
pub fn measure(float: &Network, integer: &Network, batches: &[Batch]) -> ErrorReport {
    let mut sides = [EvaluatedNetwork::new(float), EvaluatedNetwork::new(integer)];
    let mut found = Differences::default();
    for batch in batches {
        for position in 0..batch.len() {
            let outputs = sides.each_mut().map(|side| side.outputs(batch, position));
            found.add(outputs);
            if let Some(policy) = float.architecture().policy() {
                let logits = sides.each_mut().map(|side| side.policy(policy.outputs()));
                found.add_policy(batch, position, policy.from, &logits);
            }
        }
    }
    found.report()
}

/// A network with the buffers of its evaluation.
struct EvaluatedNetwork<'a> {
    network: &'a Network,
    accumulators: [Accumulator; 2],
    workspace: Workspace,
    rows: Vec<u16>,
}

impl<'a> EvaluatedNetwork<'a> {
    fn new(network: &'a Network) -> Self {
        let accumulators = [Accumulator::new(network), Accumulator::new(network)];
        Self { network, accumulators, workspace: network.workspace(), rows: Vec::new() }
    }

    /// Rows are ordered side to move first, so the side to move is always the first player.
    fn outputs(&mut self, batch: &Batch, position: usize) -> Outputs {
        for (perspective, accumulator) in
            self.accumulators.iter_mut().take(batch.perspectives).enumerate()
        {
            self.network.refresh(accumulator, batch.row(position, perspective));
        }
        let pieces = usize::from(batch.pieces[position]);
        self.network.outputs(self.accumulators.each_ref(), 0, pieces, &mut self.workspace)
    }

    /// All logits of the last evaluated position.
    fn policy(&mut self, count: usize) -> Vec<f32> {
        self.rows.clear();
        self.rows.extend(0..count as u16);
        let mut logits = vec![0.0; count];
        let accumulators = self.accumulators.each_ref();
        self.network.policy(accumulators, 0, &self.rows, &mut logits, &mut self.workspace);
        logits
    }
}

/// All differences.
#[derive(Default)]
struct Differences {
    value: Vec<f32>,
    inside: Vec<f32>,
    sum: f64,
    sign_disagreements: u64,
    quantiles: Vec<f32>,
    wdl: Vec<f32>,
    logits: Vec<f32>,
    agreements: u64,
}

impl Differences {
    fn add(&mut self, [float, integer]: [Outputs; 2]) {
        let difference = (i64::from(integer.value) - i64::from(float.value)) as f32;
        self.value.push(difference.abs());
        if float.value.abs() <= INSIDE {
            self.inside.push(difference.abs());
        }
        self.sum += f64::from(difference);
        self.sign_disagreements += u64::from(float.value.signum() * integer.value.signum() < 0);
        if let (Some(a), Some(b)) = (float.quantiles, integer.quantiles) {
            self.quantiles.extend(a.iter().zip(b).map(|(&a, b)| a.abs_diff(b) as f32));
        }
        if let (Some(a), Some(b)) = (float.wdl, integer.wdl) {
            self.wdl.extend(a.iter().zip(b).map(|(a, b)| (a - b).abs()));
        }
    }

    fn add_policy(&mut self, batch: &Batch, position: usize, from: usize, logits: &[Vec<f32>; 2]) {
        let [float, integer] = logits;
        self.logits.extend(float.iter().zip(integer).map(|(a, b)| (a - b).abs()));
        let best = logits.each_ref().map(|logits| {
            if batch.legal_starts.is_empty() {
                let (left, entered) = logits.split_at(from);
                let largest = |part: &[f32]| best_of(part.iter().copied());
                return (largest(left), largest(entered));
            }
            let moves = &batch.legal[batch.legal_range(position)];
            let score = moves
                .iter()
                .map(|mv| logits[usize::from(mv.from)] + logits[from + usize::from(mv.to)]);
            (best_of(score), None)
        });
        self.agreements += u64::from(best[0] == best[1]);
    }

    fn report(self) -> ErrorReport {
        let positions = self.value.len() as u64;
        let some = |errors: Vec<f32>| (!errors.is_empty()).then(|| Errors::of(errors));
        let share = |count: f64| (count / positions.max(1) as f64) as f32;
        ErrorReport {
            positions,
            lean: share(self.sum),
            value: Errors::of(self.value),
            inside: Errors::of(self.inside),
            sign_disagreements: self.sign_disagreements,
            quantiles: some(self.quantiles),
            wdl: some(self.wdl),
            policy: some(self.logits)
                .map(|logits| PolicyErrors { logits, agreement: share(self.agreements as f64) }),
        }
    }
}

/// The index of the largest number, the first of equals.
fn best_of(numbers: impl Iterator<Item = f32>) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (place, number) in numbers.enumerate() {
        if best.is_none_or(|(_, max)| number > max) {
            best = Some((place, number));
        }
    }
    best.map(|(place, _)| place)
}

impl Errors {
    fn of(mut errors: Vec<f32>) -> Self {
        errors.sort_unstable_by(f32::total_cmp);
        let count = errors.len();
        let sum: f64 = errors.iter().map(|&error| f64::from(error)).sum();
        let at = (count * 99).div_ceil(100).saturating_sub(1);
        Self {
            count: count as u64,
            mean: (sum / count.max(1) as f64) as f32,
            percentile_99: errors.get(at).copied().unwrap_or(0.0),
            max: errors.last().copied().unwrap_or(0.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_summed_up() {
        let errors = Errors::of((1..=200).map(|n| n as f32).rev().collect());
        let expected = Errors { count: 200, mean: 100.5, percentile_99: 198.0, max: 200.0 };
        assert_eq!(errors, expected);
        assert_eq!(Errors::of(Vec::new()), Errors::default());
    }

    #[test]
    fn the_bound_is_about_undecided_positions() {
        let wide = Errors { count: 9, mean: 9.0, percentile_99: 90.0, max: 90.0 };
        let near = Errors { count: 5, mean: 1.0, percentile_99: 2.0, max: 2.0 };
        let mut found = Differences::default();
        found.add([outputs(2000), outputs(2090)]);
        let mut report = ErrorReport { value: wide, inside: near, ..found.report() };
        assert_eq!(report.check(ErrorBound::default()), Ok(()));
        report.inside = Errors::default();
        let error = report.check(ErrorBound::default()).unwrap_err().to_string();
        assert!(
            error.contains("9.00 centipawns") && error.contains("allowed are 5 and 50"),
            "{error}"
        );
        report.inside = Errors { max: 51.0, ..near };
        assert!(report.check(ErrorBound::default()).is_err());
    }

    fn outputs(value: i32) -> Outputs {
        Outputs { value, wdl: None, quantiles: None }
    }

    #[test]
    fn signs_disagree_only_across_zero() {
        let mut found = Differences::default();
        for (a, b) in [(3, -2), (0, -5), (-1, -9), (-4, 1)] {
            found.add([outputs(a), outputs(b)]);
        }
        assert_eq!(found.report().sign_disagreements, 2);
    }
}
