//! Move loop of an alpha-beta node: principal variation search (PVS) over the moves, with late-move
//! reductions and re-searches.

mod extensions;
mod history_rewards;
mod history_update;
mod move_pruning;

use games::SearchGame;

use extensions::SingularResult;
use move_pruning::PruningDecision;

use crate::engine::SearchMode;
use crate::evaluator::Evaluator;
use crate::move_ordering::{MovePicker, MoveScorer, PolicyWeights, Refutations, ScoredMove};
use crate::node::{NodeContext, NodeInfo};
use crate::params::Selectivity;
use crate::sampling::{CutNodeSample, LateMoveSample, OrderingFeatures, SampleKind, SearchSample};
use crate::score::{INFINITE, MIN_MATE};
use crate::search::{Search, SearchJob};
use crate::see::see_ge;

/// The state of the loop over the moves of a node.
pub(crate) struct MoveLoopState<G: SearchGame> {
    pub(crate) alpha: i32,
    pub(crate) best_score: i32,
    best_move: Option<ScoredMove<G::Move>>,
    /// The number of the current move, from 1.
    pub(crate) count: usize,
    /// The learned reduction of the current move, in 1024ths of a ply.
    pub(crate) learned_reduction: i32,
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Searches the moves; returns the score of the node.
    pub(crate) fn search_moves(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: NodeContext,
        info: &NodeInfo<G>,
    ) -> i32 {
        let ply = context.ply;
        self.stack[ply].policy.clear();
        self.stack[ply + 2].cutoff_count = 0;
        let mut picker = self.stack[ply].picker.take().unwrap_or_default();
        let mut searched = std::mem::take(&mut self.stack[ply].searched);
        searched.clear();
        let refutations = Refutations {
            killers: self.stack[ply].killers,
            counter_move: self.histories.counter_move(info.side, info.previous),
        };
        picker.start(info.tt_move, refutations, false);
        self.choose_ordering(job, &context, info, &mut picker);
        let sampled = job.selective
            && !context.pv
            && !info.in_check
            && info.excluded.is_none()
            && !picker.is_by_policy()
            && self.sampler.is_due(SampleKind::CutNodes);
        if sampled {
            picker.shuffle_quiets(self.sampler.random());
        }
        self.stack[ply].sampled_moves = sampled.then(Vec::new);
        let mut state = MoveLoopState {
            alpha: context.alpha,
            best_score: -INFINITE,
            best_move: None,
            count: 0,
            learned_reduction: 0,
        };
        let multi_cut =
            self.move_loop(job, position, context, info, &mut picker, &mut searched, &mut state);
        // Where other quiet moves are pruned, checks come last: that they cut is no wonder.
        if let Some(moves) = self.stack[ply].sampled_moves.take()
            && !self.stopped
            && !picker.skips_quiets()
        {
            self.sample_cut_node(position, &context, moves, &state);
        }
        let result = if self.stopped {
            0
        } else if let Some(score) = multi_cut {
            score
        } else {
            self.finish_node(job, position, context, info, &searched, &state)
        };
        self.stack[ply].picker = Some(picker);
        self.stack[ply].searched = searched;
        result
    }

    /// Chooses the role of the policy in move ordering.
    #[inline]
    fn choose_ordering(
        &self,
        job: &SearchJob<'_, G>,
        context: &NodeContext,
        info: &NodeInfo<G>,
        picker: &mut MovePicker<G>,
    ) {
        // In check there are few moves, and the network is not trained on such positions.
        let reduces = self.sources.reductions == Selectivity::Both;
        // Where little depth is left the policy takes longer than it saves.
        let deep = context.depth >= self.params.policy_min_depth;
        match self.sources.ordering {
            _ if !job.selective || info.in_check => {}
            Selectivity::Learned => picker.order_by_policy(),
            Selectivity::Both if deep => picker.blend_policy(),
            Selectivity::Classical if reduces && deep => picker.blend_policy(),
            Selectivity::Classical | Selectivity::Both => {}
        }
    }

