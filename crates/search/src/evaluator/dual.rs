//! A small network that is asked always, and a large one that is asked where the small one is not sure enough.

use games::Game;
use nnue::Calibration;

use super::{Evaluator, NetworkEvaluator, Opinion, Quantiles};

/// Two networks. Which one a decision needs is for the search to say: see [`Opinion`].
#[derive(Debug)]
pub struct DualEvaluator<G: Game> {
    small: NetworkEvaluator<G>,
    large: NetworkEvaluator<G>,
}

impl<G: Game> DualEvaluator<G> {
    /// Asks the first always, the second where the first is not enough.
    pub fn new(small: NetworkEvaluator<G>, large: NetworkEvaluator<G>) -> Self {
        Self { small, large }
    }
}

impl<G: Game> Evaluator<G> for DualEvaluator<G> {
    fn reset(&mut self, position: &G) {
        self.small.reset(position);
        self.large.reset(position);
    }

    #[inline]
    fn push(&mut self, position: &G) {
        self.small.push(position);
        self.large.push(position);
    }

    #[inline]
    fn pop(&mut self) {
        self.small.pop();
        self.large.pop();
    }

    #[inline]
    fn evaluate(&mut self) -> i32 {
        self.small.evaluate()
    }

    #[inline]
    fn quantiles(&mut self, opinion: Opinion) -> Option<Quantiles> {
        match opinion {
            Opinion::First => self.small.quantiles(Opinion::First),
            Opinion::Second => self.large.quantiles(Opinion::First),
        }
    }

    #[inline]
    fn calibration(&self, opinion: Opinion) -> Option<&Calibration> {
        match opinion {
            Opinion::First => self.small.calibration(Opinion::First),
            Opinion::Second => self.large.calibration(Opinion::First),
        }
    }

    #[inline]
    fn policy(&mut self, logits: &mut Vec<f32>) -> bool {
        self.small.policy(logits)
    }
}
