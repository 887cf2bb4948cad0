//! The rules of hexchess: against an oracle written plainly, against another implementation, and case by
//! case.

#[path = "hexchess_support/naive.rs"]
mod naive;

use std::collections::BTreeSet;

use games::hexchess::Hexchess;
use games::{BoardGame, Color, Game, GameHistory, GameScore, NotatedGame, SearchGame};
use naive::Naive;
use proptest::prelude::*;

const PERFT_POSITIONS: &str = include_str!("data/hexchess.perft");

/// The positions that random play begins at: those of the perft table and some that are rich in checks,
/// pins, promotions and captures in passing.
fn openings() -> Vec<String> {
    let table = PERFT_POSITIONS.lines().filter(|line| !line.starts_with('#'));
    let table = table.filter_map(|line| line.split(';').next()).map(|fen| fen.trim().to_owned());
    let others = [
        "1/1RB/K3N/6Q/B1Q6/B3Q2k3/10Q/1Q4Q4/N8Q1/2Q2Q5/3R4Q2 w - 0 1",
        "1/3/2k2/7/1pppppppp/11/5P5/4P1P4/3P3P3/2P2K2P2/1P7P1 w - 0 1",
        "k/1q1/1r1r1/7/9/2b2n5/11/4N1B4/11/1R7R1/4QK5 b - 0 1",
        "1/k2/1P1P1/7/1P5P1/11/11/11/p9p/1p1p1p1p3/5K5 w - 0 1",
        "k/1r1/2r2/7/ppppppppp/11/5P5/4P1P4/3P1Q1P3/2P2R2P2/1P3K3P1 w - 0 1",
    ];
    table.chain(others.map(str::to_owned)).collect()
}

fn texts(position: &Hexchess) -> BTreeSet<String> {
    position.legal_moves().into_iter().map(|mv| position.move_text(mv)).collect()
}

fn position(fen: &str) -> Hexchess {
    Hexchess::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Plays at random from an opening and calls `visit` with each position and the move played from it.
fn play_randomly(choices: &[u16], mut visit: impl FnMut(&Hexchess)) {
    let openings = openings();
    let (first, rest) = choices.split_first().expect("an opening and moves");
    let mut position = position(&openings[usize::from(*first) % openings.len()]);
    for &choice in rest {
        visit(&position);
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        position.play(moves[usize::from(choice) % moves.len()]);
    }
}

/// The other implementation's position. It forgets the passed cell after b1b3 and b7b5, so it is always
/// made from a FEN and never carried along.
fn other(position: &Hexchess) -> hexchess::Hexchess {
    hexchess::Hexchess::parse(&position.to_fen()).expect("a FEN that both read")
}

/// Whether a move is one that the other implementation forgets to note.
fn is_forgotten(text: &str) -> bool {
    text == "b1b3" || text == "b7b5"
}

fn config(cases: u32) -> ProptestConfig {
    // A failing case prints its choices, which say everything.
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(64))]

    #[test]
    fn moves_are_those_of_the_oracle(choices in prop::collection::vec(any::<u16>(), 40)) {
        play_randomly(&choices, |position| {
            let naive = Naive::from_fen(&position.to_fen());
            let expected: BTreeSet<_> = naive.moves().into_keys().collect();
            assert_eq!(texts(position), expected, "{position:?}");
            assert_eq!(position.is_check(), naive.is_check(), "{position:?}");
            assert_eq!(position.has_moves(), !expected.is_empty(), "{position:?}");
        });
    }
}

proptest! {
    #![proptest_config(config(128))]

    #[test]
    fn moves_and_their_results_are_those_of_another_implementation(
        choices in prop::collection::vec(any::<u16>(), 60),
    ) {
        play_randomly(&choices, |position| {
            let other = other(position);
            assert_eq!(other.is_check(), position.is_check(), "{position:?}");
            let moves = other.current_moves();
            let expected: BTreeSet<_> = moves.iter().map(ToString::to_string).collect();
            assert_eq!(texts(position), expected, "{position:?}");
            for san in &moves {
                let text = san.to_string();
                let mut after = *position;
                after.play(position.parse_move(&text).expect("a move that both know"));
                let mut expected = other.clone();
                expected.apply_move_unsafe(san).expect("its own move");
                if is_forgotten(&text) && position.piece_on(if text == "b1b3" { 6 } else { 12 })
                    .is_some_and(|piece| piece.eq_ignore_ascii_case(&'p'))
                {
                    expected.ep = Some(if text == "b1b3" {
                        hexchess::Position::B2
                    } else {
                        hexchess::Position::B6
                    });
                }
                assert_eq!(after.to_fen(), expected.to_string(), "{position:?} {text}");
            }
        });
    }
}

