//! `accrue speed`: the form of the tables. The figures themselves are whatever the machine gives.

#[path = "common/command.rs"]
mod command;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "common/networks.rs"]
mod networks;

use command::{complaint, lines};
use networks::{FLOAT, FULL, SIMPLE, bullet, native, noru, put};
use nnue::Kernel;
use serde_json::Value;

const QUICK: [&str; 3] = ["speed", "--seconds", "0.001"];

fn kernels() -> Vec<&'static str> {
    Kernel::available().into_iter().map(Kernel::name).collect()
}

fn tables(args: &[&str]) -> Vec<Value> {
    let lines = lines(&[&QUICK[..], &["--json"], args].concat());
    assert_eq!(lines.len(), 1, "{lines:?}");
    serde_json::from_str(&lines[0]).expect("a list in JSON")
}

/// Every kernel has a positive figure for every operation; gives how many there are.
fn check(table: &Value) -> usize {
    assert_eq!(table["kernels"], serde_json::json!(kernels()));
    let rows = table["rows"].as_array().expect("the rows");
    for row in rows {
        let figures = row["nanoseconds"].as_array().expect("the figures");
        assert_eq!(figures.len(), kernels().len(), "{row}");
        let figures = figures.iter().chain([&row["floor"]]);
        let figures: Vec<_> = figures.map(|figure| figure.as_f64().expect("a number")).collect();
        assert!(figures.iter().all(|&figure| figure > 0.0 && figure.is_finite()), "{row}");
    }
    rows.len()
}

#[test]
fn usual_networks_without_a_file() {
    let tables = tables(&[]);
    assert_eq!(tables.len(), 5);
    let rows: Vec<usize> = tables.iter().map(check).collect();
    assert_eq!(rows, [5, 5, 5, 5, 6], "the last has a policy");
    assert_eq!(tables[0]["network"], "(768→256)×2→1 screlu");
}

#[test]
fn any_network_in_a_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tiny = native("raw:2 2→1→1 crelu").write();
    for (name, bytes, architecture, args) in [
        ("full.accrue", native(FULL).write(), FULL, &[][..]),
        ("float.accrue", native(FLOAT).write(), FLOAT, &[]),
        ("tiny.accrue", tiny, "2→1→1 crelu", &[]),
        ("noru.bin", noru(), "(768→16)×2→8→1 screlu,crelu", &[]),
        ("quantised.bin", bullet(), SIMPLE, &["--architecture", SIMPLE]),
    ] {
        let path = put(folder.path(), name, bytes);
        let tables = tables(&[&["--net", &path], args].concat());
        assert_eq!(tables.len(), 1, "{name}");
        let shown = tables[0]["network"].as_str().expect("the network");
        assert!(shown.starts_with(architecture), "{name}: {shown}");
        assert_eq!(check(&tables[0]), if architecture == FULL { 6 } else { 5 }, "{name}");
    }
}

#[test]
fn a_table_names_the_kernels() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = put(folder.path(), "full.accrue", native(FULL).write());
    let lines = lines(&[&QUICK[..], &["--net", &path]].concat());
    assert_eq!(lines[0], FULL);
    let heading: Vec<&str> = lines[1].split_whitespace().collect();
    assert_eq!(heading, [&["floor"], &kernels()[..], &["best", "/", "floor"]].concat());
    for (line, operation) in
        lines[2..].iter().zip(["update, hot", "update, cold", "refresh", "evaluate", "", "policy"])
    {
        assert!(line.trim_start().starts_with(operation), "{line}");
        let figures = line.split_whitespace().rev().take(2 + kernels().len());
        assert!(figures.clone().all(|figure| figure.parse::<f64>().is_ok()), "{line}");
    }
}

#[test]
fn seconds_have_limits() {
    for seconds in ["0", "-1", "61", "NaN", "inf", "x", ""] {
        let complaint = complaint(&["speed", &format!("--seconds={seconds}")]);
        assert!(complaint.contains("0.001 to 60"), "{seconds}: {complaint}");
    }
}
