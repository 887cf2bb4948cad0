//! Move pruning: late-move pruning (LMP), futility pruning, history pruning, SEE pruning, and
//! pruning by the policy.

use games::SearchGame;

use super::MoveLoopState;
use crate::engine::SearchMode;
use crate::evaluator::Evaluator;
use crate::move_ordering::{MovePicker, ScoredMove};
use crate::node::{NodeContext, NodeInfo};
use crate::score::MIN_MATE;
use crate::search::{Search, SearchJob};
use crate::see::{exact_see_ge, score_of_material, see_ge};

/// The maximum depth of SEE pruning of noisy moves, and of quiet ones.
const SEE_NOISY_MAX_DEPTH: i32 = 8;
const SEE_QUIET_MAX_DEPTH: i32 = 10;

/// What becomes of a move before it is searched.
pub(super) enum PruningDecision {
    /// Search it.
    Search,
    /// Prune it.
    Skip,
    /// Prune it and all other quiet moves that give no check.
    SkipQuiets,
    /// Prune it and all moves after it.
    SkipRest,
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Whether a move is pruned. `exempt` moves are not, such as captures that lose nothing by SEE.
    pub(super) fn prune_move(
        &self,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
        scored: &ScoredMove<G::Move>,
        state: &MoveLoopState<G>,
        exempt: bool,
    ) -> PruningDecision {
        if state.best_score <= -MIN_MATE || exempt {
            return PruningDecision::Search;
        }
        let NodeContext { depth, .. } = *context;
        let pruned = if scored.is_noisy() {
            self.see_pruning_noisy(position, depth, scored)
                || self.futility_pruning_noisy(position, info, context, scored, state.alpha)
        } else {
            let reduced = self.lmr.reduced_depth(depth, state.count);
            if !scored.is_quiet_check() {
                if self.late_move_pruning(context, info, state.count)
                    || self.futility_pruning(info, reduced, state.alpha)
                {
                    return PruningDecision::SkipQuiets;
                }
                if self.history_pruning(info, depth, reduced, scored) {
                    return PruningDecision::Skip;
                }
            }
            self.see_pruning_quiet(position, depth, reduced, scored)
        };
        if pruned { PruningDecision::Skip } else { PruningDecision::Search }
    }

    /// Late-move pruning (LMP): enough quiet moves have been searched at this depth. `count` is the
    /// number of the move, from 1.
    #[inline]
    fn late_move_pruning(&self, context: &NodeContext, info: &NodeInfo<G>, count: usize) -> bool {
        let depth = context.depth;
        let divisor = if info.improving { 1 } else { 2 };
        count as i32 > (self.params.lmp_base + depth * depth) / divisor
    }

    /// Futility pruning: the static evaluation is so far below alpha that no quiet move reaches it.
    #[inline]
    fn futility_pruning(&self, info: &NodeInfo<G>, reduced: i32, alpha: i32) -> bool {
        let params = &self.params;
        let reach = info.static_eval + params.futility_base + params.futility_margin * reduced;
        !info.in_check && reduced <= params.futility_max_depth && reach <= alpha
    }

    /// History pruning: a quiet move with bad histories, or that the policy thinks little of.
    #[inline]
    fn history_pruning(
        &self,
        info: &NodeInfo<G>,
        depth: i32,
        reduced: i32,
        scored: &ScoredMove<G::Move>,
    ) -> bool {
        if reduced > self.params.history_pruning_depth || scored.is_refutation() {
            return false;
        }
        let policy =
            i32::from(scored.relative_log_prob) * self.params.history_pruning_policy / 1024;
        self.history_of(info, scored) + policy < -self.params.history_pruning_margin * depth
    }

    /// Futility pruning of captures: even with what it captures a move stays below alpha.
    #[inline]
    fn futility_pruning_noisy(
        &self,
        position: &G,
        info: &NodeInfo<G>,
        context: &NodeContext,
        scored: &ScoredMove<G::Move>,
        alpha: i32,
    ) -> bool {
        let params = &self.params;
        if info.in_check || context.depth > params.futility_noisy_depth {
            return false;
        }
        let gain = position.capture(scored.mv).map_or(0, |capture| capture.victim)
            + position.promotion_gain(scored.mv);
        let margin = params.futility_noisy_base + params.futility_margin * context.depth;
        info.static_eval + margin + score_of_material(gain) <= alpha
    }

    /// SEE pruning of noisy moves: a capture or promotion that loses too much material.
    #[inline]
    fn see_pruning_noisy(&self, position: &G, depth: i32, scored: &ScoredMove<G::Move>) -> bool {
        let loss = self.params.see_noisy_margin * depth + scored.score.max(0) / 64;
        depth <= SEE_NOISY_MAX_DEPTH && !see_ge(position, scored.indexed(), -loss)
    }

    /// SEE pruning of quiet moves: a move to a cell where the piece is lost.
    #[inline]
    fn see_pruning_quiet(
        &self,
        position: &G,
        depth: i32,
        reduced: i32,
        scored: &ScoredMove<G::Move>,
    ) -> bool {
        let loss = self.params.see_quiet_margin * reduced * reduced;
        depth <= SEE_QUIET_MAX_DEPTH
            && exact_see_ge(position, scored.indexed(), -loss) == Some(false)
    }

    /// Whether no move of a node is pruned, because it may be the one that mates.
    pub(super) fn prunes_no_moves(&self, context: &NodeContext) -> bool {
        self.wants_mate || context.pv && self.is_decided(context.alpha)
    }

    /// Whether late-move or futility pruning leaves no quiet move but checks: then the others need
    /// not be generated.
    #[inline]
    pub(super) fn prunes_all_quiets(
        &self,
        context: &NodeContext,
        info: &NodeInfo<G>,
        state: &MoveLoopState<G>,
    ) -> bool {
        let exempt = state.best_score <= -MIN_MATE || self.prunes_no_moves(context);
        if exempt {
            return false;
        }
        let count = state.count + 1;
        let reduced = self.lmr.reduced_depth(context.depth, count);
        self.late_move_pruning(context, info, count)
            || self.futility_pruning(info, reduced, state.alpha)
    }

    /// Whether a score decides the game, so that only mates matter; any does where a mate is
    /// searched for.
    pub(crate) fn is_decided(&self, score: i32) -> bool {
        self.wants_mate || score.abs() >= self.params.decided_score
    }

    /// Pruning by the policy: a move whose negative log-probability exceeds the depth left. Also
    /// sets its learned reduction. The policy orders moves by their probability.
    #[expect(clippy::too_many_arguments, reason = "a move depends on all of its node")]
    #[inline(never)]
    pub(super) fn prune_by_policy(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
        scored: &ScoredMove<G::Move>,
        state: &mut MoveLoopState<G>,
        picker: &MovePicker<G>,
    ) -> PruningDecision {
        state.learned_reduction = 0;
        if job.mode != SearchMode::Learned || state.count <= 1 || info.in_check {
            return PruningDecision::Search;
        }
        let neg_log_prob = self.neg_log_prob(position, context.ply, picker, scored);
        state.learned_reduction = self.learned_reduction(context, info, neg_log_prob);
        if context.ply == 0 || state.best_score <= -MIN_MATE {
            return PruningDecision::Search;
        }
        let cost = neg_log_prob * self.params.policy_pruning_scale / 1024;
        if cost <= context.depth * 1024 + self.params.policy_pruning_margin {
            PruningDecision::Search
        } else if picker.is_by_policy() {
            PruningDecision::SkipRest
        } else {
            PruningDecision::Skip
        }
    }
}
