//! Static evaluation: the [`Evaluator`] interface, and evaluators by network, by material and by
//! blends of two.

mod blend;
mod linear;
mod material;
mod network;

use games::{PolicyForm, SearchGame};
use nnue::{Calibration, FittedParams, PolicyCalibration, QUANTILE_LEVELS, ScoreUnit};

pub use blend::Blend;
pub use linear::{Linear, LinearError};
pub use material::Material;
pub use network::{NetworkEvaluator, foreign_move_classes};

/// Normalised centipawns at [`QUANTILE_LEVELS`], ascending.
pub type Quantiles = [i32; QUANTILE_LEVELS.len()];

/// Which of two networks is evaluated, where there are two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetworkSize {
    /// The small network, or the only one.
    Small,
    /// The large network.
    Large,
}

/// Evaluates positions along the line that a search follows.
///
/// Its scores are normalised centipawns: a position of 100 wins half of the games. The margins of
/// the search are in this unit.
///
/// The search keeps it at the current position. Most positions are never evaluated, so `push` must
/// do no more than store the position.
///
/// ```
/// use games::{Game, GameHistory, chess::Chess};
/// use search::{Control, Engine, EngineOptions, Evaluator, Limits};
///
/// /// Mobility: the number of legal moves.
/// struct Mobility(Vec<Chess>);
///
/// impl Evaluator<Chess> for Mobility {
///     fn reset(&mut self, position: &Chess) {
///         self.0 = vec![position.clone()];
///     }
///     fn push(&mut self, position: &Chess) {
///         self.0.push(position.clone());
///     }
///     fn pop(&mut self) {
///         self.0.pop();
///     }
///     fn evaluate(&mut self) -> i32 {
///         self.0.last().map_or(0, |position| position.legal_moves().len() as i32)
///     }
/// }
///
/// let mut engine = Engine::new(EngineOptions::default())?;
/// engine.set_evaluator(|| Mobility(Vec::new()));
/// let game = GameHistory::new(Chess::start());
/// let result = engine.go(&game, &Limits::to_depth(3), &Control::new(), &mut |_| {});
/// assert!(result.best.is_some());
/// # Ok::<(), search::EngineError>(())
/// ```
pub trait Evaluator<G: SearchGame>: Send + 'static {
    /// Starts at another root.
    fn reset(&mut self, position: &G);

    /// Steps to a position that follows from the current one by a move or a null move.
    fn push(&mut self, position: &G);

    /// Steps back to the position before. Called once for each `push`.
    fn pop(&mut self);

    /// The static evaluation of the current position for its side to move, in normalised
    /// centipawns.
    fn evaluate(&mut self) -> i32;

    /// The unit of the scores before they were normalised: that of the network's own scores, in
    /// which data files store them.
    fn unit(&self) -> ScoreUnit {
        ScoreUnit::NORMALISED
    }

    /// The search parameters that were fitted for the network; the learned mode uses them.
    fn fitted_params(&self) -> Option<&FittedParams> {
        None
    }

    /// Whether an evaluation takes less time than a cache miss. Then positions are evaluated even
    /// where the transposition table may have their value.
    fn is_fast(&self) -> bool {
        true
    }

    /// The quantiles of the score that a search would find. `None` without a quantile head, or
    /// without a network of that size.
    fn quantiles(&mut self, _size: NetworkSize) -> Option<Quantiles> {
        None
    }

    /// Whether there is a large network.
    fn has_large(&self) -> bool {
        false
    }

    /// The conformal calibration of these quantiles. `None` if they were not calibrated.
    fn calibration(&self, _size: NetworkSize) -> Option<&Calibration> {
        None
    }

    /// The calibration of the policy, if there is one for the move classes of this search
    /// ([`MOVE_CLASS_SCHEME`](crate::MOVE_CLASS_SCHEME)).
    fn policy_calibration(&self) -> Option<&PolicyCalibration> {
        None
    }

    /// How the policy numbers moves. `None` without a policy head.
    fn policy_form(&self) -> Option<PolicyForm> {
        None
    }

    /// How the policy's features mirror the board; see [`FeatureSet::mirror`](games::FeatureSet).
    fn policy_mirror(&self, _position: &G) -> Option<&'static [u8]> {
        None
    }

    /// The policy outputs with these numbers: origins come first, then destinations. Without a
    /// policy `logits` is left as it is.
    fn policy(&mut self, _rows: &[u16], _logits: &mut [f32]) {}
}
