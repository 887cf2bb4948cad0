//! Extensions: singular extensions (with multi-cut and negative extensions) and check extensions.

use games::SearchGame;

use super::MoveLoopState;
use crate::evaluator::Evaluator;
use crate::move_ordering::ScoredMove;
use crate::node::{NodeContext, NodeInfo};
use crate::score::MIN_MATE;
use crate::search::{Search, SearchJob};
use crate::see::see_ge;

/// The result of a singular-extension search.
pub(super) enum SingularResult {
    /// Extend the TT move by so many plies; negative to reduce it.
    Extend(i32),
    /// Several moves fail high: the node returns this score.
    MultiCut(i32),
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Whether a line is short enough for extensions.
    #[inline]
    fn may_extend(&self, ply: usize) -> bool {
        ply > 0 && ply < 2 * self.root_depth as usize
    }

    /// Singular extensions: extends the TT move if a reduced search without it (with it excluded)
    /// stays below the TT score by a margin.
    // Not inlined into the loop over moves, which would save registers for it at every node.
    #[inline(never)]
    pub(super) fn singular_extension(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
        mv: G::Move,
    ) -> SingularResult {
        let NodeContext { depth, ply, beta, cut_node, pv, .. } = *context;
        let Some(entry) = info.entry else { return SingularResult::Extend(0) };
        let applies = info.excluded.is_none()
            && entry.depth() >= depth - 3
            && entry.is_lower()
            && info.tt_score.abs() < MIN_MATE
            && ply < 2 * self.root_depth as usize;
        if !applies {
            return SingularResult::Extend(0);
        }
        let singular_beta = info.tt_score - depth * self.params.singular_margin / 16;
        self.stack[ply].excluded = Some(mv);
        let window = (singular_beta - 1, singular_beta);
        let score = self.node::<false>(job, position, window, (depth - 1) / 2, ply, cut_node);
        self.stack[ply].excluded = None;
        if score < singular_beta {
            let double = !pv && score < singular_beta - self.params.singular_double_margin;
            if double && self.stack[ply].extensions < self.params.singular_max_doubles {
                self.stack[ply].extensions += 1;
                let triple = !info.tt_move_is_noisy
                    && score < singular_beta - self.params.singular_triple_margin;
                return SingularResult::Extend(if triple { 3 } else { 2 });
            }
            return SingularResult::Extend(1);
        }
        if singular_beta >= beta && !pv {
            return SingularResult::MultiCut(singular_beta);
        }
        SingularResult::Extend(if info.tt_score >= beta {
            -2
        } else if cut_node {
            -1
        } else {
            0
        })
    }

    /// Check extensions: a ply more for a check on the PV that loses nothing by SEE.
    #[inline]
    pub(super) fn check_extension(
        &self,
        position: &G,
        context: &NodeContext,
        scored: &ScoredMove<G::Move>,
    ) -> i32 {
        let NodeContext { depth, ply, pv, .. } = *context;
        let extends = depth >= self.params.check_extension_depth
            && self.may_extend(ply)
            && pv
            && see_ge(position, scored.indexed(), 0);
        i32::from(extends)
    }

    /// Learned extensions: a ply more for a nearly forced move where the quantile interval is wide.
    #[inline]
    pub(super) fn learned_extension(
        &mut self,
        context: &NodeContext,
        state: &MoveLoopState<G>,
    ) -> i32 {
        let forced = state.learned_reduction <= -1024;
        let extends = self.may_extend(context.ply)
            && forced
            && self.stack[context.ply].extensions < self.params.policy_max_extensions;
        self.stack[context.ply].extensions += i32::from(extends);
        i32::from(extends)
    }
}
