//! `accrue eval`: the last line is what the library says, and what Stockfish says of its own network.

#[path = "common/command.rs"]
mod command;
#[path = "../../nnue/tests/stockfish/engine.rs"]
mod engine;
#[path = "common/networks.rs"]
mod networks;

use std::collections::HashSet;

use command::{complaint, lines};
use games::chess::Chess;
use games::hexchess::Hexchess;
use games::{BoardGame, Game};
use networks::{FLOAT, FULL, HEXCHESS, Library, SIMPLE, bullet, json, native, noru, put};
use nnue::{Activation, Network, read_bullet, read_json};
use serde_json::Value;

/// Positions of many sizes. The second and third differ in the side to move alone.
const CHESS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 2 3",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/8/4k3/8/8/3QK3/8/8 b - - 0 1",
];

const HEXCHESS_MIDDLE: &str =
    "b/q1k/2b2/r2n2r/ppp1npppp/4Pp5/11/6R4/3P1B1P3/2P1QB2P2/1P1N2KNRP1 b e5 0 8";

/// The number of the last line.
fn eval(args: &[&str]) -> i32 {
    let lines = lines(&[&["eval"], args].concat());
    let last = lines.last().expect("a line");
    let number = last.strip_prefix("eval ").and_then(|number| number.parse().ok());
    let number = number.unwrap_or_else(|| panic!("{args:?}: the last line is {last:?}"));
    assert_eq!(*last, format!("eval {number}"));
    assert_eq!(lines.iter().filter(|line| line.starts_with("eval")).count(), 1, "{lines:?}");
    number
}

fn eval_json(args: &[&str]) -> Value {
    let lines = lines(&[&["eval", "--json"], args].concat());
    assert_eq!(lines.len(), 1, "{lines:?}");
    serde_json::from_str(&lines[0]).expect("JSON")
}

#[test]
fn the_last_line_is_what_the_library_says() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (full, float) = (native(FULL), native(FLOAT));
    let simple = SIMPLE.parse().expect("an architecture");
    let imported = |file: Result<nnue::NetworkFile, _>| file.and_then(|file| file.to_network());
    let features = ["--features", "chess.piece-square"];
    let cases = [
        ("full.accrue", full.write(), full.to_network(), &[][..]),
        ("float.accrue", float.write(), float.to_network(), &[]),
        ("noru.bin", noru(), Network::from_bytes(&noru()), &features),
        (
            "quantised.bin",
            bullet(),
            imported(read_bullet(&bullet(), &simple)),
            // Arrows and crosses as a keyboard has them.
            &["--architecture", "chess.piece-square (768->16)x2->1 screlu"],
        ),
        (
            "weights.json",
            json().into_bytes(),
            imported(read_json(json().as_bytes(), "chess.piece-square", Activation::Screlu)),
            &features,
        ),
    ];
    for (name, bytes, network, args) in cases {
        let network = network.expect(name);
        let path = put(folder.path(), name, bytes);
        let set = match network.architecture().features.as_str() {
            "raw:768" => "chess.piece-square",
            named => named,
        };
        let mut library = Library::<Chess>::new(&network, set);
        let mut values = HashSet::new();
        for fen in CHESS {
            let expected = library.value(fen);
            let args = [&["--net", &path, "--fen", fen], args].concat();
            assert_eq!(eval(&args), expected, "{name}: {fen}");
            assert_eq!(eval_json(&args)["eval"], expected, "{name}: {fen}");
            values.insert(expected);
        }
        assert!(values.len() > 3, "{name}: {values:?} does not tell much");
        assert_ne!(library.value(CHESS[1]), library.value(CHESS[2]), "{name}: the side to move");
        // Without a position, the start.
        assert_eq!(eval(&[&["--net", &path], args].concat()), library.value(CHESS[0]), "{name}");
    }
}

#[test]
fn the_game_is_that_of_the_feature_set() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = native(HEXCHESS);
    let path = put(folder.path(), "hex.accrue", file.write());
    let network = file.to_network().expect("a network");
    let mut library = Library::<Hexchess>::new(&network, "hexchess.piece-cell");
    let expected = library.value(HEXCHESS_MIDDLE);
    let args = ["--net", &path, "--fen", HEXCHESS_MIDDLE];
    assert_eq!(eval(&args), expected);
    assert_eq!(eval(&[&args[..], &["--game", "hexchess"]].concat()), expected);
    let start = eval_json(&["--net", &path]);
    assert_eq!(start["game"], "hexchess");
    assert_eq!(start["fen"], Hexchess::start().to_fen());
    assert_eq!(start["eval"], library.value(&Hexchess::start().to_fen()));
}

