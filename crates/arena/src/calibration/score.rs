//! Win-rate model fit: the maximum-likelihood [`ScoreModel`] of scores and results of games.
//!
//! The model is an ordered logit: a win has the probability σ((s − a) / b) at score s, a loss
//! σ((−s − a) / b). The coefficients of a and b, polynomials of the number of pieces, are found by
//! Fisher scoring: Newton's method with the expected second derivatives, which are never
//! indefinite.

use std::collections::HashMap;

use games::GameScore;
use nnue::{NetworkError, ScoreModel};

use crate::statistics::linear::{Factor, Matrix};

/// The minimum number of games; with fewer, chance would dominate.
const MIN_GAMES: usize = 20;
const MIN_POSITIONS: usize = 1000;
/// The number of games needed for each higher degree of the polynomials.
const GAMES_FOR_DEGREE: [usize; 2] = [200, 2000];
/// Numbers of pieces beyond this share of positions at either end count as the nearest inside.
const RARE_PIECES: f64 = 0.005;
/// The share of results that are independent of the score, so that a single one cannot dominate: a
/// game lost on time from a won position.
const NOISE: f64 = 1e-4;
/// What a number of pieces is divided by in the model's polynomials.
const PIECE_UNIT: f64 = 32.0;
/// The smallest scale that a model may have.
const MIN_SCALE: f64 = 0.01;
const MAX_STEPS: usize = 200;

/// How a game ended for the side that a score is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Win,
    Draw,
    Loss,
}

/// A score in a game, and how the game ended, both for the same side.
#[derive(Clone, Copy, Debug)]
pub struct ScoredPosition {
    game: u64,
    score: i32,
    pieces: u16,
    outcome: Outcome,
}

impl ScoredPosition {
    /// A position of game number `game`; `None` if its result is neither a win, a draw nor a loss.
    pub fn new(game: u64, score: i32, pieces: usize, result: GameScore) -> Option<Self> {
        let outcomes = [
            (GameScore::WIN, Outcome::Win),
            (GameScore::DRAW, Outcome::Draw),
            (GameScore::LOSS, Outcome::Loss),
        ];
        let outcome = outcomes.iter().find(|(known, _)| *known == result)?.1;
        let pieces = u16::try_from(pieces).unwrap_or(u16::MAX);
        Some(Self { game, score, pieces, outcome })
    }
}

/// A fitted model with its standard errors.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreFit {
    /// The model.
    pub model: ScoreModel,
    /// The mean number of pieces of the positions, which the errors are for.
    pub pieces: usize,
    /// The standard error of the midpoint. Positions of one game count as one observation.
    pub midpoint_error: f64,
    /// The standard error of the scale.
    pub scale_error: f64,
}

/// Why no model can be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScoreFitError {
    /// There are too few positions or games.
    #[error(
        "{positions} positions of {games} games with a score and a result are too few to fit a \
         score model; expected at least {MIN_POSITIONS} of {MIN_GAMES}"
    )]
    TooFew {
        /// The number of positions.
        positions: usize,
        /// The number of games.
        games: usize,
    },
    /// All games have the same result.
    #[error("no position leads to a {missing}; a score model needs wins and losses")]
    OneSided {
        /// The result that never occurs.
        missing: &'static str,
    },
    /// The fit is not a valid model.
    #[error(transparent)]
    Model(#[from] NetworkError),
}

