//! The moves of a node: which are looked at, how deeply, and what is learnt from them.

mod learn;
mod select;

use games::Game;

use select::{Extension, Verdict};

use crate::engine::SearchMode;
use crate::evaluator::Evaluator;
use crate::learned::Part;
use crate::node::{Facts, Place};
use crate::ordering::{Picker, Ranked, Ranking, Refutations, Weights, gains};
use crate::score::INFINITE;
use crate::search::{Job, Search};

/// What is known after some of the moves.
struct Progress<G: Game> {
    alpha: i32,
    best: i32,
    best_move: Option<Ranked<G::Move>>,
    count: usize,
    /// How surprised the policy would be if the current move were best, in 1024ths of a nat, where that decides.
    surprise: Option<i32>,
    /// What the move then costs beyond its ply, in 1024ths of a ply.
    cost: i32,
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// Looks at the moves; gives the score of the node.
    pub(crate) fn moves(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: Place,
        facts: &Facts<G>,
    ) -> i32 {
        let ply = place.ply;
        self.plies[ply].policy.clear();
        let mut picker = self.plies[ply].picker.take().unwrap_or_default();
        let mut tried = std::mem::take(&mut self.plies[ply].tried);
        tried.clear();
        let refutations = Refutations {
            killers: self.plies[ply].killers,
            counter: self.histories.counter(facts.side, facts.before),
        };
        picker.all(facts.table_move, refutations, false);
        // In check there are few moves, and the network was not made for such positions.
        let beside = self.parts.reductions == Part::Both;
        // Where little depth is left the policy takes longer than it saves.
        let worth = place.depth >= self.params.learned_policy_depth;
        match self.parts.ordering {
            _ if !job.selective || facts.in_check => {}
            Part::Learned => picker.by_policy(),
            Part::Both if worth => picker.with_policy(),
            Part::Classical if beside && worth => picker.with_policy(),
            Part::Classical | Part::Both => {}
        }
        let mut progress = Progress {
            alpha: place.alpha,
            best: -INFINITE,
            best_move: None,
            count: 0,
            surprise: None,
            cost: 0,
        };
        let cut = self.try_all(job, position, place, facts, &mut picker, &mut tried, &mut progress);
        let result = if self.stopped {
            0
        } else if let Some(score) = cut {
            score
        } else {
            self.finish(job, position, place, facts, &tried, &progress)
        };
        self.plies[ply].picker = Some(picker);
        self.plies[ply].tried = tried;
        result
    }

    /// The loop over the moves. A score if it ends early without one of them being best.
    #[expect(clippy::too_many_arguments, reason = "the loop is the place where all meet")]
    fn try_all(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: Place,
        facts: &Facts<G>,
        picker: &mut Picker<G>,
        tried: &mut Vec<Ranked<G::Move>>,
        progress: &mut Progress<G>,
    ) -> Option<i32> {
        let ply = place.ply;
        let by_cost = self.is_by_cost(job);
        let by_rules = job.selective && ply > 0 && !by_cost && !picker.is_by_policy();
        loop {
            let ranking = Ranking {
                position,
                side: facts.side,
                before: facts.before,
                histories: &self.histories,
            };
            if by_rules
                && picker.has_quiet_to_make()
                && self.gives_up_quiet(&place, facts, progress)
            {
                picker.skip_harmless();
            }
            let next = picker.next(&ranking);
            if picker.awaits_policy() {
                self.let_policy_judge(job, position, ply, picker);
                continue;
            }
            let ranked = next?;
            if facts.excluded == Some(ranked.mv) || ply == 0 && !self.is_candidate(ranked.mv) {
                continue;
            }
            progress.count += 1;
            let mut extension = 0;
            if by_cost {
                match self.learned_verdict(job, position, &place, facts, &ranked, progress, picker)
                {
                    Verdict::SkipRest => {
                        picker.skip_rest();
                        continue;
                    }
                    Verdict::Skip => continue,
                    _ => {}
                }
            } else if job.selective && ply > 0 {
                let good = picker.at_good_tactical()
                    || picker.is_by_policy()
                        && ranked.is_tactical()
                        && gains(position, ranked.placed(), 0);
                let spared = good || self.spares_moves(&place);
                let judged = if picker.is_by_policy() {
                    Ranked { score: self.history(facts, &ranked), ..ranked }
                } else {
                    ranked
                };
                match self.verdict(position, &place, facts, &judged, progress, spared) {
                    Verdict::Search => {}
                    Verdict::Skip | Verdict::SkipRest => continue,
                    Verdict::SkipQuiet => {
                        picker.skip_harmless();
                        continue;
                    }
                }
                if facts.table_move == Some(ranked.mv) && place.depth >= self.params.singular_depth
                {
                    match self.extension(job, position, &place, facts, ranked.mv) {
                        Extension::By(plies) => extension = plies,
                        Extension::Cut(score) => return Some(score),
                    }
                }
            }
            let nodes = self.nodes;
            let score = self.try_move(job, position, &place, facts, &ranked, progress, extension);
            if self.stopped {
                return None;
            }
            if ply == 0 {
                self.count_root_nodes(ranked.mv, self.nodes - nodes);
            }
            if score > progress.best {
                progress.best = score;
                if score > progress.alpha {
                    self.raise(ranked.mv, score, &place);
                    progress.best_move = Some(ranked);
                    if score >= place.beta {
                        return None;
                    }
                    progress.alpha = score;
                }
            }
            tried.push(ranked);
        }
    }

