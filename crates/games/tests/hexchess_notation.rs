//! Positions and moves of hexchess as text.

use games::hexchess::Hexchess;
use games::{BoardGame, Game, MoveError};
use proptest::prelude::*;

const START: &str = "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - 0 1";

#[test]
fn malformed_positions_are_refused_with_a_reason() {
    let lines = include_str!("data/hexchess_malformed_fens.txt").lines();
    let mut seen = 0;
    for line in lines.filter(|line| !line.starts_with('#')) {
        let (fen, fragment) = line.split_once('\t').expect("a FEN, a tab and part of a message");
        match Hexchess::from_fen(fen) {
            Ok(position) => panic!("`{fen}` was read as {position:?}; expected: {fragment}"),
            Err(error) => {
                let message = error.to_string();
                assert!(message.contains(fragment), "`{fen}`: {message}; expected: {fragment}");
                assert!(message.chars().count() < 400, "`{fen}`: {message}");
            }
        }
        seen += 1;
    }
    assert!(seen >= 100, "{seen}");
}

#[test]
fn the_start_is_what_its_fen_says() {
    assert_eq!(Hexchess::start().to_fen(), START);
    let on = |name: &str| {
        let cells = Hexchess::geometry().cells;
        let cell = cells.iter().position(|cell| cell.name == name).expect("a cell");
        Hexchess::start().piece_on(cell)
    };
    for (name, letter) in [("g1", 'K'), ("e1", 'Q'), ("g10", 'k'), ("e10", 'q'), ("f11", 'b')] {
        assert_eq!(on(name), Some(letter), "{name}");
    }
    assert_eq!(on("f6"), None);
    assert_eq!(Hexchess::start().piece_on(91), None);
}

#[test]
fn boards_by_files_are_read_when_only_one_direction_is_possible() {
    // In the wrong direction pawns would stand where they are promoted.
    let up = "6/P5p/RP4pr/N1P3p1n/Q2P2p2q/BBB1P1p1bbb/K2P2p2k/N1P3p1n/RP4pr/P5p/6 w - 0 1";
    let down = "6/p5P/rp4PR/n1p3P1N/q2p2P2Q/bbb1p1P1BBB/k2p2P2K/n1p3P1N/rp4PR/p5P/6 w - 0 1";
    for fen in [up, down] {
        assert_eq!(Hexchess::from_fen(fen), Ok(Hexchess::start()), "{fen}");
    }
}

#[test]
fn moves_are_read_and_refused() {
    let start = Hexchess::start();
    for text in ["e4e6", "g1g2", "f5f6", "k1k2"] {
        assert!(start.parse_move(text).is_ok_and(|mv| start.move_text(mv) == text), "{text}");
    }
    for text in ["e4e7", "e7e5", "f6f7", "e4e6q", "a1a2", "f10f9", "e4e4"] {
        let error = start.parse_move(text);
        assert!(matches!(error, Err(MoveError::Illegal { .. })), "{text}: {error:?}");
    }
    let long = "e4".repeat(1000);
    for text in
        ["", "e4", "e4e", "e4e12", "j1j2", "e4e6k", "e4e6Q", "E4E6", "e4-e6", "0000", "é4e6"]
            .into_iter()
            .chain([" e4e6", "e4e6 ", "e4e6qq", "e04e6", "e4e06", "f0f1", "a7a6", "♟", &long])
    {
        let error = start.parse_move(text);
        assert!(matches!(error, Err(MoveError::Syntax { .. })), "{text}: {error:?}");
    }
    // Ranks of two digits on either side.
    let position =
        Hexchess::from_fen("1/3/5/7/9/11/11/11/k10/11/5RK4 w - 0 1").expect("a position");
    assert!(position.parse_move("f1f11").is_ok());
    let position = Hexchess::from_fen("R/3/5/7/9/11/11/11/k10/11/6K4 w - 0 1").expect("a position");
    assert!(position.parse_move("f11f10").is_ok());
    assert!(position.parse_move("f11f1").is_ok());
    let position =
        Hexchess::from_fen("1/3/1P3/7/9/11/11/11/k10/11/6K4 w - 0 1").expect("a position");
    assert!(position.parse_move("e9e10").is_err());
    for promotion in ['q', 'r', 'b', 'n'] {
        assert!(position.parse_move(&format!("e9e10{promotion}")).is_ok());
    }
}

#[test]
fn codes_name_moves_and_nothing_else() {
    let position = Hexchess::from_fen("1/3/rP3/n2k3/9/1P3N3P1/11/5K5/11/1p2p4p1/11 w - 0 1");
    let position = position.expect("a position");
    let legal = position.legal_moves();
    let named: Vec<_> = (0..=u32::from(u16::MAX))
        .filter_map(|code| position.move_from_code(code).map(|mv| (code, mv)))
        .collect();
    assert_eq!(named.len(), legal.len());
    assert!(named.iter().all(|&(code, mv)| Hexchess::move_code(mv) == code && legal.contains(&mv)));
    assert_eq!(position.move_from_code(u32::MAX), None);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*") {
        let _ = Hexchess::from_fen(&text);
        let _ = Hexchess::start().parse_move(&text);
    }

    #[test]
    fn text_like_a_position_is_read_or_refused(
        fen in "[1-9pPkKqQrR]{0,11}(/[0-9pnbrqkPNBRQK]{0,12}){9,11} [wb] (-|[a-l][0-9]{1,2}) [0-9]{1,3} [0-9]{1,6}",
    ) {
        if let Ok(position) = Hexchess::from_fen(&fen) {
            prop_assert_eq!(Hexchess::from_fen(&position.to_fen()), Ok(position));
        }
    }

    /// One character of a good position changed: what is read must be playable.
    #[test]
    fn a_spoiled_position_is_playable_or_refused(at in 0..75_usize, with in "[ -~]") {
        let mut fen = START.to_owned();
        let at = at % fen.len();
        fen.replace_range(at..=at, &with);
        if let Ok(position) = Hexchess::from_fen(&fen) {
            prop_assert_eq!(games::perft(&position, 1), position.legal_moves().len() as u64);
            prop_assert_eq!(Hexchess::from_fen(&position.to_fen()), Ok(position));
        }
    }
}