#[test]
fn explanations_add_up() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = native(FULL);
    let path = put(folder.path(), "full.accrue", file.write());
    let network = file.to_network().expect("a network");
    let mut library = Library::<Chess>::new(&network, "chess.piece-square");
    for fen in CHESS {
        let position = Chess::from_fen(fen).expect("a position");
        let lines = lines(&["eval", "--net", &path, "--fen", fen, "--explain"]);
        let part = |from: &str, to: &str| -> Vec<&String> {
            let lines = lines.iter().skip_while(|line| *line != from).skip(1);
            lines.take_while(|line| !line.starts_with(to)).collect()
        };
        let buckets = part("by bucket", "without a piece");
        assert_eq!(buckets.len(), 8, "{lines:?}");
        for (bucket, line) in buckets.iter().enumerate() {
            let value = library.in_bucket(fen, bucket).value;
            assert!(line.starts_with(&format!("  {bucket:>2} {value:>+7}")), "{line}");
            let own = (position.piece_count() - 2) / 4 == bucket;
            assert_eq!(line.ends_with("  <- this position's"), own, "{line}");
        }
        let pieces = part("without a piece, the value loses", "moves by policy");
        assert_eq!(pieces.len(), position.piece_count(), "{lines:?}");
        let kings = pieces.iter().filter(|line| line.to_lowercase().starts_with("  k "));
        assert!(kings.clone().all(|line| line.ends_with(" -")), "a king cannot be missed");
        assert_eq!(kings.count(), 2);
        let moves = part("moves by policy", "eval ");
        assert_eq!(moves.len(), position.legal_moves().len(), "{lines:?}");
        let shares = moves.iter().map(|line| {
            let share = line.strip_suffix(" %").and_then(|line| line.split_whitespace().nth(1));
            share.and_then(|share| share.parse::<f64>().ok()).expect("a percentage")
        });
        let shares: Vec<f64> = shares.collect();
        assert!(shares.is_sorted_by(|a, b| a >= b), "{shares:?}");
        // Each is rounded to a tenth.
        let most = 0.05 * shares.len() as f64 + 0.01;
        assert!((shares.iter().sum::<f64>() - 100.0).abs() <= most, "{shares:?}");
    }
}

#[test]
fn a_piece_is_worth_what_the_position_loses_without_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = native(FULL);
    let path = put(folder.path(), "full.accrue", file.write());
    let network = file.to_network().expect("a network");
    let mut library = Library::<Chess>::new(&network, "chess.piece-square");
    let with = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let without = "8/8/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let expected = library.value(with) - library.value(without);
    let explained = eval_json(&["--net", &path, "--fen", with, "--explain"]);
    let pieces = explained["pieces"].as_array().expect("the pieces");
    let pawn = pieces.iter().find(|piece| piece["cell"] == "c7").expect("the pawn");
    assert_eq!((&pawn["piece"], &pawn["loses"]), (&"p".into(), &expected.into()));
}

#[test]
fn json_has_all_heads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = native(FULL);
    let path = put(folder.path(), "full.accrue", file.write());
    let network = file.to_network().expect("a network");
    let mut library = Library::<Chess>::new(&network, "chess.piece-square");
    let fen = CHESS[3];
    let report = eval_json(&["--net", &path, "--fen", fen, "--explain"]);
    let bucket = report["bucket"].as_u64().expect("the bucket") as usize;
    let outputs = library.in_bucket(fen, bucket);
    assert_eq!((&report["game"], &report["side_to_move"]), (&"chess".into(), &"black".into()));
    assert_eq!((&report["fen"], &report["network"]), (&fen.into(), &FULL.into()));
    assert_eq!(report["quantiles"], serde_json::json!(outputs.quantiles.expect("quantiles")));
    let chances = |value: &Value| -> Vec<f64> {
        value.as_array().expect("a list").iter().filter_map(Value::as_f64).collect()
    };
    let wdl = chances(&report["wdl"]);
    for (found, expected) in wdl.iter().zip(outputs.wdl.expect("chances")) {
        assert!((found - f64::from(expected)).abs() < 1e-6, "{found} {expected}");
    }
    assert!((wdl.iter().sum::<f64>() - 1.0).abs() < 1e-5 && wdl.len() == 3, "{wdl:?}");
    assert_eq!(report["buckets"][bucket]["eval"], report["eval"]);
    let policy = report["policy"].as_array().expect("the policy");
    let sum: f64 = policy.iter().filter_map(|entry| entry[1].as_f64()).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    // Only what was asked for.
    let short = eval_json(&["--net", &path, "--fen", fen]);
    assert!(short.get("policy").is_none() && short.get("pieces").is_none(), "{short}");
    assert_eq!(short["wdl"], report["wdl"]);
}

