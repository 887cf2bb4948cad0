//! The moves of a node: which are looked at, how deeply, and what is learnt from them.

use games::Game;

use crate::engine::SearchMode;
use crate::evaluator::Evaluator;
use crate::history;
use crate::learned::Part;
use crate::node::{Facts, Place};
use crate::ordering::{Picker, Ranked, Ranking, Refutations, Weights, gains};
use crate::report::Bound;
use crate::score::{self, INFINITE, WON};
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

/// What becomes of a move before it is looked at.
enum Verdict {
    Search,
    Skip,
    SkipQuiet,
    SkipRest,
}

/// How the table's move is to be treated.
enum Extension {
    By(i32),
    /// Several moves are too good: this score will do.
    Cut(i32),
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// Looks at the moves; gives the score of the node.
    pub(crate) fn moves<const PV: bool>(
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
            counter: self.histories.counter(facts.side, &facts.before),
        };
        picker.all(facts.table_move, refutations, false);
        // In check there are few moves, and the network was not made for such positions.
        let beside = Part::new(job, self.params.learned_reductions) == Part::Both;
        match Part::new(job, self.params.learned_ordering) {
            _ if !job.selective || facts.in_check => {}
            Part::Learned => picker.by_policy(),
            Part::Both => picker.with_policy(),
            Part::Classical if beside => picker.with_policy(),
            Part::Classical => {}
        }
        let mut progress = Progress {
            alpha: place.alpha,
            best: -INFINITE,
            best_move: None,
            count: 0,
            surprise: None,
            cost: 0,
        };
        let cut =
            self.try_all::<PV>(job, position, place, facts, &mut picker, &mut tried, &mut progress);
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
    fn try_all<const PV: bool>(
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
        let history = if job.mode == SearchMode::Seed { 0 } else { self.params.learned_adapt };
        let both = Part::new(job, self.params.learned_ordering) == Part::Both;
        let policy = if both { self.params.learned_blend } else { 0 };
        let weights = Weights { policy, history };
        let by_cost =
            job.selective && Part::new(job, self.params.learned_reductions) == Part::Learned;
        loop {
            let ranking = Ranking {
                position,
                side: facts.side,
                before: &facts.before,
                histories: &self.histories,
            };
            let next = picker.next(&ranking);
            if picker.awaits_policy() {
                self.ask_policy(ply, picker.waiting().iter().map(|ranked| ranked.place));
                picker.judge(self.plies[ply].policy.logits(), weights);
                continue;
            }
            let ranked = next?;
            if facts.excluded == Some(ranked.mv) || ply == 0 && !self.is_candidate(ranked.mv) {
                continue;
            }
            progress.count += 1;
            let mut extension = 0;
            (progress.surprise, progress.cost) = (None, 0);
            if by_cost {
                let late = progress.count > 1 && !facts.in_check;
                if job.mode == SearchMode::Learned && late {
                    let surprise = self.surprise(position, ply, picker, &ranked);
                    progress.surprise = Some(surprise);
                    progress.cost = self.cost::<PV>(&place, facts, surprise);
                }
                match self.learned_verdict(&place, progress, picker) {
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
                        && gains(position, ranked.mv, 0);
                let spared = good || PV && self.is_decided(place.alpha);
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
                match self.extension::<PV>(job, position, &place, facts, ranked.mv) {
                    Extension::By(plies) => extension = plies,
                    Extension::Cut(score) => return Some(score),
                }
            }
            let nodes = self.nodes;
            let score =
                self.try_move::<PV>(job, position, &place, facts, &ranked, progress, extension);
            if self.stopped {
                return None;
            }
            if ply == 0 {
                self.count_root_nodes(ranked.mv, self.nodes - nodes);
            }
            if score > progress.best {
                progress.best = score;
                if score > progress.alpha {
                    self.raise::<PV>(ranked.mv, score, ply);
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

    /// A move is better than all before.
    fn raise<const PV: bool>(&mut self, mv: G::Move, score: i32, ply: usize) {
        if ply == 0 {
            self.raise_root(mv, score);
        }
        if PV {
            self.extend_pv(mv, ply);
        }
    }

    /// Whether a move is worth looking at. `spared` says that it is, as a capture that is known to lose nothing.
    fn verdict(
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
        let reduction = self.reductions.of(ranked.is_tactical(), depth, progress.count) / 1024;
        let reduced = (depth - reduction).max(0);
        if ranked.is_tactical() {
            let loss = params.see_capture * depth + ranked.score.max(0) / 64;
            let bad = depth <= 8 && !gains(position, ranked.mv, -loss);
            return if bad { Verdict::Skip } else { Verdict::Search };
        }
        if !ranked.is_quiet_check() {
            let late = (params.late_base + depth * depth) / if facts.improving { 1 } else { 2 };
            let reach = facts.evaluation + params.futility_base + params.futility_margin * reduced;
            let futile =
                !facts.in_check && reduced <= params.futility_depth && reach <= progress.alpha;
            if progress.count as i32 > late || futile {
                return Verdict::SkipQuiet;
            }
            if reduced <= params.history_depth && ranked.score < -params.history_margin * depth {
                return Verdict::Skip;
            }
        }
        let loss = params.see_quiet * reduced * reduced;
        let loses = depth <= 10 && position.exchange_gains(ranked.mv, -loss) == Some(false);
        if loses { Verdict::Skip } else { Verdict::Search }
    }

    /// Whether a move is worth the depth that is left to it. The policy gives moves in the order of their cost.
    fn learned_verdict(
        &self,
        place: &Place,
        progress: &Progress<G>,
        picker: &Picker<G>,
    ) -> Verdict {
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
    fn surprise(
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
            let mut places = Vec::new();
            position
                .describe_tactical(|described| places.push(history::Place::of::<G>(&described)));
            position.describe_quiet(|described| places.push(history::Place::of::<G>(&described)));
            self.ask_policy(ply, places.iter().copied());
            self.plies[ply].policy.total(places);
        }
        self.plies[ply].policy.surprise(ranked.place)
    }

    /// What histories know of a move.
    fn history(&self, facts: &Facts<G>, ranked: &Ranked<G::Move>) -> i32 {
        if ranked.is_tactical() {
            self.histories.capture(facts.side, ranked.place)
        } else {
            self.histories.quiets(facts.side, &facts.before).score(ranked.place)
        }
    }

    /// Whether a score says that the game is decided, so that only mates matter.
    pub(crate) fn is_decided(&self, score: i32) -> bool {
        score.abs() >= self.params.decided
    }

    /// How much deeper the table's move is looked at: more if all others are worse by far.
    fn extension<const PV: bool>(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
        mv: G::Move,
    ) -> Extension {
        let Place { depth, ply, beta, cut, .. } = *place;
        let Some(entry) = facts.entry.filter(|_| facts.table_move == Some(mv)) else {
            return Extension::By(0);
        };
        let asks = depth >= self.params.singular_depth
            && facts.excluded.is_none()
            && entry.depth >= depth - 3
            && entry.bound != Bound::Upper
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
            let far = !PV && score < limit - self.params.singular_double;
            if far && self.plies[ply].doubles < self.params.singular_most {
                self.plies[ply].doubles += 1;
                return Extension::By(2);
            }
            return Extension::By(1);
        }
        if limit >= beta && !PV {
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

    /// Plays a move and gives its score: first in a null window and perhaps reduced, then as needed.
    #[expect(clippy::too_many_arguments, reason = "a move in its node has that many sides")]
    fn try_move<const PV: bool>(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
        ranked: &Ranked<G::Move>,
        progress: &Progress<G>,
        mut extension: i32,
    ) -> i32 {
        let Place { depth, ply, cut, beta, .. } = *place;
        let alpha = progress.alpha;
        let mut child = position.clone();
        child.play(ranked.mv);
        self.descend(job, &child);
        let gives_check = child.is_check();
        let by_cost =
            job.selective && Part::new(job, self.params.learned_reductions) == Part::Learned;
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
            extension = i32::from(bounded && PV && gains(position, ranked.mv, 0));
        }
        self.plies[ply].place = Some(ranked.place.piece_to);
        self.plies[ply].passed = false;
        let mut new_depth = depth - 1 + extension;
        let null = (-alpha - 1, -alpha);
        let mut score = -INFINITE;
        let late = progress.count > 1 + usize::from(ply == 0);
        if job.selective && depth >= 2 && late {
            let reduction = if by_cost {
                progress.cost
            } else {
                let both = Part::new(job, self.params.learned_reductions) == Part::Both;
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
        } else if !PV || progress.count > 1 {
            score = -self.node::<false>(job, &child, null, new_depth, ply + 1, !cut);
        }
        if PV && (progress.count == 1 || score > alpha) {
            score = -self.node::<true>(job, &child, (-beta, -alpha), new_depth, ply + 1, false);
        }
        self.ascend();
        score
    }

    /// How much less deeply a late move is looked at, in 1024ths of a ply.
    fn reduction(
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

    /// Learns from the moves, remembers the result, and gives it.
    fn finish(
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
            self.histories.correct(facts.side, aspects, &facts.before, error, place.depth);
        }
        best
    }

    /// Learns that a move refuted the last one and that those before it did not.
    fn learn(
        &mut self,
        place: &Place,
        facts: &Facts<G>,
        best: &Ranked<G::Move>,
        tried: &[Ranked<G::Move>],
    ) {
        let params = &self.params;
        let bonus = (params.bonus_scale * place.depth - 50).min(params.bonus_most);
        let malus = -(params.malus_scale * place.depth - 50).min(params.malus_most);
        let Facts { side, before, .. } = facts;
        if best.is_tactical() {
            self.histories.update_capture(*side, best.place, bonus);
        } else {
            let killers = &mut self.plies[place.ply].killers;
            if killers[0] != Some(best.mv) {
                *killers = [Some(best.mv), killers[0]];
            }
            self.histories.set_counter(*side, before, G::move_code(best.mv));
            // A first move that cuts at once at low depth teaches little.
            if place.depth > 3 || !tried.is_empty() {
                self.histories.update_quiet(*side, best.place, before, bonus);
            }
        }
        for ranked in tried {
            if ranked.is_tactical() {
                self.histories.update_capture(*side, ranked.place, malus);
            } else if !best.is_tactical() {
                self.histories.update_quiet(*side, ranked.place, before, malus);
            }
        }
    }
}
