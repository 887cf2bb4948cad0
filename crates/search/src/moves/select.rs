//! Which moves are looked at, and how deeply.

use games::{Described, Game};

use super::Progress;
use crate::engine::SearchMode;
use crate::evaluator::Evaluator;
use crate::history;
use crate::node::{Facts, Place};
use crate::ordering::{Picker, Ranked, Sort, exchange_gains, gains};
use crate::score::WON;
use crate::search::{Job, Search};

/// What becomes of a move before it is looked at.
pub(super) enum Verdict {
    Search,
    Skip,
    SkipQuiet,
    SkipRest,
}

/// How the table's move is to be treated.
pub(super) enum Extension {
    By(i32),
    /// Several moves are too good: this score will do.
    Cut(i32),
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// Whether a move is worth looking at. `spared` says that it is, as a capture that is known to lose nothing.
    pub(super) fn verdict(
        &self,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
        ranked: &Ranked<G::Move>,
        progress: &Progress<G>,
        spared: bool,
    ) -> Verdict {
        if progress.best <= -WON || spared {
            return Verdict::Search;
        }
        let Place { depth, .. } = *place;
        let params = &self.params;
        if ranked.is_tactical() {
            let loss = params.see_capture * depth + ranked.score.max(0) / 64;
            let bad = depth <= 8 && !gains(position, ranked.placed(), -loss);
            return if bad { Verdict::Skip } else { Verdict::Search };
        }
        let reduced = self.reduced(depth, progress.count);
        if !ranked.is_quiet_check() {
            if self.is_too_late(place, facts, progress.count, progress.alpha) {
                return Verdict::SkipQuiet;
            }
            if reduced <= params.history_depth && ranked.score < -params.history_margin * depth {
                return Verdict::Skip;
            }
        }
        let loss = params.see_quiet * reduced * reduced;
        let loses = depth <= 10 && exchange_gains(position, ranked.placed(), -loss) == Some(false);
        if loses { Verdict::Skip } else { Verdict::Search }
    }

    /// The depth that the quiet move with this number is looked at with, as far as number and depth decide.
    #[inline]
    fn reduced(&self, depth: i32, count: usize) -> i32 {
        (depth - self.reductions.of(false, depth, count) / 1024).max(0)
    }

    /// Whether quiet moves that give no check are not looked at any more, when the next move is the one with this number.
    #[inline]
    fn is_too_late(&self, place: &Place, facts: &Facts<G>, count: usize, alpha: i32) -> bool {
        let params = &self.params;
        let Place { depth, .. } = *place;
        let late = (params.late_base + depth * depth) / if facts.improving { 1 } else { 2 };
        let reduced = self.reduced(depth, count);
        let reach = facts.evaluation + params.futility_base + params.futility_margin * reduced;
        let futile = !facts.in_check && reduced <= params.futility_depth && reach <= alpha;
        count as i32 > late || futile
    }

    /// Whether no move of a node is given up, because it may be the one that mates.
    pub(super) fn spares_moves(&self, place: &Place) -> bool {
        self.wants_mate || place.pv && self.is_decided(place.alpha)
    }

    /// Whether no quiet move but checks would be looked at: then they need not be made.
    #[inline]
    pub(super) fn gives_up_quiet(
        &self,
        place: &Place,
        facts: &Facts<G>,
        progress: &Progress<G>,
    ) -> bool {
        let spared = progress.best <= -WON || self.spares_moves(place);
        !spared && self.is_too_late(place, facts, progress.count + 1, progress.alpha)
    }

    /// Whether a move is worth the depth that is left to it, and what it costs. The policy gives moves in the order of their cost.
    #[expect(clippy::too_many_arguments, reason = "what is known is handed on")]
    #[inline(never)]
    pub(super) fn learned_verdict(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
        ranked: &Ranked<G::Move>,
        progress: &mut Progress<G>,
        picker: &Picker<G>,
    ) -> Verdict {
        (progress.surprise, progress.cost) = (None, 0);
        let late = progress.count > 1 && !facts.in_check;
        if job.mode == SearchMode::Learned && late {
            let surprise = self.surprise(position, place.ply, picker, ranked);
            progress.surprise = Some(surprise);
            progress.cost = self.cost(place, facts, surprise);
        }
        let surprise = progress.surprise.filter(|_| place.ply > 0 && progress.best > -WON);
        let Some(surprise) = surprise else { return Verdict::Search };
        let price = surprise * self.params.learned_price / 1024;
        if price <= place.depth * 1024 + self.params.learned_credit {
            Verdict::Search
        } else if picker.is_by_policy() {
            Verdict::SkipRest
        } else {
            Verdict::Skip
        }
    }

