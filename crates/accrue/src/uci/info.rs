//! What a search says, in the words of UCI.

use std::fmt::Write;

use games::Game;
use search::{Answer, Bound, Info, Score};

use super::wdl;

/// A line of `info` about a line of play that begins at `position`.
pub(super) fn line<G: Game>(position: &G, info: &Info<G>, show_wdl: bool) -> String {
    let mut text = format!(
        "info depth {} seldepth {} multipv {} score {}",
        info.depth,
        info.seldepth,
        info.multipv,
        score(info.score)
    );
    text.push_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    });
    if show_wdl {
        let [win, draw, loss] = wdl::of_score(info.score);
        append(&mut text, format_args!(" wdl {win} {draw} {loss}"));
    }
    append(
        &mut text,
        format_args!(
            " nodes {} nps {} hashfull {} tbhits {} time {}",
            info.nodes,
            per_second(info.nodes, info.time),
            info.hashfull,
            info.tb_hits,
            info.time.as_millis()
        ),
    );
    if !info.pv.is_empty() {
        append(&mut text, format_args!(" pv {}", moves(position, &info.pv)));
    }
    text
}

/// The line that ends a search at `position`.
pub(super) fn best_move<G: Game>(position: &G, answer: &Answer<G>) -> String {
    let Some(best) = answer.best else { return "bestmove (none)".to_owned() };
    let mut text = format!("bestmove {}", position.move_text(best));
    if let Some(reply) = answer.ponder {
        let mut after = position.clone();
        after.play(best);
        append(&mut text, format_args!(" ponder {}", after.move_text(reply)));
    }
    text
}

/// `cp 31` or `mate -2`.
pub(super) fn score(score: Score) -> String {
    match score {
        Score::Centipawns(centipawns) => format!("cp {}", wdl::shown(centipawns)),
        Score::Mate(moves) => format!("mate {moves}"),
    }
}

/// Nodes a second; a clock that has not moved must not divide by zero.
pub(super) fn per_second(nodes: u64, time: std::time::Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// Moves one after the other, each written as its position has it.
fn moves<G: Game>(position: &G, moves: &[G::Move]) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    for &mv in moves {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&position.move_text(mv));
        position.play(mv);
    }
    text
}

fn append(text: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(more);
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use games::chess::Chess;

    fn castling() -> Chess {
        Chess::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap()
    }

    fn info(score: Score, bound: Bound) -> Info<Chess> {
        let position = castling();
        let castle = position.parse_move("e1g1").unwrap();
        let mut after = position;
        after.play(castle);
        let reply = after.parse_move("e8c8").unwrap();
        Info {
            depth: 7,
            seldepth: 12,
            multipv: 2,
            score,
            bound,
            nodes: 4000,
            time: Duration::from_millis(2),
            hashfull: 31,
            tb_hits: 0,
            pv: vec![castle, reply],
        }
    }

    #[test]
    fn every_part_is_in_its_place() {
        let position = castling();
        assert_eq!(
            line(&position, &info(Score::Centipawns(-77), Bound::Exact), false),
            "info depth 7 seldepth 12 multipv 2 score cp -50 nodes 4000 nps 2000000 hashfull 31 \
             tbhits 0 time 2 pv e1g1 e8c8"
        );
        let bounded = line(&position, &info(Score::Mate(-3), Bound::Upper), true);
        assert!(bounded.contains(" score mate -3 upperbound wdl 0 0 1000 nodes "), "{bounded}");
        let bounded = line(&position, &info(Score::Mate(3), Bound::Lower), false);
        assert!(bounded.contains(" score mate 3 lowerbound nodes "), "{bounded}");
    }

    #[test]
    fn castling_is_written_as_the_position_says() {
        let mut position = castling();
        position.set("chess960", "true").unwrap();
        let info = info(Score::Centipawns(0), Bound::Exact);
        assert!(line(&position, &info, false).ends_with(" pv e1h1 e8a8"));
        let mut answer = Answer::<Chess> {
            best: info.pv.first().copied(),
            ponder: info.pv.get(1).copied(),
            score: info.score,
            depth: 7,
            nodes: 1,
            time: Duration::ZERO,
        };
        assert_eq!(best_move(&position, &answer), "bestmove e1h1 ponder e8a8");
        answer.ponder = None;
        assert_eq!(best_move(&castling(), &answer), "bestmove e1g1");
        answer.best = None;
        assert_eq!(best_move(&castling(), &answer), "bestmove (none)");
    }
}
