//! Search limits: from the words of `go` to what ends a search, and back.

use games::{Color, MoveError, ToolkitGame};
use search::{Clock, Limits};

use crate::text::Go;

/// Why the words of `go` are not limits of a search in this position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitsError {
    /// The clock of the side to move is missing.
    #[error("{side} is to move, but `{word}` is missing")]
    Clock {
        /// The side to move.
        side: Color,
        /// The word for its clock.
        word: &'static str,
    },
    /// One of `searchmoves` is not a legal move.
    #[error("searchmoves: {0}")]
    Move(MoveError),
}

/// The limits of a search of `position`.
pub(crate) fn of_go<G: ToolkitGame>(go: &Go, position: &G) -> Result<Limits<G>, LimitsError> {
    let clock = clock(go, position.side_to_move())?;
    let mut search_moves = Vec::new();
    for text in &go.search_moves {
        let mv = position.parse_move(text).map_err(LimitsError::Move)?;
        if !search_moves.contains(&mv) {
            search_moves.push(mv);
        }
    }
    let ends = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
    let ends = ends || go.movetime.is_some() || clock.is_some();
    Ok(Limits {
        depth: go.depth.map(|depth| depth as usize),
        nodes: go.nodes,
        mate: go.mate,
        movetime: go.movetime,
        clock,
        infinite: go.infinite || !ends,
        ponder: go.ponder,
        search_moves,
        ..Limits::default()
    })
}

/// The clock of the side to move.
fn clock(go: &Go, side: Color) -> Result<Option<Clock>, LimitsError> {
    let given = go.time.iter().any(Option::is_some)
        || go.increment.iter().any(|increment| !increment.is_zero());
    if !given {
        return Ok(None);
    }
    let Some(remaining) = go.time[side as usize] else {
        return Err(LimitsError::Clock { side, word: ["wtime", "btime"][side as usize] });
    };
    let increment = go.increment[side as usize];
    Ok(Some(Clock { remaining, increment, moves_to_go: go.moves_to_go }))
}

impl Go {
    /// The command for a search within `limits`, whose clock is that of `side`; `opponent` is the
    /// other clock. Limits that UCI has no words for are left out.
    pub fn of_limits<G: ToolkitGame>(
        limits: &Limits<G>,
        side: Color,
        opponent: Option<Clock>,
    ) -> Self {
        let mut go = Self {
            depth: limits.depth.map(|depth| u32::try_from(depth).unwrap_or(u32::MAX)),
            nodes: limits.nodes,
            movetime: limits.movetime,
            ..Self::default()
        };
        if let Some(own) = limits.clock {
            for (side, clock) in [(side, Some(own)), (!side, opponent)] {
                let Some(clock) = clock else { continue };
                go.time[side as usize] = Some(clock.remaining);
                go.increment[side as usize] = clock.increment;
            }
            go.moves_to_go = own.moves_to_go;
        }
        go
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error;
    use std::time::Duration;

    use games::Game;
    use games::chess::Chess;

    use super::*;

    fn read(text: &str) -> Result<Limits<Chess>, Box<dyn Error>> {
        Ok(of_go(&Go::parse(text.split_ascii_whitespace())?, &Chess::start())?)
    }

    #[test]
    fn a_search_without_an_end_is_infinite() {
        for text in ["", "infinite", "ponder", "searchmoves e2e4", "infinite depth 4"] {
            assert!(read(text).unwrap().infinite, "{text}");
        }
        for text in ["depth 3", "nodes 3", "mate 3", "movetime 3", "wtime 3", "ponder depth 3"] {
            assert!(!read(text).unwrap().infinite, "{text}");
        }
    }

    #[test]
    fn the_clock_is_that_of_the_side_to_move() {
        let clock = read("wtime 5000 btime 7 winc 50 binc 9 movestogo 12").unwrap().clock.unwrap();
        assert_eq!(clock.remaining, Duration::from_secs(5));
        assert_eq!(clock.increment, Duration::from_millis(50));
        assert_eq!(clock.moves_to_go, Some(12));
        assert!(read("btime 1000").unwrap_err().to_string().contains("`wtime` is missing"));
        assert!(read("winc 10").unwrap_err().to_string().contains("`wtime` is missing"));
        assert_eq!(read("winc 0 binc 0 movetime 5").unwrap().clock, None);
    }

    #[test]
    fn moves_must_be_legal() {
        assert_eq!(read("searchmoves e2e4 d2d4 e2e4").unwrap().search_moves.len(), 2);
        assert!(read("searchmoves e2e5").unwrap_err().to_string().contains("`e2e5`"));
    }

    #[test]
    fn limits_become_the_command_that_has_them() {
        let clock = |seconds| Clock {
            remaining: Duration::from_secs(seconds),
            increment: Duration::from_millis(100),
            moves_to_go: Some(7),
        };
        let limits = Limits::<Chess> { clock: Some(clock(5)), ..Limits::default() };
        let go = Go::of_limits(&limits, Color::Black, Some(clock(9)));
        assert_eq!(go.to_string(), "go wtime 9000 winc 100 btime 5000 binc 100 movestogo 7");
        let go = Go::of_limits(&limits, Color::White, None);
        assert_eq!(go.to_string(), "go wtime 5000 winc 100 movestogo 7");
        assert_eq!(of_go(&go, &Chess::start()).unwrap(), limits);
        let limits = Limits::<Chess> { depth: Some(3), nodes: Some(500), ..Limits::default() };
        let go = Go::of_limits(&limits, Color::White, None);
        assert_eq!(go.to_string(), "go depth 3 nodes 500");
        assert_eq!(of_go(&go, &Chess::start()).unwrap(), limits);
    }
}
