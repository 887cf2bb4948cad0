//! `accrue quickstart` as a new user runs it: killed, stopped, resumed, its commands copied.

#[path = "common/command.rs"]
mod command;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use command::{accrue, complaint, lines, text};
use nnue::{FittedParams, NetworkFile};
use serde_json::Value;

/// The smallest quickstart that there is.
fn small(out: &str) -> Vec<&str> {
    vec![
        "quickstart",
        "--game",
        "connect_four",
        "--minutes",
        "0.01",
        "--threads",
        "2",
        "--out",
        out,
    ]
}

/// The commands that were printed, each as words. None of their words needs quotes here.
fn commands(said: &str) -> Vec<Vec<String>> {
    let lines = said.lines().filter_map(|line| line.strip_prefix("   accrue "));
    lines.map(|line| line.split(' ').map(str::to_owned).collect()).collect()
}

fn resume_to_the_end(args: &[&str]) -> String {
    let output = accrue(&[args, &["--resume"]].concat());
    // So few positions need not make a network that wins.
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn killed_at_any_time_it_is_finished_by_resume_and_its_commands_work_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("four");
    let out = out.to_str().unwrap();
    let args = small(out);
    for wait in [60, 300, 900, 1500, 200, 700] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_accrue"));
        let run = run.args(&args).arg("--resume").stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = run.spawn().unwrap();
        sleep(Duration::from_millis(wait));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let said = resume_to_the_end(&args);
    let report = fs::read_to_string(Path::new(out).join("report.html")).unwrap();
    for part in ["steps", "match", "curves", "reliability", "games", "neurons", "next"] {
        assert!(report.contains(&format!("<section id=\"{part}\">")), "no {part}");
    }
    // Discs are drawn, and nothing is fetched from elsewhere.
    assert!(report.contains("class=\"first\"") && report.contains("class=\"second\""));
    // The name of the space of SVG looks like an address, and is never fetched.
    let report = report.replace("http://www.w3.org/2000/svg", "");
    assert!(!report.contains("://") && !report.contains("src=") && !report.contains("<link"));
    for file in ["net.accrue", "start.accrue", "train.toml", "loop.toml", "match.pgn", "random.pgn"]
    {
        assert!(Path::new(out).join(file).is_file(), "no {file}");
    }
    // A second run is refused, and says what to do.
    let refused = complaint(&args);
    assert!(refused.contains("finished quickstart") && refused.contains("--out"), "{refused}");
    let other = complaint(&["quickstart", "--out", out, "--game", "chess", "--resume"]);
    assert!(other.contains("--game connect_four, not chess"), "{other}");
    let commands = commands(&said);
    // There is no time for the samples of a fit.
    assert!(said.contains("no fit of the search: 0.01 minutes are too few"), "{said}");
    assert!(!report.contains("<section id=\"fit\">"));
    assert_eq!(commands.len(), 6, "{said}");
    for words in &commands {
        lines(&words.iter().map(String::as_str).collect::<Vec<_>>());
    }
    // Resuming a finished quickstart changes no result.
    let again = resume_to_the_end(&args);
    assert_eq!(
        again.lines().rev().take(5).collect::<Vec<_>>(),
        said.lines().rev().take(5).collect::<Vec<_>>()
    );
}

/// Whether the network of a quickstart is fitted, which its files and its output must agree on.
fn assert_fit(out: &Path, said: &str) -> bool {
    let network = |name: &str| NetworkFile::read(&fs::read(out.join(name)).unwrap()).unwrap();
    let (exported, net) = (network("exported.accrue"), network("net.accrue"));
    assert!(exported.fitted_params().is_none());
    let report: Value = serde_json::from_str(&fs::read_to_string(out.join("fit.json")).unwrap())
        .expect("the report of the fit");
    let rules = report["rules"].as_array().unwrap();
    let numbers: usize = rules.iter().map(|rule| rule["params"].as_array().unwrap().len()).sum();
    assert_eq!(net.fitted_params().map_or(0, FittedParams::len), numbers);
    // Unless a run that was killed has fitted it.
    if !said.contains("done before: ") {
        assert_eq!(said.contains("nothing fitted, net.accrue is as it was exported"), numbers == 0);
    }
    numbers > 0
}

