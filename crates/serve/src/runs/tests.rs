//! Tests with small real runs of connect four.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::contest::{MatchState, MatchStatus, MatchSummary};
use arena::networks::{BuiltInNetworks, NetworkLoader};
use arena::tournament::LiveGame;
use arena::{EngineSpec, Model, SearchLimits, Sprt};
use dataset::GameList;
use games::connect_four::ConnectFour;
use games::{Game, GameHistory};
use nnue::ScoreModel;
use pipeline::Context;
use pipeline::looping::{LoopFolder, LoopState, TestedGeneration};
use pipeline::quickstart::Recipe;
use pipeline::stages::PlayMatch;
use serde_json::{Value, json};

use super::*;
use crate::game::{GameServer, ServedGame};
use crate::root::Root;
use crate::server::ServeOptions;

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_mins(2);

fn app(root: &Path) -> Arc<App> {
    let games = GameList::new().with::<ConnectFour>();
    let loader = NetworkLoader::new(games, BuiltInNetworks::new());
    let model = ScoreModel::constant(154.0, 116.0);
    let game = GameServer::<ConnectFour>::new(loader.clone(), Recipe::CONNECT_FOUR, model);
    let games: Vec<Arc<dyn ServedGame>> = vec![Arc::new(game)];
    let options = ServeOptions {
        host: "127.0.0.1".into(),
        port: 0,
        root: root.to_owned(),
        threads: 1,
        token: None,
    };
    Arc::new(App::new(games, loader, Root::new(root).unwrap(), options))
}

/// The view of a run, read from its files now.
fn view(app: &App, path: &str) -> Value {
    *app.runs.cache() = Cache::default();
    serde_json::from_str(&app.runs.view_json(app, path).unwrap()).unwrap()
}

/// The list of runs, read now.
fn list(app: &App) -> Vec<Value> {
    *app.runs.cache() = Cache::default();
    let list: Value = serde_json::from_str(&app.runs.list_json(app).unwrap()).unwrap();
    list["runs"].as_array().unwrap().clone()
}

fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_there() {
        assert!(start.elapsed() < PATIENCE, "{what} takes too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_quickstart_is_started_stopped_resumed_and_finished() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let jobs = &app.runs.jobs;
    for (name, minutes, threads) in [
        ("../four", 0.01, Some(1)),
        (".four", 0.01, Some(1)),
        ("a,b", 0.01, Some(1)),
        ("", 0.01, Some(1)),
        ("four", 0.001, Some(1)),
        ("four", f64::NAN, Some(1)),
        ("four", 1e9, Some(1)),
        ("four", 0.01, Some(0)),
    ] {
        let started = jobs.begin(&app, "connect_four", name, minutes, threads);
        assert!(started.is_err(), "{name} {minutes} {threads:?}");
    }
    assert!(jobs.begin(&app, "go", "four", 0.01, Some(1)).is_err());
    let path = jobs.begin(&app, "connect_four", "four", 0.01, Some(1)).unwrap();
    assert_eq!(app.root.relative(&path), "four");
    let seen = view(&app, "four");
    assert_eq!((&seen["status"], &seen["can_stop"]), (&json!("running"), &json!(true)), "{seen}");
    // Nobody else may use the folder or the name.
    assert!(jobs.resume(&app, "four").is_err());
    assert!(jobs.begin(&app, "connect_four", "four", 0.01, Some(1)).is_err());
    wait_for("data", || path.join("games.data").exists());
    jobs.stop(&app, "four").unwrap();
    wait_for("the end", || jobs.view(&path).is_some_and(|job| job.end.is_some()));
    let seen = view(&app, "four");
    assert_eq!((&seen["status"], &seen["can_resume"]), (&json!("stopped"), &json!(true)), "{seen}");
    assert!(jobs.stop(&app, "four").is_err());

    jobs.resume(&app, "four").unwrap();
    wait_for("the end", || jobs.view(&path).is_some_and(|job| job.end.is_some()));
    let seen = view(&app, "four");
    assert_eq!(seen["status"], "finished", "{seen}");
    assert_eq!((&seen["game"], &seen["error"]), (&json!("connect_four"), &Value::Null));
    let stages = seen["stages"].as_array().unwrap();
    assert!(stages.len() == 6 && stages.iter().all(|stage| stage["status"] == "done"), "{seen}");
    let children =
        ["four/games.data", "four/match.journal", "four/random.journal", "four/training"];
    assert_eq!(seen["children"], json!(children));

    // What it made are runs of their own.
    let runs = list(&app);
    assert!(runs.iter().all(|run| run["status"] == "finished"), "{runs:?}");
    assert_eq!(runs.len(), 5);
    let training = view(&app, "four/training");
    assert_eq!(training["superbatches"].as_array().unwrap().len(), 20);
    assert_eq!(training["step"], training["steps"]);
    assert!(training["neurons"].as_str().unwrap().starts_with("<svg"), "{training}");
    assert_eq!(training["charts"].as_array().unwrap().len(), 2);
    let data = view(&app, "four/games.data");
    assert!(
        data["positions"].as_u64() >= Some(3000) && data["positions"] == data["target"],
        "{data}"
    );
    assert!(data["results"].is_string() && data["scores"].is_string(), "{data}");
    let played = view(&app, "four/random.journal");
    assert_eq!(played["pairings"][0]["games"], played["total"], "{played}");
    let game = app.runs.game(&app, "four/random.journal", 1).unwrap();
    assert_eq!((&game["white"], &game["line"]["game"]), (&json!("net"), &json!("connect_four")));
    // The report is a page of its own.
    let html = html_report::read(&app, "four").unwrap();
    assert!(html.starts_with(b"<!doctype html>"));
    app.runs.shut_down();
}

const BEGIN: &str = "{\"type\":\"begin\",\"step\":0,\"steps\":30,\"architecture\":\"a net\",\
                     \"features\":\"connect_four.cells\"}\n";

fn superbatch(number: u64) -> String {
    let step = 10 * number;
    format!(
        "{{\"type\":\"superbatch\",\"superbatch\":{number},\"step\":{step},\"loss\":0.5,\
         \"validation\":{{\"loss\":0.6,\"best\":true}},\"rate\":0.001,\
         \"positions_per_second\":1000,\"seconds\":{{\"step\":2.0}}}}\n"
    )
}

#[test]
fn a_training_grows() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let log = folder.path().join("training/log.jsonl");
    fs::create_dir(folder.path().join("training")).unwrap();
    let mut text = BEGIN.to_owned();
    for number in 1..=2 {
        text += &superbatch(number);
        fs::write(&log, format!("{text}{{\"torn")).unwrap();
        let seen = view(&app, "training");
        assert_eq!(seen["superbatches"].as_array().unwrap().len(), number as usize);
        assert_eq!(seen["status"], "running");
        assert_eq!(seen["seconds_left"], json!(2.0 * (3 - number) as f64));
        assert_eq!((&seen["steps"], &seen["architecture"]), (&json!(30), &json!("a net")));
        assert_eq!((&seen["game"], &seen["neurons"]), (&json!("connect_four"), &Value::Null));
    }
    text += &superbatch(3);
    text += "{\"type\":\"end\",\"step\":30,\"ended\":\"finished\"}\n";
    fs::write(&log, &text).unwrap();
    let seen = view(&app, "training");
    assert_eq!((&seen["status"], &seen["progress"]), (&json!("finished"), &json!(1.0)));
    // A log of nonsense is no reason to fail.
    fs::write(&log, [0xff, b'\n', 0xfe, b'\n', b'7', b'\n']).unwrap();
    let seen = view(&app, "training");
    assert!(seen["summary"].as_str().unwrap().contains("3 lines of the log are damaged"), "{seen}");
    // Neither is a training of long ago that did not end.
    fs::write(&log, BEGIN).unwrap();
    let old = std::time::SystemTime::now() - Duration::from_hours(1);
    fs::File::options().write(true).open(&log).unwrap().set_modified(old).unwrap();
    assert_eq!(view(&app, "training")["status"], "stopped");
}

