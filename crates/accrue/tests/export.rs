//! `accrue export`: what it writes, what it tells, and what it refuses.

#[path = "common/command.rs"]
mod command;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "common/networks.rs"]
mod networks;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use command::{complaint, lines};
use dataset::{Record, Writer};
use games::chess::Chess;
use games::{Game, GameScore};
use networks::{FLOAT, FULL, PROVENANCE, Random, native, put};
use nnue::{Architecture, FileParameters, FloatParameters, NetworkFile};
use serde_json::Value;

const SMALL: &str = "chess.piece-square (768→16)×2→1 screlu";

/// A network of floats whose first layer has weights up to `size`.
fn floats(architecture: &str, size: f32) -> NetworkFile {
    let architecture: Architecture = architecture.parse().expect("an architecture");
    let [mut a, mut b, mut c, mut d] = [21, 22, 23, 24].map(Random);
    let parameters = FloatParameters::generate(
        &architecture,
        || size * a.unit(),
        || b.unit() / 3.0,
        || c.unit() / 3.0,
        || d.unit() / 4.0,
    );
    NetworkFile::new(architecture, parameters, PROVENANCE.into(), None).expect("a network")
}

fn read(path: &Path) -> NetworkFile {
    NetworkFile::read(&std::fs::read(path).expect("a file")).expect("a network")
}

#[test]
fn floats_become_integers_with_the_error_in_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let from = put(folder.path(), "float.accrue", floats(FULL, 0.25).write());
    let out = folder.path().join("net.accrue");
    let args = ["export", &from, "--out", out.to_str().unwrap(), "--positions", "300"];
    let text = lines(&args).join("\n");
    for words in [
        "accumulator         255.0",
        "hidden.0",
        "value ",
        "wdl ",
        "quantiles ",
        "policy ",
        "of 32767",
        "measured on   300 positions of random play (seed 1)",
        "off by centipawns",
        "the same first choice on",
        "wrote ",
    ] {
        assert!(text.contains(words), "{text} does not say {words:?}");
    }
    let file = read(&out);
    assert!(matches!(file.parameters(), FileParameters::Integer(_)));
    assert_eq!(file.provenance(), PROVENANCE);
    let error = file.quantisation_error().expect("a measured error");
    assert_eq!(error.positions, 300);
    assert!(error.max > 0.0 && error.mean <= error.max, "{error:?}");
    // The same again gives the same file, and the object says what the file says.
    let json: Value = serde_json::from_str(&lines(&[&args[..], &["--json"]].concat())[0]).unwrap();
    assert_eq!(read(&out), file);
    assert_eq!(json["error"]["positions"], 300);
    assert_eq!(json["layers"][0]["name"], "accumulator");
    assert_eq!(json["arithmetic"], "integers");
    assert_eq!(json["bytes"].as_u64(), Some(std::fs::metadata(&out).unwrap().len()));
}

#[test]
fn floats_stay_where_integers_cannot_do_it_or_are_not_wanted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("net.accrue");
    let shown = out.to_str().unwrap();
    let from = put(folder.path(), "tanh.accrue", native(FLOAT).write());
    let text = lines(&["export", &from, "--out", shown]).join("\n");
    assert!(text.contains("floats: nothing was rounded"), "{text}");
    assert_eq!(read(&out).parameters(), native(FLOAT).parameters());
    let file = floats(SMALL, 0.25);
    let from = put(folder.path(), "float.accrue", file.write());
    lines(&["export", &from, "--out", shown, "--float"]);
    assert_eq!(read(&out).parameters(), file.parameters());
}

#[test]
fn what_is_too_far_or_could_overflow_is_not_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("net.accrue");
    let shown = out.to_str().unwrap();
    let from = put(folder.path(), "float.accrue", floats(SMALL, 0.25).write());
    let strict = complaint(&["export", &from, "--out", shown, "--bound", "0,0"]);
    for words in ["not exported", "centipawns on average", "allowed are 0 and 0", "--bound"] {
        assert!(strict.contains(words), "{strict:?} does not say {words:?}");
    }
    let wild = put(folder.path(), "wild.accrue", floats(SMALL, 100.0).write());
    let wild = complaint(&["export", &wild, "--out", shown]);
    assert!(wild.contains("layer `accumulator`, neuron"), "{wild}");
    let given =
        complaint(&["export", &from, "--out", shown, "--accumulator-scale", "511", "--bound", "9"]);
    assert!(given.contains("two numbers"), "{given}");
    let integer = put(folder.path(), "integer.accrue", native(FULL).write());
    let integer = complaint(&["export", &integer, "--out", shown]);
    assert!(integer.contains("holds integers already"), "{integer}");
    let missing = complaint(&["export", "no such file", "--out", shown]);
    assert!(missing.contains("no such file"), "{missing}");
    assert!(!out.exists(), "something was written");
}

