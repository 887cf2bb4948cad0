//! Policy fit: the inverse temperature and the class biases that maximise the likelihood of best
//! moves.

use nnue::PolicyCalibration;
use search::{MOVE_CLASS_SCHEME, MOVE_CLASSES};

/// The maximum number of passes over the positions.
const MAX_PASSES: usize = 400;
/// The fit has converged when the largest step is below this, in nats.
const CONVERGED: f64 = 1e-4;
/// L2 regularisation of the biases. The bias of a class that never occurs stays 0.
const REGULARISATION: f64 = 1.0;

/// The policy of a position, and its best move.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicySample {
    /// The logit and the class ([`search::move_classes`]) of each move.
    pub moves: Vec<(f32, u8)>,
    /// The index of the best move.
    pub best: usize,
}

impl PolicySample {
    /// The calibrated logits of the moves.
    pub fn calibrated(&self, calibration: &PolicyCalibration) -> Vec<f64> {
        let score = |&(logit, class): &(f32, u8)| calibration.apply(logit, class.into()).into();
        self.moves.iter().map(score).collect()
    }
}

/// Fits the calibration of a policy by maximum likelihood. The likelihood is concave: Newton's
/// method, each coordinate by itself with half a step, converges.
pub fn fit_policy(positions: &[PolicySample]) -> PolicyCalibration {
    let mut inverse_temperature = 1.0;
    let mut biases = [0.0; MOVE_CLASSES];
    let mut probabilities = Vec::new();
    for _ in 0..MAX_PASSES {
        let mut gradients = biases.map(|bias| -REGULARISATION * bias);
        let mut curvatures = [REGULARISATION; MOVE_CLASSES];
        let (mut gradient, mut curvature) = (0.0, REGULARISATION);
        for PolicySample { moves, best } in positions {
            let score = |&(logit, class): &(f32, u8)| {
                inverse_temperature * f64::from(logit) + biases[usize::from(class) % MOVE_CLASSES]
            };
            softmax(moves.iter().map(score), &mut probabilities);
            let (mut mean, mut square) = (0.0, 0.0);
            for (index, (&(logit, class), probability)) in
                moves.iter().zip(&probabilities).enumerate()
            {
                let residual = f64::from(u8::from(index == *best)) - probability;
                let (logit, class) = (f64::from(logit), usize::from(class) % MOVE_CLASSES);
                gradients[class] += residual;
                curvatures[class] += probability * (1.0 - probability);
                gradient += residual * logit;
                mean += probability * logit;
                square += probability * logit * logit;
            }
            curvature += square - mean * mean;
        }
        let mut largest = 0.0_f64;
        for (bias, (gradient, curvature)) in biases.iter_mut().zip(gradients.iter().zip(curvatures))
        {
            let step = 0.5 * gradient / curvature;
            *bias += step;
            largest = largest.max(step.abs());
        }
        let step = 0.5 * gradient / curvature;
        inverse_temperature = f64::max(inverse_temperature + step, 0.0);
        if largest.max(step.abs()) < CONVERGED {
            break;
        }
    }
    PolicyCalibration {
        move_classes: MOVE_CLASS_SCHEME.to_owned(),
        inverse_temperature: inverse_temperature as f32,
        class_biases: biases.iter().map(|&bias| bias as f32).collect(),
    }
}

/// The softmax of logits.
fn softmax(scores: impl Iterator<Item = f64>, probabilities: &mut Vec<f64>) {
    probabilities.clear();
    probabilities.extend(scores);
    let max = probabilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for probability in probabilities.iter_mut() {
        *probability = (*probability - max).exp();
    }
    let sum: f64 = probabilities.iter().sum();
    for probability in probabilities.iter_mut() {
        *probability /= sum;
    }
}

#[cfg(test)]
mod tests {
    use games::Random;

    use super::{MOVE_CLASSES, PolicySample, fit_policy, softmax};

    /// Positions whose best moves are sampled from known probabilities.
    fn drawn(inverse_temperature: f64, biases: &[f64], positions: usize) -> Vec<PolicySample> {
        let mut random = Random::new(11);
        let mut chances = Vec::new();
        let position = |_| {
            let mut unit = || random.below(1 << 20) as f64 / f64::from(1 << 20);
            let moves: Vec<(f32, u8)> = (0..12)
                .map(|_| ((unit() * 4.0 - 2.0) as f32, (unit() * biases.len() as f64) as u8))
                .collect();
            let score = |&(logit, class): &(f32, u8)| {
                inverse_temperature * f64::from(logit) + biases[usize::from(class)]
            };
            softmax(moves.iter().map(score), &mut chances);
            let mut left = unit();
            let best = chances.iter().position(|chance| {
                left -= chance;
                left < 0.0
            });
            PolicySample { moves, best: best.unwrap_or(11) }
        };
        (0..positions).map(position).collect()
    }

    #[test]
    fn known_worths_are_found() {
        let biases = [0.0, -2.0, 1.5, 0.5];
        let found = fit_policy(&drawn(0.7, &biases, 20_000));
        assert!((found.inverse_temperature - 0.7).abs() < 0.03, "{}", found.inverse_temperature);
        for (class, bias) in biases.iter().enumerate().skip(1) {
            let found = f64::from(found.class_biases[class] - found.class_biases[0]);
            assert!((found - bias).abs() < 0.08, "class {class}: {found}, drawn by {bias}");
        }
        assert_eq!(found.class_biases.len(), MOVE_CLASSES);
        assert!(found.class_biases[4..].iter().all(|bias| bias.abs() < 1e-6), "never seen");
    }

    #[test]
    fn nothing_seen_corrects_nothing() {
        let found = fit_policy(&[]);
        assert!((found.inverse_temperature - 1.0).abs() < 1e-6);
        assert!(found.class_biases.iter().all(|bias| bias.abs() < 1e-6));
    }
}
