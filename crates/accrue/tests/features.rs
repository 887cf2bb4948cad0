//! `accrue features` and `accrue games`: what scripts and trainers in other languages compare against.

#[path = "common/command.rs"]
mod command;

use command::{complaint, lines};

/// A position of connect four, small enough to number by hand.
const CELLS: [&str; 7] = [
    "features",
    "--game",
    "connect_four",
    "--set",
    "connect_four.cells",
    "--fen",
    "7/7/7/3o3/3X3/o2X3 w",
];

#[test]
fn two_lines_in_ascending_order() {
    assert_eq!(lines(&CELLS), ["white: 3 10 42 59", "black: 0 17 45 52"]);
}

#[test]
fn a_view_without_features_is_an_empty_list() {
    let empty = ["features", "--game", "connect_four", "--set", "connect_four.cells"];
    assert_eq!(lines(&empty), ["white:", "black:"]);
}

#[test]
fn every_set_of_every_game_lists_its_start() {
    let games = lines(&["games", "--json"]);
    let games: serde_json::Value = serde_json::from_str(&games[0]).expect("JSON");
    let games = games.as_array().expect("a list of games");
    assert_eq!(games.len(), 3);
    for entry in games {
        let game = entry["game"].as_str().expect("a name");
        for set in entry["feature_sets"].as_array().expect("a list of sets") {
            let Some(size) = set["size"].as_u64() else { continue };
            let name = set["name"].as_str().expect("a name");
            let lines = lines(&["features", "--game", game, "--set", name]);
            assert_eq!(lines.len(), 2, "{name}");
            for (line, view) in lines.iter().zip(["white:", "black:"]) {
                let list = line.strip_prefix(view).expect("the view").split_whitespace();
                let list: Vec<u64> = list.map(|index| index.parse().expect("an index")).collect();
                assert!(list.is_sorted() && list.iter().all(|&index| index < size), "{line}");
            }
        }
    }
}

#[test]
fn the_start_of_chess_in_768_features() {
    let lines = lines(&["features", "--set", "chess.piece-square"]);
    assert_eq!(lines[0].split_whitespace().count(), 1 + 32);
    // The start looks the same from both sides.
    assert_eq!(lines[0].strip_prefix("white"), lines[1].strip_prefix("black"));
}

#[test]
fn json_is_one_object() {
    let lines = lines(&[&CELLS[..], &["--json"]].concat());
    let value: serde_json::Value = serde_json::from_str(&lines[0]).expect("JSON");
    assert_eq!(value["set"], "connect_four.cells");
    assert_eq!(value["size"], 84);
    assert_eq!(value["white"], serde_json::json!([3, 10, 42, 59]));
}

#[test]
fn unknown_sets_are_answered_with_the_known() {
    for (set, words) in [
        ("x", &["accrue: --set", "`x`", "chess.piece-square"][..]),
        ("hexchess.piece-cell", &["`hexchess.piece-cell`", "chess.piece-square"]),
        ("raw:12", &["`raw:12`", "numbered by the writer of the data", "chess.piece-square"]),
        ("", &["chess.piece-square"]),
    ] {
        let complaint = complaint(&["features", "--set", set]);
        for word in words {
            assert!(complaint.contains(word), "{set}: {complaint:?} does not say {word:?}");
        }
    }
    let bad_fen = complaint(&["features", "--set", "chess.piece-square", "--fen", "8/8 w"]);
    assert!(bad_fen.contains("accrue: --fen"), "{bad_fen}");
}

#[test]
fn games_are_listed_with_rules_and_sets() {
    let text = lines(&["games"]).join("\n");
    for word in ["chess", "hexchess", "connect_four", "chess960", "stalemate", "84 features"] {
        assert!(text.contains(word), "{text} does not say {word}");
    }
}