/// A data file of the first positions of chess.
fn data(path: &Path) {
    let mut writer = Writer::<Chess>::create(path, "a test").expect("a data file");
    let start = Chess::start();
    for (game, mv) in (0..).zip(start.legal_moves()) {
        let mut position = start.clone();
        position.play(mv);
        let record = Record { game, result: Some(GameScore::DRAW), ..Record::new(position) };
        writer.write(&record).expect("a record");
    }
    writer.finish().expect("a written file");
}

#[test]
fn positions_come_from_data() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("held-out.data");
    data(&path);
    let (out, path) = (folder.path().join("net.accrue"), path.to_str().unwrap());
    let out = out.to_str().unwrap();
    let from = put(folder.path(), "float.accrue", floats(FULL, 0.25).write());
    let text = lines(&["export", &from, "--out", out, "--data", path]).join("\n");
    assert!(text.contains("20 positions of held-out.data"), "{text}");
    let hex = "hexchess.piece-cell (1110→16)×2→1 screlu";
    let hex = put(folder.path(), "hex.accrue", floats(hex, 0.25).write());
    let other = complaint(&["export", &hex, "--out", out, "--data", path]);
    assert!(
        other.contains("the network is for hexchess") && other.contains("positions of chess"),
        "{other}"
    );
    let bad = complaint(&["export", &from, "--out", out, "--data", &hex]);
    assert!(bad.contains("not an accrue data file"), "{bad}");
}

/// A training in a folder: some steps on the data file beside it.
const TRAINING: &str = r#"
[network]
features = "chess.piece-square"
accumulator = 16
[data]
files = ["FOLDER/secret/train.data"]
batch_size = 20
threads = 1
[target]
result_share = 1.0
[loss.value]
[schedule]
superbatches = 2
batches_per_superbatch = 5
rate = 0.001
"#;

#[test]
fn checkpoints_are_exported_with_their_configuration() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir(folder.path().join("secret")).unwrap();
    data(&folder.path().join("secret/train.data"));
    let text = TRAINING.replace("FOLDER", folder.path().to_str().unwrap());
    let config = trainer::Config::parse(&text, &[]).expect("a configuration");
    let run = folder.path().join("run");
    let begin =
        trainer::Begin { base: folder.path().to_owned(), folder: run.clone(), resume: false };
    let mut training = trainer::Run::start(
        config,
        &begin,
        &dataset::GameList::new().with::<games::chess::Chess>(),
    )
    .expect("a training")
    .run;
    training.drive(&AtomicBool::new(false), &mut |_| {}).expect("a trained network");
    let out = folder.path().join("net.accrue");
    let args = ["export", run.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let told = lines(&args).join("\n");
    assert!(told.contains("measured on   10000 positions of random play"), "{told}");
    let file = read(&out);
    let FileParameters::Integer(parameters) = file.parameters() else { panic!("{told}") };
    let learnt = training.learner().parameters();
    for (&integer, float) in parameters.feature_weights.iter().zip(&learnt.feature_weights) {
        assert!((f32::from(integer) - float * 255.0).abs() < 0.501, "{integer} for {float}");
    }
    let provenance = file.provenance();
    for words in ["10 steps, 200 positions", "accumulator = 16", "train.data"] {
        assert!(provenance.contains(words), "{provenance} does not say {words:?}");
    }
    assert!(!provenance.contains("secret"), "{provenance} tells where files lay");

    let checkpoint = trainer::CheckpointFolder::new(&run).latest().unwrap().unwrap().path;
    let mut bytes = std::fs::read(&checkpoint).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let damaged = put(folder.path(), "damaged.ckpt", bytes);
    let damaged = complaint(&["export", &damaged, "--out", out.to_str().unwrap()]);
    assert!(damaged.contains("checksum"), "{damaged}");
    let empty = folder.path().join("secret");
    let empty = complaint(&["export", empty.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(empty.contains("holds no checkpoint"), "{empty}");
}
