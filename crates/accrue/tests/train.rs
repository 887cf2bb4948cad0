//! `accrue train` as a whole: what it leaves, how it stops, and that stopping changes nothing.

#[path = "common/command.rs"]
mod command;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use command::{accrue, complaint, lines, text};
use dataset::{DepthScore, Record, Writer};
use games::chess::Chess;
use games::hexchess::Hexchess;
use games::{GameScore, Random, ToolkitGame};
use serde_json::Value;
use trainer::{Checkpoint, CheckpointFolder};

fn xor() -> String {
    format!("{}/../../examples/1_xor.toml", env!("CARGO_MANIFEST_DIR"))
}

/// Random games with random scores, results, best moves and scores at two depths.
fn write_games<G: ToolkitGame>(path: &Path, games: u32) {
    let mut random = Random::new(3);
    let mut writer = Writer::create(path, "test").expect("a file");
    for game in 0..games {
        let mut position = G::start();
        for ply in 0..40 {
            let Some(&chosen) = random.pick(&position.legal_moves()) else { break };
            let mut record = Record { ply, game, ..Record::new(position.clone()) };
            let score = random.below(400) as i16 - 200;
            record.score = Some(score);
            record.result = GameScore::quarters(random.below(5) as u8);
            record.best_move = Some(chosen);
            record.depths = [4, 8].map(|depth| DepthScore { depth, score: score / 2 }).to_vec();
            writer.write(&record).expect("a record");
            position.play(chosen);
        }
    }
    writer.finish().expect("a file");
}

/// A file of games and a configuration that trains on it.
fn chess(folder: &Path) -> String {
    write_games::<Chess>(&folder.join("games.data"), 40);
    let config = r#"
        [network]
        accumulator = 8
        [data]
        files = ["games.data"]
        batch_size = 64
        window = 300
        held_out = 0.2
        threads = 2
        [schedule]
        superbatches = 30
        batches_per_superbatch = 20
    "#;
    let path = folder.join("chess.toml");
    fs::write(&path, config).expect("a file");
    path.to_str().expect("a path of plain text").to_owned()
}

/// `--set output.folder=…`
fn into(folder: &Path) -> String {
    format!("output.folder={}", folder.display())
}

fn start(args: &[&str]) -> Child {
    let mut program = Command::new(env!("CARGO_BIN_EXE_accrue"));
    program.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    program.spawn().expect("the program can be started")
}

fn latest(folder: &Path) -> (PathBuf, Checkpoint) {
    let found = CheckpointFolder::new(folder).latest().expect("a readable folder");
    let found = found.expect("a checkpoint");
    (found.path, found.checkpoint)
}

/// The lines of all superbatches, without what depends on the clock.
fn log(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join("log.jsonl")).expect("a log");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let mut lines: Vec<Value> = lines.filter(|line: &Value| line["type"] == "superbatch").collect();
    for line in &mut lines {
        let fields = line.as_object_mut().expect("an object");
        fields.remove("seconds");
        fields.remove("positions_per_second");
    }
    lines
}

#[test]
fn the_first_example_leaves_a_network_curves_and_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let told = lines(&["train", &xor(), "--set", &into(&out)]).join("\n");
    assert!(told.contains("trained 2→4→1 sigmoid: 2000 steps"), "{told}");
    let records = log(&out);
    assert_eq!(records.len(), 20);
    assert!(records[19]["loss"].as_f64().expect("a loss") < 0.001);
    let report = fs::read_to_string(out.join("report.html")).expect("a report");
    let curves = fs::read_to_string(out.join("curves.svg")).expect("curves");
    // The page has both curves of the file, and each superbatch of both.
    assert_eq!(curves.matches("<polyline").count(), 3);
    for line in curves.split("<polyline").skip(1).filter_map(|line| line.split('>').next()) {
        assert!(report.contains(line), "{line}");
    }
    assert!(report.contains("2→4→1 sigmoid"));
    // Nothing is fetched from elsewhere: the only address is the name of the format.
    for text in [&report, &curves] {
        let addresses = text.matches("://").count();
        assert_eq!(addresses, text.matches("http://www.w3.org/2000/svg").count());
    }
    let float = out.join("float.accrue");
    let info = lines(&["net", "info", float.to_str().expect("plain text")]).join("\n");
    assert!(info.contains("2→4→1 sigmoid") && info.contains("trained by accrue"), "{info}");
    let again = complaint(&["train", &xor(), "--set", &into(&out)]);
    assert!(again.contains("--resume"), "{again}");
}

