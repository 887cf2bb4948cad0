//! Computed targets: quantiles from the scores of several depths.

use nnue::QUANTILE_LEVELS;

use crate::native::record::Depths;

/// The quantiles of the record; else those of its scores at several depths; else unknown.
pub(super) fn quantiles(own: Option<[i16; 5]>, depths: Depths<'_>) -> [f32; 5] {
    if let Some(own) = own {
        return own.map(f32::from);
    }
    let mut scores = [0; 255];
    let mut count = 0;
    for (place, pair) in scores.iter_mut().zip(depths) {
        *place = pair.score;
        count += 1;
    }
    let scores = &mut scores[..count];
    if count < 2 {
        return [f32::NAN; 5];
    }
    scores.sort_unstable();
    QUANTILE_LEVELS.map(|level| percentile(scores, level))
}

/// The percentile of sorted scores at a level from 0 to 1, by linear interpolation.
fn percentile(sorted: &[i16], level: f32) -> f32 {
    let place = level * (sorted.len() - 1) as f32;
    let below = (place as usize).min(sorted.len() - 2);
    let [low, high] = [sorted[below], sorted[below + 1]].map(f32::from);
    low + (high - low) * (place - below as f32)
}

#[cfg(test)]
mod tests {
    use super::percentile;

    #[test]
    fn percentiles_lie_on_lines_between_scores() {
        let close = |a: f32, b: f32| assert!((a - b).abs() < 1e-3, "{a} {b}");
        close(percentile(&[-10, 30], 0.5), 10.0);
        close(percentile(&[-10, 30], 0.05), -8.0);
        close(percentile(&[0, 10, 20, 30, 40], 0.75), 30.0);
        close(percentile(&[0, 10, 20, 30, 40], 1.0), 40.0);
        close(percentile(&[0, 10, 1000], 0.25), 5.0);
        close(percentile(&[i16::MIN, i16::MAX], 0.5), -0.5);
    }
}
