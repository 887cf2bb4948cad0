//! Quantile interval: where the score of a search should lie, by the network's quantiles and their
//! conformal calibration for the depth.

use games::SearchGame;
use nnue::{ConformalAdjustment, QUANTILE_LEVELS};

use crate::engine::SearchMode;
use crate::evaluator::{Evaluator, NetworkSize, Quantiles};
use crate::node::{NodeContext, NodeInfo};
use crate::params::{GateRule, Selectivity};
use crate::score;
use crate::search::{Search, SearchJob};

const MEDIAN: usize = QUANTILE_LEVELS.len() / 2;

/// Where the score of a search should lie, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct QuantileInterval {
    pub(crate) lower: i32,
    pub(crate) median: i32,
    pub(crate) upper: i32,
    /// The width that is compared with the usual one: from the 25 % to the 75 % quantile, or from
    /// bound to bound in the seed mode.
    pub(crate) width: i32,
}

impl QuantileInterval {
    /// The interval between the outermost quantiles.
    fn outermost(quantiles: Quantiles) -> Self {
        let [lower, _, median, _, upper] = quantiles;
        Self { lower, median, upper, width: upper - lower }
    }

    /// The interval whose bounds lie so many 64ths of a quantile below and above the median.
    fn between([q10, q25, median, q75, q90]: Quantiles, lower: i32, upper: i32) -> Self {
        let reach = |inner: i32, outer: i32, steps: i32| {
            inner * steps.min(64) / 64 + (outer - inner) * (steps - 64).max(0) / 64
        };
        Self {
            lower: median - reach(median - q25, median - q10, lower),
            median,
            upper: median + reach(q75 - median, q90 - median, upper),
            width: q75 - q25,
        }
    }

    /// Moves the interval by so many centipawns.
    pub(crate) fn shift(&mut self, by: i32) {
        self.lower += by;
        self.median += by;
        self.upper += by;
    }

    /// Whether all of it lies outside the window of a node.
    fn is_outside(&self, context: &NodeContext) -> bool {
        self.lower >= context.beta || self.upper <= context.alpha
    }
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Whether a node needs its quantile interval before anything else: because depth or reductions
    /// depend on it, or because its width gates the large network.
    pub(crate) fn needs_interval(&self, job: &SearchJob<'_, G>) -> bool {
        job.mode == SearchMode::Seed
            || self.sources.reductions == Selectivity::Learned
            || self.params.learned_gate != GateRule::Never && self.evaluator.has_large()
    }

    /// Evaluates the quantiles of a node, by the large network where the gate is open; the median
    /// is the raw evaluation.
    pub(crate) fn evaluate_interval(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &mut NodeInfo<G>,
    ) {
        let small = self.interval_by(job, position, context, NetworkSize::Small);
        let Some((mut median, mut interval)) = small else {
            info.raw_eval = Some(self.raw_evaluation(info.entry));
            return;
        };
        let open = match self.params.learned_gate {
            GateRule::Never => false,
            GateRule::Decision => !interval.is_outside(context),
            GateRule::Width => interval.width > self.params.learned_gate_width,
        };
        if open && let Some(large) = self.interval_by(job, position, context, NetworkSize::Large) {
            (median, interval) = large;
        }
        info.raw_eval = Some(median);
        info.interval = Some(interval);
    }

    /// The interval of a node that was evaluated without; only where it could lie outside the
    /// window.
    pub(super) fn late_interval(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &NodeInfo<G>,
    ) -> Option<QuantileInterval> {
        let margin = self.params.quantile_min_margin;
        let near = info.estimate < context.beta + margin && info.estimate > context.alpha - margin;
        if info.interval.is_some() || near {
            return info.interval;
        }
        let (median, mut interval) =
            self.interval_by(job, position, context, NetworkSize::Small)?;
        interval.shift(info.estimate - median);
        Some(interval)
    }

    /// The median and the interval by one network.
    fn interval_by(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        size: NetworkSize,
    ) -> Option<(i32, QuantileInterval)> {
        let quantiles = self.evaluator.quantiles(size)?;
        let interval = self.calibrated(job, position, context, quantiles, size);
        Some((score::clamp_evaluation(quantiles[MEDIAN]), interval))
    }

    /// The interval with the conformal calibration for the depth left.
    fn calibrated(
        &self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        quantiles: Quantiles,
        size: NetworkSize,
    ) -> QuantileInterval {
        if job.mode == SearchMode::Seed {
            return QuantileInterval::outermost(quantiles);
        }
        let depth = context.depth.max(0) as usize;
        let calibration = self.evaluator.calibration(size);
        let (pieces, median) = (position.piece_count(), quantiles[MEDIAN]);
        let correction = calibration
            .map_or(&ConformalAdjustment::IDENTITY, |table| table.conformal(depth, pieces, median));
        let (lower, upper) = (self.params.quantile_lower, self.params.quantile_upper);
        QuantileInterval::between(correction.apply(quantiles), lower, upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_reach_the_quantiles_at_64_and_128() {
        let quantiles = [-90, -30, 10, 40, 100];
        let interval = |lower, upper| {
            let QuantileInterval { lower, upper, .. } =
                QuantileInterval::between(quantiles, lower, upper);
            (lower, upper)
        };
        assert_eq!(interval(0, 0), (10, 10));
        assert_eq!(interval(64, 64), (-30, 40));
        assert_eq!(interval(128, 128), (-90, 100));
        assert_eq!(interval(96, 32), (-60, 25));
        assert_eq!(QuantileInterval::outermost(quantiles).width, 190);
    }
}
