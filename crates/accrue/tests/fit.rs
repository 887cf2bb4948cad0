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

#[test]
fn a_policy_is_fitted_and_the_value_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (start, fitted) = (path("start.accrue"), path("fitted.accrue"));
    // Its policy is random: whatever the searches teach is better.
    let config = path("config.toml");
    let network = "[network]\nfeatures = \"chess.piece-square-mirrored\"\naccumulator = 16\n\
        activation = \"screlu\"\n[data]\nfiles = []\n[loss.value]\n[loss.policy]\nloss = \"legal\"\n\
        moves = \"piece-to\"\n[loss.quantiles]\nform = \"anchored\"\n";
    fs::write(&config, network).unwrap();
    lines(&["net", "start", "--random", &config, "--out", &start]);
    let sizes = ["--policy", "10000", "--count", "10", "--soft-nodes", "1000"];
    let said = lines(&[&["fit", &start, "--out", &fitted], &sizes[..]].concat()).join("\n");
    assert!(
        said.starts_with("policy: 9000 samples, 1000 held out\n  log-loss held out: "),
        "{said}"
    );
    let info = lines(&["net", "info", &fitted]).join("\n");
    assert!(info.contains("policy 128 + 768, piece-to-see"), "{info}");
    assert!(info.contains("policy fitted on 10000 cut nodes"), "{info}");
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let values = [&start, &fitted].map(|net| lines(&["eval", "--net", net, "--fen", fen]).pop());
    assert_eq!(values[0], values[1]);
    let error = complaint(&["fit", &start, "--policy", "10000"]);
    assert!(error.contains("--out"), "{error}");
}

#[test]
fn parameters_are_stored_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (start, tuned, plain) = (path("start.accrue"), path("tuned.accrue"), path("plain.accrue"));
    lines(&["net", "start", "--out", &start]);
    assert_eq!(lines(&["net", "params", &start]), [""; 0]);
    let numbers = ["--set", "rfp_margin=61", "--set", "lmr_base=-5"];
    lines(&[&["net", "params", &start, "--out", &tuned], &numbers[..]].concat());
    assert_eq!(lines(&["net", "params", &tuned]), ["lmr_base=-5", "rfp_margin=61"]);
    lines(&["net", "params", &tuned, "--remove", "lmr_base", "--out", &tuned]);
    assert_eq!(lines(&["net", "params", &tuned]), ["rfp_margin=61"]);
    lines(&["net", "params", &tuned, "--clear", "--out", &plain]);
    assert_eq!(fs::read(&plain).unwrap(), fs::read(&start).unwrap());
    for (number, fault) in [
        ("rfp_margin", "NAME=VALUE"),
        ("rfp_margin=high", "`high` is not a whole number"),
        ("rfp_margin=7000", "expected 19 to 104"),
        ("rfp_marge=50", "rfp_marge"),
    ] {
        let error = complaint(&["net", "params", &start, "--set", number, "--out", &plain]);
        assert!(error.contains(number) && error.contains(fault), "{error}");
    }
    let error = complaint(&["net", "params", &start, "--remove", "rfp_margin", "--out", &plain]);
    assert!(error.contains("stores no such number"), "{error}");
    let error = complaint(&["net", "params", &start, "--set", "rfp_margin=60"]);
    assert!(error.contains("--out"), "{error}");
}
