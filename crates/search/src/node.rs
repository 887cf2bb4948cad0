//! A node of the tree: what is known before its moves are looked at, and what then follows.

use games::{Color, Game};

use crate::engine::SearchMode;
use crate::evaluator::Evaluator;
use crate::history::Before;
use crate::learned::{Fan, Part};
use crate::report::Bound;
use crate::score::{self, INFINITE, MATE, WON};
use crate::search::{Job, Search, mate_distance};
use crate::table::{Entry, Found, shifted};

/// From this many plies without progress on, the table's scores are not believed: it does not know of the rule that
/// ends the game soon.
const CLOCK_TRUST: usize = 85;

/// What is known of a position before its moves are looked at.
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct Facts<G: Game> {
    pub(crate) key: u64,
    pub(crate) side: Color,
    pub(crate) in_check: bool,
    pub(crate) entry: Option<Found>,
    pub(crate) table_move: Option<G::Move>,
    /// Whether that captures or promotes.
    pub(crate) table_is_tactical: bool,
    /// The table's score, counted from the root.
    pub(crate) table_score: i32,
    /// What the evaluator says; `None` in check.
    pub(crate) raw: Option<i32>,
    /// The same, corrected; −∞ in check.
    pub(crate) evaluation: i32,
    /// The same, or what the table knows better.
    pub(crate) estimate: i32,
    /// Where a search of the node's depth should end; `None` in check, and where the evaluator is not asked.
    pub(crate) fan: Option<Fan>,
    /// Whether the side to move is better off than two plies ago.
    pub(crate) improving: bool,
    /// Whether the position is or was on a main line.
    pub(crate) was_pv: bool,
    pub(crate) before: Before,
    /// By how much the evaluator is thought to be wrong.
    pub(crate) correction: i32,
    pub(crate) excluded: Option<G::Move>,
}

