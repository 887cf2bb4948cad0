//! Score distribution: observed outcomes, and the maximum-likelihood distribution under a
//! hypothesis.
//!
//! The generalised likelihood ratio compares the likelihoods of the observations under the
//! maximum-likelihood distributions that satisfy each hypothesis. After Van den Bergh ("Normalized
//! Elo in practice", "Comments on the generalised SPRT"): if the constraint is that the mean of
//! some `f` of the outcome is zero, that distribution is `share / (1 + multiplier * f)`, with the
//! multiplier that satisfies the constraint.

/// The pseudo-count of an outcome that was never observed, as in other implementations.
const UNSEEN: f64 = 1e-3;
/// The minimum share. With smaller ones the multiplier would be closer to a pole than floats can
/// resolve. It matters from a thousand million observations on.
const SMALLEST_SHARE: f64 = 1e-12;

/// The frequencies of outcomes.
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    /// The mean score of a game, 0 to 1, for each outcome.
    scores: Vec<f64>,
    /// The observed frequency of each outcome.
    seen: Vec<f64>,
    /// The same, but never zero: unobserved outcomes have a small share.
    shares: Vec<f64>,
    /// The number of observations, including pseudo-counts.
    total: f64,
    /// The number of observations.
    observations: f64,
    /// The number of games of an observation.
    games: u32,
}

impl Distribution {
    /// Makes a distribution from the count of each outcome, evenly spaced from score 0 to score 1.
    /// Returns `None` without observations.
    ///
    /// A half point is one step of a game, so an outcome an even number of steps from an end is one
    /// of ordinary games and always possible. The steps between come from quarter scores, and exist
    /// only if they were observed: chess then has the same outcomes as elsewhere.
    pub(super) fn new(counts: &[u64], games: u32) -> Option<Self> {
        let last = (counts.len() - 1) as f64;
        let observations: f64 = counts.iter().map(|&count| count as f64).sum();
        if observations <= 0.0 {
            return None;
        }
        let possible =
            counts.iter().enumerate().filter(|&(index, &count)| index % 2 == 0 || count > 0);
        let (scores, counts): (Vec<_>, Vec<_>) =
            possible.map(|(index, &count)| (index as f64 / last, count as f64)).unzip();
        let smallest = UNSEEN.max(observations * SMALLEST_SHARE);
        let total: f64 = counts.iter().map(|count| count.max(smallest)).sum();
        let shares = counts.iter().map(|count| count.max(smallest) / total).collect();
        let seen = counts.iter().map(|count| count / observations).collect();
        Some(Self { scores, seen, shares, total, observations, games })
    }

    /// The number of observations.
    pub(super) fn observations(&self) -> f64 {
        self.observations
    }

    /// The number of games of an observation.
    pub(super) fn games(&self) -> f64 {
        f64::from(self.games)
    }

    /// The outcome of every observation, if there was only one.
    pub(super) fn only(&self) -> Option<f64> {
        let mut seen = self.scores.iter().zip(&self.seen).filter(|&(_, &share)| share > 0.0);
        let first = seen.next();
        first.filter(|_| seen.next().is_none()).map(|(&score, _)| score)
    }

    /// The log-likelihood ratio of the second constraint to the first, from the results of
    /// [`Distribution::with_mean`] or [`Distribution::with_t_value`] for each.
    pub(super) fn log_ratio(&self, first: &[f64], second: &[f64]) -> f64 {
        let terms = self.shares.iter().zip(first.iter().zip(second));
        self.total * terms.map(|(share, (first, second))| share * (first - second)).sum::<f64>()
    }

    /// The negative log-probability ratio of each outcome in the maximum-likelihood distribution
    /// with this mean, which lies between 0 and 1.
    pub(super) fn with_mean(&self, mean: f64) -> Vec<f64> {
        let values: Vec<f64> = self.scores.iter().map(|score| score - mean).collect();
        self.costs(&values)
    }

