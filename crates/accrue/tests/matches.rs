//! `accrue match` as a whole: what it prints and writes, other programs, and that stopping changes nothing.

#[path = "common/command.rs"]
mod command;
#[path = "common/networks.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod networks;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use command::{accrue, complaint, lines, text};
use serde_json::Value;

const TWO: [&str; 3] = ["match", "name=a,hash=1", "name=b,hash=1,param.futility_base=40"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    TWO.iter().chain(more).copied().collect()
}

#[test]
fn lines_are_those_of_other_programs() {
    let args = with(&["--nodes", "150", "--games", "4", "--adjudicate", "--concurrency", "2"]);
    let lines = lines(&args);
    let find = |start: &str| {
        let found = lines.iter().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no {start} in {lines:#?}")).as_str()
    };
    assert_eq!(find("Started game 1 of 4"), "Started game 1 of 4 (a vs b)");
    let finished = find("Finished game 2 (b vs a): ");
    assert!(finished.contains(" {") && finished.ends_with('}'), "{finished}");
    assert!(find("Score of a vs b: ").ends_with("] 1"));
    for start in ["Elo: ", "LOS: ", "Games: 4, ", "Ptnml(0-2): [", "Finished match"] {
        find(start);
    }
}

#[test]
fn built_in_networks_play_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("journal");
    let mut args = vec![
        "match",
        "name=both,hash=1,net=chess-small,large=chess-large,mode=learned",
        "name=linear,hash=1,net=chess-linear",
    ];
    args.extend(["--nodes", "60", "--games", "2", "--journal", journal.to_str().unwrap()]);
    let lines = lines(&args);
    assert!(lines.iter().any(|line| line.starts_with("Games: 2, ")), "{lines:#?}");
    assert!(
        complaint(&["match", "net=chess-huge", "name=b", "--nodes", "9"]).contains("chess-huge")
    );
}

#[test]
fn a_feature_set_is_named_and_never_guessed() {
    let folder = tempfile::tempdir().unwrap();
    let net = networks::put(folder.path(), "noru.bin", networks::noru());
    let play = |engine: &str| {
        ["match", engine, "hash=1", "--depth", "1", "--games", "2"].map(str::to_owned)
    };
    let refused = play(&format!("net={net}"));
    let complaint = complaint(&refused.each_ref().map(String::as_str));
    for word in ["noru.bin", "768 inputs", "chess.piece-square", "`features=NAME`"] {
        assert!(complaint.contains(word), "{complaint}");
    }
    let named = play(&format!("net={net},features=chess.piece-square"));
    lines(&named.each_ref().map(String::as_str));
}

#[test]
fn an_sprt_decides_and_its_answer_is_the_exit_code() {
    // A search of 400 nodes is far stronger than one of 2.
    let strong = ["match", "name=s,hash=1,nodes=400", "name=w,hash=1,nodes=2"];
    let weak = ["match", "name=w,hash=1,nodes=2", "name=s,hash=1,nodes=400"];
    for (engines, code, verdict) in [(strong, 0, "H1"), (weak, 1, "H0")] {
        let args = [engines.as_slice(), &["--sprt", "-50,50", "--json", "--adjudicate"]].concat();
        let output = accrue(&args);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        let summary: Value =
            serde_json::from_str(text(&output.stdout).lines().last().unwrap()).unwrap();
        assert_eq!(summary["type"], "decided");
        assert_eq!(summary["sprt"]["accepted"], verdict, "{summary}");
    }
}

/// PGN without what depends on the clock.
fn timeless(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a file of games");
    let is_time = |word: &&str| {
        let time = word.trim_end_matches(['}', ',']).strip_suffix('s');
        time.is_some_and(|time| time.parse::<f64>().is_ok())
    };
    let words = text.split_whitespace().filter(|word| !is_time(word));
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_match_that_is_killed_goes_on_as_if_it_had_not_been() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (whole, pgn, journal) = (path("whole.pgn"), path("games.pgn"), path("journal"));
    let played = ["--nodes", "400", "--games", "12", "--adjudicate-plies", "60"];
    let last = |lines: &[String]| lines.iter().rev().find(|l| l.starts_with("Ptnml")).cloned();
    let alone = last(&lines(&with(&[&played[..], &["--pgn", &whole]].concat())));
    let resumed = ["--pgn", &pgn, "--journal", &journal, "--resume", "--concurrency", "2"];
    let resumed = with(&[&played[..], &resumed].concat());
    for kill in 0..6 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
        command.args(&resumed).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program can be started");
        sleep(Duration::from_millis(40 + 97 * kill % 230));
        let _ = child.kill();
        child.wait().expect("it can be waited for");
    }
    assert_eq!(last(&lines(&resumed)), alone);
    assert_eq!(timeless(Path::new(&pgn)), timeless(Path::new(&whole)));
    // What is there is not overwritten, and another match is not mixed with it.
    let other = with(&["--nodes", "401", "--journal", &journal, "--resume"]);
    assert!(complaint(&other).contains("is the journal of another match"));
    assert!(complaint(&with(&["--journal", &journal])).contains("exists; --resume continues it"));
    assert!(complaint(&with(&["--pgn", &pgn])).contains("exists"));
}

#[test]
fn this_program_plays_itself_by_uci() {
    let program = format!("cmd={},option.Hash=1", env!("CARGO_BIN_EXE_accrue"));
    for game in ["chess", "hexchess"] {
        let args = [
            "match",
            "name=inside,hash=1",
            &program,
            "--game",
            game,
            "--nodes",
            "100",
            "--games",
            "2",
            "--adjudicate-plies",
            "40",
            "--json",
        ];
        let lines = lines(&args);
        let games: Vec<Value> =
            lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(games.len(), 3, "{lines:?}");
        for game in &games[..2] {
            let end = game["termination"].as_str().unwrap();
            assert!(end == "normal" || end == "adjudication", "{game}");
        }
        assert_eq!(games[2]["engines"][1]["name"], "accrue");
    }
}

#[test]
fn mistakes_are_told_before_the_first_game() {
    let none = ["match", "name=a", "cmd=/nowhere/engine"];
    assert!(complaint(&none).contains("/nowhere/engine cannot be started"));
    for (args, part) in [
        (with(&["--games", "3"]), "an even number"),
        (with(&["--openings", "/nowhere/book.epd"]), "/nowhere/book.epd"),
        (with(&["--sprt", "5,0"]), "elo0"),
        (vec!["match", "a=1", "name=b"], "no key `a`"),
        (vec!["match", "name=a", "name=b", "name=c", "--sprt", "0,5"], "compares two engines"),
        (vec!["match", "net=/nowhere.accrue", "name=b"], "/nowhere.accrue"),
        (vec!["ladder", "--engines", "deep-thought"], "known: "),
    ] {
        let told = complaint(&args);
        assert!(told.contains(part), "{told}");
    }
}
