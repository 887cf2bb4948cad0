//! `accrue calibrate` as a user sees it: networks whose quantiles are too narrow, right, or not there.

#[path = "common/command.rs"]
mod command;
#[path = "common/networks.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod networks;

use std::fs;
use std::path::Path;

use command::{accrue, complaint, lines, text};
use dataset::formats::{Format, create_sink};
use dataset::{DepthScore, MATE_SCORE, Record};
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Random, ToolkitGame};
use networks::{FULL, HEXCHESS, native, put};
use nnue::{Architecture, FloatParameters, NetworkFile};
use serde_json::Value;
use tempfile::tempdir;

/// Centipawns for an output of 1.
const CENTIPAWNS: f32 = 400.0;

/// A network that says the same of every position: quantiles that fit a normal spread of so many centipawns around 0.
fn constant(features: &str, inputs: usize, spread: f32) -> NetworkFile {
    let text = format!("{features} ({inputs}→8)×2→5 screlu");
    let architecture: Architecture = text.parse().unwrap();
    let mut parameters = FloatParameters::generate(&architecture, || 0.0, || 0.0, || 0.0, || 0.0);
    let levels = [-1.2816, -0.6745, 0.0, 0.6745, 1.2816].map(|at: f32| at * spread / CENTIPAWNS);
    let bias = &mut parameters.heads[0].bias;
    bias[0] = levels[0];
    for place in 1..levels.len() {
        // What softplus makes of it is the step.
        bias[place] = (levels[place] - levels[place - 1]).exp_m1().ln();
    }
    NetworkFile::new(architecture, parameters, "made by a test".into(), None).unwrap()
}

/// A normal number, as the sum of twelve uniform ones.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20)).sum::<f64>() - 6.0
}

/// Positions of random games whose scores are normal, of 100 centipawns at depth 2 and 200 at depth 8.
fn data<G: ToolkitGame>(path: &Path, games: u32) {
    let mut random = Random::new(4);
    let mut sink = create_sink::<G>(path, Format::Native, "a test", &[]).unwrap();
    for game in 1..=games {
        let mut position = G::start();
        for ply in 0..20 {
            let moves = position.legal_moves();
            let Some(&mv) = random.pick(&moves) else { break };
            let mut record = Record::new(position.clone());
            (record.game, record.ply, record.best_move) = (game, ply, Some(mv));
            let score = |depth, spread: f64, random: &mut Random| DepthScore {
                depth,
                score: (spread * normal(random)) as i16,
            };
            record.depths = vec![score(2, 100.0, &mut random), score(8, 200.0, &mut random)];
            if ply == 7 {
                record.depths[1].score = MATE_SCORE + 5;
            }
            sink.write(&record).unwrap();
            position.play(mv);
        }
    }
    sink.finish().unwrap();
}

fn path(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().unwrap().to_owned()
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&lines(args)[0]).unwrap()
}

/// How far the coverage of a row is from what it should be.
fn farthest(cell: &Value) -> f64 {
    let levels = [0.1, 0.25, 0.5, 0.75, 0.9];
    let below = cell["below"].as_array().unwrap().iter().map(|share| share.as_f64().unwrap());
    below.zip(levels).map(|(below, level)| (below - level).abs()).fold(0.0, f64::max)
}

#[test]
fn a_network_that_is_too_narrow_is_found_out_and_corrected() {
    let folder = tempdir().unwrap();
    let narrow = constant("chess.piece-square", 768, 30.0);
    let net = put(folder.path(), "narrow.accrue", narrow.write());
    let held = path(folder.path(), "held.data");
    data::<Chess>(held.as_ref(), 400);

    let output = accrue(&["calibrate", &net, "--data", &held, "--check"]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}{}", text(&output.stderr));
    assert!(said.contains("too narrow: q10 to q90, uncalibrated, hold"), "{said}");
    assert!(said.contains("76.0 %"), "{said}");

    // Nothing is written unless it is said where.
    let before = fs::read(&net).unwrap();
    let told = lines(&["calibrate", &net, "--data", &held]);
    assert!(told.last().unwrap().contains("nothing was written"), "{told:?}");
    assert_eq!(fs::read(&net).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);

    let (out, again) = (path(folder.path(), "out.accrue"), path(folder.path(), "again.accrue"));
    let page = path(folder.path(), "page.html");
    let calibrate =
        ["calibrate", &net, "--data", &held, "--out", &out, "--report", &page, "--json"];
    let report = json(&calibrate);
    // One in each game, but where it stands in check.
    let mates = report["data"]["scores_of_mates"].as_u64().unwrap();
    assert!((380..=400).contains(&mates), "{mates}");
    assert!(report.get("too_narrow").is_none());
    let all = &report["coverage"][0];
    assert!(farthest(&all["before"]) > 0.2 && all["before"]["off"] == true, "{all}");
    for row in report["coverage"].as_array().unwrap() {
        // The spread depends on the depth alone, and the corrections know the depth.
        if row["positions"].as_u64().unwrap() >= 1000 {
            assert!(farthest(&row["after"]) < 0.03, "{row}");
            assert_eq!(row["after"]["off"], false, "{row}");
        }
    }
    let skill = report["loss"]["after"]["skill"].as_f64().unwrap();
    assert!(skill.abs() < 0.02, "widths that know nothing have a skill of {skill}");

    lines(&["calibrate", &net, "--data", &held, "--out", &again]);
    assert_eq!(fs::read(&out).unwrap(), fs::read(&again).unwrap());
    let file = NetworkFile::read(&fs::read(&out).unwrap()).unwrap();
    assert_eq!(file.calibration().unwrap().ranges().depths, [2]);
    assert_eq!(file.parameters(), narrow.parameters());

    let info = |net: &str| lines(&["net", "info", net]).join("\n");
    assert!(info(&net).contains("calibration   none"), "{}", info(&net));
    assert!(
        info(&out).contains("in 2 ranges of depth, 4 of pieces and 4 of values"),
        "{}",
        info(&out)
    );
    let told = lines(&["calibrate", &out, "--data", &held, "--check"]);
    assert!(told.last().unwrap().starts_with("wide enough"), "{told:?}");

    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    // Reliability, coverage by depth, pieces and value before and after, correlations; each chart
    // has an inner picture that clips its lines.
    assert_eq!(page.matches("<svg width=\"480\"").count(), 8);
    for section in ["reliability", "coverage", "table", "signals"] {
        assert!(page.contains(&format!("<section id=\"{section}\">")), "no {section}");
    }
    let inside = page.matches("href=\"#").count();
    assert_eq!(page.matches("href=").count(), inside, "it needs nothing else");
    assert!(!page.contains("src=") && !page.contains("://"), "it needs nothing else");
}

