//! Search limits of a player: depth, nodes, time per move, and the time control of a game.

use std::fmt;
use std::time::Duration;

use games::ToolkitGame;
use search::{Clock, Limits};

/// Time for a whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeControl {
    /// The time on the clock at the start.
    pub base: Duration,
    /// The time that each move adds.
    pub increment: Duration,
    /// The number of moves after which `base` is added again, if any.
    pub moves: Option<u32>,
}

impl TimeControl {
    /// The clock at the start of the game.
    pub fn clock(&self) -> Clock {
        Clock { remaining: self.base, increment: self.increment, moves_to_go: self.moves }
    }

    /// The clock after a move that took `time`; `None` if the time exceeds the clock by more than
    /// `margin`.
    pub fn after(&self, clock: Clock, time: Duration, margin: Duration) -> Option<Clock> {
        if time > clock.remaining + margin {
            return None;
        }
        let mut remaining = clock.remaining.saturating_sub(time) + self.increment;
        let mut moves_to_go = clock.moves_to_go.map(|left| left - 1);
        if moves_to_go == Some(0) {
            remaining += self.base;
            moves_to_go = self.moves;
        }
        Some(Clock { remaining, increment: self.increment, moves_to_go })
    }
}

/// Limits of a player's searches. Each limit that is set applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// The maximum depth in plies.
    pub depth: Option<usize>,
    /// The maximum number of nodes for each move.
    pub nodes: Option<u64>,
    /// The number of nodes after which no further iteration starts.
    pub soft_nodes: Option<u64>,
    /// Time for each move.
    pub movetime: Option<Duration>,
    /// Time for the game.
    pub time: Option<TimeControl>,
}

impl SearchLimits {
    /// Whether any limit is set.
    pub fn is_limited(&self) -> bool {
        *self != Self::default()
    }

    /// The limits of one search, given the clock.
    pub fn with_clock<G: ToolkitGame>(&self, clock: Option<Clock>) -> Limits<G> {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            soft_nodes: self.soft_nodes,
            movetime: self.movetime,
            clock,
            ..Limits::default()
        }
    }
}

impl fmt::Display for SearchLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.time.map(|time| time.to_string()));
        parts.extend(self.movetime.map(|time| format!("{}/move", time.as_secs_f64())));
        parts.extend(self.nodes.map(|nodes| format!("nodes {nodes}")));
        parts.extend(self.soft_nodes.map(|nodes| format!("soft nodes {nodes}")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MARGIN: Duration = Duration::from_millis(5);

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn clocks_count_down_add_and_run_out() {
        let control = TimeControl { base: seconds(60), increment: seconds(2), moves: None };
        let clock = control.after(control.clock(), seconds(10), MARGIN).unwrap();
        assert_eq!(clock.remaining, seconds(52));
        assert_eq!(
            control.after(clock, seconds(52) + MARGIN, MARGIN).unwrap().remaining,
            seconds(2)
        );
        assert_eq!(control.after(clock, seconds(53), MARGIN), None);
    }

    #[test]
    fn a_period_gives_the_base_again() {
        let control = TimeControl { base: seconds(60), increment: Duration::ZERO, moves: Some(2) };
        let first = control.after(control.clock(), seconds(20), MARGIN).unwrap();
        assert_eq!((first.remaining, first.moves_to_go), (seconds(40), Some(1)));
        let second = control.after(first, seconds(20), MARGIN).unwrap();
        assert_eq!((second.remaining, second.moves_to_go), (seconds(80), Some(2)));
    }
}
