//! Score unit: the constant factor from a network's scores to normalised centipawns, in which a
//! search compares scores.

/// The fractional bits of the factor.
const BITS: u32 = 20;
const ONE: i64 = 1 << BITS;
/// The largest absolute score that either direction returns: no score is larger, and negation never
/// overflows.
const MAX_SCORE: i64 = i32::MAX as i64;

/// The unit of a network's scores, as a factor to normalised centipawns: 100 of these win half of
/// the games.
///
/// The factor is one number for all positions. One that depended on the number of pieces would jump
/// with every capture, and a search compares positions before a capture with those after it.
/// [`ScoreModel::search_unit`](crate::ScoreModel::search_unit) derives it.
///
/// ```
/// use nnue::{ScoreModel, ScoreUnit};
///
/// let unit = ScoreModel::constant(154.0, 116.0).search_unit();
/// assert_eq!(unit.normalise(154), 100);
/// assert_eq!(unit.normalise(-77), -50);
/// assert_eq!(unit.raw(100), 154);
/// assert_eq!(ScoreUnit::NORMALISED.normalise(31), 31);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreUnit {
    /// Normalised centipawns for each raw unit, times 2^20.
    factor: i64,
}

impl ScoreUnit {
    /// The unit of scores that are normalised centipawns already.
    pub const NORMALISED: Self = Self { factor: ONE };

    /// The unit of scores of which `per_hundred`, more than 0, are 100 normalised centipawns.
    pub(crate) fn new(per_hundred: f64) -> Self {
        // A cast of floats saturates.
        Self { factor: ((100.0 / per_hundred * ONE as f64 + 0.5) as i64).max(1) }
    }

    /// Normalised centipawns of a raw score, rounded to nearest and the same for both signs.
    #[inline]
    pub fn normalise(self, raw: i32) -> i32 {
        let product = i64::from(raw).abs().saturating_mul(self.factor);
        signed(product.saturating_add(ONE / 2) >> BITS, raw)
    }

    /// The raw score of normalised centipawns, rounded to nearest and the same for both signs.
    pub fn raw(self, score: i32) -> i32 {
        signed((i64::from(score).abs() * ONE + self.factor / 2) / self.factor, score)
    }

    /// Normalised centipawns for each raw unit.
    pub fn factor(self) -> f64 {
        self.factor as f64 / ONE as f64
    }
}

/// An absolute value with the sign of `of`.
#[inline]
fn signed(absolute: i64, of: i32) -> i32 {
    let absolute = absolute.min(MAX_SCORE) as i32;
    if of < 0 { -absolute } else { absolute }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ScoreModel;

    #[test]
    fn scores_are_scaled_rounded_and_mirrored() {
        for per_hundred in [0.02, 37.0, 100.0, 154.0, 208.0, 377.0, 1e6] {
            let unit = ScoreUnit::new(per_hundred);
            assert!((unit.factor() * per_hundred / 100.0 - 1.0).abs() < 0.01, "{per_hundred}");
            let mut last = i32::MIN;
            for raw in (-4000..4000).map(|raw| raw * 7) {
                let exact = f64::from(raw) * unit.factor();
                let score = unit.normalise(raw);
                assert!((f64::from(score) - exact).abs() <= 0.5, "{raw} of {per_hundred}");
                assert_eq!(unit.normalise(-raw), -score);
                assert!(score >= last);
                last = score;
            }
            for extreme in [i32::MIN, i32::MAX] {
                assert_eq!(unit.normalise(extreme).signum(), extreme.signum());
                assert_eq!(unit.raw(extreme).signum(), extreme.signum());
            }
        }
    }

    #[test]
    fn the_raw_score_is_recovered() {
        // A raw unit is not larger than a centipawn: every score comes back.
        for per_hundred in [100.0, 154.0, 377.0] {
            let unit = ScoreUnit::new(per_hundred);
            for score in -31_000..31_000 {
                assert_eq!(unit.normalise(unit.raw(score)), score, "{per_hundred}");
            }
        }
        // A raw unit is not smaller: every raw score comes back.
        let unit = ScoreUnit::new(37.0);
        for raw in -10_000..10_000 {
            assert_eq!(unit.raw(unit.normalise(raw)), raw);
        }
        assert_eq!(ScoreUnit::new(100.0), ScoreUnit::NORMALISED);
    }

    #[test]
    fn the_unit_is_the_mean_of_the_fitted_range() {
        assert_eq!(ScoreModel::DEFAULT.search_unit(), ScoreUnit::new(154.0));
        // 100 with no piece and 132 with 32: 116 in the middle.
        let model = ScoreModel::new(&[100.0, 32.0], &[1.0], 0..=32, 1, 1).unwrap();
        assert_eq!(model.search_unit(), ScoreUnit::new(116.0));
        // Twice the scale of the outputs, and half of the factor.
        let double = ScoreModel::new(&[200.0, 64.0], &[2.0], 0..=32, 1, 1).unwrap();
        assert_eq!(double.search_unit().normalise(464), model.search_unit().normalise(232));
        // A game without draws.
        let drawless = ScoreModel::constant(0.0, 100.0);
        assert_eq!(drawless.search_unit().normalise(110), 100);
        let extreme = ScoreModel::constant(0.0, 0.01);
        assert_eq!(extreme.search_unit().normalise(i32::MAX), i32::MAX);
    }
}