/// Fits a model.
pub fn fit_score_model(positions: &[ScoredPosition]) -> Result<ScoreFit, ScoreFitError> {
    let mut games: Vec<u64> = positions.iter().map(|position| position.game).collect();
    games.sort_unstable();
    games.dedup();
    let games = games.len();
    if games < MIN_GAMES || positions.len() < MIN_POSITIONS {
        return Err(ScoreFitError::TooFew { positions: positions.len(), games });
    }
    for (outcome, missing) in [(Outcome::Win, "win"), (Outcome::Loss, "loss")] {
        if positions.iter().all(|position| position.outcome != outcome) {
            return Err(ScoreFitError::OneSided { missing });
        }
    }
    let (min, max) = usual_pieces(positions);
    let range = usize::from(max - min);
    let degree = GAMES_FOR_DEGREE.iter().filter(|&&needed| games >= needed).count();
    let problem = Problem { positions, min, max };
    let mut theta = problem.maximise(Theta::start(positions));
    for _ in 0..degree.min(range / 4) {
        theta = problem.maximise(theta.raised());
    }
    let sum: u64 = positions.iter().map(|position| u64::from(position.pieces)).sum();
    let pieces = (sum / positions.len() as u64) as usize;
    let [midpoint_error, scale_error] = problem.errors(&theta, pieces);
    let (midpoint, scale) = theta.0.split_at(theta.terms());
    let model = ScoreModel::new(midpoint, scale, min..=max, games as u64, positions.len() as u64)?;
    Ok(ScoreFit { model, pieces, midpoint_error, scale_error })
}

/// The mean negative log-probability that a model gives to the results.
pub fn score_log_loss(model: &ScoreModel, positions: &[ScoredPosition]) -> f64 {
    let loss = |position: &ScoredPosition| {
        let [win, loss] = model.win_and_loss(position.score, position.pieces.into());
        let chance = match position.outcome {
            Outcome::Win => win,
            Outcome::Draw => 1.0 - win - loss,
            Outcome::Loss => loss,
        };
        -((1.0 - NOISE) * chance.max(0.0) + NOISE / 3.0).ln()
    };
    positions.iter().map(loss).sum::<f64>() / positions.len().max(1) as f64
}

/// The range of piece counts of all but a few positions.
fn usual_pieces(positions: &[ScoredPosition]) -> (u16, u16) {
    let mut pieces: Vec<u16> = positions.iter().map(|position| position.pieces).collect();
    pieces.sort_unstable();
    let rare = (pieces.len() as f64 * RARE_PIECES) as usize;
    (pieces[rare], pieces[pieces.len() - 1 - rare])
}

/// Coefficients of the midpoint, then as many of the scale.
#[derive(Clone, Debug)]
struct Theta(Vec<f64>);

impl Theta {
    /// A scale of the size of the scores, and almost no draws.
    fn start(positions: &[ScoredPosition]) -> Self {
        let mut sizes: Vec<u32> = positions.iter().map(|p| p.score.unsigned_abs()).collect();
        let middle = sizes.len() / 2;
        let (_, &mut median, _) = sizes.select_nth_unstable(middle);
        let scale = f64::from(median).max(1.0);
        Self(vec![scale / 2.0, scale])
    }

    /// The same polynomials, one degree higher.
    fn raised(&self) -> Self {
        let (midpoint, scale) = self.0.split_at(self.terms());
        Self([midpoint, &[0.0], scale, &[0.0]].concat())
    }

    fn terms(&self) -> usize {
        self.0.len() / 2
    }

    /// Midpoint and scale.
    fn at(&self, x: f64) -> [f64; 2] {
        let (midpoint, scale) = self.0.split_at(self.terms());
        [midpoint, scale].map(|list| list.iter().rev().fold(0.0, |sum, c| sum * x + c))
    }
}

/// The contribution of one position.
struct Term {
    log_likelihood: f64,
    /// By midpoint and scale.
    gradient: [f64; 2],
    /// The expected information: midpoint twice, midpoint and scale, scale twice.
    information: [f64; 3],
}

struct Problem<'a> {
    positions: &'a [ScoredPosition],
    min: u16,
    max: u16,
}

