//! Tests of the client with external engines that behave or fail, as small scripts.

use std::fs;
use std::path::Path;

use search::Score;
use tempfile::TempDir;

use super::*;
use crate::text::BestMove;

/// An engine whose answers to `uci`, `isready` and `go` are these commands of the shell.
fn script(folder: &Path, uci: &str, ready: &str, go: &str) -> EngineCommand {
    let path = folder.join("engine.sh");
    let text = format!(
        "echo hello\nwhile read -r line; do case \"$line\" in\n\
         uci) echo 'option name Hash type spin'; echo 'option name UCI_Variant type combo'; {uci};;\n\
         isready) {ready};;\n go*) echo \"$line\" >> \"$0.log\"; {go};;\n\
         setoption*|position*|ucinewgame) echo \"$line\" >> \"$0.log\";;\n\
         quit) exit 0;;\n esac; done\n"
    );
    fs::write(&path, text).unwrap();
    EngineCommand {
        arguments: vec![path.to_str().unwrap().to_owned()],
        // Long enough for a machine that has much else to do.
        ready_timeout: Duration::from_mins(1),
        move_grace: Duration::from_mins(1),
        ..EngineCommand::new("sh")
    }
}

fn plain(folder: &Path, go: &str) -> EngineCommand {
    script(folder, "echo uciok", "echo readyok", go)
}

fn log(folder: &TempDir) -> Vec<String> {
    let text = fs::read_to_string(folder.path().join("engine.sh.log")).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn an_engine_is_sent_its_options_and_answers_with_a_move() {
    let folder = TempDir::new().unwrap();
    let mut command =
        plain(folder.path(), "echo info depth 3 score cp 12 nodes 99; echo bestmove d");
    command.options.push(("hash".into(), "3".into()));
    let mut engine = ExternalEngine::start(command, "connect_four").unwrap();
    engine.new_game().unwrap();
    engine.set_chess960(true).unwrap();
    let position = PositionCommand { fen: None, moves: vec!["a".into()] };
    let go = Go { nodes: Some(9), ..Go::default() };
    let reply = engine.search(&position, &go, None, &Control::new()).unwrap();
    assert_eq!(reply.best_move, BestMove { best: "d".into(), ponder: None });
    assert_eq!((reply.score, reply.depth, reply.nodes), (Some(Score::Centipawns(12)), 3, 99));
    assert_eq!(
        log(&folder),
        [
            "setoption name hash value 3",
            "setoption name UCI_Variant value connect_four",
            "ucinewgame",
            "setoption name UCI_Chess960 value true",
            "position startpos moves a",
            "go nodes 9",
        ]
    );
}

#[test]
fn an_engine_that_was_lost_is_started_again() {
    let folder = TempDir::new().unwrap();
    let go = "[ -e \"$0.again\" ] && echo bestmove d || { touch \"$0.again\"; exit 3; }";
    let mut engine = ExternalEngine::start(plain(folder.path(), go), "chess").unwrap();
    let search = |engine: &mut ExternalEngine| {
        engine.search(&PositionCommand::default(), &Go::default(), None, &Control::new())
    };
    let error = search(&mut engine).unwrap_err().to_string();
    assert_eq!(error, "the program ended with exit status: 3");
    assert!(matches!(search(&mut engine), Err(ClientError::Lost)));
    engine.new_game().unwrap();
    assert_eq!(search(&mut engine).unwrap().best_move.best, "d");
}

#[test]
fn a_wait_can_be_stopped_and_times_out() {
    let folder = TempDir::new().unwrap();
    let command = EngineCommand { move_grace: Duration::ZERO, ..plain(folder.path(), ":") };
    let mut engine = ExternalEngine::start(command, "chess").unwrap();
    let time = Some(Duration::from_millis(50));
    let control = Control::new();
    let (position, go) = (PositionCommand::default(), Go::default());
    let error = engine.search(&position, &go, time, &control).unwrap_err();
    assert!(matches!(error, ClientError::Timeout(_)), "{error}");
    engine.new_game().unwrap();
    control.stop();
    let error = engine.search(&position, &go, None, &control).unwrap_err();
    assert!(matches!(error, ClientError::Stopped), "{error}");
}

#[test]
fn an_engine_that_does_not_start_says_why() {
    let folder = TempDir::new().unwrap();
    let fault = |command| ExternalEngine::start(command, "connect_four").unwrap_err().to_string();
    let missing = fault(EngineCommand::new("/nowhere/engine"));
    assert!(missing.contains("/nowhere/engine cannot be started"), "{missing}");
    let impatient = |command: EngineCommand| EngineCommand {
        ready_timeout: Duration::from_millis(1500),
        ..command
    };
    let silent = fault(impatient(script(folder.path(), ":", ":", ":")));
    assert!(silent.contains("no answer in 1.5"), "{silent}");
    let busy = fault(impatient(script(folder.path(), "echo uciok", "sleep 100", ":")));
    assert!(busy.contains("no answer"), "{busy}");
    let gone = fault(script(folder.path(), "exit 7", ":", ":"));
    assert!(gone.contains("exit status: 7"), "{gone}");
    let mut command = plain(folder.path(), ":");
    command.options.push(("Hsah".into(), "3".into()));
    assert!(fault(command).contains("no option `Hsah`"));
}
