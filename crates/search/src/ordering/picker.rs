//! Gives moves one by one, and makes no more of them than are asked for.

use games::{Described, Game};

use super::{REFUTATION, Ranked, Ranking, Refutations, Weights, gains};
use crate::learned::log_sum;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Table,
    MakeTactical,
    GoodTactical,
    Refutations,
    Quiet,
    BadTactical,
    /// All moves at once, by the policy.
    MakeAll,
    All,
    Done,
}

/// What the policy says about the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    None,
    /// It is asked about quiet moves, beside histories.
    Beside,
    /// It orders all moves.
    Alone,
}

/// Gives the moves of a position one by one. Kept for each ply, so that its lists keep their memory.
#[derive(Clone, Debug)]
pub(crate) struct Picker<G: Game> {
    stage: Stage,
    table_move: Option<G::Move>,
    refutations: Refutations<G::Move>,
    /// The refutations that were given.
    given: [Option<G::Move>; 3],
    /// What a capture must gain to come before quiet moves.
    threshold: i32,
    moves: Vec<Ranked<G::Move>>,
    bad: Vec<Ranked<G::Move>>,
    next: usize,
    /// Whether quiet moves are left out.
    skip_quiet: bool,
    /// Whether quiet moves that give no check are left out.
    skip_harmless: bool,
    voice: Voice,
    /// Whether moves were made that the policy has not judged yet.
    awaits_policy: bool,
    /// The logarithm of the sum of all moves' odds, if the policy orders them.
    total: i32,
}

impl<G: Game> Default for Picker<G> {
    fn default() -> Self {
        Self {
            stage: Stage::Table,
            table_move: None,
            refutations: Refutations::none(),
            given: [None; 3],
            threshold: 0,
            moves: Vec::new(),
            bad: Vec::new(),
            next: 0,
            skip_quiet: false,
            skip_harmless: false,
            voice: Voice::None,
            awaits_policy: false,
            total: 0,
        }
    }
}

/// The numbers of moves that were given before, for each that is made is compared with them.
#[derive(Clone, Copy)]
struct Known {
    codes: [u64; 4],
    /// A bit for the last six bits of each: most moves share them with none.
    mask: u64,
}

impl Known {
    fn of<G: Game>(moves: [Option<G::Move>; 4]) -> Self {
        let bit = |mv: G::Move| 1 << (G::move_code(mv) % 64);
        Self {
            codes: moves.map(|mv| mv.map_or(u64::MAX, |mv| G::move_code(mv).into())),
            mask: moves.into_iter().flatten().fold(0, |mask, mv| mask | bit(mv)),
        }
    }

    #[inline]
    fn has<G: Game>(&self, mv: G::Move) -> bool {
        let code = u64::from(G::move_code(mv));
        self.mask >> (code % 64) & 1 != 0 && self.codes.contains(&code)
    }
}

impl<G: Game> Picker<G> {
    /// Begins with all moves of a position; `table_move` must be legal.
    pub(crate) fn all(
        &mut self,
        table_move: Option<G::Move>,
        refutations: Refutations<G::Move>,
        skip_quiet: bool,
    ) {
        self.stage = Stage::Table;
        self.table_move = table_move;
        self.refutations = refutations;
        self.threshold = 0;
        self.given = [None; 3];
        self.skip_quiet = skip_quiet;
        self.skip_harmless = false;
        (self.voice, self.awaits_policy) = (Voice::None, false);
        self.moves.clear();
        self.bad.clear();
    }

    /// Lets the policy order all moves but the table's.
    pub(crate) fn by_policy(&mut self) {
        self.voice = Voice::Alone;
    }

    /// Lets the policy have a word about quiet moves.
    pub(crate) fn with_policy(&mut self) {
        self.voice = Voice::Beside;
    }

    /// Whether the policy orders all moves.
    pub(crate) fn is_by_policy(&self) -> bool {
        self.voice == Voice::Alone
    }

    /// Whether moves wait for the policy: then `next` gave nothing, and goes on after [`judge`](Self::judge).
    pub(crate) fn awaits_policy(&self) -> bool {
        self.awaits_policy
    }

    /// The moves that wait for the policy; the table's may be among them, so that its odds are counted.
    pub(crate) fn waiting(&self) -> &[Ranked<G::Move>] {
        &self.moves
    }

