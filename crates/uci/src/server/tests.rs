//! Servers in this process: scripts of commands, and what is written.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::{Game, ToolkitGame};
use search::{Control, Engine};

use super::*;
use crate::text::GenFens;

/// A host whose networks are numbers.
struct TestHost;

impl Host for TestHost {
    type Network = u32;

    fn identity(&self) -> EngineIdentity {
        EngineIdentity { name: "Test 1".into(), author: "nobody".into() }
    }

    fn read_network(&self, file: &str) -> Result<u32, HostError> {
        file.parse().map_err(|error| HostError::new(format_args!("{file}: {error}")))
    }

    fn describe_network(&self, network: &u32) -> String {
        format!("network {network}")
    }

    fn check_memory(&self, mib: usize, held: usize) -> Result<(), HostError> {
        if mib > held + 64 { Err(HostError::new("there is no memory")) } else { Ok(()) }
    }
}

impl<G: ToolkitGame> GameHost<G> for TestHost {
    /// Networks of chess are even.
    fn check_network(&self, network: &u32) -> Result<(), HostError> {
        let even = network.is_multiple_of(2);
        let fits = even == (G::NAME == Chess::NAME);
        let fault = || HostError::new(format_args!("{network} does not fit {}", G::NAME));
        fits.then_some(()).ok_or_else(fault)
    }

    fn describe_evaluator(&self, evaluation: &EvaluationOptions<u32>) -> String {
        format!("{:?} {:?} {}", evaluation.network, evaluation.large, evaluation.blend)
    }

    fn openings(&self, genfens: &GenFens) -> Result<OpeningsJob<G>, HostError> {
        if let Some(book) = &genfens.book {
            return Err(HostError::new(format_args!("{book} is no book")));
        }
        Ok(Box::new(|_: &mut Engine<G>, _: &Control, found: &mut dyn FnMut(&G) -> bool| {
            while found(&G::start()) {}
            Ok(())
        }))
    }
}

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is written for these commands, and how the server ends.
fn run(mode: ServerMode, commands: &str) -> (Vec<String>, Result<(), UciError>) {
    let server = Server::new(TestHost).with_game::<Chess>().with_game::<ConnectFour>();
    let output = Lines::default();
    let ended = server.run(&mut commands.as_bytes(), output.clone(), mode);
    let text = String::from_utf8(output.0.lock().unwrap().clone()).unwrap();
    (text.lines().map(str::to_owned).collect(), ended)
}

fn script(commands: &str) -> Vec<String> {
    let (lines, ended) = run(ServerMode::Script, commands);
    ended.unwrap();
    lines
}

#[test]
fn the_host_gives_the_name_and_the_games_their_list() {
    let lines = script("uci\nisready");
    assert_eq!(&lines[..2], ["id name Test 1", "id author nobody"]);
    let variant = "option name UCI_Variant type combo default chess var chess var connect_four";
    assert!(lines.iter().any(|line| line == variant), "{lines:?}");
    assert_eq!(&lines[lines.len() - 2..], ["uciok", "readyok"]);
}

#[test]
fn the_game_changes_and_drops_a_network_that_does_not_fit() {
    let lines = script(
        "setoption name EvalFile value 2\nsetoption name EvalFileLarge value 4\n\
         setoption name EvalBlend value 30\neval\n\
         setoption name UCI_Variant value connect_four\neval\ngo depth 2",
    );
    let start = ConnectFour::start().to_fen();
    let shown: Vec<_> = lines.iter().map(String::as_str).collect();
    assert_eq!(shown[0], "info string EvalFile 2: network 2");
    assert_eq!(shown[1], "info string EvalFileLarge 4: network 4");
    assert_eq!(shown[2], "evaluator  Some(2) Some(4) 30");
    assert_eq!(shown[6], format!("info string variant connect_four startpos {start}"));
    assert!(shown[7].contains("2 does not fit connect_four; EvalFile is <internal> again"));
    assert!(shown[8].contains("EvalFileLarge does not fit connect_four"));
    assert_eq!(shown[9], "evaluator  None None 30");
    assert!(shown.last().is_some_and(|line| line.starts_with("bestmove ")));
}

#[test]
fn a_script_ends_at_its_first_error() {
    for (commands, error) in [
        ("fish\nuci", "unknown command `fish`; `help` lists the commands"),
        ("setoption name EvalFile value x\nuci", "option EvalFile: x: invalid digit"),
        ("genfens 3 seed 1 book b\nuci", "genfens: b is no book"),
        ("stop\nuci", "stop: no search is running"),
        ("go depth x\nuci", "nothing is searched"),
    ] {
        let (lines, ended) = run(ServerMode::Script, commands);
        assert_eq!(lines, [""; 0], "{commands}");
        let ended = ended.unwrap_err().to_string();
        assert!(ended.contains(error), "{commands}: {ended}");
        let (lines, ended) = run(ServerMode::Interactive, commands);
        assert!(lines[0].starts_with("info string ") && lines[0].contains(error), "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("uciok"));
        ended.unwrap();
    }
}

#[test]
fn what_the_host_cannot_do_is_reported() {
    assert_eq!(script("bench"), ["info string bench: this program has no bench"]);
    let lines = script("genfens 2 seed 1 book None");
    let start = Chess::start().to_fen();
    let fen = format!("info string genfens {start}");
    assert_eq!(lines, [fen.as_str(), fen.as_str(), "info string 2 openings"]);
    let lines = script("setoption name Hash value 4096\nisready");
    assert_eq!(lines[0], "info string there is no memory; the options stay as they were");
}

#[test]
fn a_server_without_games_says_so() {
    let ended = Server::new(TestHost).run(&mut &b""[..], io::sink(), ServerMode::Script);
    assert!(matches!(ended, Err(UciError::NoGames)));
}
