//! Paired statistics: mean regret, and the difference of two engines position by position.

use serde::Serialize;

use super::PositionRegret;

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeanEstimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error; `None` for fewer than two numbers.
    pub error: Option<f64>,
}

impl MeanEstimate {
    /// The mean of numbers; 0 if there are none.
    ///
    /// ```
    /// use arena::regret::MeanEstimate;
    ///
    /// let estimate = MeanEstimate::of(&[1.0, 2.0, 3.0, 6.0]);
    /// assert_eq!(estimate.mean, 3.0);
    /// // The variance is (4 + 1 + 0 + 9) / 3, and that of the mean a quarter of it.
    /// assert_eq!(estimate.error, Some((14.0_f64 / 3.0 / 4.0).sqrt()));
    /// ```
    pub fn of(numbers: &[f64]) -> Self {
        let count = numbers.len() as f64;
        if numbers.is_empty() {
            return Self { mean: 0.0, error: None };
        }
        let mean = numbers.iter().sum::<f64>() / count;
        let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
        let error = (numbers.len() > 1).then(|| (squares / (count - 1.0) / count).sqrt());
        Self { mean, error }
    }

    /// The mean in units of its standard error; `None` if there is no error, or it is 0.
    pub fn t(&self) -> Option<f64> {
        let error = self.error.filter(|&error| error > 0.0)?;
        Some(self.mean / error)
    }
}

/// The regret of an engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EngineRegret {
    /// Its name.
    pub name: String,
    /// The mean over the positions, in expected score: 0.01 is a hundredth of a game.
    #[serde(flatten)]
    pub regret: MeanEstimate,
    /// Positions in which it chose the best move of the reference search.
    pub best_moves: u64,
}

/// The regret of the first engine minus that of another one: negative if the first is better.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// The name of the first engine.
    pub first: String,
    /// The name of the other engine.
    pub second: String,
    /// The mean difference over the positions.
    #[serde(flatten)]
    pub difference: MeanEstimate,
    /// The difference in units of its standard error.
    pub t: Option<f64>,
    /// Positions in which they chose different moves.
    pub moves_differ: u64,
}

/// The result of a measurement.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RegretReport {
    /// The number of positions.
    pub positions: u64,
    /// The engines.
    pub engines: Vec<EngineRegret>,
    /// The first engine with each other one.
    pub comparisons: Vec<Comparison>,
    /// Reference searches that were not in the cache.
    pub reference_searches: u64,
}

impl RegretReport {
    /// The statistics of positions, each with a move of every engine.
    pub fn new(names: &[String], positions: &[PositionRegret]) -> Self {
        let engine = |(index, name): (usize, &String)| {
            let regret = positions.iter().map(|of| of.highest - of.expected[index]);
            let best = positions.iter().filter(|of| of.moves[index] == of.best);
            EngineRegret {
                name: name.clone(),
                regret: MeanEstimate::of(&regret.collect::<Vec<_>>()),
                best_moves: best.count() as u64,
            }
        };
        let comparison = |(index, name): (usize, &String)| {
            // The highest expected score cancels: the difference does not depend on it.
            let differences = positions.iter().map(|of| of.expected[index] - of.expected[0]);
            let difference = MeanEstimate::of(&differences.collect::<Vec<_>>());
            let differ = positions.iter().filter(|of| of.moves[index] != of.moves[0]);
            Comparison {
                first: names[0].clone(),
                second: name.clone(),
                difference,
                t: difference.t(),
                moves_differ: differ.count() as u64,
            }
        };
        Self {
            positions: positions.len() as u64,
            engines: names.iter().enumerate().map(engine).collect(),
            comparisons: names.iter().enumerate().skip(1).map(comparison).collect(),
            reference_searches: positions.iter().map(|of| of.searches).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use games::Random;

    use super::*;

    fn position(moves: [u32; 2], expected: [f64; 2], highest: f64) -> PositionRegret {
        let (moves, expected) = (moves.to_vec(), expected.to_vec());
        PositionRegret { moves, best: 7, expected, highest, searches: 2 }
    }

    #[test]
    fn known_numbers() {
        let positions = [
            position([7, 7], [0.5, 0.5], 0.5),
            position([7, 3], [0.75, 0.25], 0.75),
            position([2, 7], [0.25, 0.5], 0.5),
            position([1, 2], [0.25, 0.0], 0.75),
        ];
        let report = RegretReport::new(&["a".into(), "b".into()], &positions);
        assert_eq!((report.positions, report.reference_searches), (4, 8));
        // Regrets 0, 0, 1/4, 1/2 and 0, 1/2, 0, 3/4.
        assert_eq!(report.engines.iter().map(|e| e.best_moves).collect::<Vec<_>>(), [2, 2]);
        assert!((report.engines[0].regret.mean - 0.1875).abs() < 1e-12);
        assert!((report.engines[1].regret.mean - 0.3125).abs() < 1e-12);
        // Differences 0, -1/2, 1/4, -1/4: squares around -1/8 add up to 5/16.
        let comparison = &report.comparisons[0];
        assert_eq!((comparison.difference.mean, comparison.moves_differ), (-0.125, 3));
        let error = (0.3125_f64 / 3.0 / 4.0).sqrt();
        assert!((comparison.difference.error.unwrap() - error).abs() < 1e-15);
        assert!((comparison.t.unwrap() + 0.125 / error).abs() < 1e-12);
    }

    #[test]
    fn few_or_equal_numbers_have_no_t() {
        assert_eq!(MeanEstimate::of(&[]), MeanEstimate { mean: 0.0, error: None });
        assert_eq!(MeanEstimate::of(&[3.0]).error, None);
        let equal = MeanEstimate::of(&[0.25; 9]);
        assert_eq!((equal.mean, equal.error, equal.t()), (0.25, Some(0.0), None));
    }

    /// The difference of the means is the mean of the differences, and the error has the size that
    /// repeated samples have.
    #[test]
    fn paired_differences_agree_with_the_means_and_errors_are_honest() {
        let mut random = Random::new(11);
        let mut unit = || random.below(1_000_001) as f64 / 1e6;
        let (mut within, rounds) = (0, 400);
        for _ in 0..rounds {
            let positions: Vec<_> = (0..50)
                .map(|_| {
                    let expected = [unit(), unit()];
                    position([1, 2], expected, expected[0].max(expected[1]))
                })
                .collect();
            let report = RegretReport::new(&["a".into(), "b".into()], &positions);
            let comparison = &report.comparisons[0];
            let means = report.engines[0].regret.mean - report.engines[1].regret.mean;
            assert!((comparison.difference.mean - means).abs() < 1e-12);
            assert!(report.engines.iter().all(|engine| engine.regret.mean >= 0.0));
            within += usize::from(comparison.t.unwrap().abs() < 1.0);
        }
        // 68 % of 400, three standard deviations to both sides.
        assert!((244..=300).contains(&within), "{within}");
    }
}
