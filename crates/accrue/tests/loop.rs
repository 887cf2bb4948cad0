//! `accrue loop` as a whole: it climbs from random weights, and resumes after a kill.

#[path = "common/command.rs"]
mod command;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use command::{complaint, lines};
use nnue::{FileParameters, NetworkFile};
use serde_json::Value;

/// A loop from random weights, by results alone.
fn config(folder: &Path, games: u64) -> String {
    let example =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/loop_connect_four.toml");
    let text = fs::read_to_string(example).unwrap();
    let text = text.replace("../runs/loop_connect_four", "run");
    let text = text.replace("games = 1000", &format!("games = {games}"));
    let path = folder.join("loop.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn status(config: &str) -> Value {
    serde_json::from_str(&lines(&["loop", "status", config, "--json"])[0]).unwrap()
}

#[test]
fn killed_at_any_time_it_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), 60);
    let args = ["loop", &config, "--generations", "2"];
    let state = folder.path().join("run/state.toml");
    let mut waits = [40, 150, 300, 90, 600, 1700].into_iter().cycle();
    // Killed again and again, until the first generation is done.
    for _kill in 0..40 {
        if state.exists() {
            break;
        }
        let mut run = Command::new(env!("CARGO_BIN_EXE_accrue"));
        let mut run = run.args(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        sleep(Duration::from_millis(waits.next().unwrap()));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let first = fs::read_to_string(&state).ok();
    lines(&args);
    let last = fs::read_to_string(&state).unwrap();
    // What was decided stays so.
    assert!(first.is_none_or(|first| last.starts_with(&first)), "{last}");
    let status = status(&config);
    let generations = status["generations"].as_array().unwrap();
    assert_eq!(generations.len(), 2, "{status}");
    // From nothing, the first step is a large one.
    assert_eq!(generations[0]["promoted"], true, "{status}");
    assert!(
        fs::read_to_string(folder.path().join("run/status.svg")).unwrap().contains("<polyline")
    );
    // There is nothing left to do.
    let table = lines(&args);
    assert!(table[0].starts_with("generation  rating"), "{table:?}");
    assert_eq!(fs::read_to_string(&state).unwrap(), last);
    let by_folder = lines(&["loop", "status", folder.path().join("run").to_str().unwrap()]);
    assert_eq!(by_folder, table);
}

#[test]
fn from_no_knowledge_it_climbs_for_four_generations() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), 1000);
    lines(&["loop", &config, "--generations", "4"]);
    let status = status(&config);
    assert_eq!(status["generations"].as_array().unwrap().len(), 4, "{status}");
    let mut before = 0.0;
    for generation in status["generations"].as_array().unwrap() {
        assert_eq!(generation["promoted"], true, "{status}");
        let rating = generation["rating"].as_f64().unwrap();
        assert!(rating > before, "{status}");
        before = rating;
    }
}

#[test]
fn who_is_promoted_gets_quantiles_and_policy() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), 200);
    let text = fs::read_to_string(&config).unwrap();
    let more = "
[heads]
epochs = 1

[heads.loss]
value = { loss = \"power\" }
quantiles = { form = \"anchored\", target = \"score\", weight = 0.3 }
policy = { loss = \"legal\", moves = \"piece-to\", weight = 0.1 }

[calibrate]
positions = 1500
depths = [1, 2, 3]
soft_nodes = 512
";
    fs::write(&config, text + more).unwrap();
    let args = ["loop", &config, "--generations", "1"];
    lines(&args);
    let status = status(&config);
    assert_eq!(status["generations"][0]["promoted"], true, "{status}");
    let network = |name: &str| {
        let path = folder.path().join("run/gen-0001").join(name);
        NetworkFile::read(&fs::read(path).unwrap()).unwrap()
    };
    let [value, heads, calibrated] =
        ["net.accrue", "heads.accrue", "calibrated.accrue"].map(network);
    assert!(value.architecture().policy().is_none());
    assert!(heads.architecture().policy().is_some() && heads.calibration().is_none());
    assert!(calibrated.calibration().is_some());
    // The first layer is the value's.
    let rows = |file: &NetworkFile| match file.parameters() {
        FileParameters::Integer(parameters) => parameters.feature_weights.clone(),
        FileParameters::Float(_) => panic!("not quantised"),
    };
    assert!(rows(&value) == rows(&heads));
}

#[test]
fn who_is_promoted_is_fitted_and_resumed_it_is_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), 200);
    let text = fs::read_to_string(&config).unwrap();
    let args = ["loop", &config, "--generations", "1"];
    let more = "\n[fit]\ncount = 1500\nsoft_nodes = 300\n";
    fs::write(&config, text + more).unwrap();
    let generation = folder.path().join("run/gen-0001");
    let said = lines(&args).join("\n");
    assert_eq!(status(&config)["generations"][0]["promoted"], true);
    assert!(said.contains("fit of the search: accrue fit "), "{said}");
    let read = |name: &str| fs::read(generation.join(name)).unwrap();
    let params = |name: &str| {
        let params = NetworkFile::read(&read(name)).unwrap().fitted_params().cloned();
        params.map_or(0, |params| params.len())
    };
    let report: Value = serde_json::from_slice(&read("fit.json")).unwrap();
    let rules = report["rules"].as_array().unwrap();
    let numbers: usize = rules.iter().map(|rule| rule["params"].as_array().unwrap().len()).sum();
    assert_eq!((params("net.accrue"), params("fitted.accrue")), (0, numbers));
    assert_eq!(said.contains("nothing fitted"), numbers == 0, "{said}");

    // Killed in the fit, and before it: the decision is not written, and what is done stays.
    let (fitted, state) = (read("fitted.accrue"), folder.path().join("run/state.toml"));
    let decided = fs::read(&state).unwrap();
    for wait in [0, 80, 400] {
        fs::remove_file(&state).unwrap();
        fs::remove_file(generation.join("fitted.accrue")).unwrap();
        if wait > 0 {
            let mut run = Command::new(env!("CARGO_BIN_EXE_accrue"));
            let run = run.args(args).stdout(Stdio::null()).stderr(Stdio::null());
            let mut run = run.spawn().unwrap();
            sleep(Duration::from_millis(wait));
            run.kill().unwrap();
            run.wait().unwrap();
        }
        lines(&args);
        assert!(read("fitted.accrue") == fitted, "after {wait} ms");
        assert_eq!(fs::read(&state).unwrap(), decided);
    }
    // With the file of the fit there, nothing is fitted again.
    fs::remove_file(&state).unwrap();
    assert!(!lines(&args).join("\n").contains("fit of the search"));
}

