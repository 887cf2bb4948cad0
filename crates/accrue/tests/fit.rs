//! `accrue fit` and `accrue datagen --sample` as a whole.

#[path = "common/command.rs"]
mod command;

use std::fs;

use command::{accrue, complaint, lines, text};

const GAME: [&str; 2] = ["--game", "connect_four"];

#[test]
fn samples_have_the_same_bytes_whatever_the_threads() {
    let folder = tempfile::tempdir().unwrap();
    for kind in ["cut-nodes", "late-moves", "rfp-nodes"] {
        let bytes = ["1", "2"].map(|threads| {
            let out = folder.path().join(format!("{kind}-{threads}.csv"));
            let out = out.to_str().unwrap();
            let sizes = ["--positions", "40", "--soft-nodes", "400", "--hash", "1"];
            let args = ["datagen", "--sample", kind, "--out", out, "--threads", threads];
            let said = lines(&[&args[..], &sizes, &["--game", "hexchess"]].concat());
            assert_eq!(said.last().unwrap(), &format!("{out}: 40 samples of {kind}"));
            fs::read(out).unwrap()
        });
        assert_eq!(bytes[0], bytes[1]);
        assert!(bytes[0].starts_with(format!("# accrue samples 1 {kind}; ").as_bytes()));
    }
}

#[test]
fn a_fitted_network_searches_in_the_learned_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (start, late, fitted) = (path("start.accrue"), path("late.csv"), path("fitted.accrue"));
    lines(&["net", "start", "--out", &start]);
    let sizes = ["--positions", "400", "--soft-nodes", "2000", "--hash", "1"];
    let sample = ["datagen", "--sample", "late-moves", "--net", &start, "--out", &late];
    lines(&[&sample[..], &sizes].concat());
    // With so few samples the fit may predict no better: then the exit code is 1, and the file the
    // old one.
    let again = path("again.accrue");
    let codes = [&fitted, &again].map(|out| {
        let output = accrue(&["fit", &start, "--samples", &late, "--out", out]);
        let said = text(&output.stdout);
        assert!(said.starts_with("late-move reductions: 320 samples, 80 held out"), "{said}");
        output.status.code().unwrap()
    });
    assert_eq!(fs::read(&fitted).unwrap(), fs::read(&again).unwrap());
    let info = lines(&["net", "info", &fitted]).join("\n");
    let is_fitted = fs::read(&fitted).unwrap() != fs::read(&start).unwrap();
    assert_eq!(info.contains("fitted parameters"), is_fitted, "{info}");
    assert_eq!(codes, [i32::from(!is_fitted); 2]);
    let engine = format!("net={fitted},mode={}", if is_fitted { "learned" } else { "auto" });
    lines(&["match", &engine, &format!("net={start}"), "--nodes", "200", "--games", "2"]);
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("bad.csv");
    fs::write(&csv, "depth,surplus\n").unwrap();
    let csv = csv.to_str().unwrap();
    let error = complaint(&["fit", "chess-small", "--samples", csv]);
    assert!(error.contains("bad.csv, line 1") && error.contains("datagen --sample"), "{error}");
    let error = complaint(&["fit", "nowhere.accrue"]);
    assert!(error.contains("nowhere.accrue"), "{error}");
    let error = complaint(&["datagen", "--sample", "elephants", "--out", csv]);
    assert!(error.contains("cut-nodes, late-moves, rfp-nodes"), "{error}");
    let network = &[&["fit", "chess-small"], &GAME[..]].concat();
    let error = complaint(network);
    assert!(error.contains("connect_four"), "{error}");
}