#[test]
fn settings_are_printed_and_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    for args in [vec!["train", "--print-config"], vec!["train", &xor(), "--print-config"]] {
        let printed = lines(&args).join("\n");
        let path = folder.path().join("printed.toml");
        fs::write(&path, &printed).expect("a file");
        let path = path.to_str().expect("plain text");
        assert_eq!(lines(&["train", path, "--print-config"]).join("\n"), printed);
        let changed = ["train", path, "--print-config", "--set", "init.seed=7", "--threads", "3"];
        let changed = lines(&changed);
        assert!(changed.contains(&"seed = 7".to_owned()));
        assert!(changed.contains(&"threads = 3".to_owned()));
    }
}

#[test]
fn complaints_name_file_and_setting() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = chess(folder.path());
    for (args, fragments) in [
        (&["train"][..], &["CONFIG.toml"][..]),
        (&["train", "gone.toml"], &["gone.toml", "cannot read"]),
        (&["train", &config, "--set", "schedule.rat=1"], &["chess.toml", "`schedule.rate`?"]),
        (&["train", &config, "--set", "data.files=['x*.data']"], &["data.files", "x*.data"]),
        (
            &["train", &config, "--set", "data.files=['chess.toml']"],
            &["chess.toml", "not an accrue"],
        ),
        (
            &["train", &config, "--set", "network.features=hexchess.piece-cell"],
            &["data.files", "chess"],
        ),
        (&["train", &config, "--set", "network.factorise=true"], &["network.factorise"]),
    ] {
        let complaint = complaint(args);
        for fragment in fragments {
            assert!(complaint.contains(fragment), "{args:?}: {complaint}");
        }
    }
}

/// Kills the program `kills` times at random instants, each time going on with `--resume`; whenever it comes to
/// its end, compares what it left with a run that was left alone, and begins anew.
fn kill_and_resume(config: &str, folder: &Path, kills: usize, sets: &[&str]) {
    // The same relative paths in both, because a checkpoint holds its configuration.
    let run = |home: &Path, resume: bool| {
        fs::create_dir_all(home).expect("a folder");
        fs::copy(config, home.join("config.toml")).expect("a copy");
        let config = home.join("config.toml").display().to_string();
        let mut args = vec!["train", &config, "--set", "output.folder=out"];
        for set in sets {
            args.extend(["--set", set]);
        }
        args.extend(resume.then_some("--resume"));
        start(&args)
    };
    let [whole, broken] = [folder.join("whole"), folder.join("broken")];
    let began = Instant::now();
    assert!(run(&whole, false).wait().expect("it ends").success());
    // Each life is a small part of the whole, so that most kills find it at work.
    let life = began.elapsed().as_millis() as usize;
    let mut random = Random::new(kills as u64);
    let mut left = kills;
    while left > 0 {
        let mut child = run(&broken, true);
        sleep(Duration::from_millis(random.below((life / 4).max(20)) as u64));
        child.kill().expect("it can be killed");
        let output = child.wait_with_output().expect("it ends");
        if output.status.code().is_none() {
            left -= 1;
        } else {
            assert!(output.status.success(), "{}", text(&output.stderr));
            assert_same_end(&whole.join("out"), &broken.join("out"));
            fs::remove_dir_all(&broken).expect("it can be removed");
        }
    }
    let output = run(&broken, true).wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_same_end(&whole.join("out"), &broken.join("out"));
}

/// Checkpoint, log and network are the same, byte for byte.
fn assert_same_end(whole: &Path, broken: &Path) {
    let (expected, found) = (latest(whole).0, latest(broken).0);
    assert_eq!(expected.file_name(), found.file_name());
    assert!(fs::read(expected).expect("a file") == fs::read(found).expect("a file"));
    assert_eq!(log(whole), log(broken));
    let float = |folder: &Path| fs::read(folder.join("float.accrue")).expect("a network");
    assert!(float(whole) == float(broken));
}

#[test]
fn killed_fifty_times_and_resumed_it_ends_in_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let sets = ["schedule.superbatches=100", "schedule.batches_per_superbatch=40"];
    kill_and_resume(&xor(), folder.path(), 50, &sets);
}

#[test]
fn a_chess_training_on_two_threads_survives_kills_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = chess(folder.path());
    kill_and_resume(&config, folder.path(), 10, &["data.files=['../games.data']"]);
}

#[cfg(unix)]
#[test]
fn signals_write_a_checkpoint() {
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().join("out");
        let endless = "schedule.superbatches=1000000000";
        let slow = "schedule.batches_per_superbatch=1000";
        let rare = "output.checkpoint_every=1000000";
        let set = into(&out);
        let args = ["train", &xor(), "--set", &set, "--set", endless, "--set", slow, "--set", rare];
        let child = start(&args);
        let began = Instant::now();
        while !out.join("log.jsonl").exists() || log_is_short(&out) {
            assert!(began.elapsed() < Duration::from_mins(1), "nothing happens");
            sleep(Duration::from_millis(5));
        }
        let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
        assert!(sent.expect("kill exists").success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        let told = text(&output.stdout);
        assert!(told.contains("--resume") && told.contains(".ckpt"), "{told}");
        let step = latest(&out).1.progress().step;
        assert!(step >= 1000 && told.contains(&format!("step {step} ")), "{told}");
    }
}