/// A match of 40 games that an SPRT decides earlier.
fn match_stage(journal: &Path) -> PlayMatch {
    let search = "name=search,nodes=200,hash=1".parse().unwrap();
    let limits = SearchLimits { nodes: Some(200), ..SearchLimits::default() };
    PlayMatch {
        limits,
        random_plies: 4,
        games: 40,
        sprt: Some(Sprt::new(0.0, 100.0, 0.05, 0.05, Model::Normalized).unwrap()),
        concurrency: 2,
        journal: Some(journal.to_owned()),
        ..PlayMatch::new("connect_four", vec![search, EngineSpec::random()])
    }
}

#[test]
fn a_match_is_shown_as_the_arena_counts_it() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let journal = folder.path().join("a.journal");
    let model = ScoreModel::constant(154.0, 116.0);
    let (networks, stop) = (&app.networks, &AtomicBool::new(false));
    let context = Context { games: networks.games(), networks, score_model: &model, stop };
    let contest = match_stage(&journal).contest::<ConnectFour>(&context).unwrap();
    let mut played = Vec::new();
    let result = contest.play(stop, &mut |event| {
        if let arena::contest::ContestEvent::Finished(fixture, game, _) = event {
            let mut position = game.record.opening().start.clone();
            let text = game.record.moves().map(|mv| {
                let text = position.move_text(mv);
                position.play(mv);
                text
            });
            let moves: Vec<String> = text.collect();
            played.push((fixture.number, moves, game.result(), game.reason()));
        }
        std::ops::ControlFlow::Continue(())
    });
    let result = result.unwrap();
    let summary = MatchSummary::new(&contest, &result).unwrap();
    let expected = serde_json::to_value(&summary).unwrap();
    let seen = view(&app, "a.journal");
    for field in ["elo0", "elo1", "llr", "lower", "upper", "accepted"] {
        assert_eq!(seen["sprt"][field], expected["sprt"][field], "{field}");
    }
    assert_eq!(seen["sprt"]["accepted"], "H1");
    assert_eq!((&seen["status"], &seen["total"]), (&json!("finished"), &json!(40)));
    for field in ["first", "second", "games", "points", "pentanomial", "elo", "elo_error", "los"] {
        assert_eq!(seen["pairings"][0][field], expected["pairings"][0][field], "{field}");
    }
    for (index, engine) in seen["engines"].as_array().unwrap().iter().enumerate() {
        assert_eq!(engine["elo"], expected["engines"][index]["elo"]);
        assert_eq!(engine["standing"], json!(index + 1));
    }
    assert!(seen["llr_chart"].as_str().unwrap().contains("H1 is accepted"), "{seen}");
    assert!(!played.is_empty());
    for (number, moves, result, reason) in &played {
        let game = app.runs.game(&app, "a.journal", number + 1).unwrap();
        assert_eq!(game["line"]["moves"], json!(moves));
        assert_eq!((&game["result"], &game["reason"]), (&json!(result), &json!(reason)));
        assert_eq!(game["scores"].as_array().unwrap().len(), moves.len());
        let rows = seen["games"].as_array().unwrap();
        let row = rows.iter().find(|row| row["number"] == json!(number + 1)).unwrap();
        assert_eq!((&row["reason"], &row["white"]), (&game["reason"], &game["white"]));
    }
    for number in [0, 4000, u64::MAX] {
        assert!(app.runs.game(&app, "a.journal", number).is_err());
    }

    // A torn line is not counted, a damaged one is named.
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, &text[..text.len() - 7]).unwrap();
    let games = seen["games"].as_array().unwrap().len();
    let torn = view(&app, "a.journal");
    assert_eq!(torn["games"].as_array().unwrap().len(), games - 1);
    fs::write(&journal, text.replacen("\ngame 1 ", "\ngame 1  ", 1)).unwrap();
    let damaged = view(&app, "a.journal");
    assert!(damaged["summary"].as_str().unwrap().contains("damaged"), "{damaged}");
    fs::write(&journal, "something else\n").unwrap();
    let foreign = view(&app, "a.journal");
    assert!(foreign["summary"].as_str().unwrap().contains("not the journal"), "{foreign}");

    // Without its status, a match of an older program shows its results.
    fs::write(&journal, &text).unwrap();
    fs::remove_file(MatchStatus::path(&journal)).unwrap();
    let old = view(&app, "a.journal");
    assert_eq!(old["engines"][0]["name"], "search");
    assert!(old["pairings"][0]["games"].as_u64() > Some(0) && old["sprt"].is_null(), "{old}");
    hostile_status(&app, &journal);
}

