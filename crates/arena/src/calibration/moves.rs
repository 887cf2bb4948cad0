//! What the sort of a move is worth beside what a policy says of it.

use nnue::PolicyCorrection;
use search::MOVE_SORTS;

/// Passes over the positions until nothing moves any more, at most.
const PASSES: usize = 400;
/// When the largest step is below this, in nats, it is found.
const ENOUGH: f64 = 1e-4;
/// How much a shift is drawn to 0: as if so much doubt had been seen. Sorts that never occur stay there.
const DOUBT: f64 = 1.0;

/// What a policy said of the moves of a position, and which was best.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Logarithm of the odds and sort ([`search::move_sorts`]) of each move.
    pub moves: Vec<(f32, u8)>,
    /// Which of them is best.
    pub best: usize,
}

impl Judged {
    /// What a policy said, corrected.
    pub fn corrected(&self, correction: &PolicyCorrection) -> Vec<f64> {
        let score = |&(logit, sort): &(f32, u8)| correction.apply(logit, sort.into()).into();
        self.moves.iter().map(score).collect()
    }
}

/// The correction under which the best moves are least surprising: the likelihood is concave, so a few steps of Newton's method, each
/// number by itself and half as far as it says, find it.
pub fn fit_policy(positions: &[Judged]) -> PolicyCorrection {
    let mut stretch = 1.0;
    let mut shifts = [0.0; MOVE_SORTS];
    let mut chances = Vec::new();
    for _ in 0..PASSES {
        let mut slopes = shifts.map(|shift| -DOUBT * shift);
        let mut bends = [DOUBT; MOVE_SORTS];
        let (mut slope, mut bend) = (0.0, DOUBT);
        for Judged { moves, best } in positions {
            let score = |&(logit, sort): &(f32, u8)| {
                stretch * f64::from(logit) + shifts[usize::from(sort) % MOVE_SORTS]
            };
            softmax(moves.iter().map(score), &mut chances);
            let (mut mean, mut square) = (0.0, 0.0);
            for (place, (&(logit, sort), chance)) in moves.iter().zip(&chances).enumerate() {
                let missed = f64::from(u8::from(place == *best)) - chance;
                let (logit, sort) = (f64::from(logit), usize::from(sort) % MOVE_SORTS);
                slopes[sort] += missed;
                bends[sort] += chance * (1.0 - chance);
                slope += missed * logit;
                mean += chance * logit;
                square += chance * logit * logit;
            }
            bend += square - mean * mean;
        }
        let mut largest = 0.0_f64;
        for (shift, (slope, bend)) in shifts.iter_mut().zip(slopes.iter().zip(bends)) {
            let step = 0.5 * slope / bend;
            *shift += step;
            largest = largest.max(step.abs());
        }
        let step = 0.5 * slope / bend;
        stretch = f64::max(stretch + step, 0.0);
        if largest.max(step.abs()) < ENOUGH {
            break;
        }
    }
    PolicyCorrection {
        stretch: stretch as f32,
        shifts: shifts.iter().map(|&shift| shift as f32).collect(),
    }
}

/// Chances that add up to 1.
fn softmax(scores: impl Iterator<Item = f64>, chances: &mut Vec<f64>) {
    chances.clear();
    chances.extend(scores);
    let most = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for chance in chances.iter_mut() {
        *chance = (*chance - most).exp();
    }
    let sum: f64 = chances.iter().sum();
    for chance in chances.iter_mut() {
        *chance /= sum;
    }
}

#[cfg(test)]
mod tests {
    use games::conformance::Random;

    use super::{Judged, MOVE_SORTS, fit_policy, softmax};

    /// Positions whose best moves are drawn by chances that are known.
    fn drawn(stretch: f64, shifts: &[f64], positions: usize) -> Vec<Judged> {
        let mut random = Random::new(11);
        let mut chances = Vec::new();
        let position = |_| {
            let mut unit = || random.below(1 << 20) as f64 / f64::from(1 << 20);
            let moves: Vec<(f32, u8)> = (0..12)
                .map(|_| ((unit() * 4.0 - 2.0) as f32, (unit() * shifts.len() as f64) as u8))
                .collect();
            let score =
                |&(logit, sort): &(f32, u8)| stretch * f64::from(logit) + shifts[usize::from(sort)];
            softmax(moves.iter().map(score), &mut chances);
            let mut left = unit();
            let best = chances.iter().position(|chance| {
                left -= chance;
                left < 0.0
            });
            Judged { moves, best: best.unwrap_or(11) }
        };
        (0..positions).map(position).collect()
    }

    #[test]
    fn known_worths_are_found() {
        let shifts = [0.0, -2.0, 1.5, 0.5];
        let found = fit_policy(&drawn(0.7, &shifts, 20_000));
        assert!((found.stretch - 0.7).abs() < 0.03, "{}", found.stretch);
        for (sort, shift) in shifts.iter().enumerate().skip(1) {
            let found = f64::from(found.shifts[sort] - found.shifts[0]);
            assert!((found - shift).abs() < 0.08, "sort {sort}: {found}, drawn by {shift}");
        }
        assert_eq!(found.shifts.len(), MOVE_SORTS);
        assert!(found.shifts[4..].iter().all(|shift| shift.abs() < 1e-6), "never seen");
    }

    #[test]
    fn nothing_seen_corrects_nothing() {
        let found = fit_policy(&[]);
        assert!((found.stretch - 1.0).abs() < 1e-6);
        assert!(found.shifts.iter().all(|shift| shift.abs() < 1e-6));
    }
}
