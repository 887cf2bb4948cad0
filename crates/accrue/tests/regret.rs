//! `accrue regret` as a whole.

#[path = "common/command.rs"]
mod command;

use std::fs;

use command::{complaint, lines};

const QUICK: [&str; 8] = [
    "--count",
    "12",
    "--nodes",
    "200",
    "--reference-nodes",
    "1000",
    "--reference",
    "name=reference,hash=1",
];

fn regret(args: &[&str]) -> Vec<String> {
    lines(&[&["regret", "name=a,hash=1"], args, &QUICK[..]].concat())
}

#[test]
fn every_game_has_the_same_bytes_at_any_concurrency() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["chess", "hexchess", "connect_four"] {
        let cache = folder.path().join(game);
        let cache = cache.to_str().unwrap();
        let engines = ["name=same,hash=1", "name=few,hash=1,nodes=10", "--game", game];
        let alone = regret(&engines);
        assert!(alone[0].starts_with("12 positions, "), "{alone:?}");
        let same = alone.iter().find(|line| line.starts_with("a vs same")).unwrap();
        assert!(same.contains("0.000 ± 0.000") && same.ends_with("-  0"), "{same}");
        let cached = [&engines[..], &["--cache", cache, "--concurrency", "3"]].concat();
        assert_eq!(regret(&cached), alone);
        // Now the cache has everything, and only the number of searches is another.
        let again = regret(&cached);
        assert_eq!(again[0], "12 positions, 0 new reference searches");
        assert_eq!(again[1..], alone[1..]);
    }
}

#[test]
fn json_has_the_same_figures() {
    let text = regret(&["name=b,hash=1,nodes=20", "--json"]).concat();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&value["game"], &value["positions"]), (&"chess".into(), &12.into()));
    assert_eq!(value["engines"].as_array().unwrap().len(), 2);
    let comparison = &value["comparisons"][0];
    let means = [0, 1].map(|engine: usize| value["engines"][engine]["mean"].as_f64().unwrap());
    let difference = comparison["mean"].as_f64().unwrap();
    assert!((means[0] - means[1] - difference).abs() < 1e-12, "{text}");
    assert!(comparison["t"].is_number() && comparison["moves_differ"].as_u64().unwrap() > 0);
}

#[test]
fn mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (positions, cache) = (path("bad.epd"), path("bad.cache"));
    fs::write(&positions, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8\n")
        .unwrap();
    fs::write(&cache, "accrue-regret 1 chess #00000000\n").unwrap();
    for (options, fault) in [
        (["--positions", &positions], "bad.epd, line 2"),
        (["--cache", &cache], "bad.cache, line 1"),
        (["--reference", "net=nothing.accrue"], "nothing.accrue"),
        (["--reference", "moves=random"], "reports no score"),
        (["--count", "0"], "--count"),
    ] {
        let small = ["--nodes", "10", "--reference-nodes", "10"];
        let args = [&["regret", "name=a,hash=1", "moves=random"], &options[..], &small].concat();
        let found = complaint(&args);
        assert!(found.contains(fault), "{found}");
    }
}
