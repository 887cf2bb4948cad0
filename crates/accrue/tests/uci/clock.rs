//! Games against the clock: no move comes too late, and none is illegal.

use std::time::{Duration, Instant};

use games::chess::Chess;
use games::{Game, Line};

use crate::conversation::{Conversation, best_move};

const TIME: Duration = Duration::from_secs(1);
const INCREMENT: Duration = Duration::from_millis(10);
/// What a machine that does other things may take from a program, and from this one.
const MARGIN: Duration = Duration::from_millis(80);
/// Where a game is broken off.
const MOST_PLIES: usize = 200;

const OPENINGS: [&str; 3] = ["e2e4 c7c5", "d2d4 g8f6", "c2c4 e7e5"];

#[test]
fn no_game_is_lost_on_time() {
    let mut engines = [Conversation::new(), Conversation::new()];
    for opening in OPENINGS {
        play(&mut engines, opening);
    }
}

fn play(engines: &mut [Conversation; 2], opening: &str) {
    for engine in engines.iter_mut() {
        engine.ask("ucinewgame");
    }
    let mut line = Line::new(Chess::start());
    let mut moves = opening.to_owned();
    for text in opening.split(' ') {
        line.play_text(text).expect("a legal move");
    }
    let mut clocks = [TIME; 2];
    while line.outcome().is_none() && line.plies() < MOST_PLIES {
        let side = line.position().side_to_move() as usize;
        let [white, black] = clocks.map(|clock| clock.as_millis());
        let increment = INCREMENT.as_millis();
        engines[side].say(&format!("position startpos moves {moves}"));
        let begun = Instant::now();
        let lines = engines[side]
            .search(&format!("go wtime {white} btime {black} winc {increment} binc {increment}"));
        let taken = begun.elapsed();
        let left = clocks[side];
        assert!(taken <= left + MARGIN, "{taken:?} of {left:?} after {moves}");
        clocks[side] = left.saturating_sub(taken) + INCREMENT;
        let best = best_move(&lines);
        line.play_text(best).unwrap_or_else(|error| panic!("{error}"));
        moves = format!("{moves} {best}");
    }
}
