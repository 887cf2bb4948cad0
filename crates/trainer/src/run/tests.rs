use std::fs;
use std::path::Path;

use dataset::{Record, Writer};
use games::chess::Chess;
use games::{Game, GameScore, Random};
use nnue::{Accumulator, Network, NetworkFile};
use tempfile::TempDir;

use super::*;
use crate::Checkpoint;

/// The games of these tests.
fn games() -> dataset::GameList {
    dataset::GameList::new()
        .with::<games::chess::Chess>()
        .with::<games::hexchess::Hexchess>()
        .with::<games::connect_four::ConnectFour>()
}

const XOR: &str = include_str!("../../../../examples/1_xor.toml");

fn begin(folder: &Path, resume: bool) -> Begin {
    Begin { base: folder.to_owned(), folder: folder.join("out"), resume }
}

fn config(text: &str, overrides: &[&str]) -> Config {
    let overrides: Vec<String> = overrides.iter().map(|&one| one.to_owned()).collect();
    Config::parse(text, &overrides).unwrap()
}

fn train(config: &Config, begin: &Begin) -> Result<TrainingOutcome, RunError> {
    let mut run = Run::start(config.clone(), begin, &games())?.run;
    run.drive(&AtomicBool::new(false), &mut |_| {})
}

/// Trains in pieces: stopped after each of the `stops` steps and resumed.
fn train_in_pieces(config: &Config, folder: &Path, stops: &[u64]) {
    for (piece, &steps) in stops.iter().enumerate() {
        let stop = AtomicBool::new(false);
        let mut run = Run::start(config.clone(), &begin(folder, piece > 0), &games()).unwrap().run;
        let outcome = run.drive(&stop, &mut |event| {
            if let TrainingEvent::Step(report) = event {
                stop.store(report.step >= steps, Ordering::Relaxed);
            }
        });
        assert_eq!(outcome.unwrap(), TrainingOutcome::Stopped);
        assert_eq!(run.progress().step, steps);
    }
    assert_eq!(train(config, &begin(folder, true)).unwrap(), TrainingOutcome::Finished);
}

fn final_bytes(folder: &Path) -> Vec<u8> {
    let found = CheckpointFolder::new(folder.join("out")).latest().unwrap().unwrap();
    fs::read(found.path).unwrap()
}

#[test]
fn xor_is_learnt() {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::start(config(XOR, &[]), &begin(folder.path(), false), &games()).unwrap().run;
    let outcome = run.drive(&AtomicBool::new(false), &mut |_| {}).unwrap();
    assert_eq!(outcome, TrainingOutcome::Finished);
    let learner = run.learner();
    let file =
        NetworkFile::new(learner.architecture().clone(), learner.parameters(), String::new(), None);
    let network: Network = file.unwrap().to_network().unwrap();
    for (active, expected) in [(&[][..], 0.0f32), (&[0], 1.0), (&[1], 1.0), (&[0, 1], 0.0)] {
        let mut accumulator = Accumulator::new(&network);
        network.refresh(&mut accumulator, active);
        let outputs = network.outputs([&accumulator, &accumulator], 0, 0, &mut network.workspace());
        let value = 1.0 / (1.0 + (-outputs.value as f32 / 400.0).exp());
        assert!((value - expected).abs() < 0.1, "{active:?}: {value}");
    }
}

/// Centipawns, for the side to move.
fn material(position: &Chess) -> i16 {
    let fen = position.to_fen();
    let mut words = fen.split(' ');
    let sum: i16 = words
        .next()
        .unwrap()
        .chars()
        .map(|piece| {
            let value = match piece.to_ascii_lowercase() {
                'p' => 100,
                'n' | 'b' => 300,
                'r' => 500,
                'q' => 900,
                _ => 0,
            };
            if piece.is_uppercase() { value } else { -value }
        })
        .sum();
    if words.next() == Some("w") { sum } else { -sum }
}

