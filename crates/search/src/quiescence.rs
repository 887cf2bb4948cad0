//! Quiescence search: captures and promotions are played out before a leaf is evaluated; in check
//! all evasions, and quiet checks where the game is decided.

use games::SearchGame;

use crate::evaluator::Evaluator;
use crate::history::PreviousMoves;
use crate::move_ordering::{MovePicker, MoveScorer, Refutations};
use crate::result::Bound;
use crate::score::{self, INFINITE, MIN_MATE, adjust_mate_score, blend_fail_high};
use crate::search::{Search, SearchJob};
use crate::see::{score_of_material, see_ge};
use crate::transposition_table::{TtData, TtEntry};

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// The score of a position by noisy moves, and by all evasions in check. Only the `first` node
    /// of a quiescence search may try quiet checks.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        first: bool,
    ) -> i32 {
        if self.count_node(job, position, ply) {
            return 0;
        }
        if PV {
            self.stack[ply].pv.clear();
        }
        if let Some(score) = self.terminal_score(position, ply) {
            return score;
        }
        let key = self.key();
        let in_check = position.is_check();
        let previous = self.previous_moves(ply);
        // Evaluated before the probe, as in `evaluate_before_probe`: five of six positions have no
        // entry.
        self.push_evaluator(position);
        let correction = if in_check { 0 } else { self.correction(position, previous) };
        let raw_eval = (!in_check).then(|| self.evaluate());
        let entry = job.table.and_then(|table| table.probe(key));
        if let Some(entry) = entry
            && !PV
        {
            let score = entry.score(ply);
            if entry.proves(score, beta) {
                return score;
            }
        }
        if !in_check && !position.has_moves() {
            return score::of_outcome(position, position.outcome_without_moves(), ply);
        }
        let tt_pv = PV || entry.is_some_and(TtEntry::tt_pv);
        let store = |code, score| {
            let bound = if score >= beta { Bound::Lower } else { Bound::Upper };
            let score = adjust_mate_score(score, -(ply as i32));
            let data = TtData { code, score, raw_eval, depth: 0, bound, tt_pv };
            if let Some(table) = job.table {
                table.store(key, &data);
            }
        };
        let mut best = -INFINITE;
        if let Some(raw_eval) = raw_eval {
            // Stand pat.
            let static_eval = Self::corrected(position, raw_eval, correction);
            let estimate = entry.and_then(|entry| entry.better_estimate(static_eval, ply));
            best = estimate.unwrap_or(static_eval);
            if best >= beta {
                best = blend_fail_high(best, beta, 1);
                if entry.is_none() {
                    store(None, best);
                }
                return best;
            }
            alpha = alpha.max(best);
        }
        let window = (alpha, beta);
        let tt_move = entry.and_then(TtEntry::code);
        let tt_move = tt_move
            .and_then(|code| position.move_from_code(code))
            .filter(|&mv| in_check || position.is_noisy(mv));
        let mut picker = self.stack[ply].picker.take().unwrap_or_default();
        if in_check {
            picker.start(tt_move, Refutations::none(), false);
        } else {
            picker.start_noisy(tt_move, 0);
            if first && self.is_decided(alpha) {
                picker.add_quiet_checks();
            }
        }
        let (score, best_move) =
            self.quiescence_moves::<PV>(job, position, window, ply, best, previous, &mut picker);
        self.stack[ply].picker = Some(picker);
        let score = blend_fail_high(score, beta, 1);
        if !self.stopped {
            store(best_move.map(G::move_code), score);
        }
        score
    }

    /// Searches the moves of a picker: noisy moves and perhaps quiet checks, or all evasions.
    #[expect(clippy::too_many_arguments, reason = "the loop takes over from its node")]
    fn quiescence_moves<const PV: bool>(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        (mut alpha, beta): (i32, i32),
        ply: usize,
        mut best: i32,
        previous: PreviousMoves,
        picker: &mut MovePicker<G>,
    ) -> (i32, Option<G::Move>) {
        let in_check = best == -INFINITE;
        let futility = best.saturating_add(self.params.qs_futility_margin);
        let noisy_only = picker.is_noisy_only();
        let side = position.side_to_move();
        let attacked = if in_check { position.attacked_cells() } else { 0 };
        let weights = self.ordering_weights(false);
        let mut best_move = None;
        let mut count = 0;
        loop {
            let histories = &self.histories;
            let scorer =
                MoveScorer { position, side, previous, attacked, histories, weights: &weights };
            let next =
                if noisy_only { picker.next_good_noisy(&scorer) } else { picker.next(&scorer) };
            let Some(scored) = next else { break };
            count += 1;
            if best > -MIN_MATE {
                if !in_check && picker.is_at_bad_noisy() {
                    break;
                }
                if in_check && !scored.is_noisy() {
                    // One evasion avoids the mate; the other quiet ones would only cost time.
                    picker.skip_quiets();
                    continue;
                }
                if !in_check && !scored.is_noisy() {
                    // A quiet check: SEE pruning if it loses material.
                    if !see_ge(position, scored.indexed(), 0) {
                        continue;
                    }
                } else if !in_check && futility <= alpha {
                    // Futility pruning: the material gained does not reach alpha.
                    let gain = position.capture(scored.mv).map_or(0, |capture| capture.victim)
                        + position.promotion_gain(scored.mv);
                    let reach = futility + score_of_material(gain);
                    if reach <= alpha || !see_ge(position, scored.indexed(), 1) {
                        best = best.max(reach.min(alpha));
                        continue;
                    }
                }
            }
            let mut child = position.clone();
            child.play(scored.mv);
            self.set_played(ply, side, &scored);
            self.enter(job, &child);
            let score = -self.quiescence::<PV>(job, &child, (-beta, -alpha), ply + 1, false);
            self.leave();
            if self.stopped {
                break;
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(scored.mv);
                    if PV {
                        self.extend_pv(scored.mv, ply);
                    }
                    alpha = score;
                    if score >= beta {
                        // Fail high.
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
