//! Chess beyond move generation: hashes, move texts and numbers, captures, outcomes, symmetries.

use std::collections::HashSet;

use cozy_chess::{Move, Piece, Square};
use games::chess::Chess;
use games::conformance::Symmetric;
use games::{
    BoardGame, Capture, Color, Game, GameHistory, GameScore, MoveError, NotatedGame, Outcome,
    SearchGame, SettingError,
};

fn read(fen: &str) -> Chess {
    Chess::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn after(fen: &str, moves: &[&str]) -> Chess {
    let mut line = GameHistory::new(read(fen));
    for text in moves {
        line.play_text(text).unwrap_or_else(|error| panic!("{error}"));
    }
    line.position().clone()
}

/// The text of the move that `text` is read as.
fn reread(fen: &str, text: &str) -> Result<String, MoveError> {
    let position = read(fen);
    position.parse_move(text).map(|mv| position.move_text(mv))
}

#[test]
fn hash_counts_en_passant_only_if_it_can_be_played() {
    let hash = |fen: &str| read(fen).hash();
    for (fen, playable) in [
        // No pawn beside; a pawn beside; a pawn that is pinned along its rank, a diagonal, a file.
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", false),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", true),
        ("6K1/8/8/8/1k1pP2R/8/8/8 b - e3 0 1", false),
        ("7b/8/8/3pP3/8/2K5/8/k7 w - d6 0 1", false),
        ("7b/8/8/4Pp2/8/2K5/8/k7 w - f6 0 1", true),
        ("4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", false),
        // Pawns on the edges are not neighbours.
        ("4k3/8/8/7p/P7/8/8/4K3 b - a3 0 1", false),
    ] {
        let mut fields: Vec<_> = fen.split(' ').collect();
        fields[3] = "-";
        assert_eq!(hash(fen) != hash(&fields.join(" ")), playable, "{fen}");
    }
}

#[test]
fn hash_is_that_of_the_position_read_anew() {
    let mut position = Chess::start();
    for text in
        ["e2e4", "a7a6", "e4e5", "d7d5", "e5d6", "g8f6", "g1f3", "h8g8", "f1e2", "b7b5", "e1g1"]
    {
        let mv = position.parse_move(text).expect(text);
        position.play(mv);
        assert_eq!(position.hash(), read(&position.to_fen()).hash(), "after {text}");
    }
    let other_rights = read("r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1").hash();
    assert_ne!(read("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").hash(), other_rights);
    assert_ne!(read("r3k2r/8/8/8/8/8/8/R3K2R b KQk - 0 1").hash(), other_rights);
}