/// Random games with material as the score.
fn chess_file(folder: &Path, positions: usize) {
    let mut random = Random::new(3);
    let mut writer = Writer::create(folder.join("games.data"), "test").unwrap();
    let (mut written, mut game) = (0, 0);
    while written < positions {
        let mut position = Chess::start();
        for ply in 0..60 {
            let moves = position.legal_moves();
            if moves.is_empty() || written == positions {
                break;
            }
            let chosen = moves[random.below(moves.len())];
            let record = Record {
                ply,
                game,
                score: Some(material(&position)),
                result: Some(GameScore::DRAW),
                best_move: Some(chosen),
                ..Record::new(position.clone())
            };
            writer.write(&record).unwrap();
            written += 1;
            position.play(chosen);
        }
        game += 1;
    }
    writer.finish().unwrap();
}

const CHESS: &str = r#"
[network]
accumulator = 8
hidden = [8]
[loss.value]
[loss.policy]
weight = 0.1
[data]
files = ["*.data"]
batch_size = 64
window = 500
held_out = 0.2
threads = 2
[target]
result_share = { kind = "linear", from = 0.0, to = 0.5 }
[schedule]
superbatches = 4
batches_per_superbatch = 10
warm_up = 5
[output]
keep = 2
"#;

fn chess_folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    chess_file(folder.path(), 1500);
    folder
}

#[test]
fn resumed_equals_uninterrupted_bit_for_bit() {
    let xor = config(XOR, &["schedule.superbatches=4", "data.batch_size=3"]);
    for (config, make) in [
        (xor, (|| tempfile::tempdir().unwrap()) as fn() -> TempDir),
        (config(CHESS, &[]), chess_folder),
        (
            config(
                CHESS,
                &["optimiser.kind=ranger", "init.freeze=['hidden.0']", "init.freeze_until=2"],
            ),
            chess_folder,
        ),
        (config(CHESS, &["data.order=sequential", "target.td_lambda=0.7"]), chess_folder),
    ] {
        let (whole, pieces) = (make(), make());
        assert_eq!(train(&config, &begin(whole.path(), false)).unwrap(), TrainingOutcome::Finished);
        train_in_pieces(&config, pieces.path(), &[1, 7, 10, 33]);
        assert!(final_bytes(whole.path()) == final_bytes(pieces.path()));
    }
}

#[test]
fn a_finished_training_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(XOR, &["schedule.superbatches=1"]);
    train(&config, &begin(folder.path(), false)).unwrap();
    let bytes = final_bytes(folder.path());
    assert_eq!(train(&config, &begin(folder.path(), true)).unwrap(), TrainingOutcome::Finished);
    assert_eq!(final_bytes(folder.path()), bytes);
}

#[test]
fn training_goes_down_and_keeps_the_last_and_the_best() {
    let folder = chess_folder();
    let config = config(CHESS, &["schedule.superbatches=8", "schedule.rate=0.01"]);
    let mut run = Run::start(config, &begin(folder.path(), false), &games()).unwrap().run;
    let (mut training, mut validation) = (Vec::new(), Vec::new());
    run.drive(&AtomicBool::new(false), &mut |event| {
        if let TrainingEvent::Superbatch(report) = event {
            training.push(report.training.mean());
            validation.push(report.validation.unwrap().losses.mean());
        }
    })
    .unwrap();
    assert!(training.len() == 8 && training[7] < training[0], "{training:?}");
    let min = validation.iter().copied().fold(f64::INFINITY, f64::min);
    let best = run.progress().best.unwrap();
    assert!(best.loss.to_bits() == min.to_bits());
    let checkpoints = CheckpointFolder::new(folder.path().join("out"));
    assert_eq!(checkpoints.steps().unwrap(), [80, 70]);
    let kept = Checkpoint::read(&checkpoints.best()).unwrap();
    assert_eq!(kept.progress().step, best.step);
    // The network of a checkpoint equals the trained one.
    let restored =
        restored_learner(&checkpoints.latest().unwrap().unwrap().checkpoint, &games()).unwrap();
    assert_eq!(restored.parameters(), run.learner().parameters());
}