#[test]
fn the_oracle_and_the_table_agree() {
    for fen in openings() {
        let fast = position(&fen);
        assert_eq!(Naive::from_fen(&fen).perft(2), games::perft(&fast, 2), "{fen}");
    }
}

/// What kinds of moves there were.
#[derive(Debug, Default, PartialEq, Eq)]
struct Kinds {
    captures: u64,
    en_passant: u64,
    double_steps: u64,
    promotions: u64,
    checks: u64,
}

/// The numbers of the cells that a move's text names.
fn ends(text: &str, names: &[String]) -> (usize, usize) {
    let text = text.trim_end_matches(['q', 'r', 'b', 'n']);
    let pairs = names.iter().enumerate().filter(|(_, name)| text.starts_with(name.as_str()));
    let mut found = pairs.filter_map(|(from, name)| {
        Some((from, names.iter().position(|other| *other == text[name.len()..])?))
    });
    found.next().expect("a move names two cells")
}

/// Counts the kinds of the last moves of all lines, told by the texts and boards alone.
fn count_kinds(position: &Hexchess, depth: u32, names: &[String], kinds: &mut Kinds) {
    for mv in position.legal_moves() {
        let mut after = *position;
        after.play(mv);
        if depth > 1 {
            count_kinds(&after, depth - 1, names, kinds);
            continue;
        }
        let text = position.move_text(mv);
        let (from, to) = ends(&text, names);
        let pawn = position.piece_on(from).is_some_and(|piece| piece.eq_ignore_ascii_case(&'p'));
        let straight = names[from][..1] == names[to][..1];
        let en_passant = pawn && !straight && position.piece_on(to).is_none();
        let capture = en_passant || position.piece_on(to).is_some();
        let promotes = text.ends_with(['q', 'r', 'b', 'n']);
        assert_eq!(position.capture(mv).is_some(), capture, "{position:?} {text}");
        assert_eq!(position.promotion_gain(mv) > 0, promotes, "{position:?} {text}");
        kinds.captures += u64::from(capture);
        kinds.en_passant += u64::from(en_passant);
        kinds.double_steps += u64::from(pawn && straight && from.abs_diff(to) == 2);
        kinds.promotions += u64::from(promotes);
        kinds.checks += u64::from(after.is_check());
    }
}

