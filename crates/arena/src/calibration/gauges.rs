//! How good quantiles are.

use std::collections::BTreeMap;

use games::conformance::Random;
use nnue::QUANTILE_LEVELS;

use super::{Fan, LEVELS, MEDIAN};

/// The share of truths at or below each quantile: ideally [`QUANTILE_LEVELS`]. Not a number where there are no fans.
///
/// A truth that equals a quantile counts half: scores are whole numbers, and a draw is exactly 0 for many.
pub fn coverage<'a>(fans: impl IntoIterator<Item = &'a Fan>) -> [f64; LEVELS] {
    let mut below = [0.0; LEVELS];
    let mut count = 0.0;
    for fan in fans {
        count += 1.0;
        for (below, quantile) in below.iter_mut().zip(fan.quantiles) {
            *below += match fan.truth.cmp(&quantile) {
                std::cmp::Ordering::Less => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Greater => 0.0,
            };
        }
    }
    below.map(|below| below / count)
}

/// The pinball loss of one quantile.
pub(super) fn pinball_of(quantile: f64, truth: f64, level: f64) -> f64 {
    let error = truth - quantile;
    if error >= 0.0 { level * error } else { (level - 1.0) * error }
}

/// The mean pinball loss, in centipawns: less is better. Not a number where there are no fans.
pub fn pinball<'a>(fans: impl IntoIterator<Item = &'a Fan>) -> f64 {
    let (mut sum, mut count) = (0.0, 0.0);
    for fan in fans {
        count += LEVELS as f64;
        for (quantile, level) in fan.quantiles.into_iter().zip(QUANTILE_LEVELS) {
            sum += pinball_of(quantile.into(), fan.truth.into(), level.into());
        }
    }
    sum / count
}

/// By which share the pinball loss is below that of widths which depend on the depth alone: the median plus the
/// quantiles that its errors have at each depth. 0 if the widths say nothing about single positions.
pub fn pinball_skill(fans: &[Fan]) -> f64 {
    let mut errors: BTreeMap<usize, Vec<i32>> = BTreeMap::new();
    for fan in fans {
        errors.entry(fan.depth).or_default().push(fan.truth - fan.quantiles[MEDIAN]);
    }
    let offsets: BTreeMap<usize, [i32; LEVELS]> = errors
        .into_iter()
        .map(|(depth, mut errors)| {
            errors.sort_unstable();
            let at = |level: f32| errors[(f64::from(level) * (errors.len() - 1) as f64) as usize];
            (depth, QUANTILE_LEVELS.map(at))
        })
        .collect();
    let constant: Vec<Fan> = fans
        .iter()
        .map(|fan| {
            let median = fan.quantiles[MEDIAN];
            Fan { quantiles: offsets[&fan.depth].map(|offset| median + offset), ..*fan }
        })
        .collect();
    1.0 - pinball(fans) / pinball(&constant)
}

/// The same medians with the widths of other positions of the same depth. What of the pinball skill is lost by this, is
/// what the widths know about single positions.
pub fn shuffled(fans: &[Fan]) -> Vec<Fan> {
    let mut places: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, fan) in fans.iter().enumerate() {
        places.entry(fan.depth).or_default().push(place);
    }
    let mut random = Random::new(1);
    let mut dealt = fans.to_vec();
    for places in places.values() {
        let mut others = places.clone();
        for last in (1..others.len()).rev() {
            others.swap(last, random.below(last + 1));
        }
        for (&place, &other) in places.iter().zip(&others) {
            let other = &fans[other];
            let away = fans[place].quantiles[MEDIAN] - other.quantiles[MEDIAN];
            dealt[place].quantiles = other.quantiles.map(|quantile| quantile + away);
        }
    }
    dealt
}
