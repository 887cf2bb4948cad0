//! `accrue tune`.

#[path = "common/command.rs"]
mod command;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use command::{accrue, complaint, lines, text};

/// A tuning of three values in short games. Options of `more` take the place of the usual ones.
fn args<'a>(state: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let usual = [
        ["--game", "connect_four"],
        ["--nodes", "60"],
        ["--iterations", "12"],
        ["--pairs", "3"],
        ["--hash", "1"],
        ["--rate", "0.05"],
        ["--param", "futility_base"],
        ["--param", "lmp_base=4:1"],
        ["--param", "lmr_scale=500"],
    ];
    let mut args = vec!["tune", "--state", state.to_str().expect("a path of UTF-8")];
    let kept = usual.iter().filter(|[name, _]| *name == "--param" || !more.contains(name));
    args.extend(kept.flatten());
    args.extend(more);
    args
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the state was written")
}

#[test]
fn concurrency_changes_nothing() {
    let folder = folder();
    let [alone, together] = ["alone", "together"].map(|name| folder.path().join(name));
    let first = lines(&args(&alone, &[]));
    assert_eq!(lines(&args(&together, &["--concurrency", "3"])), first);
    assert_eq!(read(&alone), read(&together));
    assert_eq!(first[0], "12 of 12 iterations, 72 games");
    assert!(first.iter().any(|line| line.contains("lmr_scale = ")), "{first:?}");
    // Done is done.
    assert_eq!(lines(&args(&alone, &[])), first);
    // Another seed is another tuning.
    let other = folder.path().join("other");
    assert_ne!(lines(&args(&other, &["--seed", "2"])), first);
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_in_the_same_state() {
    let folder = folder();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let expected = lines(&args(&whole, &[]));
    let mut kills = 0;
    for attempt in 0..200 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
        command.args(args(&killed, &[])).stdin(Stdio::null()).stdout(Stdio::null());
        let mut child = command.stderr(Stdio::null()).spawn().expect("the program can be started");
        std::thread::sleep(Duration::from_millis(40 + 37 * (attempt % 7)));
        if child.try_wait().expect("it can be asked").is_some() {
            break;
        }
        child.kill().and_then(|()| child.wait()).expect("it can be killed");
        kills += 1;
    }
    assert_eq!(lines(&args(&killed, &[])), expected);
    assert_eq!(read(&killed), read(&whole));
    assert!(kills > 0, "it was never killed");
}

#[cfg(unix)]
#[test]
fn a_signal_stops_it_and_nothing_is_lost() {
    let folder = folder();
    let state = folder.path().join("state");
    let mut command = Command::new(env!("CARGO_BIN_EXE_accrue"));
    command.args(args(&state, &["--nodes", "3000000"])).stdin(Stdio::null());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let child = child.expect("the program can be started");
    // The state is written when the signals are about to be listened for.
    while !state.exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
    let id = child.id().to_string();
    Command::new("kill").args(["-TERM", &id]).status().expect("there is a kill");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(143), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("0 of 12 iterations"), "{}", text(&output.stdout));
}

#[test]
fn json_has_the_values() {
    let folder = folder();
    let lines = lines(&args(&folder.path().join("state"), &["--json"]));
    let value: serde_json::Value = serde_json::from_str(&lines[0]).expect("JSON");
    assert_eq!((&value["iterations_done"], &value["games"]), (&12.into(), &72.into()));
    let params = value["params"].as_array().expect("a list");
    assert_eq!(params.len(), 3);
    // Games that are all drawn would prove nothing here.
    assert_ne!(params[0]["value"], params[0]["start"]);
    assert_eq!((&params[1]["name"], &params[1]["step"]), (&"lmp_base".into(), &1.0.into()));
    for param in params {
        let [tuned, min, max] = ["tuned", "min", "max"].map(|name| param[name].as_i64());
        assert!(min <= tuned && tuned <= max, "{param}");
    }
}