#[test]
fn standard_castling_is_read_in_both_forms() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (text, meant) in [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("e1c1", "e1c1"), ("e1a1", "e1c1")] {
        assert_eq!(reread(fen, text).as_deref(), Ok(meant));
    }
    let mut position = read(fen);
    let castle = position.parse_move("e1g1").expect("legal");
    position.set("chess960", "true").expect("a setting");
    assert_eq!(position.move_text(castle), "e1h1");
    assert_eq!(position.parse_move("e1g1"), Ok(castle));
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
    assert_eq!(reread(fen, "e8a8").as_deref(), Ok("e8c8"));
    // A rook or queen that goes from e1 to g1 does not castle.
    assert_eq!(reread("4k3/8/8/8/8/4K3/8/4R3 w - - 0 1", "e1g1").as_deref(), Ok("e1g1"));
    assert!(reread("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1g1").is_err());
    assert!(reread("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "e1h1").is_err());
}

#[test]
fn chess960_castling_is_told_from_steps_of_the_king() {
    // From f1 to g1 is a step, and taking the rook on h1 is castling.
    let fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    assert_eq!(after(fen, &["f1g1"]).to_fen(), "4k3/8/8/8/8/8/8/6KR b - - 1 1");
    assert_eq!(after(fen, &["f1h1"]).to_fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    // From b1 to c1 likewise, and c1 is where castling would lead, too.
    let fen = "4k3/8/8/8/8/8/8/RK6 w A - 0 1";
    assert_eq!(after(fen, &["b1c1"]).to_fen(), "4k3/8/8/8/8/8/8/R1K5 b - - 1 1");
    assert_eq!(after(fen, &["b1a1"]).to_fen(), "4k3/8/8/8/8/8/8/2KR4 b - - 1 1");
    // Further than a step it can only be castling, unless a rook is taken there.
    let fen = "4k3/8/8/8/8/8/8/RK5R w HA - 0 1";
    assert_eq!(after(fen, &["b1g1"]).to_fen(), "4k3/8/8/8/8/8/8/R4RK1 b - - 1 1");
    assert_eq!(reread(fen, "b1g1").as_deref(), Ok("b1h1"));
    let fen = "4k3/8/8/8/8/8/8/K1R5 w C - 0 1";
    assert_eq!(after(fen, &["a1c1"]).to_fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    // With the setting off, castling that standard chess does not know keeps its plain text.
    let mut position = read("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    assert!(position.is_chess960());
    position.set("chess960", "false").expect("a setting");
    let texts: Vec<_> = position.legal_moves().iter().map(|&mv| position.move_text(mv)).collect();
    assert!(texts.contains(&"f1h1".to_owned()));
    assert_eq!(texts.iter().collect::<HashSet<_>>().len(), texts.len());
}

#[test]
fn texts_that_are_no_moves_are_told_from_illegal_moves() {
    let start = Chess::start();
    for text in [
        "", "e", "e2", "e2e", "e2e44", "e2e4qq", "0000", "e2e4 ", " e2e4", "E2E4", "e7e8k",
        "e7e8p", "e7e8Q", "i1a1", "a0a1", "a9a1", "é2e4", "e2é4", "e2eé", "♔♔", "Nf3", "O-O",
        "e2-e4", "null", "\0\0\0\0",
    ] {
        assert!(matches!(start.parse_move(text), Err(MoveError::Syntax { .. })), "{text}");
    }
    for text in ["e2e5", "e7e5", "e4e5", "e2e4q", "e1g1", "e1h1", "a1a1", "e1e2", "d1h5"] {
        assert!(matches!(start.parse_move(text), Err(MoveError::Illegal { .. })), "{text}");
    }
    let promoting = read("8/P6k/8/8/8/8/8/K7 w - - 0 1");
    assert!(matches!(promoting.parse_move("a7a8"), Err(MoveError::Illegal { .. })));
    assert_eq!(promoting.parse_move("a7a8n").expect("legal").promotion, Some(Piece::Knight));
}

#[test]
fn exactly_the_codes_of_legal_moves_are_read() {
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "4r1k1/8/8/8/8/8/6n1/4K3 w - - 0 1",
        "7b/8/8/3pP3/8/2K5/8/k7 w - d6 0 1",
    ] {
        let position = read(fen);
        let legal: HashSet<_> = position.legal_moves().into_iter().collect();
        let codes: HashSet<_> = legal.iter().map(|&mv| Chess::move_code(mv)).collect();
        assert_eq!(codes.len(), legal.len());
        for code in (0..=0xFFFF).chain([0x1_0000, u32::MAX]) {
            let mv = position.move_from_code(code);
            assert_eq!(mv.is_some(), codes.contains(&code), "{fen} {code}");
            assert!(mv.is_none_or(|mv| legal.contains(&mv) && Chess::move_code(mv) == code));
        }
    }
    let mv = Move { from: Square::B1, to: Square::A3, promotion: Some(Piece::Queen) };
    assert_eq!(Chess::move_code(mv), 1 | 16 << 6 | 4 << 12);
}

#[test]
fn captures_and_promotions_are_valued() {
    let capture = |fen: &str, text: &str| {
        let position = read(fen);
        let mv = position.parse_move(text).expect(text);
        let values = position.capture(mv).map(|Capture { victim, attacker }| (victim, attacker));
        (values, position.promotion_gain(mv))
    };
    assert_eq!(capture("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5d6"), (Some((100, 100)), 0));
    assert_eq!(capture("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5c6"), (None, 0));
    let fen = "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1";
    assert_eq!(capture(fen, "b7a8q"), (Some((500, 100)), 800));
    assert_eq!(capture(fen, "b7b8n"), (None, 220));
    assert_eq!(capture(fen, "a1a8"), (Some((500, 500)), 0));
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(capture(castling, "e1g1"), (None, 0));
    let (values, _) = capture("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2");
    assert!(values.is_some_and(|(victim, attacker)| victim == 900 && attacker > 9 * 900));
}

#[test]
fn policy_sees_the_board_as_the_mover_does() {
    let index = |fen: &str, text: &str| {
        let position = read(fen);
        let index = position.policy_index(position.parse_move(text).expect(text));
        (index.from, index.to)
    };
    let start = Chess::start().to_fen();
    assert_eq!(index(&start, "e2e4"), (12, 28));
    assert_eq!(index(&start.replace(" w ", " b "), "e7e5"), (12, 28));
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    assert_eq!(index(castling, "e1g1"), (4, 6));
    assert_eq!(index(castling, "e1a1"), (4, 2));
    assert_eq!(index(&castling.replace(" w ", " b "), "e8h8"), (4, 6));
    assert_eq!(index("4k3/8/8/8/8/8/8/1KR5 w C - 0 1", "b1c1"), (1, 2));
    // Beside each other: castling to g1 and a step to g1.
    let beside = "4k3/8/8/8/8/8/8/5K1R w K - 0 1";
    assert_eq!((index(beside, "f1h1"), index(beside, "f1g1")), ((5, 7), (5, 6)));
}

#[test]
fn outcomes_are_those_of_the_laws() {
    let draw = |reason| Some(Outcome::draw(reason));
    for (fen, outcome) in [
        (
            "7k/5KQ1/8/8/8/8/8/8 b - - 0 1",
            Some(Outcome::new(Color::Black, GameScore::LOSS, "checkmate")),
        ),
        (
            "8/8/8/8/8/8/1q6/K1k5 w - - 7 1",
            Some(Outcome::new(Color::Black, GameScore::WIN, "checkmate")),
        ),
        // Mate counts although the hundredth ply gave it.
        (
            "7k/5KQ1/8/8/8/8/8/8 b - - 100 90",
            Some(Outcome::new(Color::White, GameScore::WIN, "checkmate")),
        ),
        ("7k/5Q2/8/8/8/8/8/K7 b - - 0 1", draw("stalemate")),
        ("7k/8/8/8/8/8/5Q2/K7 b - - 100 90", draw("fifty moves")),
        ("7k/8/8/8/8/8/5Q2/K7 b - - 99 90", None),
        ("7k/8/8/8/8/8/8/K7 w - - 0 1", draw("insufficient material")),
        ("7k/8/8/8/8/8/8/KN6 w - - 0 1", draw("insufficient material")),
        ("7k/8/8/8/8/8/8/Kb6 w - - 0 1", draw("insufficient material")),
        ("7k/b1b5/8/8/8/B7/8/K1B1B3 w - - 0 1", draw("insufficient material")),
        ("7k/1b1b4/8/8/8/8/8/KB6 w - - 0 1", draw("insufficient material")),
        ("7k/b1b5/8/8/8/B7/8/KB6 w - - 0 1", None),
        ("7k/1b6/8/8/8/8/8/K1B5 w - - 0 1", None),
        ("7k/8/8/8/8/8/8/KBn5 w - - 0 1", None),
        ("7k/8/8/8/8/8/8/KNN5 w - - 0 1", None),
        ("7k/8/8/8/8/8/8/KNn5 w - - 0 1", None),
        ("7k/8/8/8/8/8/P7/K7 w - - 0 1", None),
        ("7k/8/8/8/8/8/8/KR6 b - - 0 1", None),
    ] {
        assert_eq!(read(fen).outcome(), outcome, "{fen}");
    }
}

#[test]
fn a_third_occurrence_draws() {
    let mut line = GameHistory::new(Chess::start());
    for round in 1..=2 {
        for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
            assert_eq!(line.outcome(), None);
            line.play_text(text).expect(text);
        }
        assert_eq!(line.occurrences(), round + 1);
    }
    assert_eq!(line.outcome(), Some(Outcome::draw("repetition")));
    // The same pieces without the right to castle are another position.
    let mut line = GameHistory::new(read("r3k2r/8/8/8/8/8/7P/R3K2R w KQkq - 0 1"));
    for text in ["a1b1", "a8b8", "b1a1", "b8a8"].iter().cycle().take(8) {
        line.play_text(text).expect(text);
    }
    assert_eq!(line.occurrences(), 2);
    // An en-passant square that nobody can use makes no difference.
    let mut line = GameHistory::new(Chess::start());
    for text in ["e2e4", "g8f6", "g1f3", "f6g8", "f3g1"] {
        line.play_text(text).expect(text);
    }
    assert_eq!(line.occurrences(), 2);
}

#[test]
fn passing_is_refused_in_check() {
    assert!(read("4k3/8/8/8/8/8/8/r3K3 w - - 0 1").null_move().is_none());
    let passed = read("4k3/8/8/2PpP3/8/8/8/N3K3 w - d6 0 1").null_move().expect("not in check");
    assert_eq!(passed.to_fen(), "4k3/8/8/2PpP3/8/8/8/N3K3 b - - 1 1");
    assert_eq!(passed, read(&passed.to_fen()));
    // With pawns alone, having to move is often what loses.
    assert!(read("4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 1").null_move().is_none());
}

#[test]
fn settings_are_checked() {
    let mut position = Chess::start();
    assert!(matches!(position.set("variant", "true"), Err(SettingError::Unknown { .. })));
    assert!(matches!(position.set("chess960", "1"), Err(SettingError::Value { .. })));
    for value in Chess::settings()[0].values {
        position.set("chess960", value).expect("a listed value");
    }
    assert!(position.is_chess960());
}

#[test]
fn the_board_can_be_drawn() {
    let cells = Chess::geometry().cells;
    assert_eq!(cells.len(), 64);
    assert_eq!((cells[0].name.as_str(), cells[0].shade), ("a1", 0));
    assert_eq!((cells[12].name.as_str(), cells[12].shade), ("e2", 1));
    assert_eq!((cells[63].name.as_str(), cells[63].shade), ("h8", 0));
    let start = Chess::start();
    assert_eq!(
        [0, 4, 12, 27, 59, 63, 64].map(|cell| start.piece_on(cell)),
        [Some('R'), Some('K'), Some('P'), None, Some('q'), Some('r'), None]
    );
}

#[test]
fn images_have_the_images_of_the_moves() {
    let mut mirrored = 0;
    for fen in [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rr2k1rr/8/8/8/8/8/8/RR2K1RR b GAhb - 3 9",
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "2k5/P6P/8/8/8/8/p6p/5K2 b - - 0 1",
    ] {
        let position = read(fen);
        for symmetry in Chess::symmetries() {
            let Some(image) = (symmetry.position)(&position) else { continue };
            mirrored += u32::from(symmetry.name == "left-right");
            let texts = |position: &Chess| -> Vec<_> {
                position.legal_moves().iter().map(|&mv| position.move_text(mv)).collect()
            };
            let mut expected: Vec<_> =
                texts(&position).iter().map(|text| (symmetry.move_text)(text)).collect();
            let mut found = texts(&image);
            expected.sort();
            found.sort();
            assert_eq!(found, expected, "{} of {fen}", symmetry.name);
            assert_eq!(read(&image.to_fen()), image);
            assert_eq!((symmetry.position)(&image).as_ref(), Some(&position));
        }
    }
    assert_eq!(mirrored, 2, "without castling rights only");
}
