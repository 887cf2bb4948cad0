//! Games from outside the workspace: each command works through [`accrue::Toolkit`].
//!
//! The game here is not mirror-symmetric and leaves out all that has a default.

#[path = "../../games/tests/fox_and_hounds/game.rs"]
mod game;

use std::path::Path;
use std::process::ExitCode;

use accrue::Toolkit;
use game::FoxAndHounds;

fn run(arguments: &[&str]) -> ExitCode {
    let toolkit = Toolkit::new().with_builtin_games().with_game::<FoxAndHounds>();
    toolkit.run(std::iter::once("accrue").chain(arguments.iter().copied()))
}

fn done(arguments: &[&str]) {
    assert_eq!(run(arguments), ExitCode::SUCCESS, "{arguments:?}");
}

#[test]
fn every_command_works_with_a_game_whose_sides_differ() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let game = ["--game", "fox_and_hounds"];
    let with = |command: &[&str], rest: &[&str]| done(&[command, &game, rest].concat());
    with(&["perft"], &["--depth", "5"]);
    with(&["features"], &["--set", "fox_and_hounds.piece-cell"]);
    with(&["bench", "3"], &[]);
    done(&["games"]);
    let (data, out) = (file("games.data"), file("net.accrue"));
    with(&["datagen"], &["--out", &data, "--positions", "3000", "--soft-nodes", "50"]);
    done(&["data", "check", &data]);
    done(&["data", "info", &data]);
    let config = file("train.toml");
    std::fs::write(Path::new(&config), CONFIG).unwrap();
    done(&["train", &config]);
    done(&["export", &file("training"), "--out", &out, "--data", &data]);
    with(&["eval"], &["--net", &out]);
    done(&["net", "plot", &out, "--out", &file("neurons.svg")]);
    with(&["match", &out, "moves=random"], &["--nodes", "200", "--games", "4", "--quiet"]);
    with(&["openings"], &["--out", &file("book.epd"), "--count", "20", "--max-score", "2000"]);
    done(&["setoption name UCI_Variant value fox_and_hounds", "position startpos", "go nodes 500"]);
}

const CONFIG: &str = r#"
[network]
features = "fox_and_hounds.piece-cell"
accumulator = 16
hidden = [8]

[data]
files = ["games.data"]
batch_size = 256

[loss.value]

[schedule]
superbatches = 2
batches_per_superbatch = 10

[output]
folder = "training"
"#;

/// Quickstart starts with a material network, here of one perspective.
#[test]
fn a_quickstart_works_with_a_game_whose_sides_differ() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("quick").display().to_string();
    let code = run(&["quickstart", "--game", "fox_and_hounds", "--minutes", "0.05", "--out", &out]);
    // It is complete whether or not the network wins its match, which a few seconds do not decide.
    assert!([ExitCode::SUCCESS, ExitCode::from(1)].contains(&code), "{code:?}");
    assert!(folder.path().join("quick/report.html").exists());
}

#[test]
fn what_no_command_line_could_name_is_refused() {
    assert_eq!(Toolkit::new().run(["accrue", "games"]), ExitCode::from(2));
}