#[test]
fn a_network_that_is_right_passes() {
    let folder = tempdir().unwrap();
    // Between the two spreads: 80 % of both together are inside.
    let net = constant("hexchess.piece-cell", 1110, 152.0);
    let net = put(folder.path(), "right.accrue", net.write());
    let held = path(folder.path(), "held.data");
    data::<Hexchess>(held.as_ref(), 200);
    let report = json(&["calibrate", &net, "--data", &held, "--check", "--json"]);
    assert_eq!(report["too_narrow"], false, "{report}");
}

#[test]
fn every_gauge_is_there_for_data_of_a_search() {
    let folder = tempdir().unwrap();
    let net = put(folder.path(), "net.accrue", native(FULL).write());
    let held = path(folder.path(), "held.data");
    lines(&[
        "datagen",
        "--out",
        &held,
        "--positions",
        "400",
        "--depths",
        "1,2,4",
        "--keep",
        "all",
        "--per-game",
        "8",
        "--soft-nodes",
        "500",
        "--hash",
        "1",
    ]);
    let few = ["--search-positions", "5", "--search-depth", "4"];
    let args = ["calibrate", &net, "--data", &held, "--order-positions", "50", "--json"];
    let report = json(&[&args[..], &few[..]].concat());
    let searches = &report["searches"];
    assert_eq!((&searches["positions"], &searches["depth"]), (&5.into(), &4.into()), "{report}");
    let made = |side: &str| searches[side]["made"].as_u64().unwrap();
    assert!(made("cutoffs_above_beta") + made("cutoffs_below_alpha") > 0, "{searches}");
    assert!(searches["nodes_by_ordering"].as_array().unwrap().iter().all(|n| n.as_u64() > Some(5)));
    let names: Vec<_> =
        report["signals"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        ["width q90 − q10", "|depth 1 − static|", "|simple evaluation − static|", "|static|"]
    );
    let compared = &report["policy"]["compared"];
    for order in ["policy", "captures_by_gain", "with_histories"] {
        assert_eq!(compared[order]["positions"], 50, "{report}");
    }
    // Random weights know nothing of moves; what exchanges say of them is fitted beside.
    let rank = |order: &str| report["policy"][order]["mean_rank"].as_f64().unwrap();
    assert!(rank("after") < rank("before"), "{report}");
    let told = lines(&["calibrate", &net, "--data", &held, "--order-positions", "0"]);
    assert!(!told.join("\n").contains("cutoffs"), "nothing is searched without a sample");
    let told = told.join("\n");
    for word in [
        "depth 4",
        "pieces",
        "|value|",
        "skill",
        "policy, uncalibrated",
        "policy, calibrated",
        "log-loss",
    ] {
        assert!(told.contains(word), "{word}: {told}");
    }
}

#[test]
fn what_cannot_be_calibrated_is_refused_by_name() {
    let folder = tempdir().unwrap();
    let held = path(folder.path(), "held.data");
    data::<Hexchess>(held.as_ref(), 20);
    let plain = put(folder.path(), "plain.accrue", native(HEXCHESS).write());
    let said = complaint(&["calibrate", &plain, "--data", &held]);
    assert!(said.contains("plain.accrue has no quantiles"), "{said}");

    let net = constant("hexchess.piece-cell", 1110, 100.0);
    let net = put(folder.path(), "net.accrue", net.write());
    let four = path(folder.path(), "four.data");
    data::<ConnectFour>(four.as_ref(), 5);
    let said = complaint(&["calibrate", &net, "--data", &four]);
    assert!(said.contains("does not fit connect_four"), "{said}");
    let said = complaint(&["calibrate", &net, "--data", &held, &four]);
    assert!(said.contains("connect_four") && said.contains("hexchess"), "{said}");

    let shallow = path(folder.path(), "shallow.data");
    lines(&[
        "datagen",
        "--game",
        "hexchess",
        "--out",
        &shallow,
        "--positions",
        "20",
        "--depth",
        "1",
    ]);
    let said = complaint(&["calibrate", &net, "--data", &shallow]);
    assert!(said.contains("no scores of several depths") && said.contains("--depths"), "{said}");
    let one = path(folder.path(), "one.data");
    data::<Hexchess>(one.as_ref(), 1);
    let said = complaint(&["calibrate", &net, "--data", &one]);
    assert!(said.contains("generate more games"), "{said}");
    complaint(&["calibrate", &net, "--data", &held, "--check", "--out", "x"]);
}
