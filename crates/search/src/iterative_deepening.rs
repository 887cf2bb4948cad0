//! Iterative deepening: the root is searched to one depth after the other until a limit is reached.

mod aspiration;
mod report;
mod root_move;

use games::SearchGame;

use report::Reported;
pub(crate) use root_move::RootMove;

use crate::evaluator::Evaluator;
use crate::result::{Score, SearchInfo, SearchResult};
use crate::score::{self, MAX_PLY};
use crate::search::{Search, SearchJob, ThreadResult};
use crate::time_management::IterationStats;

/// The minimum depth after which a single legal move is played without further search.
const SINGLE_MOVE_DEPTH: i32 = 6;

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Searches deeper and deeper until a limit is reached.
    pub(crate) fn iterative_deepening(
        &mut self,
        job: &SearchJob<'_, G>,
        report: &mut dyn FnMut(&SearchInfo<G>),
    ) -> ThreadResult<G> {
        let max_depth = job.limits.depth.unwrap_or(MAX_PLY).clamp(1, MAX_PLY - 1) as i32;
        let lines = job.multi_pv.min(self.root_moves.len());
        let mut reported = Reported { depth: 0, line: None };
        let mut best_move_stability = 0;
        let mut scores = Vec::new();
        for depth in 1..=max_depth {
            self.root_depth = depth;
            let best_before = self.root_moves[0].mv;
            self.search_lines(job, depth, lines, &mut reported, report);
            if self.stopped {
                break;
            }
            self.report_iteration(job, depth, lines, &mut reported, report);
            let best = &self.root_moves[0];
            best_move_stability = if best.mv == best_before { best_move_stability + 1 } else { 0 };
            let earlier = scores.iter().rev().nth(2).copied().unwrap_or(best.score);
            scores.push(best.score);
            let stats = IterationStats {
                best_move_stability,
                best_move_effort: best.nodes as f64 / self.nodes.max(1) as f64,
                score_drop: earlier - best.score,
            };
            if self.is_main_thread() && self.is_last_iteration(job, stats) {
                break;
            }
        }
        self.finish(job, &mut reported, report)
    }

    /// Searches one iteration, once for each line of multi-PV.
    fn search_lines(
        &mut self,
        job: &SearchJob<'_, G>,
        depth: i32,
        lines: usize,
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&SearchInfo<G>),
    ) {
        for root_move in &mut self.root_moves {
            root_move.start_iteration();
        }
        for line in 0..lines {
            self.pv_index = line;
            self.seldepth = 0;
            self.aspiration_search(job, depth, reported, report);
            // The scores of a stopped iteration count: the previous best move was searched first.
            self.root_moves[line..].sort_by_key(|root_move| -root_move.score);
            if self.stopped {
                return;
            }
            self.root_moves[..=line].sort_by_key(|root_move| -root_move.score);
        }
    }

    /// Whether a limit ends the search after this iteration.
    fn is_last_iteration(&self, job: &SearchJob<'_, G>, stats: IterationStats) -> bool {
        if job.limits.infinite || job.is_pondering() {
            return false;
        }
        let best = self.root_moves[0].score;
        let mate_found = |mate: u32| match score::to_reported(best) {
            Score::Mate(moves) => moves > 0 && moves.unsigned_abs() <= mate,
            Score::Centipawns(_) => false,
        };
        let single_move = self.root_moves.len() == 1 && job.limits.clock.is_some();
        job.limits.mate.is_some_and(mate_found)
            || job.limits.soft_nodes.is_some_and(|limit| job.shared.total() >= limit)
            || single_move && self.root_depth >= SINGLE_MOVE_DEPTH
            || job.time.is_soft_limit_reached(stats)
    }

    /// The result, after a report of its line if that was not the last one.
    fn finish(
        &mut self,
        job: &SearchJob<'_, G>,
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&SearchInfo<G>),
    ) -> ThreadResult<G> {
        self.publish_nodes(job);
        let best = &self.root_moves[0];
        let score = best.known_score().unwrap_or_else(|| {
            // Stopped before any move was searched: the static evaluation is all there is.
            let root = job.history.position();
            self.evaluator.reset(root);
            self.evaluate()
        });
        let info = self.info(job, self.root_depth, 0, score);
        let best = &self.root_moves[0];
        if self.is_main_thread() && reported.line != Some((best.mv, score)) {
            report(&info);
        }
        let result = SearchResult {
            best: Some(best.mv),
            ponder: best.pv.get(1).copied().or_else(|| Self::tt_reply(job, best.mv)),
            score: info.score,
            depth: reported.depth as usize,
            nodes: info.nodes,
            time: info.time,
        };
        ThreadResult { result, info, score }
    }

    /// The TT move after a root move.
    fn tt_reply(job: &SearchJob<'_, G>, mv: G::Move) -> Option<G::Move> {
        let mut child = job.history.position().clone();
        child.play(mv);
        let entry = job.table?.probe(child.hash())?;
        child.move_from_code(entry.code()?)
    }
}
