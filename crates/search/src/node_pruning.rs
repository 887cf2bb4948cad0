//! Node pruning by margins: razoring, reverse futility pruning (RFP), null-move pruning (NMP) and
//! ProbCut. Each returns the score of a node whose moves need no search.

use games::SearchGame;

use crate::evaluator::Evaluator;
use crate::move_ordering::MoveScorer;
use crate::node::{NodeContext, NodeInfo};
use crate::result::Bound;
use crate::sampling::{RfpNodeSample, SampleKind, SearchSample};
use crate::score::MIN_MATE;
use crate::search::{Search, SearchJob};
use crate::see::material_of_score;

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// The score of a node off the PV that one of the rules prunes.
    pub(crate) fn prune_by_margins(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) -> Option<i32> {
        if self.sampler.takes(SampleKind::RfpNodes) {
            let score = self.sample_rfp_node(job, position, context, info);
            if score.is_some() {
                return score;
            }
        }
        self.razoring(job, position, context, info)
            .or_else(|| self.reverse_futility_pruning(context, info))
            .or_else(|| self.null_move_pruning(job, position, context, info))
            .or_else(|| self.probcut(job, position, context, info))
    }

    /// The margin above beta of reverse futility pruning.
    fn rfp_margin(&self, context: &NodeContext, info: &NodeInfo<G>) -> i32 {
        let params = &self.params;
        let improving = if info.improving { params.rfp_improving } else { 0 };
        let correction = info.correction.abs() * params.rfp_correction / 1024;
        (params.rfp_base + params.rfp_margin * context.depth - improving + correction).max(0)
    }

    /// Searches a node that reverse futility pruning may cut, if a sample of it is due.
    #[cold]
    fn sample_rfp_node(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) -> Option<i32> {
        let surplus = info.estimate - context.beta;
        let margin = self.rfp_margin(context, info);
        let near = (0..=2 * margin + 50).contains(&surplus);
        if !near || info.tt_pv || context.depth > self.params.rfp_max_depth {
            return None;
        }
        if !self.sampler.is_due(SampleKind::RfpNodes) {
            return None;
        }
        self.sampler.set_verifies(true);
        let score = self.search_moves(job, position, *context, info);
        self.sampler.set_verifies(false);
        if !self.stopped {
            self.sampler.add(SearchSample::RfpNode(RfpNodeSample {
                depth: context.depth,
                surplus,
                improving: info.improving,
                correction: info.correction.abs(),
                margin,
                fails_high: score >= context.beta,
            }));
        }
        Some(score)
    }

    /// Razoring: a node so far below alpha that only noisy moves could help goes to quiescence
    /// search.
    fn razoring(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) -> Option<i32> {
        let NodeContext { alpha, depth, ply, .. } = *context;
        let margin = self.params.razor_base + self.params.razor_margin * depth * depth;
        if depth > self.params.razor_max_depth || info.estimate + margin >= alpha {
            return None;
        }
        let score = self.quiescence::<false>(job, position, (alpha, alpha + 1), ply, true);
        (score <= alpha || self.stopped).then_some(score)
    }

    /// Reverse futility pruning (RFP): a node so far above beta that the opponent's next moves will
    /// not bring it below fails high.
    fn reverse_futility_pruning(&self, context: &NodeContext, info: &NodeInfo<G>) -> Option<i32> {
        let fails_high = context.depth <= self.params.rfp_max_depth
            && !info.tt_pv
            && info.estimate - self.rfp_margin(context, info) >= context.beta
            && info.estimate < MIN_MATE;
        // Less than the estimate, for a search would lose some of it.
        fails_high.then(|| context.beta + (info.estimate - context.beta) / 3)
    }

    /// Null-move pruning (NMP): a node that fails high even if the opponent moves twice.
    pub(crate) fn null_move_pruning(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) -> Option<i32> {
        let NodeContext { beta, depth, ply, cut_node, .. } = *context;
        let after_null_move = ply > 0 && info.previous[0] == 0;
        let unlikely = depth < self.params.nmp_min_depth
            || info.estimate < beta
            || info.static_eval + 13 * depth < beta + 78
            || after_null_move
            || ply < self.null_move_min_ply;
        if unlikely {
            return None;
        }
        if let (Some(table), Some(null_move_key)) = (job.table, self.null_move_key) {
            table.prefetch(self.key() ^ null_move_key);
        }
        let child = position.null_move()?;
        let surplus =
            ((info.estimate - beta) / self.params.nmp_eval_divisor).min(self.params.nmp_eval_max);
        let reduction = self.params.nmp_base + depth / self.params.nmp_depth_divisor + surplus;
        self.set_null_move(ply);
        self.stack[ply].reduction = 0;
        self.enter(job, &child);
        let window = (-beta, 1 - beta);
        let score = -self.node::<false>(job, &child, window, depth - reduction, ply + 1, !cut_node);
        self.leave();
        if self.stopped || score < beta {
            return self.stopped.then_some(0);
        }
        let score = if score >= MIN_MATE { beta } else { score };
        if depth < self.params.nmp_verify_depth || self.null_move_min_ply > 0 {
            return Some(score);
        }
        // In zugzwang a null move proves nothing: verify by a search without it.
        self.null_move_min_ply = ply + (3 * (depth - reduction) / 4).max(1) as usize;
        let window = (beta - 1, beta);
        let verified =
            self.node::<false>(job, position, window, depth - reduction, ply, false) >= beta;
        self.null_move_min_ply = 0;
        (verified || self.stopped).then_some(score)
    }

    /// ProbCut: a noisy move that fails high against a raised beta, in quiescence search and in a
    /// reduced search.
    pub(crate) fn probcut(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) -> Option<i32> {
        let NodeContext { beta, depth, ply, cut_node, .. } = *context;
        let raised = beta + self.params.probcut_margin;
        let refuted = info.entry.is_some_and(|entry| {
            entry.depth() >= depth - 3 && entry.is_upper() && info.tt_score < raised
        });
        if depth < self.params.probcut_min_depth || raised >= MIN_MATE || refuted {
            return None;
        }
        let mut picker = self.stack[ply].picker.take().unwrap_or_default();
        let tt_move = info.tt_move.filter(|&mv| position.is_noisy(mv));
        picker.start_noisy(tt_move, material_of_score(raised - info.static_eval));
        let weights = self.ordering_weights(false);
        let mut found = None;
        loop {
            let scorer = MoveScorer {
                position,
                side: info.side,
                previous: info.previous,
                attacked: 0,
                histories: &self.histories,
                weights: &weights,
            };
            let Some(scored) = picker.next_good_noisy(&scorer) else { break };
            let mut child = position.clone();
            child.play(scored.mv);
            self.set_played(ply, info.side, &scored);
            self.stack[ply].reduction = 0;
            self.enter(job, &child);
            let window = (-raised, 1 - raised);
            let mut score = -self.quiescence::<false>(job, &child, window, ply + 1, false);
            let reduced = depth - self.params.probcut_reduction;
            if score >= raised && reduced > 0 {
                score = -self.node::<false>(job, &child, window, reduced, ply + 1, !cut_node);
            }
            self.leave();
            if self.stopped || score >= raised {
                let result = (score, Bound::Lower, Some(scored.mv));
                if !self.stopped {
                    let shallow = NodeContext { depth: (reduced + 1).max(1), ..*context };
                    self.store_result(job, info, &shallow, result);
                }
                found = Some(score);
                break;
            }
        }
        self.stack[ply].picker = Some(picker);
        found
    }
}