#[test]
fn built_in_networks_go_by_their_names() {
    for (game, name) in [("chess", "chess-small"), ("hexchess", "hexchess-small")] {
        assert_eq!(eval(&["--game", game]), eval(&["--net", name]), "{name}");
    }
    assert_eq!(eval_json(&["--net", "hexchess-linear"])["game"], "hexchess");
}

#[test]
fn what_does_not_fit_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, architecture| put(folder.path(), name, native(architecture).write());
    let chess = write("chess.accrue", SIMPLE);
    let hexchess = write("hex.accrue", HEXCHESS);
    let small_policy = write("policy.accrue", "hexchess.piece-cell (1110→8)×2→1+64/64 screlu");
    let other_size = write("size.accrue", "chess.piece-square (769→8)×2→1 screlu");
    let unknown = write("unknown.accrue", "go.stones (361→8)×2→1 screlu");
    let noru = put(folder.path(), "noru.bin", noru());
    let matrix = put(folder.path(), "weights.json", json());
    for (net, args, words) in [
        (&chess, &["--game", "hexchess"][..], &["chess.accrue", "hexchess", "piece-square"][..]),
        (&hexchess, &["--game", "chess"], &["hex.accrue", "chess.piece-square"]),
        (&small_policy, &["--explain"], &["policy.accrue", "64 + 64", "91/91"]),
        (&other_size, &[], &["size.accrue", "769", "768"]),
        (&unknown, &[], &["unknown.accrue", "go.stones", "chess.piece-square"]),
        (&noru, &[], &["noru.bin", "--features", "chess.piece-square"]),
        (&matrix, &[], &["weights.json", "--features", "chess.piece-square"]),
        (&noru, &["--features", "chess.piece"], &["--features", "`chess.piece`"]),
        (&noru, &["--features", "chess.halfka-hm"], &["noru.bin", "768", "22528"]),
        (&chess, &["--fen", "x"], &["--fen", "1 fields", "looks like this"]),
        (&chess, &["--fen", ""], &["--fen", "looks like this"]),
        (&chess, &["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], &["--fen", "king"]),
        (&chess, &["--fen", HEXCHESS_MIDDLE], &["--fen", "A FEN of chess looks like this"]),
        (&hexchess, &["--fen", CHESS[0]], &["--fen", "A FEN of hexchess looks like this"]),
    ] {
        let args = [&["eval", "--net", net], args].concat();
        let complaint = complaint(&args);
        assert!(complaint.starts_with("accrue: "), "{args:?}: {complaint}");
        for word in words {
            assert!(complaint.contains(word), "{args:?}: {complaint:?} does not say {word:?}");
        }
    }
    assert!(complaint(&["eval", "--game", "connect_four"]).contains("--net"));
    assert!(complaint(&["eval", "--net", "chess-huge"]).contains("chess-large"));
    assert!(complaint(&["eval", "--net", &chess, "--game", "go"]).contains("go"));
}

#[test]
fn equals_stockfish_on_its_own_network() {
    let Some(stockfish) = engine::path() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let network = engine::export_network(&stockfish, "whole-program");
    let path = put(folder.path(), "nn.nnue", network);
    let fens = CHESS.map(str::to_owned);
    let printed = engine::evaluate(&stockfish, &fens);
    assert_eq!(printed.len(), fens.len(), "one evaluation for each position");
    for (fen, printed) in fens.iter().zip(&printed) {
        let ours = eval(&["--net", &path, "--fen", fen]);
        let white = if fen.contains(" w ") { ours } else { -ours };
        let theirs: f64 = printed.nnue.parse().expect("pawns");
        let theirs = (theirs * 100.0).round() as i32;
        // Stockfish rounds to the nearest hundredth, its integers and ours go towards zero.
        let away = (theirs - white) * if theirs < 0 { -1 } else { 1 };
        assert!((0..=1).contains(&away), "{fen}: {white} beside {}", printed.nnue);
    }
    let explained = lines(&["eval", "--net", &path, "--fen", &fens[0], "--explain"]);
    let buckets = explained.iter().filter(|line| line.contains("piece-square ")).count();
    assert_eq!(buckets, 8, "{explained:?}");
}
