//! Losses of single positions, each with its derivative by the outputs of the head.

use nnue::{QUANTILE_LEVELS, ValueOutput};

use crate::real::Real;
use crate::{ValueLoss, ValueObjective};

/// What the value head is drawn to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueTarget {
    /// Centipawns by search; NaN if unknown.
    pub(crate) score: f32,
    /// Share of the point; NaN if unknown.
    pub(crate) result: f32,
    /// How much the result counts.
    pub(crate) result_share: f32,
}

/// How scores become what a network puts out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    /// Centipawns for a unit of log-odds.
    pub(crate) score_scale: f32,
    /// Centipawns for an output of 1.
    pub(crate) centipawns: f32,
}

/// The share that is left if one of the two is unknown is the other's; nothing if both are.
fn blend(score: Option<f64>, result: Option<f64>, result_share: f32) -> Option<f64> {
    match (score, result) {
        (Some(score), Some(result)) => {
            let share = f64::from(result_share);
            Some(result * share + score * (1.0 - share))
        }
        (score, result) => score.or(result),
    }
}

fn known(x: f32) -> Option<f64> {
    (!x.is_nan()).then_some(f64::from(x))
}

/// The win probability that a value head's output means, and its derivative.
fn probability<T: Real>(output: ValueOutput, raw: T) -> (T, T) {
    match output {
        ValueOutput::Sigmoid | ValueOutput::Linear => {
            let p = raw.sigmoid();
            (p, p * (T::ONE - p))
        }
        ValueOutput::Tanh => {
            let (half, y) = (T::from_f32(0.5), raw.tanh());
            (half * (y + T::ONE), half * (T::ONE - y * y))
        }
    }
}

/// The win probability of an output, for TD.
pub(crate) fn win_probability(output: ValueOutput, raw: f64) -> f64 {
    probability(output, raw).0
}

/// The loss of a value and its derivative; `None` where nothing is known of the position.
pub(crate) fn value<T: Real>(
    objective: &ValueObjective,
    output: ValueOutput,
    units: Units,
    raw: T,
    target: ValueTarget,
) -> Option<(T, T)> {
    let (score, result) = (known(target.score), known(target.result));
    let share = target.result_share;
    let two = T::from_f32(2.0);
    match objective.loss {
        ValueLoss::RawMse => {
            let t = score.map(|score| score / f64::from(units.centipawns)).or(result)?;
            let error = raw - T::from_f64(t);
            Some((error * error, two * error))
        }
        ValueLoss::TanhMse => {
            let score = score.map(|s| (s / f64::from(units.centipawns)).clamp(-1.0, 1.0));
            let t = blend(score, result.map(|r| 2.0 * r - 1.0), share)?;
            let y = raw.tanh();
            let error = y - T::from_f64(t);
            Some((error * error, two * error * (T::ONE - y * y)))
        }
        ValueLoss::Bce | ValueLoss::Mse | ValueLoss::Power => {
            let score = score.map(|score| (score / f64::from(units.score_scale)).sigmoid());
            let t = T::from_f64(blend(score, result, share)?);
            Some(of_probability(objective, output, raw, t))
        }
    }
}

fn of_probability<T: Real>(
    objective: &ValueObjective,
    output: ValueOutput,
    raw: T,
    t: T,
) -> (T, T) {
    let (p, slope) = probability(output, raw);
    let error = p - t;
    match objective.loss {
        ValueLoss::Bce => {
            // In logits, where nothing overflows: softplus(x) − t·x. tanh's probability has the logit 2x.
            let factor = match output {
                ValueOutput::Tanh => T::from_f32(2.0),
                _ => T::ONE,
            };
            let logit = factor * raw;
            (logit.softplus() - t * logit, factor * error)
        }
        ValueLoss::Power => {
            let exponent = T::from_f32(objective.power);
            let size = error.abs();
            let sign = if error < T::ZERO { -T::ONE } else { T::ONE };
            let derivative = exponent * size.powf(exponent - T::ONE) * sign;
            (size.powf(exponent), derivative * slope)
        }
        _ => (error * error, T::from_f32(2.0) * error * slope),
    }
}

