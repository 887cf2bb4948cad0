//! The order in which moves are tried.
//!
//! Moves are made in two batches, captures and promotions first, for a cutoff by one of those makes the rest
//! unnecessary; so does one by a quiet move that refuted others, which is tried before the rest is made. Of a batch the best is sought when it is asked for: mostly only the first few are.

mod picker;

use games::{Color, Described, Game};

use crate::history::{Before, Histories, Place, Quiets};

pub(crate) use picker::Picker;

/// What a quiet check gains in the ranking.
const CHECK: i32 = 6000;

/// Above every history: killers and the counter-move are not judged by theirs.
const REFUTATION: i32 = 1 << 20;

/// What kind of move it is, as far as ordering asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// It captures or promotes.
    Tactical,
    Quiet,
    /// It is quiet and gives check.
    QuietCheck,
}

impl Sort {
    #[inline]
    pub(crate) fn of<M>(described: &Described<M>) -> Self {
        if described.is_tactical() {
            Self::Tactical
        } else if described.check {
            Self::QuietCheck
        } else {
            Self::Quiet
        }
    }
}

/// A move with what ordering knows of it. Small, because lists of it are searched for the best again and again.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<M> {
    pub(crate) mv: M,
    pub(crate) place: Place,
    pub(crate) score: i32,
    pub(crate) sort: Sort,
    /// How much likelier the policy thinks it than others, in 1024ths of a nat; 0 where it is not asked.
    pub(crate) odds: i16,
}

impl<M> Ranked<M> {
    /// The move and where tables remember it.
    #[inline]
    pub(crate) fn placed(&self) -> (M, Place)
    where
        M: Copy,
    {
        (self.mv, self.place)
    }

    /// Whether it captures or promotes.
    #[inline]
    pub(crate) fn is_tactical(&self) -> bool {
        self.sort == Sort::Tactical
    }

    /// Whether it is a quiet move that gives check.
    #[inline]
    pub(crate) fn is_quiet_check(&self) -> bool {
        self.sort == Sort::QuietCheck
    }
}

/// What policy and histories count, in 1024ths: a nat of policy beside histories, or histories beside the policy.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights {
    pub(crate) policy: i32,
    pub(crate) history: i32,
    /// Whether it will be asked how surprising each move is.
    pub(crate) surprises: bool,
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
    pub(crate) before: Before,
    pub(crate) histories: &'a Histories<G>,
}

/// Whether a move gains at least `threshold` by exchanges, if the game can tell.
#[inline]
pub(crate) fn exchange_gains<G: Game>(
    position: &G,
    (mv, place): (G::Move, Place),
    threshold: i32,
) -> Option<bool> {
    position.exchange_gains_by_kind(mv, place.kind::<G>(), place.taken_kind(), threshold)
}

/// Whether a move gains at least `threshold`; where the game cannot tell, whether it takes something at least as good.
#[inline]
pub(crate) fn gains<G: Game>(position: &G, (mv, place): (G::Move, Place), threshold: i32) -> bool {
    exchange_gains(position, (mv, place), threshold).unwrap_or_else(|| {
        let gain = position.capture(mv).map_or(0, |capture| capture.victim - capture.attacker);
        gain.max(position.promotion_gain(mv)) >= threshold.min(0)
    })
}

impl<G: Game> Ranking<'_, G> {
    #[inline]
    fn tactical(&self, described: &Described<G::Move>) -> Ranked<G::Move> {
        let place = Place::of::<G>(described);
        let score = 16 * described.gain + self.histories.capture(self.side, place);
        Ranked { mv: described.mv, place, score, sort: Sort::Tactical, odds: 0 }
    }

    #[inline]
    fn quiet(quiets: &Quiets<'_>, described: &Described<G::Move>) -> Ranked<G::Move> {
        let place = Place::of::<G>(described);
        let mut score = quiets.score(place);
        let mut sort = Sort::Quiet;
        if described.check {
            (score, sort) = (score + CHECK, Sort::QuietCheck);
        }
        Ranked { mv: described.mv, place, score, sort, odds: 0 }
    }

    /// A move by what histories say, for the policy to judge.
    #[inline]
    fn by_history(&self, quiets: &Quiets<'_>, described: &Described<G::Move>) -> Ranked<G::Move> {
        let place = Place::of::<G>(described);
        let sort = Sort::of(described);
        let score = match sort {
            Sort::Tactical => self.histories.capture(self.side, place),
            Sort::Quiet | Sort::QuietCheck => quiets.score(place),
        };
        Ranked { mv: described.mv, place, score, sort, odds: 0 }
    }

    /// A move that was not made with its batch.
    fn single(&self, mv: G::Move) -> Ranked<G::Move> {
        let described = self.position.describe(mv);
        let place = Place::of::<G>(&described);
        let sort = Sort::of(&described);
        let score = match sort {
            Sort::Tactical => self.histories.capture(self.side, place),
            Sort::Quiet | Sort::QuietCheck => self.histories.quiet(self.side, place, self.before),
        };
        Ranked { mv, place, score, sort, odds: 0 }
    }
}
