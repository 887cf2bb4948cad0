//! The distribution of an observed score, and the likeliest one that a hypothesis allows.
//!
//! The generalised likelihood ratio compares the likelihood of the observations under the best distribution
//! that obeys each hypothesis. After Van den Bergh ("Normalized Elo in practice", "Comments on the
//! generalised SPRT"): if the constraint is that the mean of some `f` of the outcome is zero, the best
//! distribution is `share / (1 + multiplier * f)`, with the multiplier that makes it obey.

/// An outcome that was never seen may still come: it counts as this many observations, as elsewhere.
const UNSEEN: f64 = 1e-3;
/// No share is smaller, or the multiplier would lie closer to a pole than numbers can tell. It matters from
/// a thousand million observations on.
const SMALLEST_SHARE: f64 = 1e-12;

/// How often each outcome was observed.
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    /// The mean score of a game, 0 to 1, for each outcome.
    scores: Vec<f64>,
    /// How often it was seen, of all.
    seen: Vec<f64>,
    /// The same, never zero: outcomes that were not seen have a little.
    shares: Vec<f64>,
    /// The observations, those included that stand for outcomes that were not seen.
    total: f64,
    /// The observations that were made.
    observations: f64,
    /// How many games make one observation.
    games: u32,
}

impl Distribution {
    /// From the count of each outcome, evenly spread from a score of 0 to a score of 1. None without any
    /// observation.
    ///
    /// A half is one step of a game, so an even number of steps from an end is an outcome of ordinary games
    /// and is always possible. The steps between come from quarters of a point, and are there only if they
    /// happened: then chess has the same outcomes here as elsewhere.
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

    /// How many observations were made.
    pub(super) fn observations(&self) -> f64 {
        self.observations
    }

    /// How many games make one observation.
    pub(super) fn games(&self) -> f64 {
        f64::from(self.games)
    }

    /// The outcome that every observation had, if there was only one.
    pub(super) fn only(&self) -> Option<f64> {
        let mut seen = self.scores.iter().zip(&self.seen).filter(|&(_, &share)| share > 0.0);
        let first = seen.next();
        first.filter(|_| seen.next().is_none()).map(|(&score, _)| score)
    }

    /// The log of how much likelier the observations are under the second constraint than under the first,
    /// from what [`Distribution::with_mean`] or [`Distribution::with_t_value`] gave for each.
    pub(super) fn log_ratio(&self, first: &[f64], second: &[f64]) -> f64 {
        let terms = self.shares.iter().zip(first.iter().zip(second));
        self.total * terms.map(|(share, (first, second))| share * (first - second)).sum::<f64>()
    }

    /// What each outcome costs, as a logarithm, in the likeliest distribution with this mean, which lies
    /// between 0 and 1.
    pub(super) fn with_mean(&self, mean: f64) -> Vec<f64> {
        let values: Vec<f64> = self.scores.iter().map(|score| score - mean).collect();
        self.costs(&values)
    }

    /// What each outcome costs in the likeliest distribution whose mean lies `t` of its standard deviations
    /// above a half.
    ///
    /// The constraint `mean - 1/2 - t * deviation = 0` is bent. It is replaced by its tangent at the best
    /// distribution so far, again and again. The bent side is convex for positive `t`, so every tangent can
    /// be obeyed once the first can; the first is taken at the widest distribution that obeys the
    /// constraint, only zeros and ones, where that holds for every `t`.
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

    /// The mean and the standard deviation of what was observed.
    pub(super) fn moments(&self) -> (f64, f64) {
        self.moments_of(&self.seen)
    }

    /// The mean and the standard deviation of the distribution that these costs belong to.
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

    /// The costs of the likeliest distribution under which the values have mean zero.
    fn costs(&self, values: &[f64]) -> Vec<f64> {
        let multiplier = multiplier(values, &self.shares);
        values.iter().map(|value| (multiplier * value).ln_1p()).collect()
    }
}

/// A few are enough unless the hypothesis is far from the observations.
const MAX_TANGENTS: usize = 200;

/// The number that makes the sum of `share * value / (1 + multiplier * value)` zero. The sum falls from the
/// pole of the largest value to that of the smallest; one is above zero and one below.
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
        // No number is left between the two, or the step is lost in rounding.
        if next <= low || next >= high || (next - multiplier).abs() <= f64::EPSILON * next.abs() {
            break;
        }
        multiplier = next;
    }
    multiplier
}

/// Halving alone needs about a hundred to reach the closest pole.
const MAX_STEPS: usize = 200;
