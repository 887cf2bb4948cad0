//! Time management: the soft and the hard time limit of a move, and when an iteration is the last.

use std::time::{Duration, Instant};

use games::SearchGame;

use crate::limits::Limits;
use crate::params::Params;

/// The number of moves that a clock without `moves_to_go` is divided by.
const DEFAULT_MOVES_TO_GO: u32 = 24;
/// The largest share of the clock that a move may take, in percent.
const MAX_SHARE: u32 = 50;

/// The time limits of a search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeManager {
    start: Instant,
    /// After this time no further iteration begins, scaled by [`IterationStats`].
    soft: Option<Duration>,
    /// After this time the search stops.
    hard: Option<Duration>,
}

/// What time management uses of the iteration that has just finished.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IterationStats {
    /// For how many iterations the best move has been the same.
    pub(crate) best_move_stability: u32,
    /// The share of the nodes that were searched below the best move.
    pub(crate) best_move_effort: f64,
    /// By how many normalised centipawns the score has dropped over the last iterations.
    pub(crate) score_drop: i32,
}

impl TimeManager {
    /// The time limits of a search that began at `start`.
    pub(crate) fn new<G: SearchGame>(
        limits: &Limits<G>,
        params: &Params,
        overhead: Duration,
        start: Instant,
    ) -> Self {
        let mut manager = Self { start, soft: None, hard: None };
        if let Some(time) = limits.movetime {
            manager.hard = Some(time.saturating_sub(overhead).max(Duration::from_millis(1)));
        }
        if let Some(clock) = limits.clock {
            let moves = clock.moves_to_go.unwrap_or(DEFAULT_MOVES_TO_GO).clamp(1, 50);
            // Every move that is still to come pays the overhead too.
            let later = overhead * moves.min(DEFAULT_MOVES_TO_GO).saturating_sub(1);
            let now = clock.remaining.saturating_sub(overhead).max(Duration::from_millis(1));
            let max = if moves == 1 { now * 4 / 5 } else { now * MAX_SHARE / 100 };
            let increment = clock.increment.saturating_sub(overhead) * 3 / 4;
            let share = now.saturating_sub(later).max(now / 8) / moves + increment;
            let scaled = |scale: i32| share.mul_f64(f64::from(scale) / 1024.0);
            let hard = scaled(params.time_hard).min(max);
            manager.soft = Some(scaled(params.time_soft).min(hard));
            manager.hard = Some(manager.hard.map_or(hard, |time| time.min(hard)));
        }
        manager
    }

    /// The time since the search began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the hard limit is reached, for a clock that began to run at `since`.
    pub(crate) fn is_hard_limit_reached(&self, since: Instant) -> bool {
        self.hard.is_some_and(|hard| since.elapsed() >= hard)
    }

    /// Whether the soft limit is reached: another iteration would take more time than it deserves.
    pub(crate) fn is_soft_limit_reached(&self, stats: IterationStats) -> bool {
        let Some(soft) = self.soft else { return false };
        let stability = match stats.best_move_stability {
            0 => 1.8,
            1 => 1.25,
            2 => 1.05,
            3 => 0.95,
            _ => 0.85,
        };
        let effort = (1.65 - stats.best_move_effort) * 1.3;
        let drop = (1.0 + f64::from(stats.score_drop) / 39.0).clamp(0.85, 1.7);
        self.elapsed() >= soft.mul_f64((stability * effort * drop).clamp(0.2, 4.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Clock;
    use games::connect_four::ConnectFour;

    fn manager(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeManager {
        let ms = Duration::from_millis;
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        let limits = Limits::<ConnectFour> { clock: Some(clock), ..Limits::default() };
        TimeManager::new(&limits, &Params::default(), ms(10), Instant::now())
    }

    #[test]
    fn no_move_may_take_the_whole_clock() {
        for remaining in [0, 1, 5, 11, 20, 100, 1000, 60_000, 10_000_000_000] {
            for increment in [0, 10, 5000, 100_000_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let TimeManager { soft, hard, .. } = manager(remaining, increment, moves);
                    let (soft, hard) = (soft.unwrap(), hard.unwrap());
                    assert!(soft <= hard);
                    let left = Duration::from_millis(remaining.saturating_sub(10).max(1));
                    assert!(hard <= left * 4 / 5, "{hard:?} of {left:?}");
                }
            }
        }
    }

    #[test]
    fn more_time_is_used() {
        let soft = |remaining| manager(remaining, 0, None).soft.unwrap();
        assert!(soft(60_000) > soft(10_000) * 5);
        assert!(manager(1000, 1000, None).soft.unwrap() > soft(1000));
    }
}
