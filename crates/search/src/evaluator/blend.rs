//! Blend of two evaluators: a weighted mean, for the time in which one replaces the other.

use games::SearchGame;
use nnue::ScoreUnit;

use super::Evaluator;

/// A weighted mean of two evaluators. Both are in normalised centipawns, so that networks of
/// different units can be blended.
///
/// ```
/// use games::{Game, chess::Chess};
/// use search::{Blend, Evaluator, Material};
///
/// let material = || Material::<Chess>::new();
/// let mut blend = Blend::new(material()?, material()?, 0.25);
/// blend.reset(&Chess::start());
/// assert_eq!(blend.evaluate(), 0);
/// # Ok::<(), games::FeatureSetError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Blend<A, B> {
    first: A,
    second: B,
    share: f32,
}

impl<A, B> Blend<A, B> {
    /// A blend with `share` of the second evaluator, clamped to 0 to 1, and the rest of the first.
    pub fn new(first: A, second: B, share: f32) -> Self {
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        Self { first, second, share }
    }
}

impl<G: SearchGame, A: Evaluator<G>, B: Evaluator<G>> Evaluator<G> for Blend<A, B> {
    fn reset(&mut self, position: &G) {
        self.first.reset(position);
        self.second.reset(position);
    }

    fn push(&mut self, position: &G) {
        self.first.push(position);
        self.second.push(position);
    }

    fn pop(&mut self) {
        self.first.pop();
        self.second.pop();
    }

    fn is_fast(&self) -> bool {
        self.first.is_fast() && self.second.is_fast()
    }

    /// The unit of the second evaluator, which replaces the first.
    fn unit(&self) -> ScoreUnit {
        self.second.unit()
    }

    fn evaluate(&mut self) -> i32 {
        let [first, second] = [self.first.evaluate(), self.second.evaluate()].map(f64::from);
        (first + (second - first) * f64::from(self.share)).round() as i32
    }
}
