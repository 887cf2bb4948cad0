//! Asking a network about positions of which search has spoken.

use std::sync::Arc;

use dataset::{DepthScore, MATE_SCORE, Record, is_held_out};
use games::{Game, PolicyForm, PolicyShape};
use nnue::{AccumulatorStack, Network};
use search::{GameInputs, move_sorts};

use super::{Fan, Judged, LEVELS};

/// Which games are fitted on is a function of their numbers and this.
const HALVES: u64 = 0x5EED_0CA1;

/// Why a network cannot be calibrated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CalibrationError {
    /// There is nothing to calibrate.
    #[error(
        "the network `{0}` has no quantile head, so there is nothing to calibrate: train one with \
         [loss.quantiles]"
    )]
    NoQuantiles(String),
    /// The policy head numbers moves in another way.
    #[error("the policy head has {from}/{to} outputs; moves of {game} take {expected}")]
    Policy {
        /// The game.
        game: &'static str,
        /// Outputs for the cell that is left.
        from: usize,
        /// Outputs for the cell that is entered.
        to: usize,
        /// What the game has.
        expected: String,
    },
}

/// Whether the corrections are fitted on this game, rather than measured.
pub fn is_fitted_on(game: u32) -> bool {
    is_held_out(game, 0.5, HALVES)
}

/// A position, what the network said of it, and what searches found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// Which game it is from.
    pub game: u32,
    /// How many pieces there are.
    pub pieces: usize,
    /// What the network said, uncorrected.
    pub quantiles: [i32; LEVELS],
    /// What a simpler evaluation says.
    pub simple: i32,
    /// What searches found, ascending by depth; without mates, clipped.
    pub scores: Vec<DepthScore>,
}

impl Observation {
    /// One fan for each depth.
    pub fn fans(&self) -> impl Iterator<Item = Fan> + '_ {
        self.scores.iter().map(|found| self.fan(*found))
    }

    /// The fan of one of the scores.
    pub fn fan(&self, found: DepthScore) -> Fan {
        Fan {
            quantiles: self.quantiles,
            truth: found.score.into(),
            depth: found.depth.into(),
            pieces: self.pieces,
        }
    }

    /// The score of a depth, if there is one.
    pub fn at_depth(&self, depth: u8) -> Option<i32> {
        let found = self.scores.iter().find(|found| found.depth == depth);
        found.map(|found| found.score.into())
    }
}

/// How many records say nothing of quantiles, and why.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Positions in check: no search trusts a static value there.
    pub in_check: u64,
    /// Records without scores of known depths.
    pub without_depths: u64,
    /// Single scores that announce a mate.
    pub mates: u64,
}

/// Asks a network about positions of `G`, as an engine would.
#[derive(Debug)]
pub struct Observer<G: Game> {
    stack: AccumulatorStack<Arc<Network>, G, GameInputs<G>>,
    clip: i16,
    left_out: LeftOut,
    rows: Vec<u16>,
    logits: Vec<f32>,
}

impl<G: Game> Observer<G> {
    /// Asks `network`, which reads positions by `inputs`. Scores farther from 0 than `clip` are taken as `clip`.
    pub fn new(
        network: Arc<Network>,
        inputs: GameInputs<G>,
        clip: u16,
    ) -> Result<Self, CalibrationError> {
        let architecture = network.architecture();
        if !architecture.has_quantiles() {
            return Err(CalibrationError::NoQuantiles(architecture.to_string()));
        }
        let PolicyShape { from: expected_from, to: expected_to } = G::POLICY;
        if let Some((from, to)) = architecture.policy()
            && PolicyForm::of::<G>(from, to).is_none()
        {
            let expected = format!("{expected_from}/{expected_to}");
            return Err(CalibrationError::Policy { game: G::NAME, from, to, expected });
        }
        Ok(Self {
            stack: AccumulatorStack::new(network, inputs, G::start()),
            clip: i16::try_from(clip).unwrap_or(i16::MAX),
            left_out: LeftOut::default(),
            rows: Vec::new(),
            logits: Vec::new(),
        })
    }

    /// What was left out so far.
    pub fn left_out(&self) -> LeftOut {
        self.left_out
    }

    /// What the network and search say of a record's position; `None` if that is nothing, which is counted.
    pub fn observe(
        &mut self,
        record: &Record<G>,
        simple: impl FnOnce(&G) -> i32,
    ) -> Option<Observation> {
        if record.depths.is_empty() {
            self.left_out.without_depths += 1;
            return None;
        }
        if record.position.is_check() {
            self.left_out.in_check += 1;
            return None;
        }
        let scores = self.scores(&record.depths);
        if scores.is_empty() {
            return None;
        }
        self.stack.reset(record.position.clone());
        Some(Observation {
            game: record.game,
            pieces: record.position.piece_count(),
            quantiles: self.stack.outputs().quantiles?,
            simple: simple(&record.position),
            scores,
        })
    }

    fn scores(&mut self, depths: &[DepthScore]) -> Vec<DepthScore> {
        let quiet = |found: &&DepthScore| found.score.unsigned_abs() < MATE_SCORE.unsigned_abs();
        let clipped = |found: &DepthScore| DepthScore {
            depth: found.depth,
            score: found.score.clamp(-self.clip, self.clip),
        };
        let scores: Vec<_> = depths.iter().filter(quiet).map(clipped).collect();
        self.left_out.mates += (depths.len() - scores.len()) as u64;
        scores
    }

    /// What the policy says of the moves of a position, uncorrected. Nothing without a policy head, or if `best` is no legal move.
    pub fn judge(&mut self, position: &G, best: G::Move) -> Option<Judged> {
        let (from, to) = self.stack.network().architecture().policy()?;
        let form = PolicyForm::of::<G>(from, to)?;
        let moves = position.legal_moves();
        let best = moves.iter().position(|&mv| mv == best)?;
        self.rows.clear();
        for index in moves.iter().map(|&mv| form.index(position, mv)) {
            self.rows.extend([index.from as u16, (from + index.to) as u16]);
        }
        self.logits.clear();
        self.logits.resize(self.rows.len(), 0.0);
        self.stack.reset(position.clone());
        self.stack.policy(&self.rows, &mut self.logits);
        let logits = self.logits.chunks_exact(2).map(|pair| pair[0] + pair[1]);
        let sorts = move_sorts(position, &moves).into_iter().map(|sort| sort as u8);
        Some(Judged { moves: logits.zip(sorts).collect(), best })
    }
}

#[cfg(test)]
mod tests;
