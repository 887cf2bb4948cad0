//! Chess positions as text: what is read, what is written, and what is refused in which words.

use games::chess::Chess;
use games::{FenError, Game, NotatedGame};

const MALFORMED: &str = include_str!("data/chess_malformed_fens.txt");

fn read(fen: &str) -> Chess {
    Chess::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[test]
fn malformed_texts_are_refused_by_name() {
    let mut count = 0;
    for line in MALFORMED.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (fen, fragment) = line.split_once('\t').expect("a tab");
        let message = match Chess::from_fen(fen) {
            Ok(_) => panic!("accepted: {fen}"),
            Err(error) => error.to_string(),
        };
        assert!(message.contains(fragment), "{fen}\n  says `{message}`\n  without `{fragment}`");
        count += 1;
    }
    assert!(count >= 110, "only {count} texts");
}

#[test]
fn long_texts_give_short_messages() {
    let long = "x".repeat(100_000);
    for fen in [
        format!("{long} w - - 0 1"),
        format!("4k3/8/8/8/8/8/8/4K3 {long} - - 0 1"),
        format!("4k3/8/8/8/8/8/8/4K3 w {long} - 0 1"),
        format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {}", "9".repeat(100_000)),
        "8".repeat(100_000),
        "/".repeat(100_000),
    ] {
        let error = Chess::from_fen(&fen).expect_err("nonsense");
        assert!(error.to_string().len() < 400);
    }
}

#[test]
fn damaged_fens_never_panic() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1pP1P3/2N2Q1p/PP1BBPPP/R3K2R b KQkq c3 0 1";
    for position in 0..fen.len() {
        for replacement in ["", " ", "/", "-", "k", "K", "P", "p", "9", "0", "8", "é", "~"] {
            let mut damaged = fen.to_owned();
            damaged.replace_range(position..=position, replacement);
            if let Ok(position) = Chess::from_fen(&damaged) {
                assert_eq!(read(&position.to_fen()), position);
                position.legal_moves();
            }
        }
    }
}

#[test]
fn plain_fens_are_written_as_read() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 99 65535",
        "4k3/8/8/8/8/8/8/4K3 w - - 100 1",
    ] {
        assert_eq!(read(fen).to_fen(), fen);
        assert!(!read(fen).is_chess960());
    }
}

#[test]
fn counters_may_be_missing_and_spaces_many() {
    let expected = Chess::start();
    let pieces = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for fen in [
        format!("{pieces} w KQkq -"),
        format!("  {pieces}   w  qkQK\t-  0   1 \r\n"),
        format!("{pieces} w HAha - 0 1"),
        format!("{pieces} w KAhq - 0 1"),
    ] {
        assert_eq!(read(&fen), expected);
        assert_eq!(read(&fen).to_fen(), expected.to_fen());
    }
}

#[test]
fn chess960_starts_come_back() {
    let mut standard_rights = 0;
    for number in 0..960 {
        let start = Chess::chess960_start(number).expect("below 960");
        let fen = start.to_fen();
        assert!(fen.ends_with(" w KQkq - 0 1"), "{fen}");
        let back = read(&fen);
        assert_eq!(back, start);
        standard_rights += u32::from(!back.is_chess960());
        // Shredder-FEN of the same position.
        let rights = start.board().castle_rights(cozy_chess::Color::White);
        let letters: String = [rights.short, rights.long]
            .map(|file| (b'A' + file.expect("a right") as u8) as char)
            .iter()
            .collect();
        let shredder = fen.replace("KQkq", &(letters.clone() + &letters.to_lowercase()));
        assert_eq!(read(&shredder), start);
    }
    // Bishops on one of b d f and one of c g, the queen on one of the three files left.
    assert_eq!(standard_rights, 18);
    assert!(Chess::chess960_start(960).is_none());
}

#[test]
fn inner_rooks_are_named_by_their_file() {
    for (read_as, written) in [
        ("rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1", "GBgb"),
        ("rr2k1rr/8/8/8/8/8/8/RR2K1RR w HAha - 0 1", "KQkq"),
        ("rr2k1rr/8/8/8/8/8/8/RR2K1RR w KBgq - 0 1", "KBgq"),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", "KQkq"),
        // A rook beyond the king's other side is no rival.
        ("4k3/8/8/8/8/8/8/R1R1K2R w CH - 0 1", "KC"),
    ] {
        let position = read(read_as);
        assert_eq!(position.to_fen().split(' ').nth(2), Some(written));
        assert_eq!(read(&position.to_fen()), position);
    }
    assert!(!read("rr2k1rr/8/8/8/8/8/8/RR2K1RR w HAha - 0 1").is_chess960());
    assert!(read("rr2k1rr/8/8/8/8/8/8/RR2K1RR w GAha - 0 1").is_chess960());
}

#[test]
fn builders_are_judged_as_fens_are() {
    let mut builder = cozy_chess::BoardBuilder::startpos();
    assert_eq!(Chess::from_builder(&builder), Ok(Chess::start()));
    builder.castle_rights[0].short = Some(cozy_chess::File::G);
    assert!(matches!(Chess::from_builder(&builder), Err(FenError::Illegal(_))));
    builder = cozy_chess::BoardBuilder::startpos();
    builder.halfmove_clock = 101;
    assert!(Chess::from_builder(&builder).is_err());
    builder.halfmove_clock = 0;
    builder.fullmove_number = 0;
    assert!(Chess::from_builder(&builder).is_err());
    builder = cozy_chess::BoardBuilder::startpos();
    builder.en_passant = Some(cozy_chess::Square::E4);
    assert!(Chess::from_builder(&builder).is_err());
}

#[test]
fn random_play_comes_back_from_text() {
    let mut state = 0x5DEE_CE66_D1CE_4E5B_u64;
    let mut random = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for game in 0..60 {
        let start = if game % 3 == 0 { 518 } else { random(960) as u32 };
        let mut position = Chess::chess960_start(start).expect("below 960");
        let setting = if game % 2 == 0 { "true" } else { "false" };
        position.set("chess960", setting).expect("a setting");
        for _ in 0..120 {
            let fen = position.to_fen();
            let back = read(&fen);
            assert_eq!((&back, back.hash()), (&position, position.hash()), "{fen}");
            let moves = position.legal_moves();
            for &mv in &moves {
                let text = position.move_text(mv);
                assert_eq!(position.parse_move(&text), Ok(mv), "{text} in {fen}");
                assert_eq!(back.parse_move(&text), Ok(mv), "{text} in {fen}");
                assert_eq!(position.move_from_code(Chess::move_code(mv)), Some(mv));
            }
            if moves.is_empty() {
                break;
            }
            position.play(moves[random(moves.len())]);
        }
    }
}