    /// How surprised the policy would be if a move were best, in 1024ths of a nat.
    pub(super) fn surprise(
        &mut self,
        position: &G,
        ply: usize,
        picker: &Picker<G>,
        ranked: &Ranked<G::Move>,
    ) -> i32 {
        if picker.is_by_policy() {
            return picker.surprise(ranked);
        }
        if !self.plies[ply].policy.is_totalled() {
            let mut moves = Vec::new();
            let mut add = |described: &Described<G::Move>| {
                let place = history::Place::of::<G>(described);
                moves.push((described.mv, place, Sort::of(described)));
            };
            position.describe_tactical(|described| add(&described));
            position.describe_quiet(|described| add(&described));
            self.ask_policy(position, ply, moves.iter().copied(), true);
            self.plies[ply].policy.total(moves.iter().map(|&(_, place, _)| place).collect());
        }
        self.plies[ply].policy.surprise(ranked.place)
    }

    /// What histories know of a move.
    pub(super) fn history(&self, facts: &Facts<G>, ranked: &Ranked<G::Move>) -> i32 {
        if ranked.is_tactical() {
            self.histories.capture(facts.side, ranked.place)
        } else {
            self.histories.quiet(facts.side, ranked.place, facts.before)
        }
    }

    /// Whether a score says that the game is decided, so that only mates matter; any does where a mate is asked for.
    pub(crate) fn is_decided(&self, score: i32) -> bool {
        self.wants_mate || score.abs() >= self.params.decided
    }

    /// How much deeper the table's move is looked at where that is deep enough: more if all others are worse by far.
    // Apart from the loop over moves, which would make ready for it at every node.
    #[inline(never)]
    pub(super) fn extension(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
        mv: G::Move,
    ) -> Extension {
        let Place { depth, ply, beta, cut, pv, .. } = *place;
        let Some(entry) = facts.entry else { return Extension::By(0) };
        let asks = facts.excluded.is_none()
            && entry.depth() >= depth - 3
            && entry.is_lower()
            && facts.table_score.abs() < WON
            && ply < 2 * self.root_depth as usize;
        if !asks {
            return Extension::By(0);
        }
        let limit = facts.table_score - depth * self.params.singular_margin / 16;
        self.plies[ply].excluded = Some(mv);
        let window = (limit - 1, limit);
        let score = self.node::<false>(job, position, window, (depth - 1) / 2, ply, cut);
        self.plies[ply].excluded = None;
        if score < limit {
            let far = !pv && score < limit - self.params.singular_double;
            if far && self.plies[ply].doubles < self.params.singular_most {
                self.plies[ply].doubles += 1;
                return Extension::By(2);
            }
            return Extension::By(1);
        }
        if limit >= beta && !pv {
            return Extension::Cut(limit);
        }
        Extension::By(if facts.table_score >= beta {
            -2
        } else if cut {
            -1
        } else {
            0
        })
    }

    /// How much less deeply a late move is looked at, in 1024ths of a ply.
    pub(super) fn reduction(
        &self,
        place: &Place,
        facts: &Facts<G>,
        ranked: &Ranked<G::Move>,
        count: usize,
        gives_check: bool,
        relief: i32,
    ) -> i32 {
        let params = &self.params;
        let mut reduction = self.reductions.of(ranked.is_tactical(), place.depth, count);
        if facts.was_pv {
            reduction -= params.reduction_pv;
        }
        if place.cut {
            reduction += params.reduction_cut;
        }
        if !facts.improving {
            reduction += params.reduction_worse;
        }
        if gives_check {
            reduction -= params.reduction_check;
        }
        if facts.table_is_tactical && !ranked.is_tactical() {
            reduction += params.reduction_tactical_table;
        }
        if self.plies[place.ply].killers.contains(&Some(ranked.mv)) {
            reduction -= params.reduction_killer;
        }
        reduction -= self.history(facts, ranked) * 1024 / params.reduction_history;
        reduction - i32::from(ranked.odds) * relief / 1024
    }
}
