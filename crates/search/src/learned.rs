//! Selectivity without hand-made rules: a network says where the score of a search would lie and which moves are likely
//! to be best, and these two decide what is not looked at.
//!
//! - A node whose whole fan lies beyond the window is cut.
//! - A move costs depth by how surprised the policy would be if it were best; the wider the fan, the less.
//! - A small network is asked first, a large one where the small one's fan does not decide.

mod policy;
mod sorts;

use games::Game;
use nnue::{Correction, QUANTILE_LEVELS};

use crate::engine::SearchMode;
use crate::evaluator::{Evaluator, Opinion, Quantiles};
use crate::node::{Facts, Place};
use crate::params::Params;
use crate::score;
use crate::search::{Job, Search};

pub(crate) use policy::{Policy, log_sum};
pub use sorts::{MOVE_SORTS, move_sorts};

const MEDIAN: usize = QUANTILE_LEVELS.len() / 2;

/// The seed's widths below which a node is looked at less deeply, and above which more.
const SEED_WIDTHS: [i32; 2] = [50, 200];

/// Whose rules a part of the search follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Classical,
    Learned,
    /// What was learnt, beside the rules.
    Both,
}

impl Part {
    fn new(mode: SearchMode, number: i32) -> Self {
        match (mode, number) {
            // No search is begun before it is known which mode `Auto` is.
            (SearchMode::Classical | SearchMode::Auto, _) | (SearchMode::Learned, 0) => {
                Self::Classical
            }
            (SearchMode::Seed, _) | (SearchMode::Learned, 1) => Self::Learned,
            (SearchMode::Learned, _) => Self::Both,
        }
    }
}

/// Whose rules each part follows: known before a search begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    pub(crate) ordering: Part,
    pub(crate) reductions: Part,
    pub(crate) cutoffs: Part,
}

impl Parts {
    pub(crate) fn new(mode: SearchMode, params: &Params) -> Self {
        Self {
            ordering: Part::new(mode, params.learned_ordering),
            reductions: Part::new(mode, params.learned_reductions),
            cutoffs: Part::new(mode, params.learned_cutoffs),
        }
    }
}

/// Where the score of a search should lie, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fan {
    pub(crate) low: i32,
    pub(crate) middle: i32,
    pub(crate) high: i32,
    /// From one bound to the other, or whatever else is compared with what is usual.
    pub(crate) width: i32,
}

impl Fan {
    /// With the outermost quantiles for bounds.
    fn outermost(quantiles: Quantiles) -> Self {
        let [low, _, middle, _, high] = quantiles;
        Self { low, middle, high, width: high - low }
    }

    /// With bounds that are so many 64ths of a quantile below and above the median.
    fn within([q10, q25, middle, q75, q90]: Quantiles, low: i32, high: i32) -> Self {
        let reach = |inner: i32, outer: i32, steps: i32| {
            inner * steps.min(64) / 64 + (outer - inner) * (steps - 64).max(0) / 64
        };
        Self {
            low: middle - reach(middle - q25, middle - q10, low),
            middle,
            high: middle + reach(q75 - middle, q90 - middle, high),
            width: q75 - q25,
        }
    }

    pub(crate) fn shift(&mut self, by: i32) {
        self.low += by;
        self.middle += by;
        self.high += by;
    }

    /// Whether all of it lies beyond the window of a node.
    fn clears(&self, place: &Place) -> bool {
        self.low >= place.beta || self.high <= place.alpha
    }
}

/// How often cutoffs by quantiles were made, and how often a search said otherwise where one was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shadow {
    /// One in so many is checked; none if 0.
    pub every: u64,
    /// Cutoffs above beta, and below alpha.
    pub cuts: [u64; 2],
    /// How many of them were checked.
    pub checked: [u64; 2],
    /// How many of those were wrong.
    pub wrong: [u64; 2],
}

