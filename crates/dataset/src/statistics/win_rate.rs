//! Win-rate fit: the win and loss probabilities of scores that fit the results best.

use std::collections::BTreeMap;

use games::GameScore;
use serde::Serialize;

use crate::MATE_SCORE;

/// Scores are counted in steps of this many centipawns.
const STEP: i16 = 8;
/// The minimum number of results; with fewer, chance would dominate.
const MIN_RESULTS: u64 = 1000;

/// The win-rate model: the win probability at a score is `1 / (1 + exp((half_won − score) / slope))`, the loss
/// probability is the same at the negative score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WinRate {
    /// The score in centipawns at which half of the games are won.
    pub half_won: f64,
    /// The centipawns that multiply the odds of winning by e.
    pub slope: f64,
}

/// Results by score.
#[derive(Debug, Default)]
pub(super) struct Results(BTreeMap<i16, [u64; 3]>);

impl Results {
    /// Counts a record; a result that is neither a win, a draw nor a loss does not fit the model.
    pub(super) fn add(&mut self, score: i16, result: GameScore) {
        let column = match result {
            GameScore::LOSS => 0,
            GameScore::DRAW => 1,
            GameScore::WIN => 2,
            _ => return,
        };
        if score.abs() < MATE_SCORE {
            self.0.entry(score.div_euclid(STEP)).or_default()[column] += 1;
        }
    }

    /// The maximum-likelihood fit, if there are enough results.
    pub(super) fn fit(&self) -> Option<WinRate> {
        let total = |column: usize| self.0.values().map(|counts| counts[column]).sum::<u64>();
        if total(0) + total(1) + total(2) < MIN_RESULTS || total(0) == 0 || total(2) == 0 {
            return None;
        }
        let mut best = WinRate { half_won: 200.0, slope: 100.0 };
        let mut likelihood = self.log_likelihood(best);
        let mut factor = 1.5;
        // The likelihood has one maximum: climb towards it, with smaller steps where none leads up.
        while factor > 1.0005 {
            let steps = [(factor, 1.0), (1.0 / factor, 1.0), (1.0, factor), (1.0, 1.0 / factor)];
            let tried = steps.map(|(half_won, slope)| WinRate {
                half_won: (best.half_won * half_won).clamp(1.0, 1e4),
                slope: (best.slope * slope).clamp(1.0, 1e4),
            });
            let better = tried.map(|rate| (self.log_likelihood(rate), rate));
            let better = better.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
            if better.0 > likelihood {
                (likelihood, best) = better;
            } else {
                factor = f64::sqrt(factor);
            }
        }
        Some(best)
    }

    fn log_likelihood(&self, rate: WinRate) -> f64 {
        let of = |(&step, counts): (&i16, &[u64; 3])| {
            let score = (f64::from(step) + 0.5) * f64::from(STEP);
            let (win, loss) = (rate.win(score), rate.win(-score));
            let chance = [loss, 1.0 - win - loss, win];
            let terms = counts.iter().zip(chance);
            terms.map(|(&count, chance)| count as f64 * chance.max(1e-9).ln()).sum::<f64>()
        };
        self.0.iter().map(of).sum()
    }
}

impl WinRate {
    fn win(&self, score: f64) -> f64 {
        1.0 / (1.0 + ((self.half_won - score) / self.slope).exp())
    }
}

#[cfg(test)]
mod tests {
    use games::Random;

    use super::*;

    #[test]
    fn a_known_rate_is_found() {
        let truth = WinRate { half_won: 180.0, slope: 70.0 };
        let mut random = Random::new(1);
        let mut results = Results::default();
        for _ in 0..200_000 {
            let score = random.below(1200) as i16 - 600;
            let chance = random.below(1_000_000) as f64 / 1e6;
            let (win, loss) = (truth.win(f64::from(score)), truth.win(-f64::from(score)));
            let result = match chance {
                _ if chance < win => GameScore::WIN,
                _ if chance < win + loss => GameScore::LOSS,
                _ => GameScore::DRAW,
            };
            results.add(score, result);
        }
        let found = results.fit().unwrap();
        assert!((found.half_won - truth.half_won).abs() < 3.0, "{found:?}");
        assert!((found.slope - truth.slope).abs() < 3.0, "{found:?}");
    }

    #[test]
    fn few_or_one_sided_results_say_nothing() {
        let mut results = Results::default();
        for _ in 0..2000 {
            results.add(100, GameScore::WIN);
        }
        assert_eq!(results.fit(), None);
    }
}