#[test]
fn the_search_is_fitted_to_the_network() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("four");
    fs::create_dir(&out).unwrap();
    // With games enough for samples, however slow this machine is.
    let version = env!("CARGO_PKG_VERSION");
    let plan = format!(
        "version = \"{version}\"\ngame = \"connect_four\"\nminutes = 1.0\nseed = 1\nthreads = 2\n\
         positions = 4000\nfit_games = 12\ngames = 20\n"
    );
    fs::write(out.join("quickstart.toml"), plan).unwrap();
    let args = ["quickstart", "--out", out.to_str().unwrap()];
    // Killed on the way, it fits as it would have.
    for wait in [500, 900] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_accrue"));
        let run = run.args(args).arg("--resume").stdout(Stdio::null()).stderr(Stdio::null());
        let mut run = run.spawn().unwrap();
        sleep(Duration::from_millis(wait));
        run.kill().unwrap();
        run.wait().unwrap();
    }
    let said = resume_to_the_end(&args);
    let is_fitted = assert_fit(&out, &said);
    // Its command works alone.
    let commands = commands(&said);
    assert_eq!(commands.len(), 7, "{said}");
    let fit: Vec<_> = commands[4].iter().map(String::as_str).collect();
    let fitted = fs::read(out.join("net.accrue")).unwrap();
    assert_eq!((fit[0], accrue(&fit).status.code()), ("fit", Some(i32::from(!is_fitted))));
    assert!(fs::read(out.join("net.accrue")).unwrap() == fitted);
    let report = fs::read_to_string(out.join("report.html")).unwrap();
    for rule in ["ordering", "late-move reductions", "reverse futility pruning"] {
        assert!(report.contains(&format!("<td>{rule}</td>")), "no {rule}");
    }
    // What is fitted has a learned mode, and what is not has none.
    let engine = format!("net={},mode=learned", out.join("net.accrue").display());
    let sizes = ["--nodes", "50", "--games", "2", "--game", "connect_four", "--quiet"];
    let learned = accrue(&[&["match", &engine, "name=random,moves=random"], &sizes[..]].concat());
    assert_eq!(learned.status.code() == Some(2), !is_fitted, "{}", text(&learned.stderr));
}

#[cfg(unix)]
#[test]
fn a_signal_stops_it_and_it_says_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("four");
    let out = out.to_str().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_accrue"))
        .args(small(out))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !Path::new(out).join("start.accrue").exists() {
        sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let said = run.wait_with_output().unwrap();
    assert_eq!(said.status.code(), Some(130));
    let said = text(&said.stdout);
    assert!(said.contains(&format!("to resume: accrue quickstart --out {out} --resume")), "{said}");
    let refused = complaint(&small(out));
    assert!(refused.contains("was stopped; --resume continues it"), "{refused}");
}

#[test]
fn what_is_not_its_own_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    fs::write(folder.path().join("thesis.txt"), "years of work").unwrap();
    let refused = complaint(&["quickstart", "--out", out]);
    assert!(refused.contains("`thesis.txt`") && refused.contains("--out"), "{refused}");
    let comma = complaint(&["quickstart", "--out", &format!("{out}/a,b")]);
    assert!(comma.contains("comma"), "{comma}");
    let damaged = folder.path().join("damaged");
    fs::create_dir(&damaged).unwrap();
    fs::write(damaged.join("quickstart.toml"), "game = 3").unwrap();
    let damaged = complaint(&["quickstart", "--out", damaged.to_str().unwrap(), "--resume"]);
    assert!(damaged.contains("quickstart.toml is damaged"), "{damaged}");
    assert!(complaint(&["quickstart", "--minutes", "0"]).contains("0.01"));
}