    /// Takes what the policy says of the moves that wait for it.
    pub(crate) fn judge(&mut self, logits: &[i32], weights: Weights) {
        self.awaits_policy = false;
        let total = log_sum(logits.iter().copied());
        let even = total - (1024.0 * (self.moves.len().max(1) as f32).ln()) as i32;
        for (ranked, logit) in self.moves.iter_mut().zip(logits) {
            let odds = (logit - even).clamp(-8192, 8192);
            ranked.odds = odds as i16;
            ranked.score = match self.voice {
                Voice::Alone => logit + ranked.score * weights.history / 1024,
                _ => ranked.score + odds * weights.policy / 1024,
            };
        }
        if self.voice == Voice::Alone {
            if weights.surprises {
                self.total = log_sum(self.moves.iter().map(|ranked| ranked.score));
            }
            self.moves.retain(|ranked| Some(ranked.mv) != self.table_move);
        }
    }

    /// How surprised the policy would be if a move that it ranked were best, in 1024ths of a nat; only if the weights said that this
    /// would be asked.
    pub(crate) fn surprise(&self, ranked: &Ranked<G::Move>) -> i32 {
        (self.total - ranked.score).max(0)
    }

    /// Leaves out all moves that have not come yet.
    pub(crate) fn skip_rest(&mut self) {
        self.stage = Stage::Done;
    }

    /// Begins with the captures and promotions that gain at least `threshold`.
    pub(crate) fn tactical(&mut self, table_move: Option<G::Move>, threshold: i32) {
        self.all(table_move, Refutations::none(), true);
        self.threshold = threshold;
    }

    /// Adds quiet moves that give check to captures and promotions.
    pub(crate) fn quiet_checks(&mut self) {
        (self.skip_quiet, self.skip_harmless) = (false, true);
    }

    /// Whether only captures and promotions are asked for.
    pub(crate) fn is_tactical(&self) -> bool {
        self.skip_quiet
    }

    /// Leaves out the quiet moves that have not come yet.
    pub(crate) fn skip_quiet(&mut self) {
        self.skip_quiet = true;
    }

    /// Leaves out the quiet moves that have not come yet, but for checks.
    pub(crate) fn skip_harmless(&mut self) {
        self.skip_harmless = true;
        if self.stage == Stage::Quiet {
            self.drop_harmless();
        }
    }

    #[inline(never)]
    fn drop_harmless(&mut self) {
        let next = self.next;
        let mut place = 0;
        self.moves.retain(|ranked| {
            place += 1;
            place <= next || ranked.is_quiet_check()
        });
    }

    /// Whether quiet moves have not been made yet, and are asked for.
    pub(crate) fn has_quiet_to_make(&self) -> bool {
        matches!(self.stage, Stage::GoodTactical | Stage::Refutations) && !self.skip_harmless
    }

    /// Whether the moves that come now lose material.
    pub(crate) fn at_losing(&self) -> bool {
        self.stage == Stage::BadTactical
    }

    /// Whether the moves that come now are captures and promotions that lose nothing.
    pub(crate) fn at_good_tactical(&self) -> bool {
        self.stage == Stage::GoodTactical
    }

    /// The next move.
    ///
    /// A question after the other instead of a jump to the stage: most of them are answered alike each time.
    #[inline]
    pub(crate) fn next(&mut self, ranking: &Ranking<'_, G>) -> Option<Ranked<G::Move>> {
        if self.awaits_policy {
            return None;
        }
        if self.stage == Stage::Table {
            self.stage = if self.is_by_policy() { Stage::MakeAll } else { Stage::MakeTactical };
            if let Some(mv) = self.table_move {
                return Some(ranking.single(mv));
            }
        }
        if self.stage == Stage::MakeTactical {
            self.make_tactical(ranking);
        }
        if self.stage == Stage::GoodTactical {
            while let Some(best) = self.best() {
                if self.is_good(ranking, &best) {
                    return Some(best);
                }
                self.bad.push(best);
            }
            (self.stage, self.next) = (Stage::Refutations, 0);
        }
        if self.stage == Stage::Refutations {
            if let Some(refutation) = self.refutation(ranking) {
                return Some(refutation);
            }
            self.make_quiet(ranking);
            if self.awaits_policy {
                return None;
            }
        }
        if self.stage == Stage::Quiet {
            if !self.skip_quiet
                && let Some(best) = self.best()
            {
                return Some(best);
            }
            (self.stage, self.next) = (Stage::BadTactical, 0);
        }
        if self.stage == Stage::BadTactical {
            let bad = self.bad.get(self.next).copied();
            self.next += 1;
            return bad;
        }
        self.next_by_policy(ranking)
    }

