//! Cutoffs by quantiles: nodes whose quantile interval lies outside the window, verified by null
//! move, and checked by shadow searches.

use games::SearchGame;

use crate::engine::SearchMode;
use crate::evaluator::{Evaluator, NetworkSize};
use crate::node::{NodeContext, NodeInfo};
use crate::params::{CutoffVerification, Selectivity};
use crate::search::{Search, SearchJob};

/// The seed mode's widths: below the first a node is searched a ply less deep, above the second a
/// ply deeper.
const SEED_WIDTHS: [i32; 2] = [32, 130];

/// The side of the window on which a cutoff lies, as an index into [`ShadowStats`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum CutoffSide {
    FailHigh,
    FailLow,
}

/// Counts of cutoffs by quantiles and of the shadow searches that checked them: fail highs first,
/// then fail lows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShadowStats {
    /// One cutoff in so many is checked by a shadow search; none if 0.
    pub every: u64,
    /// Cutoffs.
    pub cutoffs: [u64; 2],
    /// Cutoffs that were checked.
    pub checked: [u64; 2],
    /// Checked cutoffs that the shadow search contradicted.
    pub wrong: [u64; 2],
}

impl std::ops::Add for ShadowStats {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = |a: [u64; 2], b: [u64; 2]| [a[0] + b[0], a[1] + b[1]];
        Self {
            every: self.every.max(other.every),
            cutoffs: sum(self.cutoffs, other.cutoffs),
            checked: sum(self.checked, other.checked),
            wrong: sum(self.wrong, other.wrong),
        }
    }
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// The score of a node whose quantile interval lies outside the window; else, if so configured,
    /// of null-move pruning and ProbCut.
    pub(crate) fn cut_by_quantiles(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) -> Option<i32> {
        let NodeContext { alpha, beta, ply, .. } = *context;
        // No cutoffs beyond the calibrated depths: scores of deeper searches spread farther.
        let calibrated =
            job.mode == SearchMode::Seed || context.depth <= self.max_calibrated_depth();
        let interval =
            if calibrated { self.late_interval(job, position, context, info) } else { None };
        if let Some(interval) = interval
            && interval.lower >= beta
        {
            let cutoff = (CutoffSide::FailHigh, interval.lower);
            return Some(self.checked_cutoff(job, position, context, info, cutoff));
        }
        if let Some(interval) = interval
            && interval.upper <= alpha
        {
            if job.mode == SearchMode::Seed {
                return Some(interval.upper);
            }
            // A static evaluation errs most where there are captures.
            let score = self.quiescence::<false>(job, position, (alpha, beta), ply, true);
            if score <= alpha || self.stopped {
                let cutoff = (CutoffSide::FailLow, score);
                return Some(self.checked_cutoff(job, position, context, info, cutoff));
            }
        }
        match self.sources.cutoffs {
            Selectivity::Both => self
                .null_move_pruning(job, position, context, info)
                .or_else(|| self.probcut(job, position, context, info)),
            _ if job.mode == SearchMode::Learned
                && self.params.learned_verification == CutoffVerification::NullMove
                && info.estimate >= beta =>
            {
                self.null_move_pruning(job, position, context, info)
            }
            _ => None,
        }
    }

    /// The maximum depth of cutoffs: what the calibration distinguishes and the parameters allow.
    fn max_calibrated_depth(&self) -> i32 {
        let table = self.evaluator.calibration(NetworkSize::Small);
        let last = table.and_then(|table| table.ranges().depths.last().copied());
        last.map_or(i32::MAX, |last| (i32::from(last) + 1).min(self.params.quantile_max_depth))
    }

    /// The score of a cutoff, or of a shadow search in its place if this cutoff is to be checked.
    fn checked_cutoff(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
        (side, score): (CutoffSide, i32),
    ) -> i32 {
        let shadow = &mut self.shadow;
        let index = side as usize;
        shadow.cutoffs[index] += 1;
        if shadow.every == 0 || !shadow.cutoffs[index].is_multiple_of(shadow.every) {
            return score;
        }
        let found = self.search_moves(job, position, *context, info);
        if !self.stopped {
            self.shadow.checked[index] += 1;
            let wrong = match side {
                CutoffSide::FailHigh => found < context.beta,
                CutoffSide::FailLow => found > context.alpha,
            };
            self.shadow.wrong[index] += u64::from(wrong);
        }
        found
    }

    /// The depth of a node in the seed mode.
    pub(crate) fn seed_depth(&mut self, context: &NodeContext, info: &NodeInfo<G>) -> i32 {
        let Some(interval) = info.interval else { return context.depth };
        let max_extensions = self.params.singular_max_doubles;
        let extensions = &mut self.stack[context.ply].extensions;
        if interval.width < SEED_WIDTHS[0] {
            context.depth - 1
        } else if interval.width > SEED_WIDTHS[1] && *extensions < max_extensions {
            *extensions += 1;
            context.depth + 1
        } else {
            context.depth
        }
    }
}
