//! Tests of external engines, as small scripts that behave or fail.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use games::Game;
use games::connect_four::ConnectFour;
use search::{Engine, EngineOptions, Score};
use tempfile::TempDir;

use super::*;
use crate::openings::Openings;
use crate::tournament::{Entrant, Event, Schedule, Shape, Standings, Tournament};
use crate::{Adjudication, EnginePlayer, Played, SearchLimits, TimeControl};

/// An engine whose answer to `go` is these shell commands.
fn script(folder: &Path, go: &str) -> EngineCommand {
    let path = folder.join("engine.sh");
    let text = format!(
        "echo hello\nwhile read -r line; do case \"$line\" in\n\
         uci) echo 'option name Hash type spin'; echo 'option name UCI_Variant type combo';\n\
         echo uciok;;\n\
         isready) echo readyok;;\n go*) {go};;\n\
         setoption*|position*) echo \"$line\" >> \"$0.log\";;\n\
         quit) exit 0;;\n esac; done\n"
    );
    fs::write(&path, text).unwrap();
    EngineCommand {
        arguments: vec![path.to_str().unwrap().to_owned()],
        // Long enough for a busy machine.
        ready_timeout: Duration::from_mins(1),
        move_grace: Duration::from_mins(1),
        ..EngineCommand::new("sh")
    }
}

/// The same engine with a short timeout for its moves.
fn hurried(program: EngineCommand) -> EngineCommand {
    let moment = Duration::from_millis(400);
    EngineCommand { move_grace: moment, max_move_time: moment, ..program }
}

fn external(program: EngineCommand, limits: SearchLimits) -> Entrant<ConnectFour> {
    let make = move || -> Result<Box<dyn Player<ConnectFour>>, PlayerFault> {
        Ok(Box::new(ExternalPlayer::start(program.clone(), ConnectFour::NAME)?))
    };
    Entrant { name: "program".into(), limits, make: Box::new(make) }
}

fn engine() -> Entrant<ConnectFour> {
    let make = || -> Result<Box<dyn Player<ConnectFour>>, PlayerFault> {
        let options = EngineOptions { hash_mib: 1, ..EngineOptions::default() };
        Ok(Box::new(EnginePlayer(Engine::new(options).expect("a small engine"))))
    };
    let limits = SearchLimits { nodes: Some(100), ..SearchLimits::default() };
    Entrant { name: "engine".into(), limits, make: Box::new(make) }
}

/// The games of a program against an engine in this process, which never fails.
fn games(program: EngineCommand, limits: SearchLimits, rounds: u64) -> Vec<Played<ConnectFour>> {
    let tournament = Tournament {
        entrants: vec![external(program, limits), engine()],
        schedule: Schedule::new(Shape::RoundRobin, 2, rounds),
        openings: Openings::start(ConnectFour::start()),
        adjudication: Adjudication::default(),
        time_margin: Duration::ZERO,
        concurrency: 1,
    };
    let mut games = Vec::new();
    let mut standings = Standings::new(&tournament.schedule, 2);
    tournament.run(&AtomicBool::new(false), &mut |event| {
        if let Event::Finished(fixture, played) = event {
            standings.add(fixture, played);
            games.push(played.clone());
        }
        ControlFlow::Continue(())
    });
    assert_eq!(standings.faults()[1].total(), 0, "{games:?}");
    games
}

/// The ending of the first game, in which the program has White and fails.
fn failure(program: EngineCommand, limits: SearchLimits) -> String {
    let games = games(program, limits, 1);
    for (game, result) in games.iter().zip(["0-1", "1-0"]) {
        assert_eq!(game.result(), result, "{}", game.reason());
    }
    games[0].reason()
}

const NODES: SearchLimits =
    SearchLimits { nodes: Some(100), depth: None, soft_nodes: None, movetime: None, time: None };
const MOVETIME: SearchLimits =
    SearchLimits { movetime: Some(Duration::from_millis(100)), nodes: None, ..NODES };

