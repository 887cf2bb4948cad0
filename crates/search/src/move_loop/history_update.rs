//! History update: what a node teaches killer moves, counter-moves, histories and correction
//! history when its moves are searched.

use games::SearchGame;

use super::MoveLoopState;
use crate::evaluator::Evaluator;
use crate::move_ordering::ScoredMove;
use crate::node::{NodeContext, NodeInfo};
use crate::result::Bound;
use crate::score::{self, MIN_MATE, blend_fail_high};
use crate::search::{Search, SearchJob};

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Updates histories, stores the result in the transposition table, and returns the score.
    pub(super) fn finish_node(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: NodeContext,
        info: &NodeInfo<G>,
        searched: &[ScoredMove<G::Move>],
        state: &MoveLoopState<G>,
    ) -> i32 {
        if state.count == 0 {
            return match info.excluded {
                Some(_) => context.alpha,
                None => score::of_outcome(position, position.outcome_without_moves(), context.ply),
            };
        }
        let mut best = state.best_score;
        if let Some(best_move) = &state.best_move
            && best >= context.beta
            && job.selective
        {
            self.update_histories(&context, info, best_move, searched);
            best = blend_fail_high(best, context.beta, context.depth);
        }
        if state.best_move.is_none() && job.selective {
            self.reward_prior_after_fail_low(&context, info);
        }
        let bound = if best >= context.beta {
            Bound::Lower
        } else if state.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let best_move = state.best_move.as_ref().map(|scored| scored.mv);
        self.store_result(job, info, &context, (best, bound, best_move));
        self.update_correction_history(position, &context, info, bound, state);
        best
    }

    /// Updates correction history, if the score says on which side the static evaluation erred and
    /// no noisy move explains it.
    #[inline]
    fn update_correction_history(
        &mut self,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
        bound: Bound,
        state: &MoveLoopState<G>,
    ) {
        let best = state.best_score;
        let quiet = state.best_move.as_ref().is_none_or(|scored| !scored.is_noisy());
        let informative = match bound {
            Bound::Exact => true,
            Bound::Lower => best > info.static_eval,
            Bound::Upper => best < info.static_eval,
        };
        if info.raw_eval.is_some() && quiet && informative && best.abs() < MIN_MATE {
            let error = best - info.static_eval;
            let keys = position.correction_keys();
            self.corrections.update(info.side, keys, info.previous, error, context.depth);
        }
    }

    /// Rewards the move that failed high and penalises the moves searched before it.
    fn update_histories(
        &mut self,
        context: &NodeContext,
        info: &NodeInfo<G>,
        best: &ScoredMove<G::Move>,
        searched: &[ScoredMove<G::Move>],
    ) {
        let bonus = self.history_bonus(context.depth);
        let malus = -self.history_malus(context.depth);
        let NodeInfo { side, previous, .. } = *info;
        if best.is_noisy() {
            self.histories.update_capture(side, best.index, bonus);
        } else {
            self.update_killers(context.ply, best.mv);
            self.histories.set_counter_move(side, previous, G::move_code(best.mv));
            // A first move that cuts at once at low depth says little.
            if context.depth > 3 || !searched.is_empty() {
                self.histories.update_quiet(side, best.index, previous, bonus);
            }
        }
        for scored in searched {
            if scored.is_noisy() {
                self.histories.update_capture(side, scored.index, malus);
            } else if !best.is_noisy() {
                self.histories.update_quiet(side, scored.index, previous, malus);
            }
        }
    }

    /// Makes a move the first killer move of its ply.
    #[inline]
    fn update_killers(&mut self, ply: usize, mv: G::Move) {
        let killers = &mut self.stack[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
    }
}