#[test]
fn wrong_input_is_refused_before_any_game() {
    let folder = folder();
    let state = folder.path().join("state");
    for (more, expected) in [
        (&["--param", "futility"][..], "no parameter `futility`; expected one of"),
        (&["--param", "late_base"], "`late_base` is now called `lmp_base`"),
        (&["--param", "learned_gate"], "it is one of never, decision, width"),
        (&["--param", "lmp_base"], "lmp_base is listed twice"),
        (&["--param", "see_quiet_margin=x"], "expected see_quiet_margin=START:STEP"),
        (&["--param", "see_quiet_margin=500"], "expected a start from 5 to 80"),
        (&["--param", "see_quiet_margin=20:100"], "no more than half of that range"),
        (&["--param", "time_soft"], "expected --tc"),
        (&["--param", "lmr_policy"], "a search in classical mode does not read it"),
        (&["--group", "reductions"], "no group of parameters `reductions`; expected aspiration"),
        (&["--group", "policy"], "none of its numbers has an effect"),
        (&["--mode", "fast"], "`fast` is not a search mode; expected classical"),
        (&["--mode", "learned"], "needs a calibrated network"),
        (&["--rate", "7"], "expected a number from 0 to 1"),
        (&["--concurrency", "0"], "expected 1 to"),
        (&["--hash", "0"], "expected 1 to"),
        (&["--net", "nowhere.accrue"], "nowhere.accrue"),
    ] {
        let complaint = complaint(&args(&state, more));
        assert!(complaint.contains(expected), "{more:?}: {complaint}");
        assert!(!state.exists(), "{more:?}");
    }
}

/// `auto` is the mode in which the engine plays: learned with the default network of chess.
#[test]
fn the_mode_is_part_of_the_settings() {
    let folder = folder();
    let state = folder.path().join("state");
    let chess = |more: &[&'static str]| {
        let mut args = vec!["tune", "--state", state.to_str().expect("a path of UTF-8")];
        args.extend(["--nodes", "20", "--iterations", "1", "--pairs", "1", "--hash", "1"]);
        args.extend(more);
        args.into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let run = |more: &[&'static str]| {
        let args = chess(more);
        lines(&args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let first = run(&["--group", "policy", "--group", "rfp"]);
    let tuned = |name: &str| first.iter().any(|line| line.starts_with(name));
    for name in ["policy_blend ", "policy_min_depth ", "rfp_margin "] {
        assert!(tuned(name), "{name}: {first:?}");
    }
    assert!(!tuned("policy_lmr_scale") && !tuned("lmr_"), "{first:?}");
    assert!(read(&state).contains("\"mode\": \"learned\""), "{}", read(&state));
    // The same mode by its name is the same tuning; another one is refused.
    assert_eq!(run(&["--group", "policy", "--group", "rfp", "--mode", "learned"]), first);
    let other = chess(&["--group", "rfp", "--mode", "classical"]);
    let complaint = complaint(&other.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(complaint.contains("mode was learned, and is classical now"), "{complaint}");
}

#[test]
fn the_state_of_another_tuning_is_refused() {
    let folder = folder();
    let state = folder.path().join("state");
    lines(&args(&state, &[]));
    let before = read(&state);
    let complaint_of = |more: &[&str]| complaint(&args(&state, more));
    assert!(complaint_of(&["--seed", "9"]).contains("seed was 1, and is 9 now"));
    assert!(complaint_of(&["--param", "see_quiet_margin"]).contains("params was"));
    assert_eq!(read(&state), before);
    for (damage, expected) in [
        (before.replace("accrue tune 1", "accrue tune 7"), "expected `accrue tune 1`"),
        (before.replace("\"lmp_base\"", "\"other\""), "expected a number for lmp_base"),
        (before.replace("lmp_base", "late_base"), "`late_base` is now called `lmp_base`"),
        (before[..before.len() / 2].to_owned(), "not the state of a tuning"),
        ("x".repeat(2 << 20), "at most"),
    ] {
        std::fs::write(&state, damage).expect("it can be written");
        let complaint = complaint_of(&[]);
        assert!(complaint.contains(expected), "{complaint}");
    }
    let output = accrue(&args(&folder.path().join("no/such/folder"), &[]));
    assert_eq!(output.status.code(), Some(2));
}