impl Problem<'_> {
    /// The variable of the polynomials for a piece count.
    fn x(&self, pieces: u16) -> f64 {
        f64::from(pieces.clamp(self.min, self.max)) / PIECE_UNIT
    }

    /// Climbs to the nearest maximum of the likelihood. Halves each step until it increases the
    /// likelihood.
    fn maximise(&self, mut theta: Theta) -> Theta {
        let mut likelihood = self.log_likelihood(&theta);
        for _ in 0..MAX_STEPS {
            let (gradient, information) = self.derivatives(&theta);
            let step = information.solve(&gradient);
            let mut share = 1.0;
            let better = loop {
                let moved = theta.0.iter().zip(&step).map(|(at, step)| at + share * step);
                let moved = self.feasible(Theta(moved.collect()));
                let found = moved.map(|moved| (self.log_likelihood(&moved), moved));
                match found {
                    Some(found) if found.0 > likelihood => break Some(found),
                    Some(_) | None if share > 1e-6 => share /= 2.0,
                    Some(_) | None => break None,
                }
            };
            let Some((found, moved)) = better else { break };
            let gained = found - likelihood;
            (likelihood, theta) = (found, moved);
            if gained < 1e-10 * self.positions.len() as f64 {
                break;
            }
        }
        theta
    }

    /// Lifts a midpoint that is negative somewhere; `None` if a scale is not positive.
    fn feasible(&self, mut theta: Theta) -> Option<Theta> {
        let mut lowest = 0.0_f64;
        for pieces in self.min..=self.max {
            let [midpoint, scale] = theta.at(self.x(pieces));
            if !(midpoint.is_finite() && scale >= MIN_SCALE) {
                return None;
            }
            lowest = lowest.min(midpoint);
        }
        // Rounding must not leave it below 0.
        theta.0[0] -= lowest * (1.0 + 1e-12);
        Some(theta)
    }

    fn log_likelihood(&self, theta: &Theta) -> f64 {
        let terms = self.positions.iter().map(|position| self.term(theta, position));
        terms.map(|term| term.log_likelihood).sum()
    }

    fn derivatives(&self, theta: &Theta) -> (Vec<f64>, Factor) {
        let terms = theta.terms();
        let mut gradient = vec![0.0; 2 * terms];
        let mut information = Matrix::zero(2 * terms);
        for position in self.positions {
            let term = self.term(theta, position);
            let powers = powers(self.x(position.pieces), terms);
            add_gradient(&mut gradient, &term, &powers);
            for (i, a) in powers.iter().enumerate() {
                for (j, b) in powers.iter().enumerate() {
                    let [midpoint, both, scale] = term.information.map(|part| part * a * b);
                    information.add(i, j, midpoint);
                    information.add(i, terms + j, both);
                    information.add(terms + i, j, both);
                    information.add(terms + i, terms + j, scale);
                }
            }
        }
        // A direction without information has no step.
        for i in 0..2 * terms {
            information.add(i, i, 1e-9 * information.at(i, i) + f64::MIN_POSITIVE);
        }
        (gradient, information.factor())
    }

    fn term(&self, theta: &Theta, position: &ScoredPosition) -> Term {
        let [midpoint, scale] = theta.at(self.x(position.pieces));
        // The probability of a win at a score, and its derivatives by midpoint and scale.
        let logistic = |score: f64| {
            let u = (score - midpoint) / scale;
            let p = 1.0 / (1.0 + (-u).exp());
            let slope = -p * (1.0 - p) / scale;
            (p, [slope, slope * u])
        };
        let score = f64::from(position.score);
        let ((win, by_win), (loss, by_loss)) = (logistic(score), logistic(-score));
        let by_draw = [-(by_win[0] + by_loss[0]), -(by_win[1] + by_loss[1])];
        let outcomes = [
            (Outcome::Win, win, by_win),
            (Outcome::Draw, (1.0 - win - loss).max(0.0), by_draw),
            (Outcome::Loss, loss, by_loss),
        ];
        let mut term = Term { log_likelihood: 0.0, gradient: [0.0; 2], information: [0.0; 3] };
        for (outcome, chance, by) in outcomes {
            let chance = (1.0 - NOISE) * chance + NOISE / 3.0;
            let [a, b] = by.map(|by| (1.0 - NOISE) * by);
            for (sum, part) in term.information.iter_mut().zip([a * a, a * b, b * b]) {
                *sum += part / chance;
            }
            if outcome == position.outcome {
                term.log_likelihood = chance.ln();
                term.gradient = [a / chance, b / chance];
            }
        }
        term
    }

    /// Standard errors of midpoint and scale at this piece count, clustered by game.
    fn errors(&self, theta: &Theta, pieces: usize) -> [f64; 2] {
        let terms = theta.terms();
        let (_, information) = self.derivatives(theta);
        let x = self.x(pieces as u16);
        let mut games: HashMap<u64, Vec<f64>> = HashMap::new();
        for position in self.positions {
            let gradient = games.entry(position.game).or_insert_with(|| vec![0.0; 2 * terms]);
            let powers = powers(self.x(position.pieces), terms);
            add_gradient(gradient, &self.term(theta, position), &powers);
        }
        [0, terms].map(|first| {
            let mut direction = vec![0.0; 2 * terms];
            direction[first..first + terms].copy_from_slice(&powers(x, terms));
            let weights = information.solve(&direction);
            let moved = |gradient: &Vec<f64>| {
                let sum: f64 = gradient.iter().zip(&weights).map(|(g, w)| g * w).sum();
                sum * sum
            };
            games.values().map(moved).sum::<f64>().sqrt()
        })
    }
}

