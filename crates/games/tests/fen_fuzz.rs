//! Damaged FENs: no text may make a game panic, and what it accepts must be a position that conforms.
//!
//! This is the fuzzing of `fuzz/` for everybody's toolchain and a few seconds: real positions with random
//! damage, always the same.

use games::chess::Chess;
use games::conformance::{AlsoReads, Plan, check_text};
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Random, ToolkitGame};

/// Damages the FENs of random games `cases` times. The damaged texts that are still accepted are checked
/// in full, which takes far longer than to refuse one, up to `most_accepted`; the rest only have to be read.
fn run<G: ToolkitGame>(seed: u64, cases: usize, most_accepted: usize, also_reads: AlsoReads) {
    let plan = Plan { seed, also_reads, ..Plan::default() };
    let mut random = Random::new(seed);
    let fens = fens::<G>(&mut random, 400);
    let mut accepted = 0;
    for _ in 0..cases {
        let text = damaged(&fens, &mut random);
        if accepted >= most_accepted {
            if let Ok(position) = G::from_fen(&text) {
                assert_eq!(G::from_fen(&position.to_fen()).as_ref(), Ok(&position), "{text:?}");
            }
            continue;
        }
        match check_text::<G>(&text, &plan) {
            Ok(report) => accepted += usize::from(report.is_some()),
            Err(failure) => panic!("{}: {text:?}: {failure}", G::NAME),
        }
    }
    assert!(accepted > cases / 100, "{}: only {accepted} texts could be checked", G::NAME);
}

/// FENs along random games.
fn fens<G: ToolkitGame>(random: &mut Random, count: usize) -> Vec<String> {
    let mut fens = Vec::with_capacity(count);
    let mut position = G::start();
    while fens.len() < count {
        fens.push(position.to_fen());
        match random.pick(&position.legal_moves()) {
            Some(&mv) if position.outcome().is_none() => position.play(mv),
            _ => position = G::start(),
        }
    }
    fens
}

/// A FEN with one to four things wrong.
fn damaged(fens: &[String], random: &mut Random) -> String {
    let mut text = random.pick(fens).expect("there are FENs").clone().into_bytes();
    for _ in 0..=random.below(4) {
        let other = random.pick(fens).expect("there are FENs").as_bytes();
        let at = random.below(text.len() + 1);
        let end = at + random.below(text.len() - at + 1);
        match random.below(7) {
            0 if at < text.len() => text[at] ^= 1 << random.below(8),
            // A byte that FENs have, so that more of them can be read.
            1 if at < text.len() => text[at] = other[random.below(other.len())],
            2 => drop(text.drain(at..end)),
            3 => text.insert(at, other[random.below(other.len())]),
            4 => text.insert(at, random.next_u64() as u8),
            5 => {
                let copy = text[at..end].to_vec();
                text.splice(at..at, copy);
            }
            _ => {
                let from = random.below(other.len());
                text.splice(at..end, other[from..].iter().copied());
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn chess_survives_damaged_fens() {
    // Castling reads in both forms, of which only one is written.
    let both_castle = |text: &str, written: &str| text.len() == 4 && text[..2] == written[..2];
    run::<Chess>(1, 40_000, 1_000, both_castle);
}

#[test]
fn hexchess_survives_damaged_fens() {
    run::<Hexchess>(2, 40_000, 1_000, |_, _| false);
}

#[test]
fn connect_four_survives_damaged_fens() {
    run::<ConnectFour>(3, 40_000, 2_000, |_, _| false);
}