    /// Whether the policy says what moves cost.
    #[inline]
    fn is_by_cost(&self, job: &Job<'_, G>) -> bool {
        job.selective && self.parts.reductions == Part::Learned
    }

    /// Asks the policy about the moves that wait for it.
    #[inline(never)]
    fn let_policy_judge(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        ply: usize,
        picker: &mut Picker<G>,
    ) {
        let history = if job.mode == SearchMode::Seed { 0 } else { self.params.learned_adapt };
        let both = self.parts.ordering == Part::Both;
        let policy = if both { self.params.learned_blend } else { 0 };
        let weights = Weights { policy, history, surprises: self.is_by_cost(job) };
        let moves = picker.waiting().iter();
        let moves = moves.map(|ranked| (ranked.mv, ranked.place, ranked.sort));
        // Beside the rules it need not know of exchanges: they do, and it was measured to be worth nothing more.
        let corrected = picker.is_by_policy() && job.mode != SearchMode::Seed;
        self.ask_policy(position, ply, moves, corrected);
        picker.judge(self.plies[ply].policy.logits(), weights);
    }

    /// A move is better than all before.
    fn raise(&mut self, mv: G::Move, score: i32, place: &Place) {
        if place.ply == 0 {
            self.raise_root(mv, score);
        }
        if place.pv {
            self.extend_pv(mv, place.ply);
        }
    }

    /// Plays a move and gives its score: first in a null window and perhaps reduced, then as needed.
    #[expect(clippy::too_many_arguments, reason = "a move in its node has that many sides")]
    fn try_move(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
        ranked: &Ranked<G::Move>,
        progress: &Progress<G>,
        mut extension: i32,
    ) -> i32 {
        let Place { depth, ply, cut, beta, pv, .. } = *place;
        let alpha = progress.alpha;
        let mut child = position.clone();
        child.play(ranked.mv);
        self.descend(job, &child);
        let gives_check = child.is_check();
        let by_cost = self.is_by_cost(job);
        let bounded = ply > 0 && ply < 2 * self.root_depth as usize;
        if by_cost {
            // A move that is nearly forced, where much is open.
            let forced = progress.cost <= -1024;
            let extended = &mut self.plies[ply].doubles;
            if bounded && forced && *extended < self.params.learned_extensions {
                *extended += 1;
                extension = 1;
            }
        } else if job.selective && gives_check && extension == 0 && depth >= self.params.check_depth
        {
            extension = i32::from(bounded && pv && gains(position, ranked.placed(), 0));
        }
        self.note(ply, Some(ranked.place));
        let mut new_depth = depth - 1 + extension;
        let null = (-alpha - 1, -alpha);
        let mut score = -INFINITE;
        let late = progress.count > 1 + usize::from(ply == 0);
        if job.selective && depth >= 2 && late {
            let reduction = if by_cost {
                progress.cost
            } else {
                let both = self.parts.reductions == Part::Both;
                let relief = if both { self.params.learned_relief } else { 0 };
                self.reduction(place, facts, ranked, progress.count, gives_check, relief)
            };
            let reduced = (new_depth - reduction / 1024).clamp(1, new_depth.max(1));
            score = -self.node::<false>(job, &child, null, reduced, ply + 1, true);
            if score > alpha && reduced < new_depth {
                let deeper = score > progress.best + self.params.deeper_margin + 2 * new_depth;
                let shallower = score < progress.best + new_depth;
                new_depth += i32::from(deeper) - i32::from(shallower);
                if reduced < new_depth {
                    score = -self.node::<false>(job, &child, null, new_depth, ply + 1, !cut);
                }
            }
        } else if !pv || progress.count > 1 {
            score = -self.node::<false>(job, &child, null, new_depth, ply + 1, !cut);
        }
        if pv && (progress.count == 1 || score > alpha) {
            score = -self.node::<true>(job, &child, (-beta, -alpha), new_depth, ply + 1, false);
        }
        self.ascend();
        score
    }
}
