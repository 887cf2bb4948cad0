//! The conformance suite: what search, data, training and pages rely on holds along random play.

use breakthrough::Breakthrough;
use games::conformance::{Plan, Symmetry, check_with};
use games::{Game, perft};

/// The board upside down, with the pawns of the other side, is the same position for the other side.
const COLOR_SWAP: Symmetry<Breakthrough> = Symmetry {
    name: "colour swap",
    swaps_colors: true,
    position: |position| {
        let fen = position.to_fen();
        let (board, _) = fen.split_once(' ')?;
        let swap = |letter: char| match letter {
            'P' => 'p',
            'p' => 'P',
            other => other,
        };
        let rows: Vec<String> =
            board.split('/').rev().map(|row| row.chars().map(swap).collect()).collect();
        let side = !position.side_to_move();
        Breakthrough::from_fen(&format!("{} {}", rows.join("/"), side.fen_letter())).ok()
    },
    move_text: |text| {
        let turn =
            |letter: char| letter.to_digit(10).map_or(letter, |row| char::from(b'9' - row as u8));
        text.chars().map(turn).collect()
    },
};

#[test]
fn breakthrough_is_a_game() {
    let plan = Plan { games: 20, ..Plan::default() };
    let report = check_with::<Breakthrough>(&plan, vec![COLOR_SWAP]).unwrap();
    assert!(report.positions > 500 && report.images > 500, "{report:?}");
}

#[test]
fn perft_of_the_start() {
    let counts = [1, 2, 3, 4].map(|depth| perft(&Breakthrough::start(), depth));
    assert_eq!(counts, [22, 484, 11_132, 256_036]);
}

#[test]
fn the_game_has_at_most_150_lines() {
    assert!(include_str!("../src/lib.rs").lines().count() <= 150);
}