#[test]
fn patience_ends_a_training_that_gets_no_better() {
    let folder = chess_folder();
    let config = config(CHESS, &["schedule.rate=0", "validation.patience=2"]);
    assert_eq!(
        train(&config, &begin(folder.path(), false)).unwrap(),
        TrainingOutcome::StoppedEarly
    );
    let checkpoint = CheckpointFolder::new(folder.path().join("out")).latest().unwrap().unwrap();
    assert_eq!(checkpoint.checkpoint.progress().step, 30);
    // Resuming a finished training does nothing.
    assert_eq!(train(&config, &begin(folder.path(), true)).unwrap(), TrainingOutcome::StoppedEarly);
}

#[test]
fn a_loss_that_is_no_number_stops_and_spoils_nothing() {
    let folder = chess_folder();
    let good = config(CHESS, &["schedule.superbatches=1"]);
    train(&good, &begin(folder.path(), false)).unwrap();
    let before = final_bytes(folder.path());
    let wild = [
        "schedule.rate=1e30",
        "clip.accumulator=off",
        "clip.hidden=off",
        "clip.heads=off",
        "clip.policy=off",
    ];
    let error = train(&config(CHESS, &wild), &begin(folder.path(), true)).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, RunError::NotFinite { .. }), "{text}");
    assert!(text.contains("checkpoint-000000010.ckpt") && text.contains("rate"), "{text}");
    assert_eq!(final_bytes(folder.path()), before);
}

#[test]
fn a_folder_is_used_once_and_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(XOR, &["schedule.superbatches=1"]);
    let first = Run::start(config.clone(), &begin(folder.path(), false), &games()).unwrap();
    let second = Run::start(config.clone(), &begin(folder.path(), false), &games()).unwrap_err();
    assert!(matches!(second, RunError::InUse { .. }), "{second}");
    drop(first);
    train(&config, &begin(folder.path(), false)).unwrap();
    let again = train(&config, &begin(folder.path(), false)).unwrap_err();
    assert!(matches!(again, RunError::NotEmpty { .. }), "{again}");
}

#[test]
fn another_network_is_not_resumed_and_changes_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let small = config(XOR, &["schedule.superbatches=1"]);
    train(&small, &begin(folder.path(), false)).unwrap();
    let other = train(&config(XOR, &["network.accumulator=5"]), &begin(folder.path(), true));
    assert!(matches!(other.unwrap_err(), RunError::OtherNetwork { .. }));
    let longer = config(XOR, &["schedule.superbatches=2", "init.seed=4"]);
    let started = Run::start(longer, &begin(folder.path(), true), &games()).unwrap();
    let warnings = started.warnings.join("\n");
    assert!(warnings.contains("schedule.superbatches") && warnings.contains("init.seed"));
    assert!(!warnings.contains("network"), "{warnings}");
}