#[test]
fn games_from_elsewhere_are_learnt_from_too() {
    let folder = tempfile::tempdir().unwrap();
    let first = config(folder.path(), 2);
    lines(&["loop", &first, "--generations", "1"]);
    let text = fs::read_to_string(&first).unwrap().replace("folder = \"run\"", "folder = \"next\"");
    let files =
        |name: &str| text.replace("[training]", &format!("[training]\nfiles = [\"{name}\"]"));
    let next = folder.path().join("next.toml");
    let next_text = next.to_str().unwrap();
    let args = ["loop", next_text, "--generations", "1"];

    fs::write(&next, files("missing.data")).unwrap();
    let fault = complaint(&args);
    assert!(fault.contains("training.files") && fault.contains("missing.data"), "{fault}");
    assert!(!folder.path().join("next").exists());

    fs::write(&next, files("run/gen-0001/games.data")).unwrap();
    lines(&args);
    let batches = |run: &str| {
        let path = folder.path().join(run).join("gen-0001/train.toml");
        let training: toml::Table = fs::read_to_string(path).unwrap().parse().unwrap();
        let files = training["data"]["files"].as_array().unwrap().len();
        (files, training["schedule"]["batches_per_superbatch"].as_integer().unwrap())
    };
    let ((one, few), (two, many)) = (batches("run"), batches("next"));
    assert_eq!((one, two), (1, 2));
    assert!(many > few + few / 2, "{few} batches of one file, {many} of both");
}

#[test]
fn a_network_can_go_on_from_the_best() {
    let folder = tempfile::tempdir().unwrap();
    let config = config(folder.path(), 100);
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("[training]", "[training]\nfrom_best = true")).unwrap();
    lines(&["loop", &config, "--generations", "2"]);
    let training = |generation: &str| {
        let path = folder.path().join("run").join(generation).join("train.toml");
        fs::read_to_string(path).unwrap().parse::<toml::Table>().unwrap()
    };
    let from =
        |generation: &str| training(generation)["init"]["network"].as_str().unwrap().to_owned();
    assert_eq!(from("gen-0001"), "../gen-0000/net.accrue");
    let status = status(&config);
    let best = u64::from(status["generations"][0]["promoted"] == true);
    assert_eq!(from("gen-0002"), format!("../gen-{best:04}/net.accrue"));

    // One that is no beginning for this network is told before games are played.
    let text = fs::read_to_string(&config).unwrap();
    let start = folder.path().join("material.accrue");
    lines(&["net", "start", "--game", "connect_four", "--out", start.to_str().unwrap()]);
    let text = text.replace("start = \"random\"", "start = \"material.accrue\"");
    fs::write(&config, text.replace("folder = \"run\"", "folder = \"other\"")).unwrap();
    let fault = complaint(&["loop", &config, "--generations", "1"]);
    assert!(fault.contains("training.from_best") && fault.contains("activation"), "{fault}");
    assert!(!folder.path().join("other/gen-0001/games.data").exists());
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.toml");
    let path_text = path.to_str().unwrap();
    for (text, part) in [
        ("game = \"chess\"\n[gate]\ngames = 5", "gate.games"),
        ("game = \"chess\"\nunknown = 1", "unknown"),
        ("game = \"chess\"\n[fit]\ncount = 0", "fit.count"),
        ("game = \"chess\"\n[fit]\nsoft-nodes = 9", "soft-nodes"),
        ("game = \"chess\"\n[fit]\ncount = \"many\"", "many"),
        ("game = \"chess\"\nstart = \"missing.accrue\"", "missing.accrue"),
    ] {
        fs::write(&path, text).unwrap();
        let fault = complaint(&["loop", path_text, "--generations", "1"]);
        assert!(fault.contains(part), "{fault}");
    }
    let nothing = complaint(&["loop", "status", folder.path().to_str().unwrap()]);
    assert!(nothing.contains("holds no loop"), "{nothing}");
}