impl std::ops::Add for Shadow {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = |a: [u64; 2], b: [u64; 2]| [a[0] + b[0], a[1] + b[1]];
        Self {
            every: self.every.max(other.every),
            cuts: sum(self.cuts, other.cuts),
            checked: sum(self.checked, other.checked),
            wrong: sum(self.wrong, other.wrong),
        }
    }
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// Whether a position's fan must be known before anything else: because its depth or the worth of its moves hangs on
    /// it, or because its width says which network to ask for the value.
    pub(crate) fn needs_fan(&self, job: &Job<'_, G>) -> bool {
        job.mode == SearchMode::Seed
            || self.parts.reductions == Part::Learned
            || self.params.learned_gate > 0 && self.evaluator.has_second()
    }

    /// Asks the evaluator for its fan, and takes the median for what the position is worth.
    pub(crate) fn open_fan(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &mut Facts<G>,
    ) {
        let Some(mut found) = self.opinion(job, position, place, Opinion::First) else {
            facts.raw = Some(self.raw_evaluation(facts.entry));
            return;
        };
        let unsure = match self.params.learned_gate {
            0 => false,
            1 => !found.1.clears(place),
            _ => found.1.width > self.params.learned_theta,
        };
        if unsure {
            found = self.opinion(job, position, place, Opinion::Second).unwrap_or(found);
        }
        facts.raw = Some(found.0);
        facts.fan = Some(found.1);
    }

    /// The fan of a position that was valued without: asked only where it could lie beyond the window.
    fn late_fan(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
    ) -> Option<Fan> {
        let least = self.params.learned_least;
        let near = facts.estimate < place.beta + least && facts.estimate > place.alpha - least;
        if facts.fan.is_some() || near {
            return facts.fan;
        }
        let (median, mut fan) = self.opinion(job, position, place, Opinion::First)?;
        fan.shift(facts.estimate - median);
        Some(fan)
    }

    /// What one network says: what the position is worth, and its fan.
    fn opinion(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        opinion: Opinion,
    ) -> Option<(i32, Fan)> {
        let quantiles = self.evaluator.quantiles(opinion)?;
        let fan = self.fan(job, position, place, quantiles, opinion);
        Some((score::clamp_evaluation(quantiles[MEDIAN]), fan))
    }

    /// The fan for what is left of the depth.
    fn fan(
        &self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        quantiles: Quantiles,
        opinion: Opinion,
    ) -> Fan {
        if job.mode == SearchMode::Seed {
            return Fan::outermost(quantiles);
        }
        let depth = place.depth.max(0) as usize;
        let correction = self.evaluator.calibration(opinion);
        let (pieces, median) = (position.piece_count(), quantiles[MEDIAN]);
        let correction =
            correction.map_or(&Correction::NONE, |table| table.correction(depth, pieces, median));
        let (low, high) = (self.params.learned_low, self.params.learned_high);
        Fan::within(correction.apply(quantiles), low, high)
    }

    /// The score of a node whose fan lies beyond the window.
    pub(crate) fn cut_by_quantiles(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
    ) -> Option<i32> {
        let Place { alpha, beta, ply, .. } = *place;
        // What was never measured is not believed: scores of deeper searches spread farther.
        let measured = job.mode == SearchMode::Seed || place.depth <= self.deepest_measured();
        let fan = if measured { self.late_fan(job, position, place, facts) } else { None };
        if let Some(fan) = fan
            && fan.low >= beta
        {
            return Some(self.shadowed(job, position, place, facts, 0, fan.low));
        }
        if let Some(fan) = fan
            && fan.high <= alpha
        {
            if job.mode == SearchMode::Seed {
                return Some(fan.high);
            }
            // Captures are what a static opinion is most often wrong about.
            let score = self.quiescence::<false>(job, position, (alpha, beta), ply, true);
            if score <= alpha || self.stopped {
                return Some(self.shadowed(job, position, place, facts, 1, score));
            }
        }
        match self.parts.cutoffs {
            Part::Both => self
                .null_move(job, position, place, facts)
                .or_else(|| self.probcut(job, position, place, facts)),
            _ if job.mode == SearchMode::Learned
                && self.params.learned_verify == 1
                && facts.estimate >= beta =>
            {
                self.null_move(job, position, place, facts)
            }
            _ => None,
        }
    }

    /// The greatest depth that the corrections tell apart from others, and that may be cut by them.
    fn deepest_measured(&self) -> i32 {
        let table = self.evaluator.calibration(Opinion::First);
        let last = table.and_then(|table| table.ranges().depths.last().copied());
        last.map_or(i32::MAX, |last| (i32::from(last) + 1).min(self.params.learned_deepest))
    }

    /// The score of a cutoff, or of a search in its place if it is its turn to be checked.
    fn shadowed(
        &mut self,
        job: &Job<'_, G>,
        position: &G,
        place: &Place,
        facts: &Facts<G>,
        side: usize,
        score: i32,
    ) -> i32 {
        let shadow = &mut self.shadow;
        shadow.cuts[side] += 1;
        if shadow.every == 0 || !shadow.cuts[side].is_multiple_of(shadow.every) {
            return score;
        }
        let found = self.moves(job, position, *place, facts);
        if !self.stopped {
            self.shadow.checked[side] += 1;
            let wrong = if side == 0 { found < place.beta } else { found > place.alpha };
            self.shadow.wrong[side] += u64::from(wrong);
        }
        found
    }

    /// The depth of a node by the seed's rule.
    pub(crate) fn seed_depth(&mut self, place: &Place, facts: &Facts<G>) -> i32 {
        let Some(fan) = facts.fan else { return place.depth };
        let most = self.params.singular_most;
        let extended = &mut self.plies[place.ply].doubles;
        if fan.width < SEED_WIDTHS[0] {
            place.depth - 1
        } else if fan.width > SEED_WIDTHS[1] && *extended < most {
            *extended += 1;
            place.depth + 1
        } else {
            place.depth
        }
    }
}
