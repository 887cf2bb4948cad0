//! Conformal fit: the scale and the offsets that give quantiles their nominal coverage.

use nnue::{Calibration, CalibrationRanges, ConformalAdjustment, NetworkError, QUANTILE_LEVELS};

use super::metrics::pinball_of;
use super::{LEVELS, MEDIAN, QuantileSample};

/// A range with fewer samples takes the adjustment of all values of its depth and pieces, of all
/// pieces of its depth, or of everything.
const MIN_SAMPLES: usize = 300;

/// Where ranges of values end, in centipawns: even, a pawn or so ahead, a piece or so, decided.
const VALUES: [u16; 3] = [50, 200, 700];

/// The ranges of a calibration: each depth that occurs, up to 16 of them, quarters of a full board,
/// and a few values.
pub fn ranges_of(samples: &[QuantileSample]) -> CalibrationRanges {
    let mut depths: Vec<u16> = samples.iter().map(|sample| sample.depth as u16).collect();
    depths.sort_unstable();
    depths.dedup();
    depths.pop();
    depths.truncate(16);
    let max = samples.iter().map(|sample| sample.pieces).max().unwrap_or(0);
    let mut pieces: Vec<u16> = (1..4).map(|quarter| (max * quarter / 4) as u16).collect();
    pieces.dedup();
    CalibrationRanges { depths, pieces, values: VALUES.to_vec() }
}

/// Fits the adjustment of each range: a common scale of the widths that minimises the pinball loss,
/// then an offset of each quantile that makes its coverage exact.
pub fn fit(
    samples: &[QuantileSample],
    ranges: CalibrationRanges,
) -> Result<Calibration, NetworkError> {
    let everything = adjustment(samples.iter());
    let mut adjustments = Vec::new();
    for (depth, last_depth) in spans(&ranges.depths) {
        let at_depth = |sample: &&QuantileSample| (depth..=last_depth).contains(&sample.depth);
        let row = samples.iter().filter(at_depth);
        let of_depth = enough(row.clone()).unwrap_or(everything);
        for (pieces, last_pieces) in spans(&ranges.pieces) {
            let cell = row.clone().filter(|sample| (pieces..=last_pieces).contains(&sample.pieces));
            let of_pieces = enough(cell.clone()).unwrap_or(of_depth);
            for (value, last_value) in spans(&ranges.values) {
                let size =
                    |sample: &QuantileSample| sample.quantiles[MEDIAN].unsigned_abs() as usize;
                let part =
                    cell.clone().filter(|sample| (value..=last_value).contains(&size(sample)));
                adjustments.push(enough(part).unwrap_or(of_pieces));
            }
        }
    }
    Calibration::new(samples.len() as u64, ranges, adjustments)
}

/// First and last value of each range.
fn spans(limits: &[u16]) -> impl Iterator<Item = (usize, usize)> {
    let ends = limits.iter().map(|&last| usize::from(last));
    let begins = std::iter::once(0).chain(ends.clone().map(|last| last + 1));
    begins.zip(ends.chain([usize::MAX]))
}

fn enough<'a>(
    samples: impl Iterator<Item = &'a QuantileSample> + Clone,
) -> Option<ConformalAdjustment> {
    (samples.clone().count() >= MIN_SAMPLES).then(|| adjustment(samples))
}

fn adjustment<'a>(
    samples: impl Iterator<Item = &'a QuantileSample> + Clone,
) -> ConformalAdjustment {
    let samples: Vec<&QuantileSample> = samples.collect();
    if samples.is_empty() {
        return ConformalAdjustment::IDENTITY;
    }
    let best = |factors: &mut dyn Iterator<Item = f64>| {
        let losses = factors.map(|factor| (scaled_loss(&samples, factor), factor));
        losses.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(1.0, |(_, factor)| factor)
    };
    // The loss is convex in the factor: coarsely first, then between the neighbours of the best.
    let coarse = best(&mut (1..=32).map(|eighths| f64::from(eighths) / 8.0));
    let scale = best(&mut (-7..=7).map(|step| coarse + f64::from(step) / 64.0));
    ConformalAdjustment { scale: scale as f32, offsets: offsets(&samples, scale) }
}

fn scaled(sample: &QuantileSample, level: usize, factor: f64) -> f64 {
    let median = f64::from(sample.quantiles[MEDIAN]);
    median + factor * (f64::from(sample.quantiles[level]) - median)
}

fn scaled_loss(samples: &[&QuantileSample], factor: f64) -> f64 {
    let of = |sample: &&QuantileSample| {
        let levels = QUANTILE_LEVELS.iter().enumerate();
        let loss = |(level, &share): (usize, &f32)| {
            pinball_of(scaled(sample, level, factor), sample.target.into(), share.into())
        };
        levels.map(loss).sum::<f64>()
    };
    samples.iter().map(of).sum()
}

/// The offset of each scaled quantile that puts the right share of targets below it: the quantile
/// of the residuals, counted as conformal prediction does, with one more sample than there are.
fn offsets(samples: &[&QuantileSample], factor: f64) -> [f32; LEVELS] {
    std::array::from_fn(|level| {
        let residual =
            |sample: &&QuantileSample| f64::from(sample.target) - scaled(sample, level, factor);
        let mut residuals: Vec<f64> = samples.iter().map(residual).collect();
        residuals.sort_unstable_by(f64::total_cmp);
        let share = f64::from(QUANTILE_LEVELS[level]) * (residuals.len() + 1) as f64;
        residuals[(share.round() as usize).clamp(1, residuals.len()) - 1] as f32
    })
}
