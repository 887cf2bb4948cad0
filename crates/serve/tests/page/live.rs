//! Pages: positions, moves, analyses and reviews through the interface that the page uses.

use std::time::{Duration, Instant};

use crate::socket::Socket;
use crate::support::Running;
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(30);

fn line(game: &str, moves: &[&str]) -> Value {
    json!({ "game": game, "moves": moves })
}

#[test]
fn the_page_and_its_files_are_there() {
    let server = Running::start();
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert!(page.head.contains("content-security-policy: default-src 'none'"), "{}", page.head);
    for file in page.body.split('"').filter(|text| text.starts_with('/') && text.contains('.')) {
        assert_eq!(server.get(file).status, 200, "{file}");
    }
    let games = server.get("/api/games").json();
    let names: Vec<_> =
        games["games"].as_array().unwrap().iter().map(|game| &game["name"]).collect();
    assert_eq!(names, ["chess", "hexchess", "connect_four"]);
    assert_eq!(games["games"][2]["drops"], true);
    let tag = page.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap();
    assert_eq!(server.send("GET", "/", &[("If-None-Match", tag)], "").status, 304);
}

#[test]
fn a_position_has_its_moves_and_an_evaluation_its_band() {
    let server = Running::start();
    let position = server.post("/api/position", &line("hexchess", &[])).json();
    assert_eq!(position["pieces"].as_array().unwrap().len(), 91);
    assert!(position["moves"].as_array().unwrap().len() > 40);
    let request = json!({ "line": line("chess", &["e2e4"]), "explain": true });
    let view = server.post("/api/evaluate", &request).json();
    let band = view["quantile_expected"].as_array().unwrap();
    let band: Vec<f64> = band.iter().map(|share| share.as_f64().unwrap()).collect();
    assert!(band.windows(2).all(|pair| pair[0] <= pair[1]) && band[0] > 0.0 && band[4] < 1.0);
    let shares = view["policy"].as_array().unwrap().iter();
    let sum: f64 = shares.map(|of| of["probability"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-3, "{sum}");
    assert_eq!(view["pieces"].as_array().unwrap().len(), 32);
    // A game without a network has its material, and no band.
    let plain =
        server.post("/api/evaluate", &json!({ "line": line("connect_four", &["d"]) })).json();
    assert_eq!((&plain["network"], &plain["quantiles"]), (&Value::Null, &Value::Null));
}

#[test]
fn a_curve_is_white_s_and_ends_with_the_result() {
    let server = Running::start();
    let mate = line("chess", &["f2f3", "e7e5", "g2g4", "d8h4"]);
    let curve =
        server.post("/api/curve", &json!({ "line": mate, "scores": [null, { "cp": -30 }] })).json();
    let points = curve["points"].as_array().unwrap();
    assert_eq!((points.len(), &points[4]["expected"]), (5, &json!(0.0)));
    let svg = curve["svg"].as_str().unwrap();
    assert!(
        svg.contains("data-plot=") && svg.contains("search") && !svg.contains("style="),
        "{svg}"
    );
}

#[test]
fn pgn_goes_out_and_in() {
    let server = Running::start();
    for (game, moves) in [
        ("chess", vec!["e2e4", "e7e5", "g1f3"]),
        ("hexchess", vec!["e4e5"]),
        ("connect_four", vec!["d", "d", "e"]),
    ] {
        let tags = json!({ "White": "A \"quoted\" name", "Black": "B]" });
        let written = json!({ "line": line(game, &moves), "tags": tags, "result": "1-0", "reason": "} resigns" });
        let pgn =
            server.post("/api/pgn/write", &written).json()["pgn"].as_str().unwrap().to_owned();
        let read = server.post("/api/pgn/read", &json!({ "game": game, "pgn": pgn })).json();
        let read = &read["games"][0];
        assert_eq!(read["line"]["moves"], json!(moves), "{pgn}");
        assert_eq!(
            (&read["result"], &read["tags"]["White"]),
            (&json!("1-0"), &json!("A \"quoted\" name"))
        );
    }
    let bad = server.post("/api/pgn/read", &json!({ "game": "chess", "pgn": "1. e5" }));
    assert_eq!((bad.status, bad.code().as_str()), (400, "bad_pgn"));
}

#[test]
fn every_level_of_every_game_plays_a_legal_move() {
    let server = Running::start();
    let mut socket = Socket::open(&server);
    for game in ["chess", "hexchess", "connect_four"] {
        let legal = server.post("/api/position", &line(game, &[])).json();
        let legal: Vec<_> =
            legal["moves"].as_array().unwrap().iter().map(|mv| mv["text"].clone()).collect();
        for level in 1..=6 {
            socket.send(
                &json!({ "type": "play", "id": level, "line": line(game, &[]), "level": level }),
            );
            let answer = socket.wait_for("move", PATIENCE);
            assert!(legal.contains(&answer["move"]), "{game} {answer}");
            let source = if level > 3 {
                "search"
            } else if game == "connect_four" {
                "evaluation"
            } else {
                "policy"
            };
            assert_eq!(answer["source"], source);
        }
    }
    // Full strength by the clock, and a hint.
    let clock = json!({ "white": 600, "black": 600, "increment": 0 });
    socket.send(&json!({ "type": "play", "id": 90, "line": line("chess", &[]), "level": 9, "clock": clock }));
    assert!(socket.wait_for("move", PATIENCE)["time_ms"].as_u64().unwrap() < 600);
    socket.send(&json!({ "type": "hint", "id": 91, "line": line("chess", &["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6"]) }));
    let hint = socket.wait_for("move", PATIENCE);
    assert_eq!((&hint["move"], &hint["score"]), (&json!("h5f7"), &json!({ "mate": 1 })));
}

#[test]
fn an_analysis_finds_a_mate_and_reports_every_second() {
    let server = Running::start();
    let mut socket = Socket::open(&server);
    let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let mate = json!({ "game": "chess", "fen": fen });
    socket.send(&json!({ "type": "analyse", "id": 1, "line": mate, "multipv": 3 }));
    let begun = Instant::now();
    let mut last = Instant::now();
    let mut found = false;
    while begun.elapsed() < Duration::from_secs(4) {
        let report = socket.wait_for("analysis", Duration::from_secs(2));
        assert!(last.elapsed() < Duration::from_secs(1), "{:?}", last.elapsed());
        last = Instant::now();
        assert_eq!(report["running"], true);
        found |= report["lines"][0]["score"] == json!({ "mate": 2 });
        assert!(report["lines"].as_array().unwrap().len() <= 3);
    }
    assert!(found);
    // Another position in the same slot ends the first; `stop` ends it.
    let id = |message: &Value| message["id"].as_u64().unwrap();
    socket.send(&json!({ "type": "analyse", "id": 2, "line": line("hexchess", &[]) }));
    while id(&socket.wait_for("analysis", PATIENCE)) != 2 {}
    for _ in 0..3 {
        assert_eq!(id(&socket.wait_for("analysis", PATIENCE)), 2);
    }
    socket.send(&json!({ "type": "stop", "id": 2 }));
    while socket.next(Duration::from_millis(900)).is_some() {}
    wait_until_idle(&server, Duration::from_secs(6));
}

#[test]
fn a_review_names_the_blunder() {
    let server = Running::start();
    let mut socket = Socket::open(&server);
    // 3. Qxf7+?? gives the queen away.
    let moves = ["e2e4", "e7e5", "d1h5", "g8f6", "h5f7", "e8f7", "b1c3", "b8c6"];
    socket
        .send(&json!({ "type": "review", "id": 5, "line": line("chess", &moves), "nodes": 3000 }));
    for ply in 1..=moves.len() {
        let reviewed = socket.wait_for("review_move", PATIENCE);
        assert_eq!(reviewed["ply"], ply);
        if ply == 5 {
            assert_eq!(
                (&reviewed["judgement"], &reviewed["played"]["san"]),
                (&json!("blunder"), &json!("Qxf7+"))
            );
            assert!(reviewed["loss"].as_f64().unwrap() > 0.2, "{reviewed}");
        }
    }
    let done = socket.wait_for("review_done", PATIENCE);
    assert!(done["worst"].as_array().unwrap().contains(&json!(5)), "{done}");
    assert_eq!(done["white"]["blunders"].as_u64().unwrap(), 1, "{done}");
}

#[test]
fn a_closed_page_ends_its_search_within_a_second() {
    let server = Running::start();
    let mut socket = Socket::open(&server);
    socket.send(&json!({ "type": "analyse", "id": 1, "line": line("chess", &[]) }));
    socket.wait_for("analysis", PATIENCE);
    assert_eq!(server.get("/api/status").json()["busy_threads"], 1);
    drop(socket);
    wait_until_idle(&server, Duration::from_secs(1));
}

fn wait_until_idle(server: &Running, patience: Duration) {
    let begun = Instant::now();
    loop {
        let status = server.get("/api/status").json();
        if status["busy_threads"] == 0 && status["searches"] == 0 {
            return;
        }
        assert!(begun.elapsed() < patience, "{status}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn wrong_messages_are_answered_with_a_sentence() {
    let server = Running::start();
    let mut socket = Socket::open(&server);
    let chess = line("chess", &[]);
    for (message, code) in [
        (json!({ "type": "dance", "id": 1 }), "bad_message"),
        (json!([1, 2]), "bad_message"),
        (json!({ "type": "play", "id": 3, "line": chess, "level": 77 }), "bad_level"),
        (json!({ "type": "play", "id": 4, "line": line("go", &[]), "level": 1 }), "no_such_game"),
        (
            json!({ "type": "play", "id": 5, "line": line("chess", &["e2e5"]), "level": 1 }),
            "bad_move",
        ),
        (json!({ "type": "analyse", "id": 6, "line": chess, "slot": 9 }), "bad_slot"),
        (json!({ "type": "analyse", "id": 7, "line": chess, "multipv": 0 }), "bad_multipv"),
        (json!({ "type": "review", "id": 8, "line": chess, "nodes": 999_999_999 }), "bad_nodes"),
        (json!({ "type": "analyse", "id": 9, "line": chess, "network": "file:../x" }), "bad_path"),
        (json!({ "type": "watch", "id": 10, "path": "../../etc" }), "bad_path"),
    ] {
        socket.send(&message);
        let answer = socket.next(PATIENCE).unwrap();
        assert_eq!(
            (&answer["type"], &answer["error"]["code"]),
            (&json!("error"), &json!(code)),
            "{answer}"
        );
        assert!(answer["error"]["message"].as_str().unwrap().len() > 10, "{answer}");
    }
}
