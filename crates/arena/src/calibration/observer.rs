//! Observer: the quantiles and the policy that a network predicts for records.

use std::sync::Arc;

use dataset::{DepthScore, MATE_SCORE, Record, is_held_out};
use games::{PolicyForm, PolicyShape, ToolkitGame};
use nnue::{AccumulatorStack, Network, PolicyHead};
use search::{GameInputs, move_classes};

use super::{LEVELS, PolicySample, QuantileSample};

/// The seed that divides games into those that are fitted on and those that are measured on.
const HALVES: u64 = 0x5EED_0CA1;

/// Why a network cannot be observed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ObserverError {
    /// It has no quantiles.
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

/// Whether a calibration is fitted on this game, rather than measured.
pub fn is_fitted_on(game: u32) -> bool {
    is_held_out(game, 0.5, HALVES)
}

/// A position with the prediction of the network and the scores of searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The number of its game.
    pub game: u32,
    /// The number of pieces.
    pub pieces: usize,
    /// The quantiles of the network, uncalibrated.
    pub quantiles: [i32; LEVELS],
    /// The evaluation of a baseline.
    pub baseline: i32,
    /// The scores of searches, ascending by depth; without mates, clipped.
    pub scores: Vec<DepthScore>,
}

impl Observation {
    /// A sample for each depth.
    pub fn samples(&self) -> impl Iterator<Item = QuantileSample> + '_ {
        self.scores.iter().map(|found| self.sample(*found))
    }

    /// The sample of one score.
    pub fn sample(&self, found: DepthScore) -> QuantileSample {
        QuantileSample {
            quantiles: self.quantiles,
            target: found.score.into(),
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

/// The numbers of records and scores that are skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SkippedRecords {
    /// Positions in check, where a static evaluation is meaningless.
    pub in_check: u64,
    /// Records without scores of known depths.
    pub without_depths: u64,
    /// Scores of a mate.
    pub mates: u64,
}

/// Evaluates positions of `G` with a network, as an engine does.
#[derive(Debug)]
pub struct Observer<G: ToolkitGame> {
    stack: AccumulatorStack<Arc<Network>, G, GameInputs<G>>,
    clip: i16,
    skipped: SkippedRecords,
    rows: Vec<u16>,
    logits: Vec<f32>,
}

impl<G: ToolkitGame> Observer<G> {
    /// An observer of `network`, which reads positions by `inputs`. Scores are clipped to ±`clip`.
    pub fn new(
        network: Arc<Network>,
        inputs: GameInputs<G>,
        clip: u16,
    ) -> Result<Self, ObserverError> {
        let architecture = network.architecture();
        if !architecture.has_quantiles() {
            return Err(ObserverError::NoQuantiles(architecture.to_string()));
        }
        let PolicyShape { from: expected_from, to: expected_to } = G::POLICY;
        if let Some(head) = architecture.policy()
            && policy_form::<G>(head).is_none()
        {
            let (from, to) = (head.from, head.to);
            let expected = format!("{expected_from}/{expected_to}");
            return Err(ObserverError::Policy { game: G::NAME, from, to, expected });
        }
        Ok(Self {
            stack: AccumulatorStack::new(network, inputs, G::start()),
            clip: i16::try_from(clip).unwrap_or(i16::MAX),
            skipped: SkippedRecords::default(),
            rows: Vec::new(),
            logits: Vec::new(),
        })
    }

    /// The skipped records so far.
    pub fn skipped(&self) -> SkippedRecords {
        self.skipped
    }

    /// The observation of a record; `None` if it is skipped, which is counted.
    pub fn observe(
        &mut self,
        record: &Record<G>,
        baseline: impl FnOnce(&G) -> i32,
    ) -> Option<Observation> {
        if record.depths.is_empty() {
            self.skipped.without_depths += 1;
            return None;
        }
        if record.position.is_check() {
            self.skipped.in_check += 1;
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
            baseline: baseline(&record.position),
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
        self.skipped.mates += (depths.len() - scores.len()) as u64;
        scores
    }

    /// The policy of a position, uncalibrated. `None` without a policy head, or if `best` is not
    /// legal.
    pub fn policy_sample(&mut self, position: &G, best: G::Move) -> Option<PolicySample> {
        let head = self.stack.network().architecture().policy()?;
        let form = policy_form::<G>(head)?;
        let moves = position.legal_moves();
        let best = moves.iter().position(|&mv| mv == best)?;
        self.rows.clear();
        let numbering = form.numbering(position, self.stack.inputs().set());
        for index in moves.iter().map(|&mv| numbering.index(mv)) {
            self.rows.extend([index.from as u16, (head.from + index.to) as u16]);
        }
        self.logits.clear();
        self.logits.resize(self.rows.len(), 0.0);
        self.stack.reset(position.clone());
        self.stack.policy(&self.rows, &mut self.logits);
        let logits = self.logits.chunks_exact(2).map(|pair| pair[0] + pair[1]);
        let classes = move_classes(position, &moves).into_iter().map(|class| class as u8);
        Some(PolicySample { moves: logits.zip(classes).collect(), best })
    }
}

fn policy_form<G: ToolkitGame>(head: PolicyHead) -> Option<PolicyForm> {
    PolicyForm::of_head::<G>(head.encoding_name(), head.from, head.to)
}

#[cfg(test)]
mod tests;
