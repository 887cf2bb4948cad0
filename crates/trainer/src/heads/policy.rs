//! Policy loss: cross-entropy with the best move.

use nnue::{Architecture, MoveEncoding, PolicyHead, Scales};
use serde::{Deserialize, Serialize};

use super::{LossSettings, Objective, STOP_GRADIENT, Sample, TrainedHead, WEIGHT};
use crate::TrainerError;
use crate::config::{ClipSettings, Field, Limit};
use crate::loss::cross_entropy;
use crate::real::Real;

pub(super) const TABLE: &str = "policy";

/// The alternatives of the policy's softmax.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PolicyLoss {
    /// All cells to leave, and all cells to enter, separately.
    FromTo,
    /// The legal moves.
    Legal,
}

/// [`MoveEncoding`] by its name in the configuration.
#[derive(Serialize, Deserialize)]
#[serde(remote = "MoveEncoding", rename_all = "kebab-case")]
enum EncodingName {
    FromTo,
    PieceTo,
    PieceToSee,
}

/// The loss of the policy head: cross-entropy with the best move.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicyObjective {
    /// The weight in the sum of losses.
    pub weight: f32,
    /// The alternatives.
    pub loss: PolicyLoss,
    /// The move encoding of its outputs.
    #[serde(with = "EncodingName")]
    pub moves: MoveEncoding,
    /// Whether its gradient stops at its own weights.
    pub stop_gradient: bool,
}

impl Default for PolicyObjective {
    fn default() -> Self {
        Self {
            weight: 1.0,
            loss: PolicyLoss::FromTo,
            moves: MoveEncoding::FromTo,
            stop_gradient: false,
        }
    }
}

pub(super) const FIELDS: &[Field] = &[
    WEIGHT,
    Field::value(
        "loss",
        &[
            "from-to: softmax over all cells to leave and all to enter. legal: over the legal moves.",
        ],
    ),
    Field::value(
        "moves",
        &[
            "from-to: a logit for each cell to leave and to enter. piece-to: for each cell to leave,",
            "and for each kind of piece and cell that it enters. piece-to-see: the same, mirrored as",
            "the features are, and apart for attacked origins and for moves that lose by SEE.",
        ],
    ),
    STOP_GRADIENT,
];

pub(super) struct Trained;

impl TrainedHead for Trained {
    fn layer(&self) -> &'static str {
        "policy"
    }

    fn table(&self) -> &'static str {
        TABLE
    }

    fn needs(&self) -> &'static str {
        "best move"
    }

    fn weight(&self, objective: &Objective) -> Option<f32> {
        objective.policy.map(|policy| policy.weight)
    }

    fn stops_gradient(&self, objective: &Objective) -> bool {
        objective.policy.is_none_or(|policy| policy.stop_gradient)
    }

    fn set_usual(&self, losses: &mut LossSettings) {
        losses.policy = Some(PolicyObjective::default());
    }

    fn clip(&self, clip: &ClipSettings, scales: &Scales) -> (Limit, f32) {
        (clip.policy, 127.0 / (1_u64 << scales.policy_shift) as f32)
    }

    fn check(&self, _: &Architecture, _: &Objective) -> Result<(), TrainerError> {
        Ok(())
    }
}

pub(super) fn loss<T: Real>(
    sample: &Sample<'_, T>,
    head: PolicyHead,
    raw: &[T],
    d: &mut [T],
) -> Option<T> {
    let (raw_from, raw_to) = raw.split_at(head.from);
    let (d_from, d_to) = d.split_at_mut(head.from);
    let Sample { batch, at, scale, .. } = *sample;
    match sample.targets.objective.policy?.loss {
        PolicyLoss::FromTo => {
            let best = (*batch.policy.get(at)?)?;
            let is = |cell: u16| {
                move |place: usize| if place == usize::from(cell) { T::ONE } else { T::ZERO }
            };
            let from = cross_entropy(raw_from, is(best.from), scale, d_from);
            Some(from + cross_entropy(raw_to, is(best.to), scale, d_to))
        }
        PolicyLoss::Legal => {
            let best = usize::from((*batch.best_legal.get(at)?)?);
            let moves = &batch.legal[batch.legal_range(at)];
            let logit = |mv: &dataset::PolicyTarget| {
                raw_from[usize::from(mv.from)] + raw_to[usize::from(mv.to)]
            };
            let logits: Vec<T> = moves.iter().map(logit).collect();
            let mut by_move = vec![T::ZERO; moves.len()];
            let is_best = |place| if place == best { T::ONE } else { T::ZERO };
            let loss = cross_entropy(&logits, is_best, scale, &mut by_move);
            for (mv, &by_move) in moves.iter().zip(&by_move) {
                d_from[usize::from(mv.from)] += by_move;
                d_to[usize::from(mv.to)] += by_move;
            }
            Some(loss)
        }
    }
}
