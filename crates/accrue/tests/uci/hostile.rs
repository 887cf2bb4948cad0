//! Whatever comes through the pipe is answered, and nothing else is lost. The cases are in `hostile.uci`.

use std::path::Path;
use std::time::{Duration, Instant};

use games::ToolkitGame;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;

use crate::conversation::{Conversation, best_move};
use crate::networks::{HEXCHESS, SIMPLE, bullet, json, native, noru, put};

const CASES: &str = include_str!("hostile.uci");
const MIDDLE: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";

/// A case of the file.
#[derive(Default)]
struct Case {
    name: String,
    sent: Vec<String>,
    expected: Vec<String>,
    moves_on: bool,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for line in CASES.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (mark, rest) = line.split_once(' ').expect("a mark and a text");
        if mark == "=" {
            cases.push(Case { name: rest.to_owned(), ..Case::default() });
            continue;
        }
        let case = cases.last_mut().expect("a name comes first");
        match mark {
            ">" => case.sent.push(rest.to_owned()),
            "<" => case.expected.push(rest.to_owned()),
            "!" => case.moves_on = true,
            _ => panic!("`{line}` has no known mark"),
        }
    }
    cases
}

/// The bytes that a line of the file stands for.
fn bytes_of(line: &str, folder: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        if let Some((made, after)) = rest.strip_prefix('{').and_then(|text| text.split_once('}')) {
            bytes.extend(make(made, folder));
            rest = after;
        } else if let Some(hex) = rest.strip_prefix("\\x") {
            bytes.push(u8::from_str_radix(&hex[..2], 16).expect("two digits"));
            rest = &hex[2..];
        } else {
            bytes.extend(letter.to_string().bytes());
            rest = &rest[letter.len_utf8()..];
        }
    }
    bytes.push(b'\n');
    bytes
}

fn make(what: &str, folder: &Path) -> Vec<u8> {
    let (kind, of) = what.split_once(':').expect("a kind");
    let count = || of.parse().expect("a number");
    match kind {
        "bytes" => vec![b'x'; count()],
        // Knights that come and go.
        "moves" => ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(count() / 4).join(" ").into_bytes(),
        "file" => folder.join(of).to_str().expect("plain text").as_bytes().to_vec(),
        "repeat" => {
            let (times, line) = of.split_once(':').expect("how often");
            vec![line; times.parse().expect("a number")].join("\n").into_bytes()
        }
        _ => panic!("cannot make `{what}`"),
    }
}

/// The files that cases name; `missing` is not one of them.
fn write_networks(folder: &Path) {
    let good = native(SIMPLE).write();
    put(folder, "good", &good);
    put(folder, "empty", []);
    put(folder, "truncated", &good[..good.len() / 2]);
    put(folder, "longer", [&good[..], &[0; 64]].concat());
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    put(folder, "flipped", flipped);
    // Stockfish's header, with a description of two thousand million bytes.
    let header = [0x7AF3_2F20_u32, 0x3C10_3E72, 0x7FFF_FFFF];
    put(folder, "huge", header.map(u32::to_le_bytes).concat());
    put(folder, "text", "This is not a network.\n".repeat(100));
    put(folder, "json", &json()[..10_000]);
    put(folder, "bullet", bullet());
    put(folder, "noru", noru());
    put(folder, "hexchess", native(HEXCHESS).write());
}

/// The game and the position, as `d` tells them.
fn whereabouts(engine: &mut Conversation) -> (String, String) {
    let lines = engine.ask("d");
    let find = |start: &str| {
        let found = lines.iter().find_map(|line| line.strip_prefix(start));
        found.unwrap_or_else(|| panic!("no `{start}` in {lines:#?}")).to_owned()
    };
    (find("Game: "), find("Fen: "))
}

/// Whether a text is a legal move, or `(none)` where there is none.
fn is_legal<G: ToolkitGame>(fen: &str, text: &str) -> bool {
    let position = G::from_fen(fen).expect("`d` gives a FEN");
    if position.has_moves() { position.parse_move(text).is_ok() } else { text == "(none)" }
}

#[test]
fn every_hostile_input_is_answered_and_nothing_is_lost() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    write_networks(folder.path());
    let cases = cases();
    assert!(cases.len() >= 60, "{} cases", cases.len());
    let mut engine = Conversation::new();
    for case in &cases {
        engine.ask("setoption name UCI_Variant value chess");
        engine.ask(&format!("position fen {MIDDLE}"));
        for line in &case.sent {
            engine.say_bytes(&bytes_of(line, folder.path()));
        }
        engine.say("isready");
        let answers = engine.until("readyok");
        let told = |words: &String| {
            answers.iter().any(|line| line.starts_with("info string ") && line.contains(words))
        };
        for words in &case.expected {
            assert!(told(words), "{}: no `{words}` in {answers:#?}", case.name);
        }
        assert!(!case.expected.is_empty(), "{} expects nothing", case.name);
        // What was searched has been answered before `readyok`.
        let (game, fen) = whereabouts(&mut engine);
        assert!(case.moves_on || fen == MIDDLE, "{}: the position is {fen}", case.name);
        let lines = engine.search("go depth 2");
        let text = best_move(&lines);
        let legal = match game.as_str() {
            "chess" => is_legal::<Chess>(&fen, text),
            "hexchess" => is_legal::<Hexchess>(&fen, text),
            "connect_four" => is_legal::<ConnectFour>(&fen, text),
            other => panic!("{}: the game is {other}", case.name),
        };
        assert!(legal, "{}: {lines:#?}", case.name);
    }
    engine.say("quit");
    assert_eq!(engine.end(), (vec![], Some(0)));
}

#[test]
fn the_end_of_the_input_ends_a_search_with_its_move() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go wtime 3600000 btime 3600000"] {
        for quit in ["", "quit\n"] {
            let mut engine = Conversation::new();
            engine.ask("uci");
            engine.say(go);
            std::thread::sleep(Duration::from_millis(50));
            engine.say_bytes(quit.as_bytes());
            let begun = Instant::now();
            let (lines, code) = engine.end();
            assert!(begun.elapsed() < Duration::from_secs(2), "{go}");
            assert_eq!(code, Some(0), "{go}");
            let last = lines.last().unwrap_or_else(|| panic!("{go}: nothing is said"));
            assert!(last.starts_with("bestmove "), "{go}: {last}");
        }
    }
}

#[test]
fn a_perft_without_an_end_can_be_stopped() {
    let mut engine = Conversation::new();
    engine.say("go perft 20");
    let lines = engine.ask("stop");
    assert!(lines.iter().any(|line| line.contains("perft was stopped")), "{lines:?}");
    engine.say("go perft 20");
    let (_, code) = engine.end();
    assert_eq!(code, Some(0));
}

#[test]
fn a_line_without_its_end_is_obeyed() {
    let mut engine = Conversation::new();
    engine.say_bytes(b"isready");
    assert_eq!(engine.end(), (vec!["readyok".to_owned()], Some(0)));
}

#[test]
fn options_that_the_machine_cannot_give_are_refused() {
    let mut engine = Conversation::new();
    // What is asked for may be more than there is, in memory or in threads.
    for line in ["setoption name Hash value 1048576", "setoption name Threads value 1024"] {
        engine.ask(line);
        engine.ask("setoption name Threads value 1");
        let lines = engine.search("go depth 2");
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
        engine.ask("setoption name Hash value 1");
    }
    engine.say("quit");
    assert_eq!(engine.end().1, Some(0));
}
