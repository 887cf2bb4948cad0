//! History rewards beside a fail high: what a TT cutoff, a fail low, a re-search and the static
//! evaluation say about quiet moves.

use games::{Color, SearchGame};

use crate::evaluator::Evaluator;
use crate::history::HistoryIndex;
use crate::move_ordering::ScoredMove;
use crate::node::{NodeContext, NodeInfo};
use crate::search::Search;
use crate::transposition_table::TtEntry;

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// The bonus of a move that fails high at a depth.
    pub(super) fn history_bonus(&self, depth: i32) -> i32 {
        (self.params.history_bonus_scale * depth - 50).min(self.params.history_bonus_max)
    }

    /// The malus of the moves searched before a move that fails high at a depth.
    pub(super) fn history_malus(&self, depth: i32) -> i32 {
        (self.params.history_malus_scale * depth - 50).min(self.params.history_malus_max)
    }

    /// Adds a bonus to the histories of the quiet move that led to a ply.
    fn update_prior(&mut self, ply: usize, prior: HistoryIndex, side: Color, bonus: i32) {
        let previous = self.previous_moves(ply - 1);
        self.histories.update_quiet(!side, prior, previous, bonus);
    }

    /// A TT cutoff rewards the TT move, if it is quiet, and penalises an early quiet move of the
    /// opponent that it refutes.
    pub(crate) fn reward_tt_cutoff(
        &mut self,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) {
        if info.tt_score < context.beta {
            return;
        }
        let code = info.entry.and_then(TtEntry::code);
        let Some(mv) = code.and_then(|code| position.move_from_code(code)) else { return };
        let bonus = self.history_bonus(context.depth);
        if !position.is_noisy(mv) {
            let index = HistoryIndex::of::<G>(&position.move_info(mv))
                .with_threats::<G>(position.attacked_cells());
            self.histories.update_quiet(info.side, index, info.previous, bonus);
        }
        if let Some(prior) = self.prior_quiet(context.ply)
            && self.stack[context.ply - 1].move_number <= 2
        {
            let previous = self.previous_moves(context.ply - 1);
            let malus = -self.history_bonus(context.depth + 1);
            self.histories.update_continuation(!info.side, prior, previous, malus);
        }
    }

    /// A move of the opponent after which the static evaluation is better for it than before is
    /// rewarded, one after which it is worse penalised.
    pub(crate) fn reward_prior_by_evaluation(&mut self, ply: usize, info: &NodeInfo<G>) {
        let Some(prior) = self.prior_quiet(ply).filter(|_| !info.in_check) else { return };
        let Some(before) = self.stack[ply - 1].static_eval else { return };
        let max = self.params.history_eval_max;
        let loss = info.static_eval + before;
        let bonus = (-self.params.history_eval_scale * loss).clamp(-max, max);
        self.histories.update_butterfly(!info.side, prior, bonus);
    }

    /// A node that fails low rewards the quiet move that led to it.
    pub(super) fn reward_prior_after_fail_low(
        &mut self,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) {
        let Some(prior) = self.prior_quiet(context.ply).filter(|_| info.excluded.is_none()) else {
            return;
        };
        let unexpected = i32::from(context.depth > 5)
            + i32::from(context.pv || context.cut_node)
            + i32::from(self.stack[context.ply - 1].move_number > 8);
        let bonus = self.history_bonus(context.depth) * unexpected;
        let bonus = bonus * self.params.history_prior_bonus / 1024;
        self.update_prior(context.ply, prior, info.side, bonus);
    }

    /// A re-search of full depth tells what a reduced one only suggested.
    pub(super) fn reward_after_research(
        &mut self,
        context: &NodeContext,
        info: &NodeInfo<G>,
        scored: &ScoredMove<G::Move>,
        score: i32,
        alpha: i32,
    ) {
        if scored.is_noisy() || self.stopped {
            return;
        }
        let bonus = self.history_bonus(context.depth);
        let bonus = if score <= alpha {
            -bonus
        } else if score >= context.beta {
            bonus
        } else {
            return;
        };
        self.histories.update_continuation(info.side, scored.index, info.previous, bonus);
    }
}
