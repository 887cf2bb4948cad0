//! Static evaluation: the evaluator's value of a node, scaled by reversible plies and corrected by
//! correction history.

use games::SearchGame;

use super::{NodeContext, NodeInfo};
use crate::engine::SearchMode;
use crate::evaluator::Evaluator;
use crate::history::PreviousMoves;
use crate::score::{self, INFINITE, MIN_MATE};
use crate::search::{Search, SearchJob};
use crate::transposition_table::TtEntry;

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// The raw evaluation, computed before the transposition table is probed, where the evaluator
    /// is fast and its value is what the node uses. Meanwhile the prefetched entry arrives from
    /// memory; three of five positions have none, and for the others less time is wasted than would
    /// be waited.
    pub(super) fn evaluate_before_probe(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        ply: usize,
    ) -> Option<i32> {
        let evaluated = job.selective && !position.is_check() && self.stack[ply].excluded.is_none();
        let plain = job.mode == SearchMode::Classical || !self.needs_interval(job);
        (evaluated && plain && self.evaluator.is_fast()).then(|| {
            self.push_evaluator(position);
            self.evaluate()
        })
    }

    /// The raw evaluation, from the transposition table if it is there.
    #[inline]
    pub(crate) fn raw_evaluation(&mut self, entry: Option<TtEntry>) -> i32 {
        match entry.and_then(TtEntry::raw_eval) {
            Some(raw_eval) => raw_eval,
            None => self.evaluate(),
        }
    }

    /// The raw evaluation by the evaluator.
    #[inline]
    pub(crate) fn evaluate(&mut self) -> i32 {
        score::clamp_evaluation(self.evaluator.evaluate())
    }

    /// The correction of the static evaluation by correction history.
    ///
    /// Looked up before the transposition table is probed, while the entry arrives from memory.
    ///
    /// Not inlined: the code of a node is larger than the processor's instruction cache likes, so
    /// what several callers share is better there once.
    #[inline(never)]
    pub(crate) fn correction(&self, position: &G, previous: PreviousMoves) -> i32 {
        let keys = position.correction_keys();
        let correction = self.corrections.correction(position.side_to_move(), keys, previous);
        correction * self.params.correction_weight / 1024
    }

    /// The static evaluation: smaller the closer the game is to a draw by reversible plies, plus
    /// the correction.
    #[inline]
    pub(crate) fn corrected(position: &G, raw_eval: i32, correction: i32) -> i32 {
        let clock = position.reversible_plies().min(100) as i32;
        let scaled = raw_eval * (220 - clock) / 220;
        score::clamp_evaluation(scaled + correction)
    }

    /// Evaluates the node, unless that was done before the probe, and compares with earlier plies.
    pub(super) fn evaluate_node(
        &mut self,
        job: &SearchJob<'_, G>,
        position: &G,
        context: &NodeContext,
        info: &mut NodeInfo<G>,
    ) {
        let ply = context.ply;
        if info.excluded.is_some() {
            info.static_eval = self.stack[ply].static_eval.unwrap_or(-INFINITE);
            info.estimate = info.static_eval;
        } else if info.in_check {
            self.stack[ply].static_eval = None;
        } else if job.selective {
            if job.mode == SearchMode::Classical || !self.needs_interval(job) {
                info.raw_eval = info.raw_eval.or_else(|| Some(self.raw_evaluation(info.entry)));
            } else {
                self.evaluate_interval(job, position, context, info);
            }
            self.correct_evaluation(position, ply, info);
        }
        if !info.in_check {
            let earlier = |back| ply.checked_sub(back).and_then(|ply| self.stack[ply].static_eval);
            let earlier = earlier(2).or_else(|| earlier(4));
            info.improving = earlier.is_none_or(|earlier| info.static_eval > earlier);
        }
    }

    /// Derives the static evaluation and the estimate from the raw evaluation.
    fn correct_evaluation(&mut self, position: &G, ply: usize, info: &mut NodeInfo<G>) {
        let Some(raw_eval) = info.raw_eval else { return };
        info.static_eval = Self::corrected(position, raw_eval, info.correction);
        info.estimate = info.static_eval;
        self.stack[ply].static_eval = Some(info.static_eval);
        if let Some(entry) = info.entry
            && entry.proves(info.tt_score, info.static_eval)
            && info.tt_score.abs() < MIN_MATE
        {
            info.estimate = info.tt_score;
        }
        if let Some(interval) = &mut info.interval {
            interval.shift(info.estimate - raw_eval);
        }
    }
}
