//! How long to think.

use std::time::{Duration, Instant};

use games::Game;

use crate::limits::Limits;
use crate::params::Params;

/// Moves that a clock without a count of moves is divided over.
const MOVES: u32 = 24;
/// The largest part of the clock that a move may take, in percent.
const MOST_SHARE: u32 = 50;

/// When to think about stopping, and when to stop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timer {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

/// What is known of an iteration that was just finished.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// How many iterations in a row had the same best move.
    pub(crate) stable: u32,
    /// The share of the nodes that went into the best move.
    pub(crate) effort: f64,
    /// By how many centipawns the score fell since the last iterations.
    pub(crate) fall: i32,
}

impl Timer {
    /// For a search that began at `start`.
    pub(crate) fn new<G: Game>(
        limits: &Limits<G>,
        params: &Params,
        overhead: Duration,
        start: Instant,
    ) -> Self {
        let mut timer = Self { start, soft: None, hard: None };
        if let Some(time) = limits.movetime {
            timer.hard = Some(time.saturating_sub(overhead).max(Duration::from_millis(1)));
        }
        if let Some(clock) = limits.clock {
            let moves = clock.moves_to_go.unwrap_or(MOVES).clamp(1, 50);
            // The overhead is paid for every move that is still to come.
            let later = overhead * moves.min(MOVES).saturating_sub(1);
            let now = clock.remaining.saturating_sub(overhead).max(Duration::from_millis(1));
            let most = if moves == 1 { now * 4 / 5 } else { now * MOST_SHARE / 100 };
            let increment = clock.increment.saturating_sub(overhead) * 3 / 4;
            let share = now.saturating_sub(later).max(now / 8) / moves + increment;
            let part = |part: i32| share.mul_f64(f64::from(part) / 1024.0);
            let hard = part(params.time_hard).min(most);
            timer.soft = Some(part(params.time_soft).min(hard));
            timer.hard = Some(timer.hard.map_or(hard, |time| time.min(hard)));
        }
        timer
    }

    /// How long the search has been going on.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the time is up, for a clock that began to run at `since`.
    pub(crate) fn is_up(&self, since: Instant) -> bool {
        self.hard.is_some_and(|hard| since.elapsed() >= hard)
    }

    /// Whether another iteration would take more time than it deserves.
    pub(crate) fn is_enough(&self, progress: Progress) -> bool {
        let Some(soft) = self.soft else { return false };
        let stability = match progress.stable {
            0 => 1.8,
            1 => 1.25,
            2 => 1.05,
            3 => 0.95,
            _ => 0.85,
        };
        let effort = (1.65 - progress.effort) * 1.3;
        let fall = (1.0 + f64::from(progress.fall) / 60.0).clamp(0.85, 1.7);
        self.elapsed() >= soft.mul_f64((stability * effort * fall).clamp(0.2, 4.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Clock;
    use games::connect_four::ConnectFour;

    fn timer(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Timer {
        let ms = Duration::from_millis;
        let clock = Clock { remaining: ms(remaining), increment: ms(increment), moves_to_go };
        let limits = Limits::<ConnectFour> { clock: Some(clock), ..Limits::default() };
        Timer::new(&limits, &Params::default(), ms(10), Instant::now())
    }

    #[test]
    fn no_move_may_take_the_whole_clock() {
        for remaining in [0, 1, 5, 11, 20, 100, 1000, 60_000, 10_000_000_000] {
            for increment in [0, 10, 5000, 100_000_000] {
                for moves in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let Timer { soft, hard, .. } = timer(remaining, increment, moves);
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
        let soft = |remaining| timer(remaining, 0, None).soft.unwrap();
        assert!(soft(60_000) > soft(10_000) * 5);
        assert!(timer(1000, 1000, None).soft.unwrap() > soft(1000));
    }
}
