//! Lazy SMP: several threads search one position, share the transposition table, and vote for the
//! best move in the end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use games::SearchGame;

use crate::result::{SearchInfo, SearchResult};
use crate::score::{MATE, MIN_MATE};
use crate::search::{SearchJob, ThreadResult, Worker};

/// The score that every vote has beside its own, before it is multiplied by the depth.
const VOTE_SCORE: i64 = 14;

/// Stops the helper threads even if a report panics: the scope waits for them.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Searches by all workers; returns the result that they vote for.
///
/// # Panics
///
/// If there is no worker.
pub(crate) fn search<G: SearchGame>(
    workers: &mut [Box<dyn Worker<G>>],
    job: &SearchJob<'_, G>,
    report: &mut dyn FnMut(&SearchInfo<G>),
) -> SearchResult<G> {
    let (first, others) = workers.split_first_mut().expect("there is at least one thread");
    let mut results = thread::scope(|scope| {
        let mut helpers = Vec::new();
        for (number, worker) in others.iter_mut().enumerate() {
            let helper = thread::Builder::new().name(format!("search {}", number + 1));
            // If the system has no more threads, fewer search.
            helpers.extend(
                helper.spawn_scoped(scope, move || worker.search(job, number + 1, &mut |_| {})),
            );
        }
        let stops_helpers = StopOnDrop(&job.shared.stop);
        let mut results = vec![first.search(job, 0, report)];
        drop(stops_helpers);
        results.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
        results
    });
    // At a fixed depth, and with multi-PV, the result is that of the main thread.
    let votes = job.limits.depth.is_none() && job.multi_pv == 1;
    let best = if votes { vote(&results) } else { 0 };
    let ThreadResult { mut result, mut info, .. } = results.swap_remove(best);
    (result.nodes, result.time) = (job.shared.total(), job.time.elapsed());
    if best > 0 {
        (info.nodes, info.time) = (result.nodes, result.time);
        report(&info);
    }
    result
}

/// The thread whose result is played: the shortest mate if there is one; else that of the move with
/// the largest sum of votes, weighted by depth and score.
fn vote<G: SearchGame>(results: &[ThreadResult<G>]) -> usize {
    let voters = || results.iter().filter(|thread| thread.result.depth > 0);
    let lowest = voters().map(|thread| thread.score).min().unwrap_or(-MATE);
    let weight = |thread: &ThreadResult<G>| {
        i64::from(thread.score - lowest + VOTE_SCORE as i32) * thread.result.depth as i64
    };
    let votes = |of: &ThreadResult<G>| -> i64 {
        voters().filter(|other| other.result.best == of.result.best).map(weight).sum()
    };
    let mut best = 0;
    for (number, thread) in results.iter().enumerate().skip(1) {
        let leader = &results[best];
        let wins = |thread: &ThreadResult<G>| thread.score >= MIN_MATE;
        let better = if wins(leader) || wins(thread) {
            thread.score > leader.score
        } else {
            let more = (votes(thread), weight(thread)) > (votes(leader), weight(leader));
            thread.score > -MIN_MATE && more
        };
        if thread.result.depth > 0 && better {
            best = number;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use games::Game;
    use std::time::Duration;

    use games::connect_four::ConnectFour;

    use super::*;
    use crate::result::Bound;
    use crate::score;

    fn results(of: &[(usize, i32, usize)]) -> Vec<ThreadResult<ConnectFour>> {
        let moves = ConnectFour::start().legal_moves();
        let result = |&(column, score, depth): &(usize, i32, usize)| {
            let (best, time) = (moves[column], Duration::ZERO);
            let reported = score::to_reported(score);
            let result = SearchResult {
                best: Some(best),
                ponder: None,
                score: reported,
                depth,
                nodes: 0,
                time,
            };
            let info = SearchInfo {
                depth,
                seldepth: depth,
                multipv: 1,
                score: reported,
                bound: Bound::Exact,
                nodes: 0,
                time,
                hashfull: 0,
                tb_hits: 0,
                pv: vec![best],
            };
            ThreadResult { result, info, score }
        };
        of.iter().map(result).collect()
    }

    #[test]
    fn the_move_with_most_votes_is_played() {
        assert_eq!(vote(&results(&[(0, 10, 9)])), 0);
        assert_eq!(vote(&results(&[(0, 10, 9), (1, 12, 9), (1, 11, 9)])), 1);
        assert_eq!(vote(&results(&[(0, 10, 9), (1, 12, 3)])), 0, "too shallow");
        assert_eq!(vote(&results(&[(0, 0, 9), (1, 500, 8)])), 1, "far better");
        assert_eq!(vote(&results(&[(0, 10, 0), (1, -5, 1)])), 1, "the first finished no iteration");
        assert_eq!(
            vote(&results(&[(0, 10, 2), (1, 900, 0)])),
            0,
            "the second finished no iteration"
        );
    }

    #[test]
    fn the_shortest_mate_is_played_and_losses_are_not() {
        assert_eq!(vote(&results(&[(0, MATE - 9, 20), (1, MATE - 5, 4)])), 1);
        assert_eq!(vote(&results(&[(0, 300, 20), (0, 300, 20), (1, MATE - 5, 4)])), 2);
        assert_eq!(vote(&results(&[(0, MATE - 5, 9), (1, 800, 30), (1, 800, 30)])), 0);
        assert_eq!(vote(&results(&[(0, -50, 9), (1, 8 - MATE, 30), (1, 8 - MATE, 30)])), 0);
    }
}
