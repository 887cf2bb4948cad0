//! Rating likelihood: the log-likelihood of ratings, its maximum by Newton's method, and errors.

use super::Pairing;
use crate::statistics::expected_score;
use crate::statistics::groups::Reachability;
use crate::statistics::linear::{Factor, Matrix};
use crate::statistics::normal::DEVIATIONS_95;

/// The change of the log-odds per Elo.
const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;

/// The games of two players as numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Encounter {
    pub(super) a: usize,
    pub(super) b: usize,
    games: f64,
    points: f64,
    /// The observed variance of the score of a game.
    variance: f64,
}

impl Encounter {
    pub(super) fn new(pairing: &Pairing, points: &Reachability) -> Self {
        let Pairing { a, b, tally } = pairing;
        // A drawn game is added where the maximum would be infinite.
        let extra = if points.comparable(*a, *b) { 0.0 } else { 1.0 };
        let spread = tally.distribution().map(|distribution| {
            let (_, deviation) = distribution.moments();
            deviation * deviation * distribution.games()
        });
        Self {
            a: *a,
            b: *b,
            games: tally.games() as f64 + extra,
            points: tally.points() + extra / 2.0,
            variance: spread.unwrap_or(0.0),
        }
    }
}

/// The likelihood to maximise.
pub(super) struct Problem<'a> {
    known: &'a [Option<f64>],
    /// The row of each player that is not an anchor.
    rows: Vec<Option<usize>>,
    size: usize,
    encounters: Vec<Encounter>,
    /// For each row, the first row of its connected component; `None` if the component has an
    /// anchor.
    floating: Vec<Option<usize>>,
}

impl<'a> Problem<'a> {
    pub(super) fn new(known: &'a [Option<f64>], encounters: Vec<Encounter>) -> Self {
        let mut size = 0;
        let rows: Vec<Option<usize>> = known
            .iter()
            .map(|known| {
                known.is_none().then(|| {
                    size += 1;
                    size - 1
                })
            })
            .collect();
        let mut problem = Self { known, rows, size, encounters, floating: Vec::new() };
        problem.floating = problem.components();
        problem
    }

    /// For each row, the smallest row that games connect it with; `None` if they connect it with an
    /// anchor.
    fn components(&self) -> Vec<Option<usize>> {
        let mut met = Reachability::new(self.known.len());
        for encounter in &self.encounters {
            met.add(encounter.a, encounter.b);
            met.add(encounter.b, encounter.a);
        }
        let met = met.closed();
        let players = 0..self.known.len();
        let free = players.clone().filter(|&player| self.rows[player].is_some());
        free.map(|player| {
            let mut reached = players.clone().filter(|&other| met.reaches(player, other));
            if reached.clone().any(|other| self.known[other].is_some()) {
                return None;
            }
            reached.find_map(|other| self.rows[other])
        })
        .collect()
    }

    /// The maximum-likelihood ratings, by Newton's method with step halving. It converges because
    /// the function is concave.
    pub(super) fn solve(&self) -> Vec<f64> {
        let anchors = self.known.iter().flatten();
        let mean = anchors.clone().sum::<f64>() / (anchors.count().max(1) as f64);
        let mut elo: Vec<f64> = self.known.iter().map(|known| known.unwrap_or(mean)).collect();
        let mut likelihood = self.likelihood(&elo);
        for _ in 0..MAX_STEPS {
            let step = self.information(&elo).solve(&self.gradient(&elo));
            let longest = step.iter().fold(0.0, |longest: f64, part| longest.max(part.abs()));
            // The results are so one-sided that floats overflow: stop here.
            if !longest.is_finite() {
                break;
            }
            let mut scale = (MAX_STEP / longest).min(1.0);
            let mut next = self.moved(&elo, &step, scale);
            while self.likelihood(&next) < likelihood && scale > 1e-12 {
                scale /= 2.0;
                next = self.moved(&elo, &step, scale);
            }
            likelihood = self.likelihood(&next);
            elo = next;
            if longest * scale < 1e-9 {
                break;
            }
        }
        self.centre(&mut elo);
        elo
    }

    fn moved(&self, elo: &[f64], step: &[f64], scale: f64) -> Vec<f64> {
        let parts = elo.iter().zip(&self.rows);
        parts.map(|(elo, row)| elo + row.map_or(0.0, |row| scale * step[row])).collect()
    }

