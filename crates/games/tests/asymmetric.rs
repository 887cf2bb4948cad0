//! A game whose sides are not mirror images passes the suite with nothing but defaults.

#[path = "fox_and_hounds/game.rs"]
mod game;

use game::FoxAndHounds;
use games::conformance::{Plan, check};
use games::{BoardGame, Color, Game, PerspectiveCount, sorted_active};

#[test]
fn fox_and_hounds_is_a_game() {
    let report = check::<FoxAndHounds>(&Plan { games: 40, ..Plan::default() }).unwrap();
    assert!(report.positions > 400 && report.changes > 400, "{report:?}");
}

#[test]
fn its_features_have_one_perspective_and_the_side_to_move() {
    let set = FoxAndHounds::feature_set("fox_and_hounds.piece-cell").unwrap();
    assert_eq!(set.perspectives(), PerspectiveCount::One);
    assert_eq!((set.size(), set.max_active()), (2 * 2 * 64 + 1, 65));
    let mut position = FoxAndHounds::start();
    let seen = |position: &FoxAndHounds| sorted_active(&*set, position, Color::White);
    // Hounds on b1, d1, f1, h1 and the fox on e8, which is the other side's second piece.
    assert_eq!(seen(&position), [1, 3, 5, 7, 3 * 64 + 60]);
    position.play(position.parse_move("b1a2").unwrap());
    assert_eq!(seen(&position), [3, 5, 7, 8, 3 * 64 + 60, 256]);
    let other = FoxAndHounds::feature_set("fox_and_hounds.other").unwrap_err().to_string();
    assert!(other.contains("fox_and_hounds.piece-cell"), "{other}");
}
