//! Nodes that are given up, or believed to be good enough, before their moves are looked at.

use games::Game;

use crate::evaluator::Evaluator;
use crate::node::{Facts, Place};
use crate::ordering::Ranking;
use crate::report::Bound;
use crate::score::WON;
use crate::search::{Job, Search};

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// The score of a node off the main line that need not be looked at further.
    pub(crate) fn cut_by_estimate(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
    ) -> Option<i32> {
        self.razor(job, position, place, facts)
            .or_else(|| self.reverse_futility(place, facts))
            .or_else(|| self.null_move(job, position, place, facts))
            .or_else(|| self.probcut(job, position, place, facts))
    }

    /// A position so far below alpha that only captures could help.
    fn razor(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
    ) -> Option<i32> {
        let Place { alpha, depth, ply, .. } = *place;
        let margin = self.params.razor_base + self.params.razor_margin * depth * depth;
        if depth > self.params.razor_depth || facts.estimate + margin >= alpha {
            return None;
        }
        let score = self.quiescence::<false>(job, position, (alpha, alpha + 1), ply, true);
        (score <= alpha || self.stopped).then_some(score)
    }

    /// A position so far above beta that the opponent's next moves will not bring it below.
    fn reverse_futility(&self, place: &Place, facts: &Facts<G>) -> Option<i32> {
        let params = &self.params;
        let improving = if facts.improving { params.reverse_improving } else { 0 };
        let margin = params.reverse_margin * place.depth - improving;
        let believed = place.depth <= params.reverse_depth
            && facts.estimate - margin.max(0) >= place.beta
            && facts.estimate < WON;
        // Less than the estimate, for some of it would be lost on the way.
        believed.then(|| place.beta + (facts.estimate - place.beta) / 3)
    }

    /// A position that is good enough even if the opponent moves twice.
    pub(crate) fn null_move(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
    ) -> Option<i32> {
        let Place { beta, depth, ply, cut, .. } = *place;
        let passed_before = ply > 0 && facts.before[0] == 0;
        let unlikely = depth < self.params.null_depth
            || facts.estimate < beta
            || facts.evaluation + 20 * depth < beta + 120
            || passed_before
            || ply < self.passing_from;
        if unlikely {
            return None;
        }
        if let (Some(table), Some(turn)) = (job.table, self.turn) {
            table.prefetch(self.key() ^ turn);
        }
        let passed = position.null_move()?;
        let surplus = ((facts.estimate - beta) / self.params.null_margin).min(3);
        let reduction = self.params.null_base + depth / self.params.null_divisor + surplus;
        self.note(ply, None);
        self.descend(job, &passed);
        let window = (-beta, 1 - beta);
        let score = -self.node::<false>(job, &passed, window, depth - reduction, ply + 1, !cut);
        self.ascend();
        if self.stopped || score < beta {
            return self.stopped.then_some(0);
        }
        let score = if score >= WON { beta } else { score };
        if depth < self.params.null_verify || self.passing_from > 0 {
            return Some(score);
        }
        // Where one would rather not move at all, passing proves nothing: look again without it.
        self.passing_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
        let window = (beta - 1, beta);
        let verified =
            self.node::<false>(job, position, window, depth - reduction, ply, false) >= beta;
        self.passing_from = 0;
        (verified || self.stopped).then_some(score)
    }

    /// A capture that wins so much that a shallow search is enough to believe it.
    pub(crate) fn probcut(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
    ) -> Option<i32> {
        let Place { beta, depth, ply, cut, .. } = *place;
        let raised = beta + self.params.probcut_margin;
        let refuted = facts.entry.is_some_and(|entry| {
            entry.depth() >= depth - 3 && entry.is_upper() && facts.table_score < raised
        });
        if depth < self.params.probcut_depth || raised >= WON || refuted {
            return None;
        }
        let mut picker = self.plies[ply].picker.take().unwrap_or_default();
        let table_move = facts.table_move.filter(|&mv| position.is_tactical(mv));
        picker.tactical(table_move, raised - facts.evaluation);
        let mut found = None;
        loop {
            let ranking = Ranking {
                position,
                side: facts.side,
                before: facts.before,
                histories: &self.histories,
            };
            let Some(ranked) = picker.next_good(&ranking) else { break };
            let mut child = position.clone();
            child.play(ranked.mv);
            self.note(ply, Some(ranked.place));
            self.descend(job, &child);
            let window = (-raised, 1 - raised);
            let mut score = -self.quiescence::<false>(job, &child, window, ply + 1, false);
            let reduced = depth - self.params.probcut_reduction;
            if score >= raised && reduced > 0 {
                score = -self.node::<false>(job, &child, window, reduced, ply + 1, !cut);
            }
            self.ascend();
            if self.stopped || score >= raised {
                let result = (score, Bound::Lower, Some(ranked.mv));
                if !self.stopped {
                    let shallow = Place { depth: (reduced + 1).max(1), ..*place };
                    self.remember(job, facts, &shallow, result);
                }
                found = Some(score);
                break;
            }
        }
        self.plies[ply].picker = Some(picker);
        found
    }
}
