//! The order in which moves are tried.
//!
//! Moves are made in two batches, captures and promotions first, for a cutoff by one of those makes the rest
//! unnecessary. Of a batch the best is sought when it is asked for: mostly only the first few are.

use games::{Color, Game};

use crate::history::{Before, Histories, Place};

/// What a quiet check gains in the ranking.
const CHECK: i32 = 6000;

/// A move with what ordering knows of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<M> {
    pub(crate) mv: M,
    pub(crate) place: Place,
    pub(crate) score: i32,
    /// Whether it captures or promotes.
    pub(crate) tactical: bool,
    /// Whether it is a quiet move that gives check.
    pub(crate) check: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Table,
    MakeTactical,
    GoodTactical,
    MakeQuiet,
    Quiet,
    BadTactical,
    Done,
}

/// Gives the moves of a position one by one. Kept for each ply, so that its lists keep their memory.
#[derive(Clone, Debug)]
pub(crate) struct Picker<G: Game> {
    stage: Stage,
    table_move: Option<G::Move>,
    refutations: Refutations<G::Move>,
    /// What a capture must gain to come before quiet moves.
    threshold: i32,
    moves: Vec<Ranked<G::Move>>,
    bad: Vec<Ranked<G::Move>>,
    next: usize,
    /// Whether quiet moves are left out.
    skip_quiet: bool,
}

impl<G: Game> Default for Picker<G> {
    fn default() -> Self {
        Self {
            stage: Stage::Table,
            table_move: None,
            refutations: Refutations::none(),
            threshold: 0,
            moves: Vec::new(),
            bad: Vec::new(),
            next: 0,
            skip_quiet: false,
        }
    }
}

/// Quiet moves that are likely to refute the last one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refutations<M> {
    /// What refuted sister positions.
    pub(crate) killers: [Option<M>; 2],
    /// The number of the move that refuted the last one elsewhere.
    pub(crate) counter: Option<u32>,
}

impl<M: Copy> Refutations<M> {
    /// None is known.
    pub(crate) const fn none() -> Self {
        Self { killers: [None; 2], counter: None }
    }
}

/// Where the moves of a position are ranked.
pub(crate) struct Ranking<'a, G: Game> {
    pub(crate) position: &'a G,
    pub(crate) side: Color,
    pub(crate) before: &'a Before,
    pub(crate) histories: &'a Histories,
}

/// Whether a move gains at least `threshold`; where the game cannot tell, whether it takes something at least as good.
#[inline]
pub(crate) fn gains<G: Game>(position: &G, mv: G::Move, threshold: i32) -> bool {
    position.exchange_gains(mv, threshold).unwrap_or_else(|| {
        let gain = position.capture(mv).map_or(0, |capture| capture.victim - capture.attacker);
        gain.max(position.promotion_gain(mv)) >= threshold.min(0)
    })
}

impl<G: Game> Ranking<'_, G> {
    fn tactical(&self, mv: G::Move) -> Ranked<G::Move> {
        let place = Place::of(self.position, mv);
        let victim = self.position.capture(mv).map_or(0, |capture| capture.victim);
        let gain = victim + self.position.promotion_gain(mv);
        let score = 16 * gain + self.histories.capture(self.side, place);
        Ranked { mv, place, score, tactical: true, check: false }
    }

    fn quiet(&self, mv: G::Move, refutations: &Refutations<G::Move>) -> Ranked<G::Move> {
        let place = Place::of(self.position, mv);
        let mut score = self.histories.quiet(self.side, place, self.before);
        if let Some(rank) = refutations.killers.iter().position(|&other| other == Some(mv)) {
            score += 1 << (20 - rank);
        } else if refutations.counter == Some(G::move_code(mv)) {
            score += 1 << 18;
        }
        let check = self.position.gives_check(mv);
        if check {
            score += CHECK;
        }
        Ranked { mv, place, score, tactical: false, check }
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
        self.skip_quiet = skip_quiet;
        self.moves.clear();
        self.bad.clear();
    }

    /// Begins with the captures and promotions that gain at least `threshold`.
    pub(crate) fn tactical(&mut self, table_move: Option<G::Move>, threshold: i32) {
        self.all(table_move, Refutations::none(), true);
        self.threshold = threshold;
    }

    /// Leaves out the quiet moves that have not come yet.
    pub(crate) fn skip_quiet(&mut self) {
        self.skip_quiet = true;
    }

    /// Leaves out the quiet moves that have not come yet, but for checks.
    pub(crate) fn skip_harmless(&mut self) {
        if self.stage == Stage::Quiet {
            let next = self.next;
            let mut place = 0;
            self.moves.retain(|ranked| {
                place += 1;
                place <= next || ranked.check
            });
        }
    }

    /// Whether the moves that come now lose material.
    pub(crate) fn at_losing(&self) -> bool {
        self.stage == Stage::BadTactical
    }

    /// The next move.
    #[inline]
    pub(crate) fn next(&mut self, ranking: &Ranking<'_, G>) -> Option<Ranked<G::Move>> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeTactical;
                    if let Some(mv) = self.table_move {
                        let tactical = ranking.position.is_tactical(mv);
                        let place = Place::of(ranking.position, mv);
                        let score = if tactical {
                            ranking.histories.capture(ranking.side, place)
                        } else {
                            ranking.histories.quiet(ranking.side, place, ranking.before)
                        };
                        let check = !tactical && ranking.position.gives_check(mv);
                        return Some(Ranked { mv, place, score, tactical, check });
                    }
                }
                Stage::MakeTactical => {
                    let moves = &mut self.moves;
                    ranking.position.for_each_tactical(|mv| moves.push(ranking.tactical(mv)));
                    (self.stage, self.next) = (Stage::GoodTactical, 0);
                }
                Stage::GoodTactical => match self.best() {
                    Some(best) if gains(ranking.position, best.mv, self.threshold) => {
                        return Some(best);
                    }
                    Some(best) => self.bad.push(best),
                    None => self.stage = Stage::MakeQuiet,
                },
                Stage::MakeQuiet => {
                    self.moves.clear();
                    (self.stage, self.next) = (Stage::Quiet, 0);
                    if !self.skip_quiet {
                        let Self { moves, refutations, .. } = self;
                        let visit = |mv| moves.push(ranking.quiet(mv, refutations));
                        ranking.position.for_each_quiet(visit);
                    }
                }
                Stage::Quiet => match self.best() {
                    Some(best) if !self.skip_quiet => return Some(best),
                    _ => (self.stage, self.next) = (Stage::BadTactical, 0),
                },
                Stage::BadTactical => {
                    let bad = self.bad.get(self.next).copied();
                    self.next += 1;
                    if bad.is_none() {
                        self.stage = Stage::Done;
                    }
                    return bad;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Takes the best of those that are left, but for the table's move, which has had its turn.
    #[inline]
    fn best(&mut self) -> Option<Ranked<G::Move>> {
        loop {
            let rest = self.moves.get_mut(self.next..)?;
            let (first, others) = rest.split_first_mut()?;
            for other in others {
                if other.score > first.score {
                    std::mem::swap(first, other);
                }
            }
            let best = *first;
            self.next += 1;
            if Some(best.mv) != self.table_move {
                return Some(best);
            }
        }
    }
}
