//! What a position is worth without looking ahead.

mod linear;
mod network;

use games::{Game, PolicyForm};
use nnue::{Calibration, QUANTILE_LEVELS};

pub use linear::Linear;
pub use network::NetworkEvaluator;

/// Centipawns at [`QUANTILE_LEVELS`], ascending.
pub type Quantiles = [i32; QUANTILE_LEVELS.len()];

/// Which of two networks is asked, where there are two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// The small one's, or the only one's.
    First,
    /// The large one's.
    Second,
}

/// Values positions along the line that a search looks at.
///
/// The search keeps it at the position that it is at. Most positions are never valued, so `push` must do no more than
/// remember the position.
pub trait Evaluator<G: Game>: Send + 'static {
    /// Begins at another root.
    fn reset(&mut self, position: &G);

    /// Goes on to a position that follows from the one at the top, by a move or by passing.
    fn push(&mut self, position: &G);

    /// Goes back to the position below. Called once for each `push`.
    fn pop(&mut self);

    /// What the position at the top is worth to its side to move, in centipawns.
    fn evaluate(&mut self) -> i32;

    /// Whether that takes less time than to wait for a look into memory. Then positions are valued even where their value may turn
    /// out to be known.
    fn is_quick(&self) -> bool {
        true
    }

    /// How sure it is of that: where the score of a search would lie. `None` if it does not know, or if there is no
    /// such opinion.
    fn quantiles(&mut self, _opinion: Opinion) -> Option<Quantiles> {
        None
    }

    /// Whether there is a second opinion.
    fn has_second(&self) -> bool {
        false
    }

    /// How these quantiles are to be corrected for what a search is about to do. `None` where they were never measured.
    fn calibration(&self, _opinion: Opinion) -> Option<&Calibration> {
        None
    }

    /// How its policy numbers moves. `None` if it has none.
    fn policy_form(&self) -> Option<PolicyForm> {
        None
    }

    /// The policy's outputs with these numbers: the cells that a move can leave come first, then those that it can enter.
    /// Without a policy `logits` is left as it is.
    fn policy(&mut self, _rows: &[u16], _logits: &mut [f32]) {}
}

/// A mixture of two evaluators, for the time in which one takes over from the other.
#[derive(Clone, Debug)]
pub struct Blend<A, B> {
    first: A,
    second: B,
    share: f32,
}

impl<A, B> Blend<A, B> {
    /// `share` of the value is the second's, the rest the first's. Shares outside 0 to 1 are taken as the nearer end.
    pub fn new(first: A, second: B, share: f32) -> Self {
        let share = if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) };
        Self { first, second, share }
    }
}

impl<G: Game, A: Evaluator<G>, B: Evaluator<G>> Evaluator<G> for Blend<A, B> {
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

    fn is_quick(&self) -> bool {
        self.first.is_quick() && self.second.is_quick()
    }

    fn evaluate(&mut self) -> i32 {
        let [first, second] = [self.first.evaluate(), self.second.evaluate()].map(f64::from);
        (first + (second - first) * f64::from(self.share)).round() as i32
    }
}