    /// The same for the distribution whose mean is `t` of its standard deviations above a half.
    ///
    /// The constraint `mean - 1/2 - t * deviation = 0` is not linear. Each iteration replaces it by
    /// its tangent at the current distribution. The constraint is convex for positive `t`, so every
    /// tangent is feasible if the first is; the first is taken at the widest distribution that
    /// satisfies the constraint, only zeros and ones, where this holds for every `t`.
    pub(super) fn with_t_value(&self, t: f64) -> Vec<f64> {
        let above = 0.5 * t / t.hypot(1.0);
        let (mut mean, mut deviation) = (0.5 + above, (0.25 - above * above).sqrt());
        let mut costs = Vec::new();
        for _ in 0..MAX_TANGENTS {
            let tangent = |&score: &f64| {
                let place = (score - mean) / deviation;
                score - 0.5 - 0.5 * t * deviation * (1.0 + place * place)
            };
            let values: Vec<f64> = self.scores.iter().map(tangent).collect();
            costs = self.costs(&values);
            let (next_mean, next_deviation) = self.moments_at(&costs);
            let moved = (next_mean - mean).abs() + (next_deviation - deviation).abs();
            (mean, deviation) = (next_mean, next_deviation);
            if moved < 1e-14 {
                break;
            }
        }
        costs
    }

    /// The mean and the standard deviation of the observations.
    pub(super) fn moments(&self) -> (f64, f64) {
        self.moments_of(&self.seen)
    }

    /// The mean and the standard deviation of the distribution with these costs.
    pub(super) fn moments_at(&self, costs: &[f64]) -> (f64, f64) {
        let shares = self.shares.iter().zip(costs).map(|(share, cost)| share * (-cost).exp());
        self.moments_of(&shares.collect::<Vec<_>>())
    }

    fn moments_of(&self, shares: &[f64]) -> (f64, f64) {
        let sum: f64 = shares.iter().sum();
        let mean = |value: &dyn Fn(f64) -> f64| -> f64 {
            let terms = self.scores.iter().zip(shares);
            terms.map(|(&score, share)| value(score) * share).sum::<f64>() / sum
        };
        let centre = mean(&|score| score);
        let variance = mean(&|score| (score - centre) * (score - centre));
        (centre, variance.max(f64::MIN_POSITIVE).sqrt())
    }

    /// The costs of the maximum-likelihood distribution under which the values have mean zero.
    fn costs(&self, values: &[f64]) -> Vec<f64> {
        let multiplier = multiplier(values, &self.shares);
        values.iter().map(|value| (multiplier * value).ln_1p()).collect()
    }
}

/// The maximum number of tangents. A few suffice unless the hypothesis is far from the
/// observations.
const MAX_TANGENTS: usize = 200;

/// The root of the sum of `share * value / (1 + multiplier * value)`. The sum decreases from the
/// pole of the largest value to that of the smallest; one is positive, the other negative.
fn multiplier(values: &[f64], shares: &[f64]) -> f64 {
    let largest = values.iter().copied().fold(f64::MIN, f64::max);
    let smallest = values.iter().copied().fold(f64::MAX, f64::min);
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let mut multiplier = 0.0;
    for _ in 0..MAX_STEPS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (value, share) in values.iter().zip(shares) {
            let term = value / (1.0 + multiplier * value);
            sum += share * term;
            slope -= share * term * term;
        }
        if sum > 0.0 {
            low = multiplier;
        } else {
            high = multiplier;
        }
        let newton = multiplier - sum / slope;
        let next = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
        // The interval has no float inside, or the step is below rounding.
        if next <= low || next >= high || (next - multiplier).abs() <= f64::EPSILON * next.abs() {
            break;
        }
        multiplier = next;
    }
    multiplier
}

/// The maximum number of steps. Bisection alone needs about a hundred to reach the closest pole.
const MAX_STEPS: usize = 200;
