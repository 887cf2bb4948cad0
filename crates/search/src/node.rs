//! Alpha-beta node (negamax, principal variation search): the steps of a node before its moves.
//!
//! 1. terminal nodes, repetition, mate-distance pruning
//! 2. transposition-table probe and TT cutoff
//! 3. static evaluation
//! 4. node pruning: razoring, RFP, NMP, ProbCut, or cutoffs by quantiles
//! 5. internal iterative reductions (IIR)
//! 6. the [move loop](crate::move_loop)

mod context;
mod static_eval;

use games::SearchGame;

use crate::engine::SearchMode;
use crate::evaluator::Evaluator;
use crate::params::Selectivity;
use crate::result::Bound;
use crate::score::{self, DRAW, MATE, MIN_MATE, adjust_mate_score, mate_distance_window};
use crate::search::{Search, SearchJob};
use crate::transposition_table::TtData;

pub(crate) use context::{NodeContext, NodeInfo};

/// From this many reversible plies on there are no TT cutoffs: the hash key leaves out the rule
/// that ends the game soon.
const MAX_REVERSIBLE_PLIES: usize = 85;

/// Up to this depth a TT cutoff must agree with the node type.
const MAX_DOUBTED_DEPTH: i32 = 5;

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// The score of a position: exact inside the window, a bound outside (fail-soft).
    pub(crate) fn node<const PV: bool>(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.leaf::<PV>(job, position, (alpha, beta), ply);
        }
        if self.count_node(job, position, ply) {
            return 0;
        }
        if PV {
            self.stack[ply].pv.clear();
        }
        let mut context = NodeContext { alpha, beta, depth, ply, cut_node, pv: PV };
        if ply > 0 {
            if let Some(score) = self.terminal_score(position, ply) {
                return score;
            }
            if job.selective && alpha < DRAW && self.can_repeat(position, ply) {
                context.alpha = DRAW;
            }
            (context.alpha, context.beta) = mate_distance_window(context.alpha, beta, ply);
            if context.alpha >= context.beta {
                return context.alpha;
            }
        }
        let raw_eval = if PV { None } else { self.evaluate_before_probe(job, position, ply) };
        let mut info = self.probe_node(job, position, ply, PV);
        info.raw_eval = raw_eval;
        if !PV && let Some(score) = Self::tt_cutoff(position, &context, &info) {
            self.reward_tt_cutoff(position, &context, &info);
            return score;
        }
        self.push_evaluator(position);
        self.evaluate_node(job, position, &context, &mut info);
        // Pruning at low depth does not use the TT move, and the test of its legality takes as long
        // as the pruning.
        let classical = self.sources.cutoffs == Selectivity::Classical;
        let late_tt_move = !PV && classical && depth < self.params.probcut_min_depth;
        if !late_tt_move {
            self.find_tt_move(position, ply, &mut info);
        }
        if job.selective && ply > 0 && info.excluded.is_none() {
            self.reward_prior_by_evaluation(ply, &info);
            if !self.wants_mate {
                context.depth += self.hindsight(&context, &info);
            }
        }
        if job.selective
            && !PV
            && let Some(score) = self.prune_node(job, position, &context, &info)
        {
            return score;
        }
        if late_tt_move {
            self.find_tt_move(position, ply, &mut info);
        }
        if job.selective {
            context.depth -= self.internal_iterative_reduction(&context, &info);
            if job.mode == SearchMode::Seed && ply > 0 {
                context.depth = self.seed_depth(&context, &info);
                if context.depth <= 0 {
                    let window = (context.alpha, context.beta);
                    return self.quiescence::<PV>(job, position, window, ply, true);
                }
            }
        }
        self.search_moves(job, position, context, &info)
    }

    /// Internal iterative reductions (IIR): a PV or cut node without a TT move is searched a ply
    /// less deep, for its moves are badly ordered.
    #[inline]
    fn internal_iterative_reduction(&self, context: &NodeContext, info: &NodeInfo<G>) -> i32 {
        let classical = self.sources.reductions != Selectivity::Learned;
        let no_tt_move = classical && info.tt_move.is_none() && info.excluded.is_none();
        let expected = context.pv || context.cut_node;
        i32::from(no_tt_move && expected && context.depth >= self.params.iir_min_depth)
    }

    /// The score of a node off the PV that needs no moves.
    fn prune_node(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) -> Option<i32> {
        if info.in_check || info.excluded.is_some() || context.beta.abs() >= MIN_MATE {
            return None;
        }
        if self.sources.cutoffs == Selectivity::Classical {
            return self.prune_by_margins(job, position, context, info);
        }
        self.cut_by_quantiles(job, position, context, info)
    }

    /// The score at depth 0: quiescence search, or the static evaluation where nothing is
    /// selective.
    fn leaf<const PV: bool>(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        window: (i32, i32),
        ply: usize,
    ) -> i32 {
        if job.selective {
            return self.quiescence::<PV>(job, position, window, ply, true);
        }
        if self.count_node(job, position, ply) {
            return 0;
        }
        self.stack[ply].pv.clear();
        if let Some(score) = self.terminal_score(position, ply) {
            return score;
        }
        if !position.has_moves() {
            return score::of_outcome(position, position.outcome_without_moves(), ply);
        }
        self.push_evaluator(position);
        self.evaluate()
    }

    /// Hindsight: by how many plies a node that a reduced move led to is searched deeper. One more if
    /// that move turns out to be better than its parent's evaluation said, one less if it is clearly
    /// worse.
    fn hindsight(&self, context: &NodeContext, info: &NodeInfo<G>) -> i32 {
        let parent = &self.stack[context.ply - 1];
        let Some(before) = parent.static_eval.filter(|_| !info.in_check) else { return 0 };
        let gain = info.static_eval + before;
        if parent.reduction >= 3 * 1024 && gain < 0 {
            return 1;
        }
        let calm = parent.reduction >= 2 * 1024 && gain > self.params.hindsight_margin;
        -i32::from(calm && context.depth >= 2)
    }

    /// The TT score, if depth and bound suffice for a cutoff.
    fn tt_cutoff(position: &G, context: &NodeContext, info: &NodeInfo<G>) -> Option<i32> {
        let entry = info.entry?;
        let trusted = position.reversible_plies() < MAX_REVERSIBLE_PLIES;
        let deep = entry.depth() >= context.depth;
        let cuts = entry.proves(info.tt_score, context.beta);
        // At low depth a bound that contradicts the node type is too often wrong.
        let expected = context.cut_node == (info.tt_score >= context.beta)
            || context.depth > MAX_DOUBTED_DEPTH;
        (trusted && deep && cuts && expected).then_some(info.tt_score)
    }

    /// Stores the result of a node in the transposition table.
    pub(crate) fn store_result(
        &self,
        job: &SearchJob<'_, G>,
        info: &NodeInfo<G>,
        context: &NodeContext,
        (score, bound, best): (i32, Bound, Option<G::Move>),
    ) {
        let Some(table) = job.table else { return };
        if info.excluded.is_some() || context.ply == 0 && self.pv_index > 0 {
            return;
        }
        let data = TtData {
            code: best.map(G::move_code),
            score: adjust_mate_score(score, -(context.ply as i32)),
            raw_eval: info.raw_eval,
            depth: context.depth,
            bound,
            tt_pv: info.tt_pv,
        };
        debug_assert!(score.abs() <= MATE, "{score}");
        table.store(info.key, &data);
    }
}
