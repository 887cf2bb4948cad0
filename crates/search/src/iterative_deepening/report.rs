//! Reports of iterations: the best lines, and bounds of aspiration searches that fail high or low.

use games::SearchGame;

use crate::evaluator::Evaluator;
use crate::result::{Bound, SearchInfo};
use crate::score;
use crate::search::{Search, SearchJob};
use crate::transposition_table::TranspositionTable;

/// The number of nodes after which bounds are reported: before, there would be too many.
const REPORT_BOUNDS_NODES: u64 = 100_000;

/// What was reported last.
pub(super) struct Reported<G: SearchGame> {
    pub(super) depth: i32,
    /// The best move and its score; `None` after a bound.
    pub(super) line: Option<(G::Move, i32)>,
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    pub(super) fn info(
        &self,
        job: &SearchJob<'_, G>,
        depth: i32,
        line: usize,
        score: i32,
    ) -> SearchInfo<G> {
        let root_move = &self.root_moves[line];
        SearchInfo {
            depth: depth as usize,
            seldepth: self.seldepth.max(root_move.pv.len()),
            multipv: line + 1,
            score: score::to_reported(score),
            bound: Bound::Exact,
            nodes: job.shared.total(),
            time: job.time.elapsed(),
            hashfull: job.table.map_or(0, TranspositionTable::hashfull),
            tb_hits: 0,
            pv: root_move.pv.clone(),
        }
    }

    /// Reports the best lines of an iteration.
    pub(super) fn report_iteration(
        &mut self,
        job: &SearchJob<'_, G>,
        depth: i32,
        lines: usize,
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&SearchInfo<G>),
    ) {
        self.publish_nodes(job);
        reported.depth = depth;
        reported.line = Some((self.root_moves[0].mv, self.root_moves[0].score));
        if self.is_main_thread() {
            for line in 0..lines {
                report(&self.info(job, depth, line, self.root_moves[line].score));
            }
        }
    }

    /// Reports a score outside the aspiration window, which is about to be searched again.
    pub(super) fn report_bound(
        &mut self,
        job: &SearchJob<'_, G>,
        depth: i32,
        (score, bound): (i32, Bound),
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&SearchInfo<G>),
    ) {
        if !self.is_main_thread() || self.nodes < REPORT_BOUNDS_NODES {
            return;
        }
        self.publish_nodes(job);
        // After a fail high the best line is new; after a fail low it is still the first.
        let candidates = self.root_moves[self.pv_index..].iter();
        let best = candidates.enumerate().rev().max_by_key(|(_, root_move)| root_move.score);
        let best = if bound == Bound::Lower { best.map_or(0, |(number, _)| number) } else { 0 };
        let info = self.info(job, depth, self.pv_index + best, score);
        reported.line = None;
        report(&SearchInfo { multipv: self.pv_index + 1, bound, ..info });
    }
}