/// Where in the tree a node is, and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) alpha: i32,
    pub(crate) beta: i32,
    pub(crate) depth: i32,
    pub(crate) ply: usize,
    /// Whether a cutoff is expected.
    pub(crate) cut: bool,
    /// Whether it is on a main line.
    pub(crate) pv: bool,
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// The score of a position: exact between alpha and beta, a bound outside.
    pub(crate) fn node<const PV: bool>(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> i32 {
        if depth <= 0 {
            return self.leaf::<PV>(job, position, (alpha, beta), ply);
        }
        if self.count_node(job, position, ply) {
            return 0;
        }
        if PV {
            self.plies[ply].pv.clear();
        }
        let mut place = Place { alpha, beta, depth, ply, cut, pv: PV };
        if ply > 0 {
            if let Some(score) = self.early_end(position, ply) {
                return score;
            }
            if job.selective && alpha < score::of_draw() && self.can_repeat(position, ply) {
                place.alpha = score::of_draw();
            }
            (place.alpha, place.beta) = mate_distance(place.alpha, beta, ply);
            if place.alpha >= place.beta {
                return place.alpha;
            }
        }
        let raw = if PV { None } else { self.value_ahead(job, position, ply) };
        let mut facts = self.facts(job, position, ply, PV);
        facts.raw = raw;
        if !PV && let Some(score) = Self::table_cutoff(position, &place, &facts) {
            return score;
        }
        self.arrive(position);
        self.value(job, position, &place, &mut facts);
        // Cutoffs at low depth do not ask for the table's move, and whether it is legal takes as long to say as they do.
        let classical = self.parts.cutoffs == Part::Classical;
        let moveless = !PV && classical && depth < self.params.probcut_depth;
        if !moveless {
            self.find_table_move(position, ply, &mut facts);
        }
        if job.selective
            && !PV
            && let Some(score) = self.cut(job, position, &place, &facts)
        {
            return score;
        }
        if moveless {
            self.find_table_move(position, ply, &mut facts);
        }
        if job.selective {
            let classical = self.parts.reductions != Part::Learned;
            let unknown = classical && facts.table_move.is_none() && facts.excluded.is_none();
            if unknown && (PV || cut) && depth >= self.params.internal_depth {
                place.depth -= 1;
            }
            if job.mode == SearchMode::Seed && ply > 0 {
                place.depth = self.seed_depth(&place, &facts);
                if place.depth <= 0 {
                    return self.quiescence::<PV>(
                        job,
                        position,
                        (place.alpha, place.beta),
                        ply,
                        true,
                    );
                }
            }
        }
        self.moves(job, position, place, &facts)
    }

    /// The score of a node off the main line that need not be looked at further.
    fn cut(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
    ) -> Option<i32> {
        if facts.in_check || facts.excluded.is_some() || place.beta.abs() >= WON {
            return None;
        }
        if self.parts.cutoffs == Part::Classical {
            return self.cut_by_estimate(job, position, place, facts);
        }
        self.cut_by_quantiles(job, position, place, facts)
    }

    /// The score where the depth is used up.
    fn leaf<const PV: bool>(
        &mut self,
        job: &Job<'_, G>,
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
        self.plies[ply].pv.clear();
        if let Some(score) = self.early_end(position, ply) {
            return score;
        }
        if !position.has_moves() {
            return score::of_outcome(position, position.outcome_without_moves(), ply);
        }
        self.arrive(position);
        self.fresh_evaluation()
    }

    /// What a quick evaluator says, if that is what the node will be valued by. The table's entry is on its way from memory meanwhile; three of
    /// five positions have none, and for the others less time is wasted than would be waited.
    fn value_ahead(&mut self, job: &Job<'_, G>, position: &G, ply: usize) -> Option<i32> {
        let valued = job.selective && !position.is_check() && self.plies[ply].excluded.is_none();
        let plain = job.mode == SearchMode::Classical || !self.needs_fan(job);
        (valued && plain && self.evaluator.is_quick()).then(|| {
            self.arrive(position);
            self.fresh_evaluation()
        })
    }

    /// What the evaluator says, from the table if it was asked before.
    #[inline]
    pub(crate) fn raw_evaluation(&mut self, entry: Option<Found>) -> i32 {
        match entry.and_then(Found::evaluation) {
            Some(evaluation) => evaluation,
            None => self.fresh_evaluation(),
        }
    }

    /// What the evaluator says.
    #[inline]
    pub(crate) fn fresh_evaluation(&mut self) -> i32 {
        score::clamp_evaluation(self.evaluator.evaluate())
    }

    /// The mistakes that the evaluator has been seen to make in positions like this one.
    ///
    /// Known before the table is asked: what it takes to look them up passes while the table's entry comes from memory.
    ///
    /// Not compiled into those who ask: the program of a node is larger than what the processor holds close by, so that what is
    /// asked from several places is better had once.
    #[inline(never)]
    pub(crate) fn correction(&self, position: &G, before: Before) -> i32 {
        let correction =
            self.histories.correction(position.side_to_move(), position.aspects(), before);
        correction * self.params.correction_share / 1024
    }

    /// What the evaluator should have said: less the closer the game is to being drawn, and without its mistakes.
    #[inline]
    pub(crate) fn corrected(position: &G, raw: i32, correction: i32) -> i32 {
        let clock = position.reversible_plies().min(100) as i32;
        let scaled = raw * (220 - clock) / 220;
        score::clamp_evaluation(scaled + correction)
    }

    /// Gathers what is known.
    fn facts(&mut self, job: &Job<'_, G>, position: &G, ply: usize, pv: bool) -> Facts<G> {
        let key = self.key();
        let excluded = self.plies[ply].excluded;
        let before = self.before(ply);
        let in_check = position.is_check();
        let correction = if in_check { 0 } else { self.correction(position, before) };
        let entry = job.table.filter(|_| excluded.is_none()).and_then(|table| table.probe(key));
        self.plies[ply + 2].killers = [None; 2];
        self.plies[ply].doubles = ply.checked_sub(1).map_or(0, |above| self.plies[above].doubles);
        Facts {
            key,
            side: position.side_to_move(),
            in_check,
            table_score: entry.map_or(0, |entry| entry.score(ply)),
            table_move: None,
            table_is_tactical: false,
            raw: None,
            evaluation: -INFINITE,
            estimate: -INFINITE,
            fan: None,
            improving: false,
            was_pv: pv || entry.is_some_and(Found::was_pv),
            before,
            correction,
            entry,
            excluded,
        }
    }

    /// Adds the table's move to what is known, if it is one of this position.
    #[inline(never)]
    fn find_table_move(&self, position: &G, ply: usize, facts: &mut Facts<G>) {
        let code = facts.entry.and_then(Found::code);
        facts.table_move = if ply == 0 {
            Some(self.root_moves[self.lines].mv)
        } else {
            code.and_then(|code| position.move_from_code(code))
        };
        facts.table_is_tactical = facts.table_move.is_some_and(|mv| position.is_tactical(mv));
    }

    /// Values the position, if that was not done ahead.
    fn value(&mut self, job: &Job<'_, G>, position: &G, place: &Place, facts: &mut Facts<G>) {
        let ply = place.ply;
        if facts.excluded.is_some() {
            facts.evaluation = self.plies[ply].evaluation.unwrap_or(-INFINITE);
            facts.estimate = facts.evaluation;
        } else if facts.in_check {
            self.plies[ply].evaluation = None;
        } else if job.selective {
            if job.mode == SearchMode::Classical || !self.needs_fan(job) {
                facts.raw = facts.raw.or_else(|| Some(self.raw_evaluation(facts.entry)));
            } else {
                self.open_fan(job, position, place, facts);
            }
            self.evaluate_facts(position, ply, facts);
        }
        if !facts.in_check {
            let earlier = |back| ply.checked_sub(back).and_then(|ply| self.plies[ply].evaluation);
            let earlier = earlier(2).or_else(|| earlier(4));
            facts.improving = earlier.is_none_or(|earlier| facts.evaluation > earlier);
        }
    }

    fn evaluate_facts(&mut self, position: &G, ply: usize, facts: &mut Facts<G>) {
        let Some(raw) = facts.raw else { return };
        facts.evaluation = Self::corrected(position, raw, facts.correction);
        facts.estimate = facts.evaluation;
        self.plies[ply].evaluation = Some(facts.evaluation);
        if let Some(entry) = facts.entry
            && entry.cuts(facts.table_score, facts.evaluation)
            && facts.table_score.abs() < WON
        {
            facts.estimate = facts.table_score;
        }
        if let Some(fan) = &mut facts.fan {
            fan.shift(facts.estimate - raw);
        }
    }

    /// The table's score, if it says enough.
    fn table_cutoff(position: &G, place: &Place, facts: &Facts<G>) -> Option<i32> {
        let entry = facts.entry?;
        let trusted = position.reversible_plies() < CLOCK_TRUST;
        let deep = entry.depth() >= place.depth;
        let cuts = entry.cuts(facts.table_score, place.beta);
        (trusted && deep && cuts).then_some(facts.table_score)
    }

    /// Remembers in the table what was found.
    pub(crate) fn remember(
        &self,
        job: &Job<'_, G>,
        facts: &Facts<G>,
        place: &Place,
        (score, bound, best): (i32, Bound, Option<G::Move>),
    ) {
        let Some(table) = job.table else { return };
        if facts.excluded.is_some() || place.ply == 0 && self.lines > 0 {
            return;
        }
        let entry = Entry {
            code: best.map(G::move_code),
            score: shifted(score, -(place.ply as i32)),
            evaluation: facts.raw,
            depth: place.depth,
            bound,
            was_pv: facts.was_pv,
        };
        debug_assert!(score.abs() <= MATE, "{score}");
        table.store(facts.key, &entry);
    }

    /// Puts a move before the main line of the next ply.
    pub(crate) fn extend_pv(&mut self, mv: G::Move, ply: usize) {
        let (upper, lower) = self.plies.split_at_mut(ply + 1);
        let pv = &mut upper[ply].pv;
        pv.clear();
        pv.push(mv);
        pv.extend_from_slice(&lower[0].pv);
    }
}
