//! From the words of `go` to what ends a search.

use anyhow::{Context, bail};
use games::{Color, Game};
use search::{Clock, Limits};

use super::go::Go;

/// What ends a search of `position`.
pub(super) fn of<G: Game>(go: &Go, position: &G) -> anyhow::Result<Limits<G>> {
    let clock = clock(go, position.side_to_move())?;
    let mut search_moves = Vec::new();
    for text in go.search_moves.iter().flatten() {
        let mv = position.parse_move(text).context("searchmoves")?;
        if !search_moves.contains(&mv) {
            search_moves.push(mv);
        }
    }
    let ends = go.depth.is_some() || go.nodes.is_some() || go.mate.is_some();
    let ends = ends || go.movetime.is_some() || clock.is_some();
    Ok(Limits {
        depth: go.depth.map(|depth| depth as usize),
        nodes: go.nodes,
        soft_nodes: None,
        mate: go.mate,
        movetime: go.movetime,
        clock,
        infinite: go.infinite || !ends,
        ponder: go.ponder,
        search_moves,
        full_window: false,
    })
}

/// The clock of the side to move.
fn clock(go: &Go, side: Color) -> anyhow::Result<Option<Clock>> {
    let said = go.time.iter().any(Option::is_some)
        || go.increment.iter().any(|increment| !increment.is_zero());
    if !said {
        return Ok(None);
    }
    let Some(remaining) = go.time[side as usize] else {
        let word = ["wtime", "btime"][side as usize];
        bail!("{side} is to move, but `{word}` is missing");
    };
    let increment = go.increment[side as usize];
    Ok(Some(Clock { remaining, increment, moves_to_go: go.moves_left }))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::uci::go;
    use games::chess::Chess;

    fn read(text: &str) -> anyhow::Result<Limits<Chess>> {
        of(&go::parse(text.split_ascii_whitespace())?, &Chess::start())
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
        assert!(format!("{:#}", read("searchmoves e2e5").unwrap_err()).contains("`e2e5`"));
    }
}