fn hostile_status(app: &App, journal: &Path) {
    let mut line = GameHistory::new(ConnectFour::start());
    let mv = line.position().legal_moves()[3];
    line.play(mv);
    let code = ConnectFour::move_code(mv);
    let fen = ConnectFour::start().to_fen();
    let live = LiveGame { number: 7, players: [1, 0], fen, moves: vec![code] };
    let status = MatchStatus {
        format: MatchStatus::FORMAT.to_owned(),
        game: "connect_four".to_owned(),
        rules: Vec::new(),
        engines: vec!["one".to_owned(), "two".to_owned()],
        gauntlet: false,
        games: 40,
        sprt: None,
        anchors: Vec::new(),
        state: MatchState::Playing,
        accepted: None,
        live: vec![live.clone()],
    };
    let path = MatchStatus::path(journal);
    let write = |status: &MatchStatus| {
        fs::write(&path, serde_json::to_vec(status).unwrap()).unwrap();
        view(app, "a.journal")
    };
    let seen = write(&status);
    let board = &seen["live"][0];
    assert_eq!((&board["number"], &board["white"]), (&json!(8), &json!("two")));
    assert_eq!((&board["ply"], board["last"].as_array().unwrap().len()), (&json!(1), 1));
    assert_eq!(board["pieces"].as_array().unwrap().iter().flatten_strings(), 1);
    for wrong in [
        LiveGame { moves: vec![u32::MAX], ..live.clone() },
        LiveGame { moves: vec![code; 3000], ..live.clone() },
        LiveGame { fen: "nonsense".into(), ..live.clone() },
        LiveGame { players: [0, 99], ..live.clone() },
        LiveGame { number: u64::MAX, moves: vec![9999], ..live.clone() },
    ] {
        let seen = write(&MatchStatus { live: vec![wrong], ..status.clone() });
        assert_eq!(seen["live"], json!([]), "{seen}");
    }
    for wrong in [
        MatchStatus { format: "2".into(), ..status.clone() },
        MatchStatus { engines: vec!["one".into()], ..status.clone() },
        MatchStatus { engines: vec!["a".into(); 10_000], ..status.clone() },
        MatchStatus { anchors: vec![(5, 0.0)], ..status.clone() },
        MatchStatus { games: u64::MAX, game: "go".into(), ..status.clone() },
    ] {
        let seen = write(&wrong);
        assert_eq!(seen["kind"], "match", "{seen}");
    }
    for bytes in [&b""[..], b"{", b"[1,2]", &[0xff; 100], &vec![b' '; 5 << 20]] {
        fs::write(&path, bytes).unwrap();
        let seen = view(app, "a.journal");
        assert!(seen["summary"].as_str().unwrap().contains("status cannot be read"), "{seen}");
    }
}

/// How many of some JSON values are strings.
trait Strings {
    fn flatten_strings(self) -> usize;
}

