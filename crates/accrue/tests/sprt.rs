//! `accrue sprt`.

#[path = "common/command.rs"]
mod command;

use command::{accrue, complaint, lines, text};

const RESULTS: &str = "365,16618,36229,16974,390";

#[test]
fn prints_what_others_print() {
    let lines = lines(&["sprt", "--penta", RESULTS, "--elo0", "0", "--elo1", "2"]);
    assert_eq!(
        lines,
        [
            "Elo: 1.00 +/- 0.92, nElo: 1.96 +/- 1.81",
            "LOS: 98.31 %, DrawRatio: 51.33 %, PairsRatio: 1.02",
            "Games: 141152, Points: 70779.0 (50.14 %)",
            "Ptnml(0-2): [365, 16618, 36229, 16974, 390]",
            "LLR: 2.25 (76.4%) (-2.94, 2.94) [0.00, 2.00]",
        ]
    );
}

#[test]
fn the_exit_code_is_the_answer() {
    let code = |wdl: &str, elo0: &str, elo1: &str, model: &str| {
        let run = accrue(&["sprt", "--wdl", wdl, "--elo0", elo0, "--elo1", elo1, "--model", model]);
        (run.status.code(), text(&run.stdout).lines().last().map(str::to_owned))
    };
    for model in ["normalized", "logistic"] {
        let accepted = |hypothesis: &str| Some(format!("{hypothesis} was accepted"));
        assert_eq!(code("5000,5000,4500", "0", "10", model), (Some(0), accepted("H1")));
        assert_eq!(code("4500,5000,5000", "0", "10", model), (Some(1), accepted("H0")));
        assert_eq!(code("4500,5000,5000", "-90", "-60", model), (Some(0), accepted("H1")));
        let (exit, last) = code("45,50,50", "0", "10", model);
        assert!(exit == Some(0) && last.is_some_and(|line| line.starts_with("LLR: -0.")));
    }
}

#[test]
fn json_has_the_same_numbers() {
    let line = lines(&["sprt", "--penta", RESULTS, "--elo0", "0", "--elo1", "2", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&line[0]).expect("JSON");
    let number = |name: &str| value[name].as_f64().unwrap_or_else(|| panic!("{name} in {value}"));
    assert!((number("llr") - 2.25).abs() < 0.005);
    assert!((number("elo") - 1.0).abs() < 0.01 && (number("games") - 141_152.0).abs() < 0.5);
    assert_eq!(value["accepted"], serde_json::Value::Null);
    assert_eq!(value["pentanomial"][4], 390);
    // What is infinite has no number.
    let line = lines(&["sprt", "--wdl", "20,0,0", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&line[0]).expect("JSON");
    assert!(value["elo"].is_null() && value["elo_low"].as_f64().is_some_and(|low| low > 200.0));
}

#[test]
fn plans_need_no_results() {
    let rows = lines(&["sprt", "--plan", "--elo0", "0", "--elo1", "5"]);
    assert!(
        rows.contains(&"If the truth is 0.00: H1 with 5.0 %, 25591 games on average".to_owned()),
        "{rows:?}"
    );
    assert!(rows.iter().any(|row| row.starts_with("If the truth is 2.50: H1 with 50.0 %")));
    let both = lines(&[
        "sprt",
        "--wdl",
        "136,111,96",
        "--plan",
        "--elo0",
        "0",
        "--elo1",
        "5",
        "--model",
        "logistic",
    ]);
    assert!(both.len() == 4 + rows.len(), "{both:?}");
}

#[test]
fn absurd_input_is_refused_with_what_was_expected() {
    for (args, expected) in [
        (&["sprt"][..], "--penta"),
        (&["sprt", "--penta", "1,2,3"], "expected 5 counts"),
        (&["sprt", "--penta", "1,2,3,4,-5"], "expected 5 counts"),
        (&["sprt", "--penta", "1,2,3,4,"], "expected 5 counts"),
        (&["sprt", "--wdl", "1,2,x"], "such as 136,111,96"),
        (&["sprt", "--wdl", "1,2,99999999999999999"], "at most 1000000000000000"),
        (&["sprt", "--wdl", "1,2,3", "--penta", "1,2,3,4,5"], "cannot be used"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "1"], "--elo1"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "1", "--elo1", "0"], "expected elo0 to be smaller"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "NaN", "--elo1", "0"], "elo0 is NaN"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "0", "--elo1", "5000"], "-1000 to 1000"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "0", "--elo1", "5", "--alpha", "-1"], "alpha is -1"),
        (&["sprt", "--wdl", "1,2,3", "--elo0", "0", "--elo1", "5", "--model", "bayes"], "logistic"),
        (&["sprt", "--plan"], "--elo0"),
    ] {
        let complaint = complaint(args);
        assert!(complaint.contains(expected), "{args:?}: {complaint}");
    }
}
