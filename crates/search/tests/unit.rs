//! One unit: scores of a search are normalised centipawns, whatever the network's own unit is.

use std::cell::Cell;
use std::sync::Arc;

use games::chess::Chess;
use games::{Game, GameHistory, Random};
use nnue::{Architecture, IntegerParameters, Network, ScoreModel, ScoreUnit};
use search::{
    Control, Engine, EngineOptions, Evaluator, Limits, NetworkEvaluator, NetworkSize, Score,
};

const FENS: [&str; 3] = [
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
];

/// Random weights, the same for the same architecture.
fn network(architecture: &Architecture) -> Network {
    let state = Cell::new(7_u64);
    let next = |most: i32| {
        state.set(state.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        ((state.get() >> 33) as i32).rem_euclid(2 * most + 1) - most
    };
    let parameters = IntegerParameters::generate(
        architecture,
        || next(90) as i16,
        || next(60) as i8,
        || next(60) as i16,
        || next(900),
    );
    Network::from_integers(architecture.clone(), &parameters).unwrap()
}

/// A network whose scores are whole numbers before they are rounded: `scale` times the sum of its
/// integers. 1600 · `scale` of them win half of the games.
fn exact_network(scale: f32) -> Network {
    let unit = 128.0 * 64.0 * scale;
    let text = format!("chess.piece-square (768→16)×2→1 crelu scales=128,0,-,64,6,{unit}");
    let architecture: Architecture = text.parse().unwrap();
    let model = ScoreModel::constant(1600.0 * f64::from(scale), 1200.0 * f64::from(scale));
    network(&architecture).with_score_model(Some(model))
}

/// Positions of random games, each with whether it begins a game.
fn for_each_position(mut visit: impl FnMut(&Chess, bool)) {
    let mut random = Random::new(11);
    for _ in 0..10 {
        let mut position = Chess::start();
        visit(&position, true);
        for _ in 0..100 {
            let Some(&mv) = random.pick(&position.legal_moves()) else { break };
            position.play(mv);
            visit(&position, false);
        }
    }
}

#[test]
fn evaluations_are_the_networks_times_its_factor() {
    let architecture = "chess.piece-square (768→16)×2→16→1+5 screlu,crelu".parse().unwrap();
    let raw = Arc::new(network(&architecture));
    let model = ScoreModel::new(&[150.0, 90.0], &[80.0], 4..=32, 10, 1000).unwrap();
    let unit = model.search_unit();
    let fitted = Arc::new((*raw).clone().with_score_model(Some(model)));
    let evaluator = |network: &Arc<Network>| NetworkEvaluator::<Chess>::new(network.clone());
    let plain = ScoreModel::NORMALISED;
    let mut raw = evaluator(&raw).unwrap().with_score_model(&plain);
    let mut large = evaluator(&fitted).unwrap().with_score_model(&plain);
    large = large.with_large(evaluator(&fitted).unwrap());
    let mut fitted = evaluator(&fitted).unwrap();
    assert_eq!((raw.unit(), fitted.unit()), (ScoreUnit::NORMALISED, unit));
    let mut spread = 0;
    for_each_position(|position, first| {
        for evaluator in [&mut raw, &mut large, &mut fitted] {
            if first { evaluator.reset(position) } else { evaluator.push(position) }
        }
        let own = raw.evaluate();
        assert_eq!(fitted.evaluate(), unit.normalise(own), "{}", position.to_fen());
        spread = spread.max(own.abs());
        let own = raw.quantiles(NetworkSize::Small).unwrap();
        let expected = own.map(|value| unit.normalise(value));
        assert_eq!(fitted.quantiles(NetworkSize::Small).unwrap(), expected);
        // Each of two networks has its own factor.
        assert_eq!(large.quantiles(NetworkSize::Small).unwrap(), own);
        assert_eq!(large.quantiles(NetworkSize::Large).unwrap(), expected);
    });
    assert!(spread > 50, "{spread}: nothing is tested");
}

#[test]
fn networks_that_differ_by_their_unit_are_searched_alike() {
    let search = |scale: f32| {
        let network = Arc::new(exact_network(scale));
        let mut engine = Engine::<Chess>::new(EngineOptions::default()).unwrap();
        engine.set_evaluator(move || NetworkEvaluator::new(Arc::clone(&network)).unwrap());
        let results: Vec<_> = FENS
            .iter()
            .map(|fen| {
                let game = GameHistory::new(Chess::from_fen(fen).unwrap());
                let limits = Limits::to_depth(8);
                let found = engine.go(&game, &limits, &Control::new(), &mut |_| {});
                (found.nodes, found.best, found.score)
            })
            .collect();
        let raw = results.iter().map(|(.., score)| match score {
            Score::Centipawns(score) => engine.score_unit().raw(*score),
            Score::Mate(moves) => panic!("a mate in {moves}"),
        });
        let raw: Vec<_> = raw.collect();
        (results, raw)
    };
    let (single, raw_single) = search(1.0);
    let (double, raw_double) = search(2.0);
    assert_eq!(single, double);
    assert!(raw_single.iter().any(|score| score.abs() > 100), "{raw_single:?}");
    assert_eq!(raw_double, raw_single.iter().map(|score| 2 * score).collect::<Vec<_>>());
}