impl<'a, T: Iterator<Item = &'a Value>> Strings for T {
    fn flatten_strings(self) -> usize {
        self.filter(|value| value.is_string()).count()
    }
}

#[test]
fn a_loop_shows_its_generations() {
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let path = folder.path().join("loop");
    fs::create_dir_all(path.join("gen-0000")).unwrap();
    fs::create_dir_all(path.join("gen-0001/training")).unwrap();
    fs::write(path.join("gen-0000/net.accrue"), "").unwrap();
    assert_eq!(view(&app, "loop")["stage"], "training");
    let config = "game = \"connect_four\"\ngenerations = 1\n[network]\n\
                  features = \"connect_four.cells\"\n[loss.value]\n";
    for name in ["loop.toml", "games.data.manifest.json", "net.accrue", "gate.journal"] {
        fs::write(path.join("gen-0001").join(name), config).unwrap();
    }
    fs::write(path.join("gen-0001/training/log.jsonl"), BEGIN.to_owned() + &superbatch(1)).unwrap();
    let loop_folder = LoopFolder::existing(path.clone()).unwrap();
    let mut state = LoopState::default();
    state.add(TestedGeneration {
        number: 1,
        against: 0,
        promoted: true,
        verdict: "H1".into(),
        games: 10,
        points: 7.5,
        elo: 190.0,
        error: None,
        rating: 190.0,
    });
    state.write(&loop_folder).unwrap();
    let seen = view(&app, "loop");
    let generation = &seen["generations"][0];
    assert_eq!((&generation["score"], &generation["elo_error"]), (&json!(0.75), &Value::Null));
    assert_eq!(generation["seconds"]["training"], json!(2.0), "{seen}");
    assert_eq!(seen["status"], "finished", "{seen}");
    assert!(seen["chart"].as_str().unwrap().starts_with("<svg"));
    fs::write(path.join("state.toml"), "generations = 7").unwrap();
    let seen = view(&app, "loop");
    assert!(seen["summary"].as_str().unwrap().contains("damaged"), "{seen}");
}

#[test]
fn damaged_files_and_links_are_harmless() {
    let outside = tempfile::tempdir().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let app = app(folder.path());
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    put("a.data", &[7; 1000]);
    put("empty.data", b"");
    put("b.journal", &[0xff; 1000]);
    put("empty.journal", b"");
    put("q/quickstart.toml", b"minutes = [");
    put("t/log.jsonl", b"");
    let runs = list(&app);
    assert_eq!(runs.len(), 6);
    for run in &runs {
        let path = run["path"].as_str().unwrap();
        // An empty log is that of a training that begins.
        assert_eq!(run["status"] == "running", path == "t", "{run}");
        assert_eq!(view(&app, path)["path"], run["path"]);
    }
    for path in ["", "nothing", "../a", "/etc/passwd", "a.data/x", "t/log.jsonl"] {
        assert!(app.runs.view_json(&app, path).is_err(), "{path}");
        assert!(html_report::read(&app, path).is_err(), "{path}");
        assert!(app.runs.jobs.resume(&app, path).is_err(), "{path}");
        assert!(app.runs.jobs.stop(&app, path).is_err(), "{path}");
    }
    assert!(app.runs.game(&app, "a.data", 1).is_err());
    #[cfg(unix)]
    {
        let link = |from: &Path, to: &str| {
            std::os::unix::fs::symlink(from, folder.path().join(to)).unwrap();
        };
        let secret = outside.path().join("secret");
        fs::write(&secret, "secret").unwrap();
        link(&secret, "t/report.html");
        link(&secret, "c.journal");
        link(outside.path(), "linked");
        fs::write(outside.path().join("report.html"), "secret").unwrap();
        assert!(html_report::read(&app, "t").is_err());
        assert!(html_report::read(&app, "linked").is_err());
        assert_eq!(list(&app).len(), 6);
    }
}