    /// The loop over the moves. Returns a score if it ends by a multi-cut, without a best move.
    #[expect(clippy::too_many_arguments, reason = "the loop is where everything meets")]
    fn move_loop(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        mut context: NodeContext,
        info: &NodeInfo<G>,
        picker: &mut MovePicker<G>,
        searched: &mut Vec<ScoredMove<G::Move>>,
        state: &mut MoveLoopState<G>,
    ) -> Option<i32> {
        let ply = context.ply;
        let attacked = position.attacked_cells();
        let learned = self.has_learned_reductions(job);
        let classical = job.selective && ply > 0 && !learned && !picker.is_by_policy();
        let weights = self.ordering_weights(picker.is_blended());
        loop {
            let scorer = MoveScorer {
                position,
                side: info.side,
                previous: info.previous,
                attacked,
                histories: &self.histories,
                weights: &weights,
            };
            if classical
                && picker.has_quiets_to_generate()
                && self.prunes_all_quiets(&context, info, state)
            {
                picker.skip_quiets_but_checks();
            }
            let next = picker.next(&scorer);
            if picker.awaits_policy() {
                self.evaluate_policy(job, position, ply, picker);
                continue;
            }
            let scored = next?;
            if info.excluded == Some(scored.mv) || ply == 0 && !self.is_candidate(scored.mv) {
                continue;
            }
            state.count += 1;
            let mut extension = 0;
            if learned {
                match self.prune_by_policy(job, position, &context, info, &scored, state, picker) {
                    PruningDecision::SkipRest => {
                        picker.skip_rest();
                        continue;
                    }
                    PruningDecision::Skip => continue,
                    _ => {}
                }
            } else if job.selective && ply > 0 {
                let good = picker.is_at_good_noisy()
                    || picker.is_by_policy()
                        && scored.is_noisy()
                        && see_ge(position, scored.indexed(), 0);
                let exempt = good || self.prunes_no_moves(&context);
                let judged = if picker.is_by_policy() {
                    ScoredMove { score: self.history_of(info, &scored), ..scored }
                } else {
                    scored
                };
                match self.prune_move(position, &context, info, &judged, state, exempt) {
                    PruningDecision::Search => {}
                    PruningDecision::Skip | PruningDecision::SkipRest => continue,
                    PruningDecision::SkipQuiets => {
                        picker.skip_quiets_but_checks();
                        continue;
                    }
                }
                if info.tt_move == Some(scored.mv)
                    && context.depth >= self.params.singular_min_depth
                {
                    match self.singular_extension(job, position, &context, info, scored.mv) {
                        SingularResult::Extend(plies) => extension = plies,
                        SingularResult::MultiCut(score) => return Some(score),
                    }
                }
            }
            if self.stack[ply].sampled_moves.is_some() && picker.is_at_quiet() {
                let features = self.ordering_features(info, &scored, picker.is_blended());
                self.stack[ply].sampled_moves.get_or_insert_default().push((scored.mv, features));
            }
            let nodes = self.nodes;
            let score = self.search_move(job, position, &context, info, &scored, state, extension);
            if self.stopped {
                return None;
            }
            if ply == 0 {
                self.count_root_nodes(scored.mv, self.nodes - nodes);
            }
            if score > state.best_score {
                state.best_score = score;
                if score > state.alpha {
                    self.update_pv(scored.mv, score, &context);
                    state.best_move = Some(scored);
                    if score >= context.beta {
                        // Fail high.
                        self.stack[ply].cutoff_count += 1;
                        return None;
                    }
                    state.alpha = score;
                    if job.selective && !self.wants_mate {
                        context.depth -= self.alpha_raise_reduction(&context, score);
                    }
                }
            }
            searched.push(scored);
        }
    }

    /// Adds a sample of a node in which a quiet move failed high after another one did not.
    #[cold]
    fn sample_cut_node(
        &mut self,
        position: &G,
        context: &NodeContext,
        moves: Vec<(G::Move, OrderingFeatures)>,
        state: &MoveLoopState<G>,
    ) {
        let best = state.best_move.as_ref().filter(|_| state.best_score >= context.beta);
        let last = moves.last().map(|(mv, _)| *mv);
        if moves.len() > 1 && best.is_some_and(|best| Some(best.mv) == last) {
            let (position, depth) = (position.clone(), context.depth);
            self.sampler.add(SearchSample::CutNode(CutNodeSample { position, depth, moves }));
        }
    }

    /// Whether the policy alone reduces and prunes moves.
    #[inline]
    fn has_learned_reductions(&self, job: &SearchJob<'_, G>) -> bool {
        job.selective && self.sources.reductions == Selectivity::Learned
    }

    /// Evaluates the policy of the moves that the picker has generated.
    #[inline(never)]
    fn evaluate_policy(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        ply: usize,
        picker: &mut MovePicker<G>,
    ) {
        let history =
            if job.mode == SearchMode::Seed { 0 } else { self.params.policy_history_weight };
        let both = self.sources.ordering == Selectivity::Both;
        let policy = if both { self.params.policy_blend } else { 0 };
        let normalise = self.has_learned_reductions(job);
        let weights = PolicyWeights { policy, history, normalise };
        let moves = picker.generated().iter();
        let moves = moves.map(|scored| (scored.mv, scored.index, scored.kind));
        // Beside the classical rules, which use SEE themselves, class biases gain nothing.
        let class_biases = picker.is_by_policy() && job.mode != SearchMode::Seed;
        self.policy_logits(position, ply, moves, class_biases);
        picker.set_policy(self.stack[ply].policy.logits(), weights);
    }