#[test]
fn weights_come_from_other_networks() {
    let folder = tempfile::tempdir().unwrap();
    let short = config(XOR, &["schedule.superbatches=1"]);
    train(&short, &begin(folder.path(), false)).unwrap();
    let path = CheckpointFolder::new(folder.path().join("out")).latest().unwrap().unwrap().path;
    let second = folder.path().join("second");
    let start = |overrides: &[&str]| {
        let begin = Begin { base: folder.path().to_owned(), folder: second.clone(), resume: false };
        Run::start(config(XOR, overrides), &begin, &games())
    };
    let trained = restored_learner(&Checkpoint::read(&path).unwrap(), &games()).unwrap();
    let from = format!("init.network={}", path.display());
    let run = start(&[&from]).unwrap().run;
    assert_eq!(run.learner().parameters(), trained.parameters());
    drop(run);
    // The first layer of a float network file: the first two of its four neurons.
    let file =
        NetworkFile::new(trained.architecture().clone(), trained.parameters(), String::new(), None);
    fs::write(folder.path().join("net"), file.unwrap().write()).unwrap();
    let run = start(&["init.accumulator_from=net", "network.accumulator=2"]).unwrap().run;
    let (wide, narrow) = (trained.parameters(), run.learner().parameters());
    assert_eq!(narrow.feature_bias, wide.feature_bias[..2]);
    assert_eq!(narrow.feature_weights[2..], wide.feature_weights[4..6]);
    drop(run);
    // All layers, in a wider network.
    let run = start(&[&from, "network.accumulator=8"]).unwrap().run;
    assert_eq!(run.learner().parameters().feature_bias[..4], trained.parameters().feature_bias);
    drop(run);
    for (overrides, fragment) in [
        (&["init.accumulator_from=net", "network.accumulator=8"][..], "4 wide"),
        (&["init.accumulator_from=gone"], "cannot read"),
        (&[&from, "network.accumulator=2"], "is the network"),
        (&["init.freeze=['acumulator']"], "acumulator"),
    ] {
        let error = start(overrides).unwrap_err().to_string();
        assert!(error.contains("init.") && error.contains(fragment), "{error}");
    }
}

#[test]
fn without_held_out_games_there_is_a_warning_and_no_validation() {
    let folder = tempfile::tempdir().unwrap();
    chess_file(folder.path(), 30);
    let config = config(CHESS, &["data.held_out=0.0001", "schedule.superbatches=1"]);
    let started = Run::start(config, &begin(folder.path(), false), &games()).unwrap();
    assert!(started.warnings.join("\n").contains("data.held_out"), "{:?}", started.warnings);
    let mut run = started.run;
    run.drive(&AtomicBool::new(false), &mut |event| {
        if let TrainingEvent::Superbatch(report) = event {
            assert!(report.validation.is_none());
        }
    })
    .unwrap();
}

#[test]
fn a_head_without_targets_is_told() {
    let folder = tempfile::tempdir().unwrap();
    // Games without best moves train no policy.
    let mut writer = Writer::create(folder.path().join("games.data"), "test").unwrap();
    for game in 0..50 {
        let position = Chess::start();
        let record = Record { game, score: Some(10), ..Record::new(position) };
        writer.write(&record).unwrap();
    }
    writer.finish().unwrap();
    let config = config(CHESS, &["schedule.superbatches=1"]);
    let mut run = Run::start(config, &begin(folder.path(), false), &games()).unwrap().run;
    let mut warnings = String::new();
    run.drive(&AtomicBool::new(false), &mut |event| {
        if let TrainingEvent::Warning(warning) = event {
            warnings.push_str(warning);
        }
    })
    .unwrap();
    assert!(warnings.contains("loss.policy") && !warnings.contains("loss.value"), "{warnings}");
}

/// A faulty training step often still learns, only worse. The numbers are those of this code;
/// another order of additions may change them in the sixth digit.
#[test]
fn two_hundred_steps_lead_where_they_always_led() {
    let folder = chess_folder();
    let config = config(CHESS, &["schedule.superbatches=20"]);
    let mut run = Run::start(config, &begin(folder.path(), false), &games()).unwrap().run;
    let mut losses = Vec::new();
    run.drive(&AtomicBool::new(false), &mut |event| {
        if let TrainingEvent::Superbatch(report) = event {
            losses.push([report.training.mean(), report.validation.unwrap().losses.mean()]);
        }
    })
    .unwrap();
    for (found, expected) in
        [(losses[0], [0.874_942_8, 0.852_846_7]), (losses[19], [0.779_069_3, 0.798_497_4])]
    {
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found / expected - 1.0f64).abs() < 1e-4, "{found} {expected}: {losses:?}");
        }
    }
}
