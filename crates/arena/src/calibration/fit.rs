//! Finding the corrections.

use nnue::{Calibration, CalibrationRanges, Correction, NetworkError, QUANTILE_LEVELS};

use super::gauges::pinball_of;
use super::{Fan, LEVELS, MEDIAN};

/// Ranges with fewer positions than this take the correction of all values of their depth and pieces, of all pieces at their
/// depth, or of everything.
const LEAST: usize = 300;

/// Where ranges of values end, in centipawns: even, a pawn or so ahead, a piece or so, decided.
const VALUES: [u16; 3] = [50, 200, 700];

/// One range for each depth that occurs, up to 16 of them, quarters of a full board, and a few values.
pub fn ranges_of(fans: &[Fan]) -> CalibrationRanges {
    let mut depths: Vec<u16> = fans.iter().map(|fan| fan.depth as u16).collect();
    depths.sort_unstable();
    depths.dedup();
    depths.pop();
    depths.truncate(16);
    let most = fans.iter().map(|fan| fan.pieces).max().unwrap_or(0);
    let mut pieces: Vec<u16> = (1..4).map(|quarter| (most * quarter / 4) as u16).collect();
    pieces.dedup();
    CalibrationRanges { depths, pieces, values: VALUES.to_vec() }
}

/// Corrections that make the quantiles of these fans hold, in each range: a common stretch of the widths that makes the
/// pinball loss least, then a shift of each quantile that makes its coverage exact.
pub fn fit(fans: &[Fan], ranges: CalibrationRanges) -> Result<Calibration, NetworkError> {
    let everything = correct(fans.iter());
    let mut corrections = Vec::new();
    for (depth, last_depth) in spans(&ranges.depths) {
        let at_depth = |fan: &&Fan| (depth..=last_depth).contains(&fan.depth);
        let row = fans.iter().filter(at_depth);
        let of_depth = enough(row.clone()).unwrap_or(everything);
        for (pieces, last_pieces) in spans(&ranges.pieces) {
            let cell = row.clone().filter(|fan| (pieces..=last_pieces).contains(&fan.pieces));
            let of_pieces = enough(cell.clone()).unwrap_or(of_depth);
            for (value, last_value) in spans(&ranges.values) {
                let size = |fan: &Fan| fan.quantiles[MEDIAN].unsigned_abs() as usize;
                let part = cell.clone().filter(|fan| (value..=last_value).contains(&size(fan)));
                corrections.push(enough(part).unwrap_or(of_pieces));
            }
        }
    }
    Calibration::new(fans.len() as u64, ranges, corrections)
}

/// First and last value of each range.
fn spans(limits: &[u16]) -> impl Iterator<Item = (usize, usize)> {
    let ends = limits.iter().map(|&last| usize::from(last));
    let begins = std::iter::once(0).chain(ends.clone().map(|last| last + 1));
    begins.zip(ends.chain([usize::MAX]))
}

fn enough<'a>(fans: impl Iterator<Item = &'a Fan> + Clone) -> Option<Correction> {
    (fans.clone().count() >= LEAST).then(|| correct(fans))
}

fn correct<'a>(fans: impl Iterator<Item = &'a Fan> + Clone) -> Correction {
    let fans: Vec<&Fan> = fans.collect();
    if fans.is_empty() {
        return Correction::NONE;
    }
    let best = |factors: &mut dyn Iterator<Item = f64>| {
        let losses = factors.map(|factor| (stretched_loss(&fans, factor), factor));
        losses.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(1.0, |(_, factor)| factor)
    };
    // The loss is convex in the factor: coarsely first, then between the neighbours of the best.
    let coarse = best(&mut (1..=32).map(|eighths| f64::from(eighths) / 8.0));
    let stretch = best(&mut (-7..=7).map(|step| coarse + f64::from(step) / 64.0));
    Correction { stretch: stretch as f32, shifts: shifts(&fans, stretch) }
}

fn stretch_to(fan: &Fan, level: usize, factor: f64) -> f64 {
    let median = f64::from(fan.quantiles[MEDIAN]);
    median + factor * (f64::from(fan.quantiles[level]) - median)
}

fn stretched_loss(fans: &[&Fan], factor: f64) -> f64 {
    let of = |fan: &&Fan| {
        let levels = QUANTILE_LEVELS.iter().enumerate();
        let loss = |(level, &share): (usize, &f32)| {
            pinball_of(stretch_to(fan, level, factor), fan.truth.into(), share.into())
        };
        levels.map(loss).sum::<f64>()
    };
    fans.iter().map(of).sum()
}

/// What must be added to each stretched quantile for the right share of truths to lie below it: the quantile of what is
/// left of them, counted as conformal prediction does, one more than there are.
fn shifts(fans: &[&Fan], factor: f64) -> [f32; LEVELS] {
    std::array::from_fn(|level| {
        let rest = |fan: &&Fan| f64::from(fan.truth) - stretch_to(fan, level, factor);
        let mut rests: Vec<f64> = fans.iter().map(rest).collect();
        rests.sort_unstable_by(f64::total_cmp);
        let share = f64::from(QUANTILE_LEVELS[level]) * (rests.len() + 1) as f64;
        rests[(share.round() as usize).clamp(1, rests.len()) - 1] as f32
    })
}
