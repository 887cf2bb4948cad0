//! Samples of searches: deterministic, and about moves of the positions that they name.

use games::chess::Chess;
use games::hexchess::Hexchess;
use games::{Game, GameHistory, SearchGame};
use search::{Control, Engine, EngineOptions, Limits, SampleKind, SearchSample};

fn samples<G: SearchGame>(kind: SampleKind, nodes: u64) -> Vec<SearchSample<G>> {
    let mut engine = Engine::<G>::new(EngineOptions::default()).unwrap();
    engine.set_sampling(Some(kind), 8);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let mut samples = Vec::new();
    for fen in G::bench_fens().iter().take(4) {
        let position = G::from_fen(fen).unwrap();
        engine.go(&GameHistory::new(position), &limits, &Control::new(), &mut |_| {});
        samples.extend(engine.take_samples());
    }
    samples
}

fn check<G: SearchGame>() {
    for &kind in SampleKind::ALL {
        let found = samples::<G>(kind, 20_000);
        assert!(found.len() >= 20, "{}: {} samples of {kind}", G::NAME, found.len());
        let again = samples::<G>(kind, 20_000);
        assert_eq!(format!("{found:?}"), format!("{again:?}"));
        let outcomes = |fails_high: bool| {
            let one = |sample: &&SearchSample<G>| match sample {
                SearchSample::CutNode(_) => true,
                SearchSample::LateMove(sample) => sample.fails_high == fails_high,
                SearchSample::RfpNode(sample) => sample.fails_high == fails_high,
            };
            found.iter().filter(one).count()
        };
        assert!(outcomes(true) > 0 && outcomes(false) > 0, "{}: {kind}", G::NAME);
        for sample in &found {
            match sample {
                SearchSample::CutNode(node) => {
                    assert!(node.moves.len() > 1);
                    for (mv, _) in &node.moves {
                        assert!(node.position.is_legal(*mv) && !node.position.is_noisy(*mv));
                    }
                }
                SearchSample::LateMove(sample) => {
                    assert!(sample.depth >= 3 && sample.number >= 2);
                    assert!(sample.correction >= 0 && sample.eval.abs() <= 512);
                }
                SearchSample::RfpNode(sample) => {
                    assert!(sample.surplus >= 0 && sample.margin >= 0);
                }
            }
        }
    }
}

#[test]
fn samples_of_chess() {
    check::<Chess>();
}

#[test]
fn samples_of_hexchess() {
    check::<Hexchess>();
}

#[test]
fn without_sampling_there_are_none() {
    let mut engine = Engine::<Chess>::new(EngineOptions::default()).unwrap();
    let history = GameHistory::new(Chess::start());
    let plain = engine.go(&history, &Limits::to_depth(7), &Control::new(), &mut |_| {});
    assert!(engine.take_samples().is_empty());
    // Sampling ends with the kind that it began with.
    engine.set_sampling(Some(SampleKind::LateMoves), 1);
    engine.set_sampling(None, 1);
    engine.new_game();
    let after = engine.go(&history, &Limits::to_depth(7), &Control::new(), &mut |_| {});
    assert_eq!(plain.nodes, after.nodes);
    assert!(engine.take_samples().is_empty());
}
