//! Learned mode with networks: which are refused, and when the large one is evaluated.

use std::cell::Cell;
use std::sync::Arc;

use games::chess::Chess;
use games::{Game, GameHistory};
use nnue::{
    Architecture, Calibration, CalibrationRanges, ConformalAdjustment, IntegerParameters, Network,
};
use search::{
    Control, Engine, EngineError, EngineOptions, GateRule, Limits, NetworkEvaluator, Params, Score,
    SearchMode, SearchResult,
};

const FENS: [&str; 3] = [
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
];

/// Random weights; the same for the same seed.
fn network(heads: &str, seed: u64) -> Network {
    let text = format!("chess.piece-square (768→16)×2→16→{heads} screlu,crelu");
    let architecture: Architecture = text.parse().unwrap();
    let state = Cell::new(seed);
    let next = |most: i32| {
        state.set(state.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        ((state.get() >> 33) as i32).rem_euclid(2 * most + 1) - most
    };
    let parameters = IntegerParameters::generate(
        &architecture,
        || next(90) as i16,
        || next(60) as i8,
        || next(200) as i16,
        || next(9000),
    );
    Network::from_integers(architecture, &parameters).unwrap()
}

fn calibrated(network: Network) -> Network {
    let calibration =
        Calibration::new(1, CalibrationRanges::default(), vec![ConformalAdjustment::IDENTITY])
            .unwrap();
    network.with_calibration(Some(calibration))
}

fn engine(small: &Arc<Network>, large: Option<&Arc<Network>>) -> Engine<Chess> {
    let mut engine = Engine::new(EngineOptions::default()).unwrap();
    let (small, large) = (Arc::clone(small), large.cloned());
    engine.set_evaluator(move || {
        let small = NetworkEvaluator::new(Arc::clone(&small)).unwrap();
        match &large {
            Some(large) => small.with_large(NetworkEvaluator::new(Arc::clone(large)).unwrap()),
            None => small,
        }
    });
    engine
}

fn learned(mut engine: Engine<Chess>, params: &[(&str, &str)]) -> Vec<SearchResult<Chess>> {
    let options = EngineOptions { mode: SearchMode::Learned, ..*engine.options() };
    engine.set_options(options).unwrap();
    let mut all = Params::default();
    for (name, value) in params {
        all.parse(name, value).unwrap();
    }
    engine.set_params(all);
    let go = |fen: &&str| {
        let line = GameHistory::new(Chess::from_fen(fen).unwrap());
        engine.new_game();
        engine.go(&line, &limits(), &Control::new(), &mut |_| {})
    };
    FENS.iter().map(go).collect()
}

/// Random networks prune little, so nodes are limited too.
fn limits() -> Limits<Chess> {
    Limits { nodes: Some(20_000), ..Limits::to_depth(6) }
}

/// What distinguishes one search from another.
fn trace(results: &[SearchResult<Chess>]) -> Vec<(u64, usize, Score)> {
    results.iter().map(|result| (result.nodes, result.depth, result.score)).collect()
}

#[test]
fn only_calibrated_networks_with_both_heads_are_taken() {
    for (network, fits) in [
        (network("5+64/64", 1), false),
        (calibrated(network("5", 1)), false),
        (calibrated(network("5+64/64", 1)), true),
        (calibrated(network("1+4+64/384", 1)), true),
    ] {
        let mut engine = engine(&Arc::new(network), None);
        for mode in [SearchMode::Learned, SearchMode::Seed] {
            let options = EngineOptions { mode, ..*engine.options() };
            let expected = if fits { Ok(()) } else { Err(EngineError::NotCalibrated) };
            assert_eq!(engine.set_options(options), expected);
        }
    }
}

#[test]
fn another_evaluator_may_end_the_mode() {
    let mut engine = engine(&Arc::new(calibrated(network("5+64/64", 1))), None);
    engine.set_options(EngineOptions { mode: SearchMode::Learned, ..*engine.options() }).unwrap();
    let plain = Arc::new(network("5", 1));
    engine.set_evaluator(move || NetworkEvaluator::new(Arc::clone(&plain)).unwrap());
    assert_eq!(engine.options().mode, SearchMode::Classical);
}

#[test]
fn the_gate_opens_the_large_network() {
    let small = Arc::new(calibrated(network("5+64/64", 1)));
    let large = Arc::new(calibrated(network("5", 2)));
    let alone = learned(engine(&small, None), &[]);
    // The same network twice changes nothing, whatever the gate.
    for gate in GateRule::NAMES {
        let twice = learned(engine(&small, Some(&small)), &[("learned_gate", gate)]);
        assert_eq!(trace(&twice), trace(&alone), "gate {gate}");
    }
    let never = learned(engine(&small, Some(&large)), &[("learned_gate", "never")]);
    assert_eq!(trace(&never), trace(&alone));
    let always = [("learned_gate", "width"), ("learned_gate_width", "0")];
    for gate in [&[("learned_gate", "decision")][..], &always[..]] {
        let both = learned(engine(&small, Some(&large)), gate);
        assert_ne!(trace(&both), trace(&alone), "{gate:?}");
    }
}

#[test]
fn every_part_can_be_switched() {
    let small = Arc::new(calibrated(network("1+4+64/384", 3)));
    let parts = ["learned_ordering", "learned_reductions", "learned_cutoffs"];
    let off = parts.map(|part| (part, "classical"));
    let mut classical = engine(&small, None);
    let go = |fen: &&str| {
        let line = GameHistory::new(Chess::from_fen(fen).unwrap());
        classical.new_game();
        classical.go(&line, &limits(), &Control::new(), &mut |_| {})
    };
    let classical = trace(&FENS.iter().map(go).collect::<Vec<_>>());
    // All parts classical is the classical search.
    assert_eq!(trace(&learned(engine(&small, None), &off)), classical);
    // So is a policy that is never evaluated.
    let never = [("learned_cutoffs", "classical"), ("policy_min_depth", "30")];
    assert_eq!(trace(&learned(engine(&small, None), &never)), classical);
    for part in parts {
        for source in ["learned", "both"] {
            let mut params = off;
            params.iter_mut().find(|(name, _)| *name == part).unwrap().1 = source;
            let found = learned(engine(&small, None), &params);
            assert_ne!(trace(&found), classical, "{part} = {source}");
        }
    }
}