fn log_is_short(folder: &Path) -> bool {
    fs::read_to_string(folder.join("log.jsonl")).is_ok_and(|text| !text.contains("superbatch\":1,"))
}

#[test]
fn a_training_that_explodes_stops_and_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = chess(folder.path());
    let off = ["accumulator", "hidden", "heads"].map(|name| format!("clip.{name}=off"));
    let mut args = vec!["train", &config, "--set", "schedule.rate=1e30"];
    args.extend(off.iter().flat_map(|off| ["--set", off]));
    let complaint = complaint(&args);
    for fragment in ["has diverged", "step", "rate", "schedule.rate"] {
        assert!(complaint.contains(fragment), "{complaint}");
    }
}

/// No file may grow beyond a few kilobytes: what a full disk looks like to the program.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let set = into(&out);
    lines(&["train", &xor(), "--set", &set, "--set", "schedule.superbatches=1"]);
    let (path, _) = latest(&out);
    let before = fs::read(&path).expect("a checkpoint");
    let script = "trap '' XFSZ; ulimit -f 4; exec \"$@\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh", env!("CARGO_BIN_EXE_accrue"), "train", &xor()]);
    shell.args(["--set", &set, "--resume", "--set", "schedule.superbatches=2"]);
    let output = shell.output().expect("a shell");
    let complaint = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{complaint}");
    assert!(
        complaint.contains("cannot write") && complaint.contains("000000200.ckpt"),
        "{complaint}"
    );
    assert_eq!(fs::read(&path).expect("a checkpoint"), before);
    // With room again it goes on.
    lines(&["train", &xor(), "--set", &set, "--resume", "--set", "schedule.superbatches=2"]);
    assert_eq!(latest(&out).1.progress().step, 200);
}

#[test]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out");
    let set = into(&out);
    let args = ["train", &xor(), "--set", &set, "--set", "schedule.superbatches=4"];
    lines(&args);
    let (path, _) = latest(&out);
    let whole = fs::read(&path).expect("a checkpoint");
    fs::write(&path, &whole[..whole.len() / 2]).expect("a file");
    let output = accrue(&[&args[..], &["--resume"]].concat());
    assert!(output.status.success());
    let warning = text(&output.stderr);
    assert!(
        warning.contains("000000400.ckpt cannot be used") && warning.contains("000000300.ckpt")
    );
    assert_eq!(fs::read(&path).expect("a checkpoint"), whole);
    assert_eq!(log(&out).len(), 4);
}

/// What the examples describe can be trained and exported. A little of it, on random games.
#[test]
fn every_example_trains_and_is_exported() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    fs::create_dir(&data).expect("a folder");
    write_games::<Chess>(&data.join("chess.data"), 10);
    write_games::<Chess>(&data.join("deep.data"), 10);
    write_games::<Hexchess>(&data.join("hexchess.data"), 10);
    for name in ["2_mlp_769", "3_perspective_768", "4_hexchess", "5_buckets", "6_uncertainty"] {
        let example = format!("{}/../../examples/{name}.toml", env!("CARGO_MANIFEST_DIR"));
        let config = folder.path().join(format!("{name}.toml"));
        fs::copy(example, &config).expect("a copy");
        let config = config.to_str().expect("plain text");
        let mut args = vec!["train", config, "--threads", "2"];
        for set in [
            "output.folder=out",
            "data.batch_size=64",
            "data.held_out=0.3",
            "schedule.superbatches=2",
            "schedule.batches_per_superbatch=4",
        ] {
            args.extend(["--set", set]);
        }
        let out = folder.path().join("out");
        lines(&args);
        let records = log(&out);
        assert_eq!(records.len(), 2, "{name}");
        for record in &records {
            let heads = record["heads"].as_object().expect("heads");
            assert!(heads.values().all(Value::is_number), "{name}: {record}");
            assert!(record["validation"]["loss"].is_number(), "{name}: {record}");
        }
        let report = fs::read_to_string(out.join("report.html")).expect("a report");
        assert!(report.contains("<section id=\"neurons\">"), "{name}");
        let network = folder.path().join("net.accrue");
        let (out_text, network) = (out.to_str(), network.to_str());
        let (out_text, network) = (out_text.expect("plain text"), network.expect("plain text"));
        lines(&["export", out_text, "--out", network]);
        fs::remove_dir_all(&out).expect("a folder");
    }
}
