//! `accrue perft` as a user or a script sees it: the last line, the moves, the threads.

#[path = "common/command.rs"]
mod command;

use command::{complaint, lines};

/// Published counts; for hexchess three implementations agree.
const STARTS: [(&str, &str, u64); 3] =
    [("chess", "4", 197_281), ("hexchess", "3", 137_858), ("connect_four", "7", 823_536)];

#[test]
fn the_last_line_is_the_count() {
    for (game, depth, nodes) in STARTS {
        let lines = lines(&["perft", "--game", game, "--depth", depth]);
        assert_eq!(lines.last(), Some(&format!("nodes {nodes}")), "{game}");
        let time = &lines[lines.len() - 2];
        assert!(time.starts_with("time ") && time.ends_with(" nodes/s"), "{time}");
        assert_eq!(lines.len(), 2, "{lines:?}");
    }
}

#[test]
fn chess_is_the_default_game() {
    assert_eq!(lines(&["perft", "--depth", "2"]).last().map(String::as_str), Some("nodes 400"));
}

#[test]
fn divide_is_sorted_and_adds_up() {
    for (game, full, nodes) in STARTS {
        for depth in ["1", "2", full] {
            let lines = lines(&["perft", "--game", game, "--depth", depth, "--divide"]);
            let moves = &lines[..lines.len() - 2];
            assert!(moves.is_sorted(), "{moves:?}");
            let counts = moves.iter().map(|line| {
                let (_, count) = line.split_once(": ").expect("move: count");
                count.parse::<u64>().expect("a count")
            });
            let sum: u64 = counts.sum();
            assert_eq!(lines.last(), Some(&format!("nodes {sum}")), "{game} {depth}");
            assert!(depth != full || sum == nodes, "{game} {depth}");
        }
    }
}

#[test]
fn threads_do_not_change_the_result() {
    let divided = |threads| {
        let mut lines = lines(&["perft", "--depth", "4", "--divide", "--threads", threads]);
        lines.retain(|line| !line.starts_with("time "));
        lines
    };
    let one = divided("1");
    assert_eq!(one.len(), 21);
    for threads in ["2", "3", "16"] {
        assert_eq!(divided(threads), one, "{threads} threads");
    }
}

#[test]
fn depth_0_is_the_position_itself() {
    for (game, ..) in STARTS {
        let lines = lines(&["perft", "--game", game, "--depth", "0", "--divide"]);
        assert_eq!(lines.last().map(String::as_str), Some("nodes 1"), "{game}");
    }
}

#[test]
fn a_position_without_moves_has_no_nodes_below_it() {
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let lines = lines(&["perft", "--fen", mate, "--depth", "255", "--divide"]);
    assert_eq!(lines.last().map(String::as_str), Some("nodes 0"));
}

#[test]
fn castling_is_written_as_the_rule_says() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let standard = lines(&["perft", "--fen", fen, "--depth", "3", "--divide"]);
    assert_eq!(standard.last().map(String::as_str), Some("nodes 97862"));
    assert!(standard.iter().any(|line| line.starts_with("e1g1: ")), "{standard:?}");
    let rule = ["perft", "--fen", fen, "--depth", "3", "--divide", "--rule", "chess960=true"];
    let chess960 = lines(&rule);
    assert_eq!(chess960.last(), standard.last());
    assert!(chess960.iter().any(|line| line.starts_with("e1h1: ")), "{chess960:?}");
}

#[test]
fn json_is_one_object() {
    let lines = lines(&["perft", "--depth", "3", "--divide", "--json"]);
    assert_eq!(lines.len(), 1);
    let value: serde_json::Value = serde_json::from_str(&lines[0]).expect("JSON");
    assert_eq!((&value["game"], &value["depth"]), (&"chess".into(), &3.into()));
    assert_eq!(value["nodes"], 8902);
    let moves = value["moves"].as_array().expect("the moves");
    assert_eq!(moves.iter().filter_map(|entry| entry["nodes"].as_u64()).sum::<u64>(), 8902);
    assert_eq!(moves[0]["move"], "a2a3");
}

#[test]
fn what_is_wrong_is_named() {
    for (args, words) in [
        (&["perft"][..], &["--depth"][..]),
        (&["perft", "--depth", "256"], &["256", "0..=255"]),
        (&["perft", "--depth", "-1"], &["-1"]),
        (&["perft", "--depth", "x"], &["x", "--depth"]),
        (&["perft", "--depth", "1", "--threads", "0"], &["0", "1..=1024"]),
        (&["perft", "--depth", "1", "--game", "go"], &["go", "chess, hexchess, connect_four"]),
        (&["perft", "--depth", "1", "--fen", "x"], &["accrue: --fen", "1 fields", "looks like"]),
        (&["perft", "--depth", "1", "--rule", "x"], &["accrue: --rule `x`", "NAME=VALUE"]),
        (&["perft", "--depth", "1", "--rule", "x=1"], &["`x`", "chess960"]),
        (&["perft", "--depth", "1", "--rule", "chess960=1"], &["`1`", "`false` or `true`"]),
        (
            &["perft", "--depth", "1", "--game", "connect_four", "--rule", "x=1"],
            &["connect_four has no setting `x`"],
        ),
    ] {
        let complaint = complaint(args);
        for word in words {
            assert!(complaint.contains(word), "{args:?}: {complaint:?} does not say {word:?}");
        }
    }
}
