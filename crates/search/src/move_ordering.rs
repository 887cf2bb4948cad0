//! Move ordering: the scores that moves are tried by, from captured material and histories.

mod move_picker;

use games::{Color, MoveInfo, SearchGame};

use crate::history::{Histories, HistoryIndex, HistoryParts, PreviousMoves, QuietHistory};
use crate::params::Params;

pub(crate) use move_picker::MovePicker;

/// Above every history: history pruning does not apply to killer moves and the counter-move.
const REFUTATION_SCORE: i32 = 1 << 20;

/// The kind of a move, for ordering and pruning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MoveKind {
    /// A capture or promotion.
    Noisy,
    /// Neither, without check.
    Quiet,
    /// A quiet move that gives check.
    QuietCheck,
}

impl MoveKind {
    #[inline]
    pub(crate) fn of<M>(move_info: &MoveInfo<M>) -> Self {
        if move_info.is_noisy() {
            Self::Noisy
        } else if move_info.check {
            Self::QuietCheck
        } else {
            Self::Quiet
        }
    }
}

/// A move with its ordering score. Small, because lists of it are scanned for the best again and
/// again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoredMove<M> {
    pub(crate) mv: M,
    pub(crate) index: HistoryIndex,
    pub(crate) score: i32,
    pub(crate) kind: MoveKind,
    /// The policy's log-probability above that of the average move, in 1024ths of a nat; 0 without
    /// policy.
    pub(crate) relative_log_prob: i16,
}

impl<M> ScoredMove<M> {
    /// The move and its history index.
    #[inline]
    pub(crate) fn indexed(&self) -> (M, HistoryIndex)
    where
        M: Copy,
    {
        (self.mv, self.index)
    }

    /// Whether it is a capture or promotion.
    #[inline]
    pub(crate) fn is_noisy(&self) -> bool {
        self.kind == MoveKind::Noisy
    }

    /// Whether it is returned as a killer move or counter-move.
    #[inline]
    pub(crate) fn is_refutation(&self) -> bool {
        self.score >= REFUTATION_SCORE
    }

    /// Whether it is a quiet move that gives check.
    #[inline]
    pub(crate) fn is_quiet_check(&self) -> bool {
        self.kind == MoveKind::QuietCheck
    }
}

/// The weights of policy and histories, in 1024ths: of a nat of policy beside histories, and of
/// histories beside the policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PolicyWeights {
    pub(crate) policy: i32,
    pub(crate) history: i32,
    /// Whether log-probabilities of the final scores will be needed.
    pub(crate) normalise: bool,
}

/// What histories and checks count in the ordering of quiet moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderingWeights {
    /// The weight of each history, in 1024ths.
    pub(crate) histories: HistoryParts,
    /// The bonus of a quiet check.
    pub(crate) check: i32,
}

impl OrderingWeights {
    /// The weights without policy.
    pub(crate) fn classical(params: &Params) -> Self {
        Self {
            histories: [
                params.order_butterfly,
                params.order_threats,
                params.order_one,
                params.order_two,
                params.order_four,
                params.order_six,
            ],
            check: params.order_check,
        }
    }

    /// The weights beside the policy.
    pub(crate) fn beside_policy(params: &Params) -> Self {
        Self {
            histories: [
                params.policy_order_butterfly,
                params.policy_order_threats,
                params.policy_order_one,
                params.policy_order_two,
                params.policy_order_four,
                params.policy_order_six,
            ],
            check: params.policy_order_check,
        }
    }
}

/// Quiet moves that are likely to refute the previous one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refutations<M> {
    /// The killer moves: what failed high in sibling nodes.
    pub(crate) killers: [Option<M>; 2],
    /// The code of the counter-move: what refuted the previous move elsewhere.
    pub(crate) counter_move: Option<u32>,
}

impl<M: Copy> Refutations<M> {
    /// No refutations.
    pub(crate) const fn none() -> Self {
        Self { killers: [None; 2], counter_move: None }
    }
}

/// Scores the moves of a position.
pub(crate) struct MoveScorer<'a, G: SearchGame> {
    pub(crate) position: &'a G,
    pub(crate) side: Color,
    pub(crate) previous: PreviousMoves,
    /// The cells that the opponent attacks.
    pub(crate) attacked: u128,
    pub(crate) histories: &'a Histories<G>,
    pub(crate) weights: &'a OrderingWeights,
}

impl<G: SearchGame> MoveScorer<'_, G> {
    /// A noisy move by the material it gains (MVV) and capture history.
    #[inline]
    fn noisy(&self, move_info: &MoveInfo<G::Move>) -> ScoredMove<G::Move> {
        let index = HistoryIndex::of::<G>(move_info);
        let score = 16 * move_info.gain + self.histories.capture(self.side, index);
        let kind = MoveKind::Noisy;
        ScoredMove { mv: move_info.mv, index, score, kind, relative_log_prob: 0 }
    }

    #[inline]
    fn index(&self, move_info: &MoveInfo<G::Move>) -> HistoryIndex {
        HistoryIndex::of::<G>(move_info).with_threats::<G>(self.attacked)
    }

    /// A quiet move by butterfly and continuation history.
    #[inline]
    fn quiet(
        history: &QuietHistory<'_>,
        attacked: u128,
        weights: &OrderingWeights,
        move_info: &MoveInfo<G::Move>,
    ) -> ScoredMove<G::Move> {
        let index = HistoryIndex::of::<G>(move_info).with_threats::<G>(attacked);
        let mut score = history.score(index, &weights.histories);
        let mut kind = MoveKind::Quiet;
        if move_info.check {
            (score, kind) = (score + weights.check, MoveKind::QuietCheck);
        }
        ScoredMove { mv: move_info.mv, index, score, kind, relative_log_prob: 0 }
    }

    /// A move by its history alone, where the policy orders.
    #[inline]
    fn by_history(
        &self,
        history: &QuietHistory<'_>,
        move_info: &MoveInfo<G::Move>,
    ) -> ScoredMove<G::Move> {
        let index = self.index(move_info);
        let kind = MoveKind::of(move_info);
        let score = match kind {
            MoveKind::Noisy => self.histories.capture(self.side, index),
            MoveKind::Quiet | MoveKind::QuietCheck => history.score(index, &self.weights.histories),
        };
        ScoredMove { mv: move_info.mv, index, score, kind, relative_log_prob: 0 }
    }

    /// A move that is tried before its stage is generated: the TT move or a refutation.
    fn single(&self, mv: G::Move) -> ScoredMove<G::Move> {
        let move_info = self.position.move_info(mv);
        let index = self.index(&move_info);
        let kind = MoveKind::of(&move_info);
        let score = match kind {
            MoveKind::Noisy => self.histories.capture(self.side, index),
            MoveKind::Quiet | MoveKind::QuietCheck => {
                self.histories.quiet(self.side, index, self.previous)
            }
        };
        ScoredMove { mv, index, score, kind, relative_log_prob: 0 }
    }
}
