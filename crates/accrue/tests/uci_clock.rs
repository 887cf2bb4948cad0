//! Time: no move comes too late. One test after the other, in a program of its own: others would take the time.

#[expect(dead_code, reason = "other tests use the rest")]
#[path = "common/conversation.rs"]
mod conversation;
#[path = "common/info.rs"]
mod info;

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use conversation::{Conversation, best_move};
use games::chess::Chess;
use games::{Game, GameHistory};
use info::check;

/// Held by the test that runs.
static TURN: Mutex<()> = Mutex::new(());

const TIME: Duration = Duration::from_secs(1);
const INCREMENT: Duration = Duration::from_millis(10);
/// What a machine that does other things may take from a program, and from this one.
const MARGIN: Duration = Duration::from_millis(80);
/// Where a game is broken off.
const MAX_PLIES: usize = 200;

const OPENINGS: [&str; 3] = ["e2e4 c7c5", "d2d4 g8f6", "c2c4 e7e5"];

#[test]
fn no_game_is_lost_on_time() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut engines = [Conversation::new(), Conversation::new()];
    for opening in OPENINGS {
        play(&mut engines, opening);
    }
}

fn play(engines: &mut [Conversation; 2], opening: &str) {
    for engine in engines.iter_mut() {
        engine.ask("ucinewgame");
    }
    let mut line = GameHistory::new(Chess::start());
    let mut moves = opening.to_owned();
    for text in opening.split(' ') {
        line.play_text(text).expect("a legal move");
    }
    let mut clocks = [TIME; 2];
    while line.outcome().is_none() && line.plies() < MAX_PLIES {
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

#[test]
fn stop_is_answered_at_once() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut engine = Conversation::new();
    let mut times: Vec<_> = (0..9)
        .map(|_| {
            engine.say("go infinite");
            std::thread::sleep(Duration::from_millis(60));
            let begun = Instant::now();
            check(&engine.search("stop"), &Chess::start());
            begun.elapsed()
        })
        .collect();
    times.sort();
    // One may be unlucky on a busy machine.
    assert!(times[7] < Duration::from_millis(200), "{times:?}");
    // Even before anything is found.
    engine.say("go infinite\nstop");
    check(&engine.until("bestmove"), &Chess::start());
}

#[test]
fn a_movetime_is_kept() {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut engine = Conversation::new();
    for millis in [50, 200, 400] {
        let begun = Instant::now();
        check(&engine.search(&format!("go movetime {millis}")), &Chess::start());
        let taken = begun.elapsed().as_millis() as u64;
        assert!(taken + 60 >= millis, "{taken} of {millis} ms");
        assert!(taken <= millis + 250, "{taken} of {millis} ms");
    }
}