fn powers(x: f64, count: usize) -> Vec<f64> {
    std::iter::successors(Some(1.0), |power| Some(power * x)).take(count).collect()
}

fn add_gradient(gradient: &mut [f64], term: &Term, powers: &[f64]) {
    for (place, power) in powers.iter().enumerate() {
        gradient[place] += term.gradient[0] * power;
        gradient[powers.len() + place] += term.gradient[1] * power;
    }
}

#[cfg(test)]
mod tests {
    use games::Random;

    use super::*;

    /// Games of a known model. All positions of a game are equally good for the same side, so that
    /// one result fits the scores of all of them.
    fn simulated(
        model: &ScoreModel,
        games: u64,
        positions: u64,
        pieces: std::ops::Range<usize>,
    ) -> Vec<ScoredPosition> {
        let mut random = Random::new(7);
        let mut simulated = Vec::new();
        for game in 0..games {
            let pieces = pieces.start + random.below(pieces.len());
            let score = random.below(1201) as i32 - 600;
            let chance = random.below(1 << 30) as f64 / f64::from(1 << 30);
            let [win, loss] = model.win_and_loss(score, pieces);
            let result = if chance < win {
                GameScore::WIN
            } else if chance < win + loss {
                GameScore::LOSS
            } else {
                GameScore::DRAW
            };
            for ply in 0..positions {
                let (score, result) =
                    if ply % 2 == 0 { (score, result) } else { (-score, result.rest()) };
                simulated.extend(ScoredPosition::new(game, score, pieces, result));
            }
        }
        simulated
    }

    #[test]
    fn known_parameters_are_recovered() {
        let truth = ScoreModel::constant(154.0, 116.0);
        let fit = fit_score_model(&simulated(&truth, 30_000, 1, 2..33)).unwrap();
        for pieces in [4, 17, 30] {
            let (midpoint, scale) = (fit.model.midpoint(pieces), fit.model.scale(pieces));
            assert!((midpoint - 154.0).abs() < 6.0, "{pieces}: {midpoint}");
            assert!((scale - 116.0).abs() < 6.0, "{pieces}: {scale}");
        }
        assert_eq!((fit.model.games(), fit.model.positions()), (30_000, 30_000));
        // Fisher information gives about 1.5 for a constant midpoint, and half as much again at the
        // centre of a quadratic.
        assert!((1.5..3.0).contains(&fit.midpoint_error), "{}", fit.midpoint_error);
        assert!((fit.model.midpoint(fit.pieces) - 154.0).abs() < 4.0 * fit.midpoint_error);
        assert!((fit.model.scale(fit.pieces) - 116.0).abs() < 4.0 * fit.scale_error);
    }

