//! Quiescence: captures are played out before a position is judged.

use games::Game;

use crate::evaluator::Evaluator;
use crate::history::Before;
use crate::ordering::{Picker, Ranking, Refutations, gains};
use crate::report::Bound;
use crate::score::{self, INFINITE, WON};
use crate::search::{Job, Search};
use crate::table::{Entry, Found, shifted};

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// The score of a position after captures and promotions, and after any answer to a check. Only the `first` position of
    /// a quiescence may look at quiet checks.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        first: bool,
    ) -> i32 {
        if self.count_node(job, position, ply) {
            return 0;
        }
        if PV {
            self.plies[ply].pv.clear();
        }
        if let Some(score) = self.early_end(position, ply) {
            return score;
        }
        let key = self.key();
        let in_check = position.is_check();
        let before = self.before(ply);
        // As in `value_ahead`: five of six positions have no entry.
        self.arrive(position);
        let correction = if in_check { 0 } else { self.correction(position, before) };
        let raw = (!in_check).then(|| self.fresh_evaluation());
        let entry = job.table.and_then(|table| table.probe(key));
        if let Some(entry) = entry
            && !PV
        {
            let score = entry.score(ply);
            if entry.cuts(score, beta) {
                return score;
            }
        }
        if !in_check && !position.has_moves() {
            return score::of_outcome(position, position.outcome_without_moves(), ply);
        }
        let remember = |code, score| {
            let bound = if score >= beta { Bound::Lower } else { Bound::Upper };
            let score = shifted(score, -(ply as i32));
            let entry = Entry { code, score, evaluation: raw, depth: 0, bound, was_pv: false };
            if let Some(table) = job.table {
                table.store(key, &entry);
            }
        };
        let mut best = -INFINITE;
        if let Some(raw) = raw {
            let value = Self::corrected(position, raw, correction);
            best = entry.and_then(|entry| entry.improves(value, ply)).unwrap_or(value);
            if best >= beta {
                if entry.is_none() {
                    remember(None, best);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let window = (alpha, beta);
        let table_move = entry.and_then(Found::code);
        let table_move = table_move
            .and_then(|code| position.move_from_code(code))
            .filter(|&mv| in_check || position.is_tactical(mv));
        let mut picker = self.plies[ply].picker.take().unwrap_or_default();
        if in_check {
            picker.all(table_move, Refutations::none(), false);
        } else {
            picker.tactical(table_move, 0);
            if first && self.is_decided(alpha) {
                picker.quiet_checks();
            }
        }
        let (score, best_move) =
            self.quiescence_moves::<PV>(job, position, window, ply, best, before, &mut picker);
        self.plies[ply].picker = Some(picker);
        if !self.stopped {
            remember(best_move.map(G::move_code), score);
        }
        score
    }

    /// Looks at the moves of a picker: captures and perhaps checks, or all moves in check.
    #[expect(clippy::too_many_arguments, reason = "what is known is handed on")]
    fn quiescence_moves<const PV: bool>(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        mut best: i32,
        before: Before,
        picker: &mut Picker<G>,
    ) -> (i32, Option<G::Move>) {
        let in_check = best == -INFINITE;
        let futility = best.saturating_add(self.params.quiescence_margin);
        let captures = picker.is_tactical();
        let side = position.side_to_move();
        let mut best_move = None;
        let mut count = 0;
        loop {
            let ranking = Ranking { position, side, before, histories: &self.histories };
            let next = if captures { picker.next_good(&ranking) } else { picker.next(&ranking) };
            let Some(ranked) = next else { break };
            count += 1;
            if best > -WON {
                if !in_check && picker.at_losing() {
                    break;
                }
                if in_check && !ranked.is_tactical() {
                    // One answer to the check is not mated; the other quiet ones would only be slower.
                    picker.skip_quiet();
                    continue;
                }
                if !in_check && !ranked.is_tactical() {
                    // A check: it need not gain, but must not lose.
                    if !gains(position, ranked.placed(), 0) {
                        continue;
                    }
                } else if !in_check && futility <= alpha {
                    let gain = position.capture(ranked.mv).map_or(0, |capture| capture.victim);
                    let reach = futility + gain + position.promotion_gain(ranked.mv);
                    if reach <= alpha || !gains(position, ranked.placed(), 1) {
                        best = best.max(reach.min(alpha));
                        continue;
                    }
                }
            }
            let mut child = position.clone();
            child.play(ranked.mv);
            self.note(ply, Some(ranked.place));
            self.descend(job, &child);
            let score = -self.quiescence::<PV>(job, &child, (-beta, -alpha), ply + 1, false);
            self.ascend();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(ranked.mv);
                    if PV {
                        self.extend_pv(ranked.mv, ply);
                    }
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        if count == 0 && in_check {
            best = score::of_outcome(position, position.outcome_without_moves(), ply);
        }
        (best, best_move)
    }
}
