//! Sets that searches use tell what a move changes in both perspectives at once, and do not leave it to `changes`.

use games::chess::Chess;
use games::hexchess::Hexchess;
use games::{BoardGame, FeatureSet, FewFeatures, Game, ToolkitGame};

fn counts<G: ToolkitGame>(set: &dyn FeatureSet<G>, before: &G, after: &G) -> Option<[u8; 2]> {
    let (mut added, mut removed) = (FewFeatures::default(), FewFeatures::default());
    set.changes_both(before, after, &mut added, &mut removed)
}

fn played<G: ToolkitGame>(position: &G, moves: &[&str]) -> G {
    let mut position = position.clone();
    for text in moves {
        let found = position.legal_moves().into_iter().find(|&mv| position.move_text(mv) == *text);
        position.play(found.unwrap());
    }
    position
}

#[test]
fn chess() {
    let start = Chess::start();
    let buckets = "chess.piece-square-mirrored:0123/4455/6666/6666/7777/7777/7777/7777";
    let mirrored = "chess.piece-square-mirrored";
    for name in ["chess.piece-square", mirrored, buckets, "chess.halfka-hm"] {
        let set = Chess::feature_set(name).unwrap();
        let to = |moves: &[&str]| counts(&*set, &start, &played(&start, moves));
        assert_eq!(to(&[]), Some([0, 0]), "{name}");
        assert_eq!(to(&["e2e4"]), Some([1, 1]), "{name}");
        let capture = ["e2e4", "d7d5", "e4d5"];
        assert_eq!(to(&capture), Some([1, 2]), "{name}");
        // The king of White enters another refresh_bucket, or does not.
        let stays = name == "chess.piece-square" || name == mirrored;
        assert_eq!(to(&["e2e4", "e7e5", "e1e2"]).is_some(), stays, "{name}");
        // More than there is room for.
        let bare = Chess::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert_eq!(counts(&*set, &start, &bare), None, "{name}");
    }
}

#[test]
fn hexchess() {
    for name in ["hexchess.piece-cell", "hexchess.piece-cell-mirrored"] {
        let set = Hexchess::feature_set(name).unwrap();
        let start = Hexchess::start();
        assert_eq!(counts(&*set, &start, &start), Some([0, 0]), "{name}");
        let mut known = 0;
        for mv in start.legal_moves() {
            let mut after = start;
            after.play(mv);
            known += usize::from(counts(&*set, &start, &after).is_some());
        }
        assert!(known > 10, "{name}: {known}");
    }
}
