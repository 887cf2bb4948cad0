//! Several threads on one position: each searches by itself, and the shared table is how they help each other. In the end
//! they vote.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use games::Game;

use crate::report::{Answer, Info};
use crate::score::{MATE, WON};
use crate::search::{Finding, Job, Worker};

/// What a vote counts beside the depth that it comes from and the score that it promises.
const VOTE: i64 = 14;

/// Lets the helpers end even if a report panics: the scope waits for them.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Lets all workers search; gives the answer that most of them stand for.
///
/// # Panics
///
/// If there is no worker.
pub(crate) fn search<G: Game>(
    workers: &mut [Box<dyn Worker<G>>],
    job: &Job<'_, G>,
    report: &mut dyn FnMut(&Info<G>),
) -> Answer<G> {
    let (first, others) = workers.split_first_mut().expect("there is at least one thread");
    let mut findings = thread::scope(|scope| {
        let mut helpers = Vec::new();
        for (number, worker) in others.iter_mut().enumerate() {
            let helper = thread::Builder::new().name(format!("search {}", number + 1));
            // Where no more threads can be had, fewer search.
            helpers.extend(
                helper.spawn_scoped(scope, move || worker.search(job, number + 1, &mut |_| {})),
            );
        }
        let stops_helpers = StopOnDrop(&job.shared.stop);
        let mut findings = vec![first.search(job, 0, report)];
        drop(stops_helpers);
        findings.extend(helpers.into_iter().filter_map(|helper| helper.join().ok()));
        findings
    });
    // To a fixed depth the first thread's answer is what was asked for; several lines are its own.
    let votes = job.limits.depth.is_none() && job.multi_pv == 1;
    let best = if votes { elect(&findings) } else { 0 };
    let Finding { mut answer, mut info, .. } = findings.swap_remove(best);
    (answer.nodes, answer.time) = (job.shared.total(), job.timer.elapsed());
    if best > 0 {
        (info.nodes, info.time) = (answer.nodes, answer.time);
        report(&info);
    }
    answer
}

/// Which thread's answer is played: a sure win if one has it, the shortest; else the move for which the threads together
/// have most to say.
fn elect<G: Game>(findings: &[Finding<G>]) -> usize {
    let voters = || findings.iter().filter(|finding| finding.answer.depth > 0);
    let least = voters().map(|finding| finding.score).min().unwrap_or(-MATE);
    let weight = |finding: &Finding<G>| {
        i64::from(finding.score - least + VOTE as i32) * finding.answer.depth as i64
    };
    let votes = |of: &Finding<G>| -> i64 {
        voters().filter(|other| other.answer.best == of.answer.best).map(weight).sum()
    };
    let mut best = 0;
    for (number, finding) in findings.iter().enumerate().skip(1) {
        let leader = &findings[best];
        let wins = |finding: &Finding<G>| finding.score >= WON;
        let better = if wins(leader) || wins(finding) {
            finding.score > leader.score
        } else {
            let more = (votes(finding), weight(finding)) > (votes(leader), weight(leader));
            finding.score > -WON && more
        };
        if finding.answer.depth > 0 && better {
            best = number;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use games::connect_four::ConnectFour;

    use super::*;
    use crate::report::Bound;
    use crate::score;

    fn findings(of: &[(usize, i32, usize)]) -> Vec<Finding<ConnectFour>> {
        let moves = ConnectFour::start().legal_moves();
        let finding = |&(column, score, depth): &(usize, i32, usize)| {
            let (best, time) = (moves[column], Duration::ZERO);
            let shown = score::for_users(score);
            let answer =
                Answer { best: Some(best), ponder: None, score: shown, depth, nodes: 0, time };
            let info = Info {
                depth,
                seldepth: depth,
                multipv: 1,
                score: shown,
                bound: Bound::Exact,
                nodes: 0,
                time,
                hashfull: 0,
                tb_hits: 0,
                pv: vec![best],
            };
            Finding { answer, info, score }
        };
        of.iter().map(finding).collect()
    }

    #[test]
    fn the_move_with_most_to_say_for_it_is_played() {
        assert_eq!(elect(&findings(&[(0, 10, 9)])), 0);
        assert_eq!(elect(&findings(&[(0, 10, 9), (1, 12, 9), (1, 11, 9)])), 1);
        assert_eq!(elect(&findings(&[(0, 10, 9), (1, 12, 3)])), 0, "too shallow");
        assert_eq!(elect(&findings(&[(0, 0, 9), (1, 500, 8)])), 1, "far better");
        assert_eq!(elect(&findings(&[(0, 10, 0), (1, -5, 1)])), 1, "the first found nothing");
        assert_eq!(elect(&findings(&[(0, 10, 2), (1, 900, 0)])), 0, "the second found nothing");
    }

    #[test]
    fn the_shortest_win_is_played_and_losses_are_not() {
        assert_eq!(elect(&findings(&[(0, MATE - 9, 20), (1, MATE - 5, 4)])), 1);
        assert_eq!(elect(&findings(&[(0, 300, 20), (0, 300, 20), (1, MATE - 5, 4)])), 2);
        assert_eq!(elect(&findings(&[(0, MATE - 5, 9), (1, 800, 30), (1, 800, 30)])), 0);
        assert_eq!(elect(&findings(&[(0, -50, 9), (1, 8 - MATE, 30), (1, 8 - MATE, 30)])), 0);
    }
}
