//! Which mode `auto` is: learned with a calibrated network, classical with anything else.

use std::path::Path;
use std::sync::Arc;

use games::chess::Chess;
use games::{Game, Line};
use nnue::{Calibration, Network, PolicyCorrection};
use search::{
    Control, Engine, EngineError, EngineOptions, Limits, MOVE_SORTS, NetworkEvaluator, SearchMode,
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
    let line = Line::new(Chess::start());
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
    let calibration = network().calibration().unwrap().clone();
    // Sorts of moves that another version told apart.
    let other = |sorts| {
        let policy = PolicyCorrection { stretch: 1.0, shifts: vec![0.0; sorts] };
        calibration.clone().with_policy(Some(policy)).unwrap()
    };
    let strange: [Option<Calibration>; 3] = [None, Some(other(MOVE_SORTS + 1)), Some(other(3))];
    for calibration in strange {
        let mut engine = engine(network().with_calibration(calibration));
        let auto = nodes(&mut engine, SearchMode::Auto).unwrap();
        assert_eq!(auto, nodes(&mut engine, SearchMode::Classical).unwrap());
        let refused = nodes(&mut engine, SearchMode::Learned).unwrap_err();
        assert!(matches!(refused, EngineError::NotCalibrated), "{refused}");
    }
    // A network that was calibrated before policies were corrected can do without.
    let mut older =
        engine(network().with_calibration(Some(calibration.with_policy(None).unwrap())));
    assert!(older.can_learn());
    let options = EngineOptions { mode: SearchMode::Auto, ..EngineOptions::default() };
    let mut material = Engine::<Chess>::new(options).unwrap();
    let auto = nodes(&mut material, SearchMode::Auto).unwrap();
    assert_eq!(auto, nodes(&mut material, SearchMode::Classical).unwrap());
}
