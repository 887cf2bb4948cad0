//! `accrue bench`, and the command of the same name over UCI.

#[path = "common/command.rs"]
mod command;

use command::{complaint, lines};

/// The node count of the last line, which OpenBench parses.
fn nodes(args: &[&str]) -> u64 {
    let said = lines(args);
    let last = said.last().expect("a line");
    let count = last.strip_suffix(" nps").and_then(|line| line.split_once(" nodes "));
    let count = count.filter(|(_, nps)| nps.parse::<u64>().is_ok());
    let count = count.and_then(|(nodes, _)| nodes.parse().ok());
    count.unwrap_or_else(|| panic!("`{last}` is not `N nodes M nps`"))
}

#[test]
fn it_searches_chess_as_the_engine_plays() {
    let usual = nodes(&["bench", "4"]);
    assert_eq!(usual, nodes(&["bench", "4", "--game", "chess", "--mode", "auto"]));
    assert_eq!(usual, nodes(&["bench", "4", "--mode", "learned"]));
    assert_ne!(usual, nodes(&["bench", "4", "--mode", "classical"]));
    assert_ne!(usual, nodes(&["bench", "4", "--game", "hexchess"]));
}

#[test]
fn over_uci_it_follows_the_options() {
    assert_eq!(nodes(&["position startpos", "bench 4"]), nodes(&["bench", "4"]));
    assert_eq!(
        nodes(&["setoption name SearchMode value classical", "bench 4"]),
        nodes(&["bench", "4", "--mode", "classical"])
    );
    assert_eq!(
        nodes(&["setoption name UCI_Variant value hexchess", "bench 4"]),
        nodes(&["bench", "4", "--game", "hexchess"])
    );
}

#[test]
fn wrong_input_is_refused() {
    let unknown = complaint(&["bench", "2", "--game", "go"]);
    assert!(unknown.contains("go") && unknown.contains("chess, hexchess"), "{unknown}");
    let mode = complaint(&["bench", "2", "--mode", "fast"]);
    assert!(mode.contains("`fast` is not a search mode; expected classical"), "{mode}");
    let learned = complaint(&["bench", "2", "--game", "connect_four", "--mode", "learned"]);
    assert!(learned.contains("needs a calibrated network"), "{learned}");
}

#[test]
fn json_names_game_and_mode() {
    let said = lines(&["bench", "2", "--game", "connect_four", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&said[0]).expect("JSON");
    assert_eq!((&value["game"], &value["mode"]), (&"connect_four".into(), &"auto".into()));
    assert!(value["nodes"].as_u64() > Some(0), "{value}");
}
