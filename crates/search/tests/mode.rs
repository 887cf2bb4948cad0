//! Search mode `auto`: learned with a calibrated network, classical with anything else.

use std::path::Path;
use std::sync::Arc;

use games::chess::Chess;
use games::{Game, GameHistory};
use nnue::{Network, PolicyCalibration};
use search::{
    Control, Engine, EngineError, EngineOptions, Limits, MOVE_CLASS_SCHEME, MOVE_CLASSES,
    NetworkEvaluator, SearchMode, foreign_move_classes,
};

fn network() -> Network {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets/chess-small.accrue");
    Network::from_bytes(&std::fs::read(path).unwrap()).unwrap()
}

fn engine(network: Network) -> Engine<Chess> {
    let network = Arc::new(network);
    let mut engine = Engine::new(EngineOptions::default()).unwrap();
    engine.set_evaluator(move || NetworkEvaluator::new(Arc::clone(&network)).unwrap());
    engine
}

fn nodes(engine: &mut Engine<Chess>, mode: SearchMode) -> Result<u64, EngineError> {
    engine.set_options(EngineOptions { mode, ..EngineOptions::default() })?;
    engine.new_game();
    let line = GameHistory::new(Chess::start());
    Ok(engine.go(&line, &Limits::to_depth(9), &Control::new(), &mut |_| {}).nodes)
}

#[test]
fn auto_is_learned_with_a_calibrated_network() {
    let mut engine = engine(network());
    let auto = nodes(&mut engine, SearchMode::Auto).unwrap();
    assert_eq!(auto, nodes(&mut engine, SearchMode::Learned).unwrap());
    assert_ne!(auto, nodes(&mut engine, SearchMode::Classical).unwrap());
}

#[test]
fn auto_is_classical_with_anything_else() {
    let mut uncalibrated = engine(network().with_calibration(None).with_fitted_params(None));
    let auto = nodes(&mut uncalibrated, SearchMode::Auto).unwrap();
    assert_eq!(auto, nodes(&mut uncalibrated, SearchMode::Classical).unwrap());
    let refused = nodes(&mut uncalibrated, SearchMode::Learned).unwrap_err();
    assert!(matches!(refused, EngineError::NotCalibrated), "{refused}");
    let options = EngineOptions { mode: SearchMode::Auto, ..EngineOptions::default() };
    let mut material = Engine::<Chess>::new(options).unwrap();
    let auto = nodes(&mut material, SearchMode::Auto).unwrap();
    assert_eq!(auto, nodes(&mut material, SearchMode::Classical).unwrap());
}

/// Fitted numbers are reason enough for the learned mode.
#[test]
fn auto_is_learned_with_fitted_parameters() {
    let fitted = network();
    assert!(fitted.fitted_params().is_some());
    let mut engine = engine(fitted.with_calibration(None));
    let auto = nodes(&mut engine, SearchMode::Auto).unwrap();
    assert_eq!(auto, nodes(&mut engine, SearchMode::Learned).unwrap());
    assert_ne!(auto, nodes(&mut engine, SearchMode::Classical).unwrap());
}

/// Biases that were fitted for other move classes are ignored, and said to be.
#[test]
fn biases_of_other_move_classes_are_ignored() {
    let calibration = network().calibration().unwrap().clone();
    let with = |policy: Option<PolicyCalibration>| {
        network().with_calibration(Some(calibration.clone().with_policy(policy).unwrap()))
    };
    let other = |scheme: &str, classes: usize| PolicyCalibration {
        move_classes: scheme.to_owned(),
        inverse_temperature: 1.0,
        class_biases: vec![3.0; classes],
    };
    let without = nodes(&mut engine(with(None)), SearchMode::Learned).unwrap();
    for (scheme, classes) in [("captures-1", MOVE_CLASSES), (MOVE_CLASS_SCHEME, 3)] {
        let network = with(Some(other(scheme, classes)));
        assert_eq!(foreign_move_classes(&network), Some(scheme));
        assert_eq!(nodes(&mut engine(network), SearchMode::Learned).unwrap(), without);
    }
    assert_eq!(foreign_move_classes(&network()), None);
}
