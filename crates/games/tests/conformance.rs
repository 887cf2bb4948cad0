//! The conformance suite, run for each game over many seeds; and proof that it catches faults: games
//! that are wrong in one known way must fail with the property that names it.

#[path = "conformance/broken.rs"]
mod broken;

use broken::{Broken, Fault, set_fault};
use games::chess::Chess;
use games::conformance::{Failure, Plan, Property, Report, Symmetric, check, check_symmetric};
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Runs the suite with a few seeds and adds up what it saw.
fn run<G: Symmetric>(cases: u32, plan: &Plan) -> Report {
    let total = std::cell::Cell::new(Report::default());
    // A failing seed is printed, which says everything; there is nothing smaller to look for.
    let config =
        Config { cases, failure_persistence: None, max_shrink_iters: 0, ..Config::default() };
    let outcome = TestRunner::new(config).run(&any::<u64>(), |seed| {
        let plan = Plan { seed, ..plan.clone() };
        let report = check_symmetric::<G>(&plan).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let mut sum = total.get();
        sum += report;
        total.set(sum);
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{}: {error}", G::NAME);
    }
    total.get()
}

fn owned(list: &[&str]) -> Vec<String> {
    list.iter().map(|&text| text.to_owned()).collect()
}

/// Beside the start: castling on both sides, captures in passing, promotions, few pieces.
fn chess_plan() -> Plan {
    Plan {
        games: 5,
        starts: owned(&[
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/8/8/8/3k4/8/4K2R/8 w - - 90 60",
        ]),
        feature_sets: owned(&[
            "chess.piece-square-mirrored:0011/2233/4444/4444/4444/4444/4444/4444",
        ]),
        also_reads: |text, written| {
            let castling = [("e1h1", "e1g1"), ("e1a1", "e1c1"), ("e8h8", "e8g8"), ("e8a8", "e8c8")];
            castling.contains(&(text, written))
        },
        ..Plan::default()
    }
}

#[test]
fn chess_conforms() {
    let report = run::<Chess>(8, &chess_plan());
    assert!(report.captures > 0 && report.checks > 0 && report.promotions > 0, "{report:?}");
    assert!(report.null_moves > 0 && report.repetitions > 0, "{report:?}");
    assert!(report.changes > 0 && report.refreshes > 0 && report.images > 0, "{report:?}");
}

/// Castling from other squares and with inner rooks, where the king's way looks like a step of it.
#[test]
fn chess960_conforms() {
    let plan = Plan {
        games: 6,
        max_plies: 60,
        starts: owned(&[
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            "1rkr4/8/8/8/8/8/8/RRK3RR w BGbd - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1P/QBPpBPPP/R4K1R w KQkq - 0 1",
            "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1",
            "nrbkrbqn/pppppppp/8/8/8/8/PPPPPPPP/NRBKRBQN w KQkq - 0 1",
        ]),
        // Castling is also read from the squares that the king leaves and lands on.
        also_reads: |text, written| {
            let (king, rook) = (text.as_bytes(), written.as_bytes());
            text.len() == 4
                && king[..2] == rook[..2]
                && king[3] == rook[3]
                && matches!(king[2], b'c' | b'g')
        },
        ..Plan::default()
    };
    let report = run::<Chess>(4, &plan);
    assert!(report.moves > 0 && report.changes > 0 && report.images > 0, "{report:?}");
}

#[test]
fn hexchess_conforms() {
    let plan = Plan {
        games: 3,
        starts: owned(&[
            "b/qbk/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - 0 1",
            "1/3/rP3/n2k3/9/1P3N3P1/11/5K5/11/1p2p4p1/11 w - 0 1",
            "1/3/5/7/1p1p5/R4p5/10b/4P2k1N1/2pP7/p7P2/1P1K7 w - 0 1",
        ]),
        ..Plan::default()
    };
    let report = run::<Hexchess>(6, &plan);
    assert!(report.captures > 0 && report.checks > 0 && report.promotions > 0, "{report:?}");
    assert!(report.null_moves > 0 && report.repetitions > 0, "{report:?}");
    assert!(report.changes > 0 && report.images > 0, "{report:?}");
}

#[test]
fn connect_four_conforms() {
    let report = run::<ConnectFour>(64, &Plan { games: 4, ..Plan::default() });
    assert!(report.positions > 0 && report.changes > 0 && report.images > 0, "{report:?}");
    assert_eq!((report.captures, report.checks, report.null_moves), (0, 0, 0));
}

#[test]
fn the_same_seed_plays_the_same_games() {
    let plan = Plan { seed: 7, ..Plan::default() };
    assert_eq!(check::<Chess>(&plan), check::<Chess>(&plan));
    assert_ne!(check::<Chess>(&plan), check::<Chess>(&Plan { seed: 8, ..plan }));
}

/// Runs the suite on a game with one fault.
fn check_broken(fault: Fault) -> Result<Report, Failure> {
    set_fault(fault);
    check_symmetric::<Broken>(&Plan { feature_sets: Vec::new(), ..chess_plan() })
}

#[test]
fn an_unbroken_wrapper_passes() {
    check_broken(Fault::Nothing).expect("the wrapper itself is right");
}

#[test]
fn faults_are_caught_by_name() {
    for (fault, property) in [
        (Fault::HashWithoutSide, Property::Hash),
        (Fault::HashWithHistory, Property::Hash),
        (Fault::FenWithoutCastling, Property::Fen),
        (Fault::FenRefused, Property::Fen),
        (Fault::TextWithoutPromotion, Property::MoveText),
        (Fault::TextLenient, Property::MoveText),
        (Fault::CodeWithoutPromotion, Property::MoveCode),
        (Fault::LegalAnywhere, Property::Legality),
        (Fault::OutcomeOfCheck, Property::Outcome),
        (Fault::CaptureWithoutEnPassant, Property::Capture),
        (Fault::PolicyWithoutFrom, Property::Policy),
        (Fault::NullMoveInCheck, Property::NullMove),
        (Fault::PiecesMissing, Property::Pieces),
        (Fault::NoReversiblePlies, Property::Repetition),
        (Fault::ChangesForgetRemovals, Property::FeatureChanges),
        (Fault::ChangesKeepOld, Property::FeatureChanges),
        (Fault::ActiveTwice, Property::FeatureActive),
        (Fault::AlwaysRefresh, Property::FeatureRefreshBuckets),
        (Fault::BucketOfItsOwn, Property::FeatureRefresh),
        (Fault::FeatureNameWrong, Property::FeatureNames),
        (Fault::SymmetryKeepsSides, Property::Symmetry),
        (Fault::PerspectivesAlike, Property::FeaturePerspective),
        (Fault::PackForgetsClock, Property::Pack),
        (Fault::PackTakesTooMuch, Property::Pack),
        (Fault::PackedPerspectivesSwapped, Property::FeaturePacked),
        (Fault::FactorTooLarge, Property::FeatureFactors),
        (Fault::FactorShared, Property::FeatureFactors),
        (Fault::PlacesOfTheOther, Property::FeaturePlace),
    ] {
        let Err(failure) = check_broken(fault) else { panic!("{fault:?} went unnoticed") };
        assert_eq!(failure.property, property, "{fault:?}: {failure}");
        assert!(!failure.fen.is_empty() && !failure.detail.is_empty(), "{failure:?}");
    }
}
