//! What is learnt from the moves of a node.

use games::Game;

use super::Progress;
use crate::evaluator::Evaluator;
use crate::node::{Facts, Place};
use crate::ordering::Ranked;
use crate::report::Bound;
use crate::score::{self, WON};
use crate::search::{Job, Search};

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// Learns from the moves, remembers the result, and gives it.
    pub(super) fn finish(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: Place,
        facts: &Facts<G>,
        tried: &[Ranked<G::Move>],
        progress: &Progress<G>,
    ) -> i32 {
        if progress.count == 0 {
            return match facts.excluded {
                Some(_) => place.alpha,
                None => score::of_outcome(position, position.outcome_without_moves(), place.ply),
            };
        }
        let best = progress.best;
        if let Some(ranked) = &progress.best_move
            && best >= place.beta
            && job.selective
        {
            self.learn(&place, facts, ranked, tried);
        }
        let bound = if best >= place.beta {
            Bound::Lower
        } else if progress.best_move.is_some() {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let best_move = progress.best_move.as_ref().map(|ranked| ranked.mv);
        self.remember(job, facts, &place, (best, bound, best_move));
        let quiet = progress.best_move.as_ref().is_none_or(|ranked| !ranked.is_tactical());
        let informative = match bound {
            Bound::Exact => true,
            Bound::Lower => best > facts.evaluation,
            Bound::Upper => best < facts.evaluation,
        };
        if facts.raw.is_some() && quiet && informative && best.abs() < WON {
            let error = best - facts.evaluation;
            let aspects = position.aspects();
            self.histories.correct(facts.side, aspects, facts.before, error, place.depth);
        }
        best
    }

    /// Learns that a move refuted the last one and that those before it did not.
    pub(super) fn learn(
        &mut self,
        place: &Place,
        facts: &Facts<G>,
        best: &Ranked<G::Move>,
        tried: &[Ranked<G::Move>],
    ) {
        let params = &self.params;
        let bonus = (params.bonus_scale * place.depth - 50).min(params.bonus_most);
        let malus = -(params.malus_scale * place.depth - 50).min(params.malus_most);
        let Facts { side, before, .. } = *facts;
        if best.is_tactical() {
            self.histories.update_capture(side, best.place, bonus);
        } else {
            let killers = &mut self.plies[place.ply].killers;
            if killers[0] != Some(best.mv) {
                *killers = [Some(best.mv), killers[0]];
            }
            self.histories.set_counter(side, before, G::move_code(best.mv));
            // A first move that cuts at once at low depth teaches little.
            if place.depth > 3 || !tried.is_empty() {
                self.histories.update_quiet(side, best.place, before, bonus);
            }
        }
        for ranked in tried {
            if ranked.is_tactical() {
                self.histories.update_capture(side, ranked.place, malus);
            } else if !best.is_tactical() {
                self.histories.update_quiet(side, ranked.place, before, malus);
            }
        }
    }
}
