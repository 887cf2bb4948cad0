//! The feature sets of chess: indices computed by hand, and differences along random play.

use std::collections::BTreeMap;

use cozy_chess::{Move, Piece};
use games::chess::{Board, Chess};
use games::{
    BoardGame, Changes, Color, FeatureSet, FeatureSetError, Game, PerspectiveCount, SearchGame,
    Update, sorted_active,
};

/// A table that tells castled kings from wandering ones.
const BUCKETED: &str = "chess.piece-square-mirrored:0123/4455/6666/6666/7777/7777/7777/7777";

fn read(fen: &str) -> Chess {
    Chess::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn set(name: &str) -> Box<dyn FeatureSet<Chess>> {
    Chess::feature_set(name).unwrap_or_else(|error| panic!("{error}"))
}

fn active(name: &str, fen: &str, perspective: Color) -> Vec<u32> {
    sorted_active(set(name).as_ref(), &read(fen), perspective)
}

#[test]
fn sets_have_their_shapes() {
    for (name, size, max_active, perspectives) in [
        ("chess.piece-square", 768, 32, PerspectiveCount::Two),
        ("chess.piece-square-stm", 769, 33, PerspectiveCount::One),
        ("chess.piece-square-mirrored", 768, 32, PerspectiveCount::Two),
        (BUCKETED, 8 * 768, 32, PerspectiveCount::Two),
        ("chess.halfka-hm", 22528, 32, PerspectiveCount::Two),
    ] {
        let set = set(name);
        assert_eq!(set.name(), name);
        assert_eq!((set.size(), set.max_active()), (size, max_active));
        assert_eq!(set.perspectives(), perspectives);
    }
    for name in Chess::feature_set_names() {
        assert_eq!(set(&name).name(), name);
    }
}

// White: Ke1, Pe4. Black: Kg8, Na5.
const FEW: &str = "6k1/8/8/n7/4P3/8/8/4K3 w - - 0 1";

#[test]
fn piece_square_is_numbered_by_hand() {
    // White sees e4 = 28, e1 = 4, a5 = 32, g8 = 62.
    let white = [28, 5 * 64 + 4, 384 + 64 + 32, 384 + 5 * 64 + 62];
    assert_eq!(active("chess.piece-square", FEW, Color::White), white);
    // Black sees a5 as a4 = 24, g8 as g1 = 6, e4 as e5 = 36, e1 as e8 = 60.
    let black = [64 + 24, 5 * 64 + 6, 384 + 36, 384 + 5 * 64 + 60];
    assert_eq!(active("chess.piece-square", FEW, Color::Black), black);
}

#[test]
fn the_side_to_move_is_the_last_feature() {
    let name = "chess.piece-square-stm";
    let white = [28, 5 * 64 + 4, 384 + 64 + 32, 384 + 5 * 64 + 62];
    assert_eq!(active(name, FEW, Color::White), white);
    let black_to_move = active(name, &FEW.replace(" w ", " b "), Color::White);
    assert_eq!(black_to_move, [white.as_slice(), &[768]].concat());
    assert_eq!(active(name, FEW, Color::Black).last(), Some(&768));
}

#[test]
fn mirrored_boards_have_the_king_on_the_left() {
    // Ke1 is mirrored to d1 = 3, with e4 to d4 = 27, a5 to h5 = 39, g8 to b8 = 57.
    let white = [27, 5 * 64 + 3, 384 + 64 + 39, 384 + 5 * 64 + 57];
    assert_eq!(active("chess.piece-square-mirrored", FEW, Color::White), white);
    assert_eq!(active(BUCKETED, FEW, Color::White), white.map(|index| index + 3 * 768));
    // Black's king is seen on g1, mirrored to b1 = 1; a4 to h4 = 31; e5 to d5 = 35; e8 to d8 = 59.
    let black = [64 + 31, 5 * 64 + 1, 384 + 35, 384 + 5 * 64 + 59];
    assert_eq!(active(BUCKETED, FEW, Color::Black), black.map(|index| index + 768));
    // A king on the files a–d is left alone: Kc2 = 10 is in bucket 5.
    let fen = "6k1/8/8/8/8/8/2K5/8 w - - 0 1";
    let bare = [5 * 64 + 10, 384 + 5 * 64 + 62];
    assert_eq!(active(BUCKETED, fen, Color::White), bare.map(|index| index + 5 * 768));
}

#[test]
fn halfka_is_numbered_by_hand() {
    // White: Ke1 on files e–h, not mirrored; bucket 4·7 + 3 = 31.
    let base = 704 * 31;
    let white = [28, 3 * 64 + 32, 10 * 64 + 4, 10 * 64 + 62].map(|index| base + index);
    assert_eq!(active("chess.halfka-hm", FEW, Color::White), white);
    // Black: Kg8, seen on g1; bucket 4·7 + 1 = 29; a5 seen on a4 = 24, e4 on e5 = 36, e1 on e8 = 60.
    let base = 704 * 29;
    let black = [64 + 36, 2 * 64 + 24, 10 * 64 + 6, 10 * 64 + 60].map(|index| base + index);
    assert_eq!(active("chess.halfka-hm", FEW, Color::Black), black);
    // White: Kb3 is mirrored to g3 = 22; bucket 4·5 + 1 = 21; Qa1 to h1 = 7; Black's Kh8 to a8 = 56.
    let fen = "7k/8/8/8/8/1K6/8/Q7 b - - 0 1";
    let base = 704 * 21;
    let white = [8 * 64 + 7, 10 * 64 + 22, 10 * 64 + 56].map(|index| base + index);
    assert_eq!(active("chess.halfka-hm", fen, Color::White), white);
    // The corners of the table: a8 and h8 have bucket 0, d1 and e1 bucket 31.
    for (fen, bucket) in [
        ("K7/8/8/8/8/8/8/6k1 w - - 0 1", 0),
        ("7K/8/8/8/8/8/8/1k6 w - - 0 1", 0),
        ("6k1/8/8/8/8/8/8/3K4 w - - 0 1", 31),
    ] {
        let features = active("chess.halfka-hm", fen, Color::White);
        assert!(features.iter().all(|feature| feature / 704 == bucket), "{fen}");
    }
}

#[test]
fn wrong_names_are_explained() {
    let refuse = |name: &str| Chess::feature_set(name).expect_err(name);
    for name in ["", "chess", "chess.piece-squares", "chess.halfka", "piece-square", "é:0"] {
        let error = refuse(name);
        assert!(matches!(error, FeatureSetError::Unknown { .. }), "{name}");
        assert!(error.to_string().contains("chess.halfka-hm"));
    }
    for (name, fragment) in [
        ("chess.piece-square:1", "takes no parameter"),
        ("chess.halfka-hm:", "takes no parameter"),
        ("chess.piece-square-mirrored:", "1 groups"),
        ("chess.piece-square-mirrored:0000", "1 groups"),
        ("chess.piece-square-mirrored:0000/0000/0000/0000/0000/0000/0000/0000/0000", "9 groups"),
        ("chess.piece-square-mirrored:0000/0000/0000/000/0000/0000/0000/0000", "has not 4"),
        ("chess.piece-square-mirrored:0000/0000/0000/00000/0000/0000/0000/0000", "has not 4"),
        ("chess.piece-square-mirrored:0000/0000/0000/000A/0000/0000/0000/0000", "`A` is not"),
        ("chess.piece-square-mirrored:0000/0000/0000/000é/0000/0000/0000/0000", "`é` is not"),
        (
            "chess.piece-square-mirrored:1111/1111/1111/1111/1111/1111/1111/1111",
            "bucket 0 is missing",
        ),
        (
            "chess.piece-square-mirrored:0000/0000/0000/0002/0000/0000/0000/0000",
            "bucket 1 is missing",
        ),
        (
            "chess.piece-square-mirrored:0000/0000/0000/000z/0000/0000/0000/0000",
            "bucket 1 is missing",
        ),
    ] {
        let error = refuse(name);
        assert!(matches!(error, FeatureSetError::Parameter { .. }), "{name}");
        assert!(error.to_string().contains(fragment), "{error}");
    }
}

#[test]
fn every_king_square_can_have_its_own_bucket() {
    let name = "chess.piece-square-mirrored:0123/4567/89ab/cdef/ghij/klmn/opqr/stuv";
    let set = set(name);
    assert_eq!((set.name().as_str(), set.size()), (name, 32 * 768));
    // One bucket in full is the set without a table.
    let plain = "chess.piece-square-mirrored";
    let full = format!("{plain}:{}", ["0000"; 8].join("/"));
    assert_eq!(Chess::feature_set(&full).expect("a table").name(), plain);
}

/// Checks the difference between two positions in every set and perspective; returns how many were refreshes.
fn check_changes(sets: &[Box<dyn FeatureSet<Chess>>], before: &Chess, after: &Chess) -> usize {
    let mut refreshes = 0;
    // What an earlier call left behind must not matter.
    let mut changes = Changes { added: vec![7; 3], removed: vec![9; 2] };
    for set in sets {
        for perspective in Color::BOTH {
            let old = sorted_active(set.as_ref(), before, perspective);
            let new = sorted_active(set.as_ref(), after, perspective);
            assert!(new.len() <= set.max_active());
            assert!(new.iter().all(|&feature| (feature as usize) < set.size()));
            assert!(new.is_sorted_by(|a, b| a < b), "a feature twice");
            match set.changes(before, after, perspective, &mut changes) {
                Update::Refresh => refreshes += 1,
                Update::Changes => {
                    let minus = |a: &[u32], b: &[u32]| -> Vec<u32> {
                        a.iter().copied().filter(|feature| !b.contains(feature)).collect()
                    };
                    changes.added.sort_unstable();
                    changes.removed.sort_unstable();
                    assert_eq!(changes.added, minus(&new, &old), "{}", set.name());
                    assert_eq!(changes.removed, minus(&old, &new), "{}", set.name());
                }
            }
        }
    }
    refreshes
}

/// What is special about a move, if anything is.
fn kind(board: &Board, mv: Move) -> Option<String> {
    let own = board.colors(board.side_to_move());
    if own.has(mv.to) {
        let side = if mv.to > mv.from { "short" } else { "long" };
        return Some(format!("{} castles {side}", board.side_to_move()));
    }
    let victim = board.piece_on(mv.to);
    if let Some(promotion) = mv.promotion {
        let how = if victim.is_some() { "captures and " } else { "" };
        return Some(format!("{how}promotes to {promotion}"));
    }
    let pawn = board.piece_on(mv.from) == Some(Piece::Pawn);
    if pawn && mv.from.file() != mv.to.file() && victim.is_none() {
        return Some(format!("{} captures in passing", board.side_to_move()));
    }
    None
}

#[test]
fn changes_are_the_difference_of_features() {
    let sets: Vec<_> = Chess::feature_set_names().iter().map(|name| set(name)).collect();
    let sets: Vec<_> = sets.into_iter().chain([set(BUCKETED)]).collect();
    let mut kinds = BTreeMap::new();
    let mut refreshes = 0;
    let mut state = 0x0A02_BDBF_7BB3_C0A7_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for game in 0..90 {
        let start = if game % 2 == 0 { 518 } else { random(960) as u32 };
        let mut position = Chess::chess960_start(start).expect("below 960");
        let mut past = vec![position.clone()];
        while position.outcome().is_none() && past.len() < 200 {
            let moves = position.legal_moves();
            // Special moves are rare; take one whenever there is one.
            let special: Vec<_> =
                moves.iter().copied().filter(|&mv| kind(position.board(), mv).is_some()).collect();
            let list = if special.is_empty() { &moves } else { &special };
            let mv = list[random(list.len())];
            if let Some(kind) = kind(position.board(), mv) {
                *kinds.entry(kind).or_insert(0) += 1;
            }
            position.play(mv);
            refreshes += check_changes(&sets, &past[past.len() - 1], &position);
            // Several plies apart, in both directions.
            let earlier = &past[random(past.len())];
            refreshes += check_changes(&sets, earlier, &position);
            refreshes += check_changes(&sets, &position, earlier);
            if let Some(passed) = position.null_move() {
                check_changes(&sets, &position, &passed);
            }
            past.push(position.clone());
        }
    }
    // Castling each way, en passant for either side, four promotions with and without capture.
    assert_eq!(kinds.len(), 4 + 2 + 8, "{kinds:?}");
    assert!(kinds.values().all(|&count| count >= 2), "{kinds:?}");
    assert!(refreshes > 1000);
}

#[test]
fn only_a_king_that_changes_the_view_asks_for_a_refresh() {
    let after = |fen: &str, text: &str| {
        let before = read(fen);
        let mut position = before.clone();
        position.play(before.parse_move(text).expect(text));
        (before, position)
    };
    let update = |name: &str, fen: &str, text: &str, perspective: Color| {
        let (before, position) = after(fen, text);
        set(name).changes(&before, &position, perspective, &mut Changes::default())
    };
    let fen = "6k1/8/8/8/8/8/8/R3K3 w Q - 0 1";
    let plain = "chess.piece-square-mirrored";
    // e1 to f1 keeps the mirroring, e1 to d1 does not; Black's perspective never minds.
    assert_eq!(update(plain, fen, "e1f1", Color::White), Update::Changes);
    assert_eq!(update(plain, fen, "e1d1", Color::White), Update::Refresh);
    assert_eq!(update(plain, fen, "e1c1", Color::White), Update::Refresh);
    assert_eq!(update(plain, fen, "e1c1", Color::Black), Update::Changes);
    assert_eq!(update(BUCKETED, fen, "e1f1", Color::White), Update::Refresh);
    assert_eq!(update("chess.halfka-hm", fen, "e1f1", Color::White), Update::Refresh);
    assert_eq!(update("chess.halfka-hm", fen, "e1f1", Color::Black), Update::Changes);
    assert_eq!(update("chess.halfka-hm", fen, "a1a7", Color::White), Update::Changes);
    assert_eq!(update("chess.piece-square", fen, "e1d1", Color::White), Update::Changes);
    let (before, position) = after(fen, "a1a7");
    let mut changes = Changes::default();
    set(plain).changes(&before, &position, Color::Black, &mut changes);
    assert_eq!((changes.added.len(), changes.removed.len()), (1, 1));
}
