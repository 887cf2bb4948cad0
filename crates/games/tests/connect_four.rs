//! Connect four against what is known of it: perft numbers, and the faults that its FEN reader names.

use games::connect_four::ConnectFour;
use games::{BoardGame, Color, Game, GameHistory, GameScore, perft, sorted_active};

/// Lines of play from the empty board, as published with many solvers: powers of 7 until a column can be
/// full (depth 7) and a game over (depth 8).
const PERFT: [u64; 8] = [7, 49, 343, 2401, 16807, 117_649, 823_536, 5_673_234];

#[test]
fn perft_of_the_empty_board() {
    for (depth, nodes) in (1..).zip(PERFT) {
        assert_eq!(perft(&ConnectFour::start(), depth), nodes, "depth {depth}");
    }
}

fn after(moves: &str) -> GameHistory<ConnectFour> {
    let mut line = GameHistory::new(ConnectFour::start());
    for column in moves.chars() {
        line.play_text(&column.to_string()).expect("a legal move");
    }
    line
}

#[test]
fn four_in_a_row_wins_in_every_direction() {
    for moves in ["abababa", "aabbccd", "abbccdcdedd", "gffeededcdd"] {
        let line = after(moves);
        let outcome = line.outcome().unwrap_or_else(|| panic!("{moves} ends the game"));
        let winner = !line.position().side_to_move();
        assert_eq!(outcome.score(winner), GameScore::WIN, "{moves}");
        assert_eq!(outcome.reason, "four in a row");
        assert!(!line.position().has_moves());
    }
}

#[test]
fn three_at_the_top_of_a_column_do_not_join_the_next_column() {
    // b4 b5 b6 and c1 are White's: neighbours in the bitboard but for the empty bit between the columns.
    let fen = "1X5/1X5/1X5/1o5/1Xo4/1oXo3 b";
    assert_eq!(ConnectFour::from_fen(fen).expect("a position").outcome(), None);
}

#[test]
fn a_full_board_is_a_draw() {
    let full = "oooXXXo/XXXoooX/oooXXXo/XXXoooX/oooXXXo/XXXoooX w";
    let position = ConnectFour::from_fen(full).expect("a position");
    let outcome = position.outcome().expect("an end");
    assert_eq!((outcome.score(Color::White), outcome.reason), (GameScore::DRAW, "board full"));
}

#[test]
fn fen_names_its_faults() {
    for (fen, fault) in [
        ("", "0 fields; expected 2"),
        ("7/7/7/7/7/7", "1 fields"),
        ("7/7/7/7/7/7 w 0 1", "4 fields"),
        ("7/7/7/7/7/7 x", "side to move `x`: expected w or b"),
        ("7/7/7/7/7 w", "has 5 rows; expected 6"),
        ("7/7/7/7/7/6 w", "row 1 has 6 cells; expected 7"),
        ("7/7/7/7/7/71 w", "row 1 has 71 cells; expected 7"),
        ("9/7/7/7/7/7 w", "row 6 has 9 cells; expected 7"),
        ("7/7/7/7/7/07 w", "a number of empty cells begins with 0"),
        ("7/7/7/7/7/x6 b", "`x` is neither one of Xo nor a number"),
        ("7/7/7/7/3X3/7 b", "the disc on d2 floats: d1 is empty"),
        ("7/7/7/7/7/X6 w", "with white to move White has 0 more discs"),
        ("7/7/7/7/7/7 b", "with black to move White has 1 more discs"),
        ("7/7/7/7/oooo3/XXXX3 w", "both players have four in a row"),
        ("7/7/7/7/ooo4/XXXXo2 w", "white already has four in a row, yet the game went on"),
        ("7/7/1X3X1/oXo2X1/oXo2X1/oXo1oX1 b", "white's fours cannot come from one move"),
    ] {
        let error = ConnectFour::from_fen(fen).expect_err(fen).to_string();
        assert!(error.contains(fault), "{fen} was refused with {error:?}, not {fault:?}");
    }
}

#[test]
fn moves_that_do_not_exist_are_told_from_moves_that_are_not_legal() {
    let full_column = after("aaaaaa");
    let illegal = full_column.position().parse_move("a").expect_err("column a is full");
    assert!(illegal.to_string().contains("not legal in"), "{illegal}");
    let nonsense = full_column.position().parse_move("h").expect_err("there is no column h");
    assert!(nonsense.to_string().contains("expected a form such as d"), "{nonsense}");
}

#[test]
fn features_of_a_known_position() {
    // White d1 and d3, Black d2 and a1.
    let line = after("dddda");
    let set = ConnectFour::feature_set("connect_four.cells").expect("the set");
    let perspective = |color| sorted_active(&*set, line.position(), color);
    assert_eq!(perspective(Color::White), [0, 3, 17, 52, 66]);
    assert_eq!(perspective(Color::Black), [10, 24, 42, 45, 59]);
}

#[test]
fn the_players_see_each_others_halves() {
    // The suite asks this of games whose players can be swapped; here the number of discs forbids it.
    let set = ConnectFour::feature_set("connect_four.cells").expect("the set");
    for moves in ["", "d", "dd", "ddcbga", "abcdefgabcdefg"] {
        let line = after(moves);
        let [white, black] =
            Color::BOTH.map(|perspective| sorted_active(&*set, line.position(), perspective));
        let mut swapped: Vec<_> = white.iter().map(|index| (index + 42) % 84).collect();
        swapped.sort_unstable();
        assert_eq!(black, swapped, "{moves}");
    }
}
