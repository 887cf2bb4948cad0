//! The inputs of networks for hexchess, index by index.

use games::hexchess::Hexchess;
use games::{BoardGame, Changes, Color, FeatureSet, Game, Update, sorted_active};

const PLAIN: &str = "hexchess.piece-cell";
const MIRRORED: &str = "hexchess.piece-cell-mirrored";

fn set(name: &str) -> Box<dyn FeatureSet<Hexchess>> {
    Hexchess::feature_set(name).expect("a feature set")
}

fn position(fen: &str) -> Hexchess {
    Hexchess::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The number of a cell, from the board as it is drawn.
fn cell(name: &str) -> u32 {
    let cells = Hexchess::geometry().cells;
    cells.iter().position(|cell| cell.name == name).expect("a cell") as u32
}

#[test]
fn shapes() {
    assert_eq!(Hexchess::feature_set_names(), [PLAIN, MIRRORED]);
    for name in Hexchess::feature_set_names() {
        let set = set(&name);
        assert_eq!((set.name().as_str(), set.size(), set.max_active()), (name.as_str(), 1110, 37));
    }
    assert!(Hexchess::feature_set("hexchess.piece").is_err());
}

#[test]
fn cells_are_numbered_up_the_files() {
    let expected =
        [("a1", 0), ("a6", 5), ("b1", 6), ("b7", 12), ("f1", 40), ("l1", 85), ("l6", 90)];
    for (name, number) in expected {
        assert_eq!(cell(name), number, "{name}");
    }
}

#[test]
fn each_piece_has_its_index() {
    let fen = "k/3/5/7/9/4P6/3p7/11/11/8N2/K10 b e5 0 1";
    let position = position(fen);
    let own = |piece: u32, name: &str| 91 * piece + cell(name);
    let theirs = |piece: u32, name: &str| 546 + 91 * piece + cell(name);
    let mut white = vec![
        own(0, "e6"),
        own(1, "i2"),
        own(5, "a1"),
        theirs(0, "d5"),
        theirs(5, "f11"),
        // White's own pawn has passed on the e file: b c d e.
        1092 + 3,
    ];
    white.sort_unstable();
    assert_eq!(sorted_active(&*set(PLAIN), &position, Color::White), white);
    // Black sees each file from its other end: e has 10 cells, d 9, i 8.
    let mut black = vec![
        own(0, "d5"),
        own(5, "f1"),
        theirs(0, "e5"),
        theirs(1, "i7"),
        theirs(5, "a6"),
        1092 + 9 + 3,
    ];
    black.sort_unstable();
    assert_eq!(sorted_active(&*set(PLAIN), &position, Color::Black), black);
}

#[test]
fn both_players_see_the_start_alike() {
    let start = Hexchess::start();
    let set = set(PLAIN);
    let white = sorted_active(&*set, &start, Color::White);
    assert_eq!(white.len(), 36);
    assert_eq!(white, sorted_active(&*set, &start, Color::Black));
}

#[test]
fn the_board_is_turned_for_a_king_on_the_right() {
    let left = position("k/3/5/7/9/11/4P6/11/11/11/4K6 b - 0 1");
    let right = position("k/3/5/7/9/11/6P4/11/11/11/6K4 b - 0 1");
    let middle = position("k/3/5/7/9/11/6P4/11/11/11/5K5 b - 0 1");
    let set = set(MIRRORED);
    let seen = |position: &Hexchess| sorted_active(&*set, position, Color::White);
    assert_eq!(seen(&left), seen(&right));
    assert_eq!(seen(&middle), sorted_active(&*self::set(PLAIN), &middle, Color::White));
}

#[test]
fn crossing_kings_ask_for_a_refresh() {
    let set = set(MIRRORED);
    let mut changes = Changes::default();
    let mut ask = |fen: &str, text: &str, side: Color| {
        let before = position(fen);
        let mut after = before;
        after.play(before.parse_move(text).expect("a move"));
        set.changes(&before, &after, side, &mut changes)
    };
    let fen = "k/3/5/7/9/11/4P6/11/11/11/5K5 w - 0 1";
    assert_eq!(ask(fen, "f1g1", Color::White), Update::Refresh);
    assert_eq!(ask(fen, "f1g1", Color::Black), Update::Changes);
    assert_eq!(ask(fen, "f1e1", Color::White), Update::Changes);
}

#[test]
fn changes_hold_between_any_two_positions() {
    let fens = [
        "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - 0 1",
        "b/q1k/2b2/r2n2r/ppp1npppp/4Pp5/11/6R4/3P1B1P3/2P1QB2P2/1P1N2KNRP1 b e5 0 8",
        "1/3/rP3/n2k3/9/1P3N3P1/11/5K5/11/1p2p4p1/11 w - 0 1",
        "k/3/5/7/9/4P6/3p7/11/11/8N2/K10 b e5 0 1",
        // The same cells with the colours swapped.
        "K/3/5/7/9/4p6/3P7/11/11/8n2/k10 w - 0 1",
    ];
    for name in Hexchess::feature_set_names() {
        let set = set(&name);
        let mut changes = Changes::default();
        for (before, after) in fens.iter().flat_map(|a| fens.iter().map(move |b| (a, b))) {
            let (before, after) = (position(before), position(after));
            for side in Color::BOTH {
                if set.changes(&before, &after, side, &mut changes) == Update::Refresh {
                    continue;
                }
                let mut features = sorted_active(&*set, &before, side);
                features.retain(|feature| !changes.removed.contains(feature));
                features.extend(&changes.added);
                features.sort_unstable();
                assert_eq!(features, sorted_active(&*set, &after, side), "{before:?} {after:?}");
            }
        }
    }
}
