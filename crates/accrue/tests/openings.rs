//! `accrue openings` as a whole: a book that `accrue match` can play from.

#[path = "common/command.rs"]
mod command;

use std::collections::HashSet;
use std::fs;

use command::{complaint, lines};

#[test]
fn books_are_even_and_the_same_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for game in ["chess", "hexchess", "connect_four"] {
        let book = path(game);
        let args = ["openings", "--game", game, "--count", "12", "--soft-nodes", "200"];
        let made = lines(&[&args[..], &["--out", &book]].concat());
        assert!(made[0].ends_with("12 openings"), "{made:?}");
        let text = fs::read_to_string(&book).unwrap();
        assert_eq!(text.lines().collect::<HashSet<_>>().len(), 12);
        let again = path("again");
        lines(&[&args[..], &["--out", &again]].concat());
        assert_eq!(fs::read_to_string(&again).unwrap(), text);
        lines(&[&args[..], &["--seed", "2", "--out", &again]].concat());
        assert_ne!(fs::read_to_string(&again).unwrap(), text);
        let two = ["--nodes", "50", "--games", "2", "--openings", &book];
        let played = lines(&[&["match", "name=a", "name=b", "--game", game], &two[..]].concat());
        assert!(played.last().unwrap().contains("Finished match"), "{played:?}");
    }
}

#[test]
fn few_positions_are_all_that_there_are() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.epd");
    let book = book.to_str().unwrap();
    // One or two moves of connect four: 7 + 49 positions, but any score will do.
    let args = ["openings", "--game", "connect_four", "--random-plies", "1", "--soft-nodes", "1"];
    let made = lines(&[&args[..], &["--max-score", "30000", "--out", book]].concat());
    assert!(made[0].ends_with("56 openings; no others were found"), "{made:?}");
}

#[test]
fn mistakes_are_named() {
    let fault = complaint(&["openings", "--game", "go", "--out", "x"]);
    assert!(fault.contains("go"), "{fault}");
    let fault = complaint(&["openings", "--out", "no/such/folder/x.epd", "--count", "1"]);
    assert!(fault.contains("no/such/folder"), "{fault}");
}
