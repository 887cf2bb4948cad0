//! Loss functions that several heads share, each with its derivative by the outputs.

use nnue::QUANTILE_LEVELS;

use crate::real::Real;

/// The conversion of scores to network outputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Units {
    /// Centipawns for a unit of log-odds.
    pub(crate) score_scale: f32,
    /// Centipawns for an output of 1.
    pub(crate) centipawns: f32,
}

/// Cross-entropy of logits with target probabilities. Adds derivatives to `d`, times `scale`.
pub(crate) fn cross_entropy<T: Real>(
    logits: &[T],
    chance: impl Fn(usize) -> T,
    scale: T,
    d: &mut [T],
) -> T {
    let max = logits.iter().fold(logits[0], |max, &x| if x > max { x } else { max });
    let mut sum = T::ZERO;
    for &logit in logits {
        sum += (logit - max).exp();
    }
    let log_sum = T::from_f64(sum.to_f64().ln()) + max;
    let mut loss = T::ZERO;
    for (place, (&logit, d)) in logits.iter().zip(d).enumerate() {
        let t = chance(place);
        loss += t * (log_sum - logit);
        *d += scale * ((logit - log_sum).exp() - t);
    }
    loss
}

/// The pinball loss of a target for each quantile, and its derivatives by the quantiles.
pub(crate) fn pinball<T: Real>(
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
