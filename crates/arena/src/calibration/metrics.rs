//! Quantile metrics: coverage, pinball loss and its skill.

use std::collections::BTreeMap;

use games::Random;
use nnue::QUANTILE_LEVELS;

use super::{LEVELS, MEDIAN, QuantileSample};

/// The share of targets below each quantile: ideally [`QUANTILE_LEVELS`]. NaN without samples.
///
/// A target that equals a quantile counts half: scores are whole numbers, and a draw is exactly 0.
pub fn coverage<'a>(samples: impl IntoIterator<Item = &'a QuantileSample>) -> [f64; LEVELS] {
    let mut below = [0.0; LEVELS];
    let mut count = 0.0;
    for sample in samples {
        count += 1.0;
        for (below, quantile) in below.iter_mut().zip(sample.quantiles) {
            *below += match sample.target.cmp(&quantile) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
        }
    }
    below.map(|below| below / count)
}

/// The pinball loss of one quantile.
pub(super) fn pinball_of(quantile: f64, target: f64, level: f64) -> f64 {
    let error = target - quantile;
    if error >= 0.0 { level * error } else { (level - 1.0) * error }
}

/// The mean pinball loss in centipawns. NaN without samples.
pub fn pinball<'a>(samples: impl IntoIterator<Item = &'a QuantileSample>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for sample in samples {
        count += LEVELS as f64;
        for (quantile, level) in sample.quantiles.into_iter().zip(QUANTILE_LEVELS) {
            sum += pinball_of(quantile.into(), sample.target.into(), level.into());
        }
    }
    sum / count
}

/// The skill of the pinball loss: by which share it is below that of a baseline whose widths depend
/// on the depth alone (the median plus the quantiles of its errors at each depth). 0 if the widths
/// carry no information about single positions.
pub fn pinball_skill(samples: &[QuantileSample]) -> f64 {
    let mut errors: BTreeMap<usize, Vec<i32>> = BTreeMap::new();
    for sample in samples {
        errors.entry(sample.depth).or_default().push(sample.target - sample.quantiles[MEDIAN]);
    }
    let offsets: BTreeMap<usize, [i32; LEVELS]> = errors
        .into_iter()
        .map(|(depth, mut errors)| {
            errors.sort_unstable();
            let at = |level: f32| errors[(f64::from(level) * (errors.len() - 1) as f64) as usize];
            (depth, QUANTILE_LEVELS.map(at))
        })
        .collect();
    let constant: Vec<QuantileSample> = samples
        .iter()
        .map(|sample| {
            let median = sample.quantiles[MEDIAN];
            QuantileSample {
                quantiles: offsets[&sample.depth].map(|offset| median + offset),
                ..*sample
            }
        })
        .collect();
    1.0 - pinball(samples) / pinball(&constant)
}

/// A permutation test of the widths: the same medians with the widths of other positions of the
/// same depth. The pinball skill that this loses is the information that widths have about single
/// positions.
pub fn shuffled(samples: &[QuantileSample]) -> Vec<QuantileSample> {
    let mut places: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, sample) in samples.iter().enumerate() {
        places.entry(sample.depth).or_default().push(place);
    }
    let mut random = Random::new(1);
    let mut permuted = samples.to_vec();
    for places in places.values() {
        let mut others = places.clone();
        for last in (1..others.len()).rev() {
            others.swap(last, random.below(last + 1));
        }
        for (&place, &other) in places.iter().zip(&others) {
            let other = &samples[other];
            let away = samples[place].quantiles[MEDIAN] - other.quantiles[MEDIAN];
            permuted[place].quantiles = other.quantiles.map(|quantile| quantile + away);
        }
    }
    permuted
}
