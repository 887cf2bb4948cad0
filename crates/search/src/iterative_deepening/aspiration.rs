//! Aspiration windows: an iteration is searched in a narrow window around the previous score, which
//! grows each time that the search fails high or fails low.

use games::SearchGame;

use super::Reported;
use crate::evaluator::Evaluator;
use crate::result::{Bound, SearchInfo};
use crate::score::INFINITE;
use crate::search::{Search, SearchJob};

/// The minimum depth of aspiration windows.
const ASPIRATION_MIN_DEPTH: i32 = 5;
/// The width beyond which the full window is searched.
const MAX_WIDTH: i32 = 650;

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Searches the root in aspiration windows.
    pub(super) fn aspiration_search(
        &mut self,
        job: &SearchJob<'_, G>,
        depth: i32,
        reported: &mut Reported<G>,
        report: &mut dyn FnMut(&SearchInfo<G>),
    ) {
        let root = job.history.position();
        let previous = self.root_moves[self.pv_index].previous_score;
        let mut width = self.params.aspiration_width;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_MIN_DEPTH && previous != -INFINITE && !job.limits.full_window {
            width += previous.abs() / 128;
            alpha = (previous - width).max(-INFINITE);
            beta = (previous + width).min(INFINITE);
        }
        let mut fail_highs = 0;
        loop {
            let reduced = if job.selective { (depth - fail_highs).max(1) } else { depth };
            let score = self.node::<true>(job, root, (alpha, beta), reduced, 0, false);
            if self.stopped {
                return;
            }
            let bound = if score <= alpha && alpha > -INFINITE {
                Bound::Upper
            } else if score >= beta && beta < INFINITE {
                Bound::Lower
            } else {
                return;
            };
            self.report_bound(job, depth, (score, bound), reported, report);
            if bound == Bound::Upper {
                // Fail low.
                beta = i32::midpoint(alpha, beta);
                alpha = (score - width).max(-INFINITE);
                fail_highs = 0;
                for root_move in &mut self.root_moves[self.pv_index..] {
                    root_move.score = -INFINITE;
                }
            } else {
                // Fail high.
                beta = (score + width).min(INFINITE);
                fail_highs = (fail_highs + 1).min(3);
            }
            width = (width * self.params.aspiration_growth / 64).min(INFINITE) + 3;
            if width > MAX_WIDTH {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }
}