    /// Subtracts the mean from the ratings of each component without an anchor.
    fn centre(&self, elo: &mut [f64]) {
        let mut sums = vec![(0.0, 0.0); self.size];
        let component = |row: Option<usize>| row.and_then(|row| self.floating[row]);
        for (elo, &row) in elo.iter().zip(&self.rows) {
            if let Some(component) = component(row) {
                sums[component].0 += elo;
                sums[component].1 += 1.0;
            }
        }
        for (elo, &row) in elo.iter_mut().zip(&self.rows) {
            if let Some(component) = component(row) {
                *elo -= sums[component].0 / sums[component].1;
            }
        }
    }

    fn likelihood(&self, elo: &[f64]) -> f64 {
        let log = |odds: f64| -> f64 {
            // The log of 1 / (1 + exp(-odds)), for odds of any size.
            if odds > 0.0 { -(-odds).exp().ln_1p() } else { odds - odds.exp().ln_1p() }
        };
        let term = |encounter: &Encounter| {
            let odds = PER_ELO * (elo[encounter.a] - elo[encounter.b]);
            encounter.points * log(odds) + (encounter.games - encounter.points) * log(-odds)
        };
        self.encounters.iter().map(term).sum()
    }

    /// The gradient: actual minus expected scores, times the change of the log-odds per Elo.
    fn gradient(&self, elo: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.size];
        for encounter in &self.encounters {
            let expected = expected_score(elo[encounter.a] - elo[encounter.b]);
            let surplus = PER_ELO * (encounter.points - encounter.games * expected);
            if let Some(row) = self.rows[encounter.a] {
                gradient[row] += surplus;
            }
            if let Some(row) = self.rows[encounter.b] {
                gradient[row] -= surplus;
            }
        }
        gradient
    }

    /// The Fisher information of the ratings.
    fn information(&self, elo: &[f64]) -> Factor {
        let mut matrix = Matrix::zero(self.size);
        for encounter in &self.encounters {
            let strength = PER_ELO * PER_ELO * encounter.games * heads_or_tails(elo, encounter);
            matrix.connect(self.rows[encounter.a], self.rows[encounter.b], strength);
        }
        // Games do not determine the mean of a component without an anchor: fix it.
        let scale = (0..self.size).map(|row| matrix.at(row, row)).fold(0.0, f64::max);
        let scale = if scale > 0.0 { scale } else { 1.0 };
        for row in 0..self.size {
            for column in 0..self.size {
                if self.floating[row].is_some() && self.floating[row] == self.floating[column] {
                    matrix.add(row, column, scale);
                }
            }
        }
        matrix.factor()
    }

    /// Half the widths of the intervals, by the sandwich estimator: the inverse of the information
    /// on both sides of the observed variance. The inverse alone would be correct if every game
    /// were a coin flip.
    pub(super) fn errors(&self, elo: &[f64]) -> Vec<f64> {
        let information = self.information(elo);
        let error = |row: Option<usize>| {
            let Some(row) = row else { return 0.0 };
            let inverse = information.inverse_row(row);
            let weight = |player: usize| self.rows[player].map_or(0.0, |row| inverse[row]);
            let variance: f64 = self
                .encounters
                .iter()
                .map(|encounter| {
                    let lever = PER_ELO * (weight(encounter.a) - weight(encounter.b));
                    // One more game with the variance of a coin flip: a few equal results do not
                    // mean certainty.
                    let sure =
                        encounter.games * encounter.variance + heads_or_tails(elo, encounter);
                    lever * lever * sure * encounter.games / (encounter.games + 1.0)
                })
                .sum();
            if variance > 0.0 { DEVIATIONS_95 * variance.sqrt() } else { f64::INFINITY }
        };
        self.rows.iter().map(|&row| error(row)).collect()
    }
}

/// The variance of the score of a game without draws.
fn heads_or_tails(elo: &[f64], encounter: &Encounter) -> f64 {
    let difference = elo[encounter.a] - elo[encounter.b];
    expected_score(difference) * expected_score(-difference)
}

/// The maximum number of steps of Newton's method.
const MAX_STEPS: usize = 200;
/// The maximum step in Elo. The quadratic approximation does not hold farther away.
const MAX_STEP: f64 = 400.0;