/// Cross-entropy of logits with target chances. Derivatives are added to `d`, times `scale`.
pub(crate) fn cross_entropy<T: Real>(
    logits: &[T],
    chance: impl Fn(usize) -> T,
    scale: T,
    d: &mut [T],
) -> T {
    let most = logits.iter().fold(logits[0], |most, &x| if x > most { x } else { most });
    let mut sum = T::ZERO;
    for &logit in logits {
        sum += (logit - most).exp();
    }
    let log_sum = T::from_f64(sum.to_f64().ln()) + most;
    let mut loss = T::ZERO;
    for (place, (&logit, d)) in logits.iter().zip(d).enumerate() {
        let t = chance(place);
        loss += t * (log_sum - logit);
        *d += scale * ((logit - log_sum).exp() - t);
    }
    loss
}

/// Chances of win, draw and loss that a share of the point stands for: between neighbours it is divided.
pub(crate) fn wdl_of_result(result: f32) -> [f32; 3] {
    let win = (2.0 * result - 1.0).max(0.0);
    let loss = (1.0 - 2.0 * result).max(0.0);
    [win, 1.0 - win - loss, loss]
}

/// The pinball loss of a target for each quantile, and its derivatives by the quantiles.
fn pinball_of<T: Real>(
    levels: [T; QUANTILE_LEVELS.len()],
    targets: [T; QUANTILE_LEVELS.len()],
) -> (T, [T; QUANTILE_LEVELS.len()]) {
    let mut loss = T::ZERO;
    let mut by_level = [T::ZERO; QUANTILE_LEVELS.len()];
    for (place, tau) in QUANTILE_LEVELS.into_iter().enumerate() {
        let tau = T::from_f32(tau);
        let error = targets[place] - levels[place];
        let slope = if error >= T::ZERO { tau } else { tau - T::ONE };
        loss += slope * error;
        by_level[place] = -slope;
    }
    (loss, by_level)
}

/// Pinball loss of five ordered quantiles, a target for each. Derivatives by the raw outputs are added to `d`,
/// times `scale`.
pub(crate) fn pinball<T: Real>(raw: &[T], targets: [T; 5], scale: T, d: &mut [T]) -> T {
    let mut level = raw[0];
    let levels = std::array::from_fn(|place| {
        if place > 0 {
            level += raw[place].softplus();
        }
        level
    });
    let (loss, by_level) = pinball_of(levels, targets);
    // A step lifts its own level and all above it.
    let mut above = T::ZERO;
    for place in (0..QUANTILE_LEVELS.len()).rev() {
        above += by_level[place];
        let by_raw = if place == 0 { T::ONE } else { raw[place].sigmoid() };
        d[place] += scale * above * by_raw;
    }
    loss
}

/// The same of quantiles around a value, which is their median. Gives the loss and its derivative by the value, which is
/// not scaled.
pub(crate) fn anchored_pinball<T: Real>(
    value: T,
    raw: &[T],
    targets: [T; 5],
    scale: T,
    d: &mut [T],
) -> (T, T) {
    let step = |place: usize| raw[place].softplus();
    let (low, high) = (value - step(1), value + step(2));
    let levels = [low - step(0), low, value, high, high + step(3)];
    let (loss, by_level) = pinball_of(levels, targets);
    let [outer_low, low, median, high, outer_high] = by_level;
    // A step moves its own level and all beyond it, away from the value.
    let by_step = [-outer_low, -(outer_low + low), high + outer_high, outer_high];
    for (place, by_step) in by_step.into_iter().enumerate() {
        d[place] += scale * by_step * raw[place].sigmoid();
    }
    (loss, outer_low + low + median + high + outer_high)
}