/// The counts were taken when the generator agreed with the oracle and the other implementation; what they
/// prove is that no kind of move is missing from the positions that the tests play from.
#[test]
fn every_kind_of_move_is_counted() {
    let table = PERFT_POSITIONS.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<_> = Hexchess::geometry().cells.into_iter().map(|cell| cell.name).collect();
    let found = table.map(|line| {
        let mut found = Kinds::default();
        count_kinds(&position(line.split(';').next().expect("a FEN")), 3, &names, &mut found);
        let Kinds { captures, en_passant, double_steps, promotions, checks } = found;
        [captures, en_passant, double_steps, promotions, checks]
    });
    let expected = [
        [1823, 6, 19025, 0, 371],
        [17800, 1, 33078, 0, 2934],
        [4441, 0, 0, 15296, 4835],
        [2466, 1, 2637, 0, 1588],
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn pawns_step_twice_from_any_start_cell_of_their_colour() {
    // A pawn that stands on e4 may have come from d3; nothing says so and nothing needs to.
    let white = position("k/3/5/7/9/11/5P5/4P1P4/3P3P3/2P5P2/1P3K3P1 w - 0 1");
    let doubles = ["b1b3", "c2c4", "d3d5", "e4e6", "f5f7", "g4g6", "h3h5", "i2i4", "k1k3"];
    for text in doubles {
        let mut after = white;
        after.play(white.parse_move(text).unwrap_or_else(|error| panic!("{error}")));
        let passed: u32 = text[1..2].parse::<u32>().expect("a rank") + 1;
        let expected = format!("{}{passed}", &text[..1]);
        assert_eq!(after.to_fen().split(' ').nth(2), Some(expected.as_str()));
    }
    assert!(white.parse_move("a1a3").is_err());

    // Captured onto d3's neighbour e4 from d3: e4 is a start cell too.
    let mut line = GameHistory::new(position("k/3/5/7/9/11/11/4p6/3P7/11/5K5 w - 0 1"));
    line.play_text("d3e4").expect("a capture");
    line.play_text("f11f10").expect("a move");
    line.play_text("e4e6").expect("a double step");
    // From e5 there is none.
    let off_start = position("k/3/5/7/9/11/4P6/11/11/11/5K5 w - 0 1");
    assert!(off_start.parse_move("e5e7").is_err());
}

#[test]
fn en_passant_is_for_the_next_move_only() {
    let mut line = GameHistory::new(position("k/3/5/7/9/11/3p7/4P6/11/11/5K5 w - 0 1"));
    line.play_text("e4e6").expect("a double step");
    let mut late = line.clone();
    assert!(line.position().parse_move("d5e5").is_ok());
    line.play_text("d5e5").expect("en passant");
    assert_eq!(line.position().to_fen(), "k/3/5/7/9/11/4p6/11/11/11/5K5 w - 0 2");

    for text in ["f11f10", "f1f2", "f10f11", "f2f1"] {
        late.play_text(text).expect("a move");
    }
    assert!(late.position().parse_move("d5e5").is_err());
    // Same pieces and side to move, other moves: another position.
    assert_eq!(late.occurrences(), 1);
}

#[test]
fn the_passed_cell_counts_in_the_hash_only_if_a_pawn_can_be_taken() {
    let with = position("k/3/5/7/9/4P6/3p7/11/11/11/5K5 b e5 0 1");
    let without = position("k/3/5/7/9/4P6/3p7/11/11/11/5K5 b - 0 1");
    assert_ne!(with.hash(), without.hash());
    let with = position("k/3/5/7/9/4P6/11/3p7/11/11/5K5 b e5 0 1");
    let without = position("k/3/5/7/9/4P6/11/3p7/11/11/5K5 b - 0 1");
    assert_eq!(with.hash(), without.hash());
    assert_ne!(with, without);
}

#[test]
fn taking_in_passing_may_not_uncover_the_king() {
    // The taker leaves the file that it shares with its king and a rook.
    let pinned = "1/3/5/1k5/9/4P6/3p7/11/11/11/3R1K5 b e5 0 1";
    let held = position(pinned);
    assert!(held.parse_move("d5e5").is_err());
    let free = position(&pinned.replace("3R1K5", "2R2K5"));
    assert!(free.parse_move("d5e5").is_ok());
    // The passed cell counts in the hash only if the capture is legal.
    assert_eq!(held.hash(), position(&pinned.replace("e5", "-")).hash());
    assert_ne!(free.hash(), position(&pinned.replace("e5", "-").replace("3R1K5", "2R2K5")).hash());
}

#[test]
fn stalemate_is_worth_what_the_setting_says() {
    let stalemates = queen_and_king(0).filter(|found| !found.has_moves() && !found.is_check());
    let mut stalemate = { stalemates }.next().expect("a stalemate with queen and king");
    for (value, points) in [("3/4", 3), ("1/2", 2), ("1", 4)] {
        stalemate.set("stalemate", value).expect("a value");
        let outcome = stalemate.outcome().expect("stalemate");
        assert_eq!(outcome.reason, "stalemate");
        assert_eq!(outcome.score(Color::White), GameScore::quarters(points).expect("quarters"));
    }
    assert!(stalemate.set("stalemate", "2/3").is_err());
    assert!(stalemate.set("castling", "1").is_err());
}

/// Every position with Black's king on f11, to move, against queen and king: found rather than drawn by hand.
fn queen_and_king(clock: u32) -> impl Iterator<Item = Hexchess> {
    let names: Vec<String> = Hexchess::geometry().cells.into_iter().map(|cell| cell.name).collect();
    let pairs = (0..91).flat_map(|queen| (0..91).map(move |king| (queen, king)));
    pairs.filter_map(move |(queen, king)| {
        let letter = |(number, name): (usize, &String)| match name.as_str() {
            "f11" => 'k',
            _ if number == queen => 'Q',
            _ if number == king => 'K',
            _ => '1',
        };
        let rows = (1..=11).rev().map(|rank: usize| {
            let row = names.iter().enumerate().filter(|(_, name)| name[1..] == rank.to_string());
            run_lengths(&row.map(letter).collect::<Vec<_>>())
        });
        let board = rows.collect::<Vec<_>>().join("/");
        Hexchess::from_fen(&format!("{board} b - {clock} 80")).ok()
    })
}

fn run_lengths(row: &[char]) -> String {
    let mut text = String::new();
    for group in row.chunk_by(|a, b| a == b) {
        match group[0] {
            '1' => text += &group.len().to_string(),
            _ => text.extend(group),
        }
    }
    text
}

#[test]
fn bare_kings_are_dead_only_where_stalemate_is_a_draw() {
    let mut bare = position("k/3/5/7/9/11/11/11/11/11/5K5 w - 0 1");
    assert_eq!(bare.outcome(), None);
    bare.set("stalemate", "1").expect("a value");
    assert_eq!(bare.outcome(), None);
    bare.set("stalemate", "1/2").expect("a value");
    assert_eq!(bare.outcome().map(|outcome| outcome.reason), Some("bare kings"));
    // The setting stays with the game.
    bare.play(bare.legal_moves()[0]);
    assert_eq!(bare.outcome().map(|outcome| outcome.white), Some(GameScore::DRAW));
}

#[test]
fn three_times_the_same_position_is_a_draw() {
    let mut line = GameHistory::new(Hexchess::start());
    for round in 1..=2 {
        for text in ["g1g2", "g10g9", "g2g1", "g9g10"] {
            assert_eq!(line.outcome(), None, "{round}");
            line.play_text(text).expect("a move");
        }
        assert_eq!(line.occurrences(), round + 1);
    }
    let outcome = line.outcome().expect("a draw");
    assert_eq!((outcome.white, outcome.reason), (GameScore::DRAW, "repetition"));
}

#[test]
fn fifty_moves_without_progress_are_a_draw_but_mate_comes_first() {
    let mut line = GameHistory::new(position("k/3/5/7/9/11/4P6/11/11/11/5K5 w - 98 60"));
    line.play_text("f1f2").expect("a move");
    assert_eq!(line.outcome(), None);
    let mut pushed = line.clone();
    line.play_text("f11f10").expect("a move");
    assert_eq!(line.outcome().map(|outcome| outcome.reason), Some("fifty moves"));
    assert_eq!(line.position().reversible_plies(), 100);
    // The clock stops there, and every position can still be written and read.
    line.play_text("f2f1").expect("a move");
    assert_eq!(position(&line.position().to_fen()), *line.position());
    pushed.play_text("f11e10").expect("a move");
    pushed.play_text("e5e6").expect("a pawn's move");
    assert_eq!(pushed.outcome(), None);

    let mates = queen_and_king(100).filter(|found| !found.has_moves() && found.is_check());
    let mated = { mates }.next().expect("a mate with queen and king");
    assert_eq!(mated.outcome().map(|outcome| outcome.reason), Some("checkmate"));
    assert_eq!(mated.outcome().map(|outcome| outcome.white), Some(GameScore::WIN));
}

#[test]
fn passing_is_refused_in_check_and_forgets_the_passed_cell() {
    let start = Hexchess::start();
    let mut played = start;
    played.play(start.parse_move("e4e6").expect("a move"));
    let passed = played.null_move().expect("no check");
    let fields: Vec<_> = passed.to_fen().split(' ').skip(1).map(str::to_owned).collect();
    assert_eq!(fields, ["w", "-", "1", "2"]);
    assert_eq!(position(&passed.to_fen()).hash(), passed.hash());
    let check = position("k/3/5/7/9/11/11/11/11/11/4KR5 b - 0 1");
    assert!(check.is_check());
    assert_eq!(check.null_move(), None);
}