#[test]
fn a_program_that_behaves_plays_to_the_end() {
    let folder = TempDir::new().unwrap();
    // Alternate the columns, so that none fills up early.
    let go = "n=$((n % 7 + 1)); echo info depth 3 score cp 12 nodes 99; \
        echo bestmove $(echo abcdefg | cut -c$n)";
    let mut program = script(folder.path(), go);
    program.options.push(("hash".into(), "3".into()));
    let games = games(program, NODES, 1);
    for (game, side) in games.iter().zip(games::Color::BOTH) {
        assert_eq!(game.ending, crate::Ending::Rules, "{}", game.reason());
        let played_move = &game.record.played_moves()[side as usize];
        assert_eq!(
            (played_move.score, played_move.depth, played_move.nodes),
            (Some(Score::Centipawns(12)), 3, 99)
        );
    }
    let log = fs::read_to_string(folder.path().join("engine.sh.log")).unwrap();
    let mut lines = log.lines();
    assert_eq!(lines.next(), Some("setoption name hash value 3"));
    assert_eq!(lines.next(), Some("setoption name UCI_Variant value connect_four"));
    assert_eq!(lines.next(), Some("position startpos"));
}

#[test]
fn faults_are_losses_with_their_reason() {
    let flood = "head -c 300000 /dev/zero | tr '\\0' x; echo; yes rubbish | head -n 5000; \
        echo bestmove xyz";
    for (go, limits, reason) in [
        ("exit 3", NODES, "White disconnects: the program ended with exit status: 3"),
        ("kill -9 $$", NODES, "White disconnects: the program ended with signal: 9 (SIGKILL)"),
        (":", NODES, "White's connection stalls"),
        ("exec sleep 100", MOVETIME, "White's connection stalls"),
        ("echo bestmove h", NODES, "White makes an illegal move: h"),
        ("echo bestmove", NODES, "White makes an illegal move: none"),
        ("echo 'bestmove (none)'", NODES, "White makes an illegal move: (none)"),
        (
            "printf 'bestmove \\001\\377%0100d\\n' 7",
            NODES,
            "White makes an illegal move: \u{fffd}0",
        ),
        ("sleep 0.3; echo bestmove d", MOVETIME, "White loses on time"),
        (flood, NODES, "White makes an illegal move: xyz"),
    ] {
        let folder = TempDir::new().unwrap();
        let program = script(folder.path(), go);
        let program = if reason.ends_with("stalls") { hurried(program) } else { program };
        let message = failure(program, limits);
        assert!(message.starts_with(reason), "{go}: {message}");
    }
}

#[test]
fn a_clock_runs_out_by_its_own_time() {
    let folder = TempDir::new().unwrap();
    let time =
        TimeControl { base: Duration::from_millis(150), increment: Duration::ZERO, moves: None };
    let limits = SearchLimits { time: Some(time), nodes: None, ..NODES };
    let message = failure(script(folder.path(), "sleep 0.25; echo bestmove d"), limits);
    assert_eq!(message, "White loses on time");
}

#[test]
fn a_program_that_crashed_is_started_again() {
    let folder = TempDir::new().unwrap();
    // It crashes at its first move, in every process.
    let go = "c=$(cat \"$0.count\" 2>/dev/null || echo 0); echo $((c + 1)) > \"$0.count\"; \
        [ $c = 0 ] && exit 1; n=$((n % 7 + 1)); echo bestmove $(echo abcdefg | cut -c$n)";
    let games = games(script(folder.path(), go), NODES, 1);
    assert_eq!(games[0].reason(), "White disconnects: the program ended with exit status: 1");
    assert_eq!(games[1].ending, crate::Ending::Rules, "{}", games[1].reason());
}

#[test]
fn a_program_that_does_not_start_says_why() {
    let fault = |program| ExternalPlayer::start(program, ConnectFour::NAME).unwrap_err();
    let missing = fault(EngineCommand::new("/nowhere/engine")).to_string();
    assert!(missing.contains("/nowhere/engine cannot be started"), "{missing}");
    let folder = TempDir::new().unwrap();
    let silent = EngineCommand { ready_timeout: Duration::ZERO, ..script(folder.path(), ":") };
    assert!(matches!(fault(silent), PlayerFault::Stall(_)));
}

#[test]
fn a_match_that_is_stopped_does_not_wait_for_a_program() {
    let folder = TempDir::new().unwrap();
    let program = script(folder.path(), ":");
    let tournament = Tournament {
        entrants: vec![external(program, NODES), engine()],
        schedule: Schedule::new(Shape::RoundRobin, 2, 1),
        openings: Openings::start(ConnectFour::start()),
        adjudication: Adjudication::default(),
        time_margin: Duration::ZERO,
        concurrency: 2,
    };
    let (stop, begin) = (AtomicBool::new(false), Instant::now());
    tournament.run(&stop, &mut |event| {
        assert!(matches!(event, Event::Started(_)));
        stop.store(true, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    assert!(begin.elapsed() < Duration::from_secs(30));
}