    /// The next move, if the policy orders all of them.
    #[inline(never)]
    fn next_by_policy(&mut self, ranking: &Ranking<'_, G>) -> Option<Ranked<G::Move>> {
        if self.stage == Stage::MakeAll {
            self.make_all(ranking);
            return None;
        }
        if self.stage == Stage::All { self.best() } else { None }
    }

    /// The next capture or promotion that gains enough, after the table's move: what [`next`](Self::next) gives before any
    /// other move, for those who ask for no others.
    #[inline]
    pub(crate) fn next_good(&mut self, ranking: &Ranking<'_, G>) -> Option<Ranked<G::Move>> {
        if self.stage == Stage::Table {
            self.stage = Stage::MakeTactical;
            if let Some(mv) = self.table_move {
                return Some(ranking.single(mv));
            }
        }
        if self.stage == Stage::MakeTactical {
            self.make_tactical(ranking);
        }
        loop {
            let best = self.best()?;
            if self.is_good(ranking, &best) {
                return Some(best);
            }
        }
    }

    /// Whether a capture or promotion gains enough.
    #[inline]
    fn is_good(&self, ranking: &Ranking<'_, G>, ranked: &Ranked<G::Move>) -> bool {
        gains(ranking.position, ranked.placed(), self.threshold)
    }

    // What follows is done once for many moves that are given. Compiled into `next` it would be saved registers and a
    // larger frame for each of them.

    #[inline(never)]
    fn make_all(&mut self, ranking: &Ranking<'_, G>) {
        let quiets = ranking.histories.quiets(ranking.side, ranking.before);
        let moves = &mut self.moves;
        let position = ranking.position;
        position.describe_tactical(|described| moves.push(ranking.by_history(&quiets, &described)));
        position.describe_quiet(|described| moves.push(ranking.by_history(&quiets, &described)));
        (self.stage, self.next) = (Stage::All, 0);
        self.awaits_policy = true;
    }

    #[inline(never)]
    fn make_tactical(&mut self, ranking: &Ranking<'_, G>) {
        let Self { moves, table_move, .. } = self;
        ranking.position.describe_tactical(|described| {
            if Some(described.mv) != *table_move {
                moves.push(ranking.tactical(&described));
            }
        });
        (self.stage, self.next) = (Stage::GoodTactical, 0);
    }

    /// The next of the killers and the counter-move that can be played here: before other quiet moves are made, because
    /// often one of them is enough.
    #[inline(never)]
    fn refutation(&mut self, ranking: &Ranking<'_, G>) -> Option<Ranked<G::Move>> {
        while self.next < 3 && !self.skip_quiet {
            let number = self.next;
            self.next += 1;
            let position = ranking.position;
            let legal = match self.refutations.killers.get(number) {
                Some(killer) => killer.filter(|&mv| position.is_legal(mv)),
                None => self.refutations.counter.and_then(|code| position.move_from_code(code)),
            };
            let new = legal.filter(|&mv| {
                Some(mv) != self.table_move
                    && !self.given.contains(&Some(mv))
                    && !position.is_tactical(mv)
            });
            let Some(mv) = new else { continue };
            self.given[number] = Some(mv);
            let ranked = ranking.single(mv);
            if !self.skip_harmless || ranked.is_quiet_check() {
                return Some(Ranked { score: REFUTATION, ..ranked });
            }
        }
        None
    }

    #[inline(never)]
    fn make_quiet(&mut self, ranking: &Ranking<'_, G>) {
        self.moves.clear();
        (self.stage, self.next) = (Stage::Quiet, 0);
        if self.skip_quiet {
            return;
        }
        let [first, second, third] = self.given;
        let known = Known::of::<G>([self.table_move, first, second, third]);
        let moves = &mut self.moves;
        let quiets = ranking.histories.quiets(ranking.side, ranking.before);
        let add = |described: Described<G::Move>| {
            if !known.has::<G>(described.mv) {
                moves.push(Ranking::<G>::quiet(&quiets, &described));
            }
        };
        if self.skip_harmless {
            ranking.position.describe_checks(add);
        } else {
            ranking.position.describe_quiet(add);
        }
        self.awaits_policy = self.voice == Voice::Beside && self.moves.len() > 1;
    }

    /// Takes the best of those that are left.
    #[inline]
    fn best(&mut self) -> Option<Ranked<G::Move>> {
        let rest = self.moves.get_mut(self.next..)?;
        let mut best = 0;
        let mut most = rest.first()?.score;
        for (place, ranked) in rest.iter().enumerate().skip(1) {
            if ranked.score > most {
                (best, most) = (place, ranked.score);
            }
        }
        rest.swap(0, best);
        self.next += 1;
        rest.first().copied()
    }
}