    /// Updates PV and root move by a move that raises alpha.
    fn update_pv(&mut self, mv: G::Move, score: i32, context: &NodeContext) {
        if context.ply == 0 {
            self.update_root_move(mv, score);
        }
        if context.pv {
            self.extend_pv(mv, context.ply);
        }
    }

    /// Plays a move and returns its score: first in a null window, perhaps reduced (LMR), then by
    /// re-searches as needed.
    #[expect(clippy::too_many_arguments, reason = "a move depends on all of its node")]
    fn search_move(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
        scored: &ScoredMove<G::Move>,
        state: &MoveLoopState<G>,
        mut extension: i32,
    ) -> i32 {
        let NodeContext { depth, ply, cut_node, beta, pv, .. } = *context;
        let alpha = state.alpha;
        let mut child = position.clone();
        child.play(scored.mv);
        self.enter(job, &child);
        let gives_check = child.is_check();
        let learned = self.has_learned_reductions(job);
        if learned {
            extension += self.learned_extension(context, state);
        } else if job.selective && gives_check && extension == 0 {
            extension = self.check_extension(position, context, scored);
        }
        self.set_played(ply, info.side, scored);
        self.stack[ply].move_number = state.count;
        self.stack[ply].reduction = 0;
        let mut new_depth = depth - 1 + extension;
        let null_window = (-alpha - 1, -alpha);
        let mut score = -INFINITE;
        let late = state.count > 1 + usize::from(ply == 0);
        let sampled = job.selective
            && late
            && depth >= 3
            && !learned
            && alpha.abs() < MIN_MATE
            && self.sampler.is_due(SampleKind::LateMoves);
        let sample =
            sampled.then(|| self.late_move_sample(context, info, scored, state.count, gives_check));
        if job.selective && depth >= 2 && late {
            let reduction = if learned {
                state.learned_reduction
            } else {
                self.late_move_reduction(context, info, scored, state.count, gives_check)
            };
            let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
            self.stack[ply].reduction = 1024 * (new_depth - reduced);
            score = -self.node::<false>(job, &child, null_window, reduced, ply + 1, true);
            self.stack[ply].reduction = 0;
            if score > alpha && reduced < new_depth {
                let margin = self.params.lmr_deeper_margin + 4 * new_depth / 3;
                let deeper = score > state.best_score + margin;
                let shallower = score < state.best_score + 2 * new_depth / 3;
                new_depth += i32::from(deeper) - i32::from(shallower);
                if reduced < new_depth {
                    score = -self.node::<false>(
                        job,
                        &child,
                        null_window,
                        new_depth,
                        ply + 1,
                        !cut_node,
                    );
                    self.reward_after_research(context, info, scored, score, alpha);
                }
            }
        } else if !pv || state.count > 1 {
            score = -self.node::<false>(job, &child, null_window, new_depth, ply + 1, !cut_node);
        }
        if pv && (state.count == 1 || score > alpha) {
            score = -self.node::<true>(job, &child, (-beta, -alpha), new_depth, ply + 1, false);
        }
        if let Some(sample) = sample {
            self.verify_late_move(
                job,
                &child,
                sample,
                alpha,
                (depth - 1 + extension, ply, cut_node),
            );
        }
        self.leave();
        score
    }

    /// Searches a late move without reduction, and adds the sample.
    #[cold]
    fn verify_late_move(
        &mut self,
        job: &SearchJob<'_, G>,
        child: &G,
        sample: LateMoveSample,
        alpha: i32,
        (depth, ply, cut_node): (i32, usize, bool),
    ) {
        if self.stopped {
            return;
        }
        let nodes = self.nodes;
        self.sampler.set_verifies(true);
        let window = (-alpha - 1, -alpha);
        let score = -self.node::<false>(job, child, window, depth, ply + 1, !cut_node);
        self.sampler.set_verifies(false);
        if !self.stopped {
            let (nodes, fails_high) = (self.nodes - nodes, score > alpha);
            self.sampler.add(SearchSample::LateMove(LateMoveSample {
                nodes,
                fails_high,
                ..sample
            }));
        }
    }
}