    #[test]
    fn polynomials_of_the_pieces_are_recovered() {
        let truth = ScoreModel::new(&[90.0, 160.0, -60.0], &[70.0, 50.0], 2..=32, 1, 1).unwrap();
        let positions = simulated(&truth, 60_000, 1, 2..33);
        let fit = fit_score_model(&positions).unwrap();
        for pieces in (4..=32).step_by(4) {
            let [a, b] = [fit.model.midpoint(pieces), truth.midpoint(pieces)];
            assert!((a - b).abs() < 0.06 * b, "{pieces} pieces: midpoint {a}, {b}");
            let [a, b] = [fit.model.scale(pieces), truth.scale(pieces)];
            assert!((a - b).abs() < 0.06 * b, "{pieces} pieces: scale {a}, {b}");
        }
        let constant = ScoreModel::constant(154.0, 116.0);
        let [fitted, known, other] =
            [&fit.model, &truth, &constant].map(|model| score_log_loss(model, &positions));
        assert!(fitted <= known && known < other, "{fitted} {known} {other}");
    }

    /// Twenty positions of a game carry no more information than one, and the errors reflect it.
    #[test]
    fn positions_of_a_game_count_once() {
        let truth = ScoreModel::constant(120.0, 80.0);
        let one = fit_score_model(&simulated(&truth, 1500, 1, 20..22)).unwrap();
        let twenty = fit_score_model(&simulated(&truth, 1500, 20, 20..22)).unwrap();
        let ratio = twenty.midpoint_error / one.midpoint_error;
        assert!((0.95..1.05).contains(&ratio), "{one:?} {twenty:?}");
        assert_eq!((twenty.model.games(), twenty.model.positions()), (1500, 30_000));
    }

    #[test]
    fn games_without_draws_have_no_midpoint() {
        let truth = ScoreModel::constant(0.0, 90.0);
        let fit = fit_score_model(&simulated(&truth, 5000, 1, 10..12)).unwrap();
        assert!(fit.model.midpoint(10) < 1.0, "{fit:?}");
        assert!((fit.model.scale(10) - 90.0).abs() < 6.0, "{fit:?}");
        assert!(fit.model.wdl(0, 10)[1] <= 5, "{fit:?}");
    }

    /// The extreme scores of the integer type, with results that contradict them.
    #[test]
    fn absurd_scores_do_no_harm() {
        let truth = ScoreModel::constant(154.0, 116.0);
        let mut positions = simulated(&truth, 5000, 1, 2..33);
        for (game, score) in [i32::MAX, i32::MIN, i32::MAX].into_iter().enumerate() {
            let result = if game == 2 { GameScore::LOSS } else { GameScore::DRAW };
            positions.extend(ScoredPosition::new(game as u64, score, usize::MAX, result));
        }
        let fit = fit_score_model(&positions).unwrap();
        assert!((fit.model.midpoint(17) - 154.0).abs() < 15.0, "{fit:?}");
    }

    #[test]
    fn too_little_is_refused() {
        let truth = ScoreModel::constant(154.0, 116.0);
        let positions = simulated(&truth, 5000, 1, 2..33);
        let refused = |positions: &[ScoredPosition]| fit_score_model(positions).unwrap_err();
        assert!(matches!(refused(&[]), ScoreFitError::TooFew { positions: 0, games: 0 }));
        assert!(refused(&positions[..999]).to_string().contains("999 positions of 999 games"));
        let one_game: Vec<_> =
            positions.iter().map(|&position| ScoredPosition { game: 1, ..position }).collect();
        assert!(matches!(refused(&one_game), ScoreFitError::TooFew { games: 1, .. }));
        let won: Vec<_> =
            positions.iter().filter(|p| p.outcome != Outcome::Loss).copied().collect();
        assert_eq!(refused(&won), ScoreFitError::OneSided { missing: "loss" });
    }
}
