//! Hostile clients: whatever they send, they get an error with a sentence, and others are served.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use crate::socket::Socket;
use crate::support::Running;
use serde_json::json;
use serve::Token;

const JSON: (&str, &str) = ("Content-Type", "application/json");

#[test]
fn a_page_elsewhere_cannot_drive_the_server() {
    let server = Running::start();
    let own = format!("http://{}", server.address);
    let body = r#"{"game":"chess"}"#;
    let post = |headers: &[(&str, &str)]| server.send("POST", "/api/position", headers, body);
    assert_eq!(post(&[JSON]).status, 200);
    assert_eq!(post(&[JSON, ("Origin", &own)]).status, 200);
    for origin in
        ["http://evil.example", "null", "https://127.0.0.1", &format!("{own}.evil.example")]
    {
        let answer = post(&[JSON, ("Origin", origin)]);
        assert_eq!((answer.status, answer.code().as_str()), (403, "foreign_origin"), "{origin}");
        assert!(Socket::with_origin(&server, Some(origin)).is_err(), "{origin}");
    }
    assert!(Socket::with_origin(&server, Some(&own)).is_ok());
    for site in ["cross-site", "same-site"] {
        assert_eq!(post(&[JSON, ("Sec-Fetch-Site", site)]).status, 403);
    }
    // A name that somebody lets resolve to this machine (DNS rebinding).
    for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example"] {
        let answer = server.send("GET", "/api/games", &[("Host", host)], "");
        assert_eq!((answer.status, answer.code().as_str()), (403, "foreign_host"));
    }
    assert_eq!(server.raw(b"GET / HTTP/1.0\r\n\r\n").status, 400);
    // A form of another page cannot send JSON, and what it can send is refused.
    assert_eq!(post(&[("Content-Type", "text/plain")]).status, 415);
    for method in ["PUT", "DELETE", "OPTIONS", "TRACE"] {
        assert_eq!(server.send(method, "/api/games", &[], "").status, 405, "{method}");
    }
}

#[test]
fn another_address_demands_the_token() {
    let token = Token::random().unwrap();
    let server = Running::start_with(Some(token.clone()));
    let cookie = format!("accrue_token={}", token.text());
    assert_eq!(server.get("/api/games").status, 401);
    assert_eq!(server.get("/").code(), "token");
    assert_eq!(server.get("/?token=00000000000000000000000000000000").status, 401);
    assert!(Socket::with_origin(&server, None).is_err());
    let login = server.get(&format!("/?token={}", token.text()));
    assert_eq!(login.status, 303);
    assert!(login.head.contains(&cookie) && login.head.contains("httponly; samesite=strict"));
    assert_eq!(server.send("GET", "/api/games", &[("Cookie", &cookie)], "").status, 200);
    let bearer = format!("Bearer {}", token.text());
    assert_eq!(server.send("GET", "/api/games", &[("Authorization", &bearer)], "").status, 200);
    assert_eq!(server.send("GET", "/api/games", &[("Cookie", "accrue_token=")], "").status, 401);
    assert!(server.url.ends_with(token.text()));
}

#[test]
fn paths_do_not_leave_the_root_or_the_page() {
    let server = Running::start();
    std::fs::write(server.root().join("inside.accrue"), "not a network").unwrap();
    for path in [
        "/../Cargo.toml",
        "/js/../../src/lib.rs",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/report/..%2fsrc%2flib.rs",
        "//etc/passwd",
        "/js/%00",
        "/index.html%00.js",
    ] {
        let answer = server.get(path);
        assert!((400..500).contains(&answer.status), "{path}: {answer:?}");
        assert!(!answer.body.contains("root:") && !answer.body.contains("[package]"));
    }
    for path in ["../x", "/etc/passwd", "a/../../x", "%2e%2e%2fetc", ".."] {
        for request in ["/api/run?path=", "/api/run/report?path=", "/api/network?id=file:"] {
            let answer = server.get(&format!("{request}{path}"));
            assert!((400..500).contains(&answer.status), "{request}{path}: {answer:?}");
            assert!(!answer.code().is_empty());
        }
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("/etc", server.root().join("link")).unwrap();
        let answer = server.get("/api/run/report?path=link");
        assert!((400..500).contains(&answer.status), "{answer:?}");
    }
}

#[test]
fn bad_bodies_are_refused_with_a_sentence() {
    let server = Running::start();
    let post = |path: &str, body: &str| server.send("POST", path, &[JSON], body);
    for path in ["/api/position", "/api/evaluate", "/api/curve", "/api/pgn/read", "/api/pgn/write"]
    {
        for body in ["{", "[]", "null", "{\"line\":7}", "\u{0}", "{\"game\":\"chess\",\"x\":1}"] {
            let answer = post(path, body);
            assert!((400..500).contains(&answer.status), "{path} {body}: {answer:?}");
            assert!(!answer.code().is_empty());
        }
    }
    for (line, code) in [
        (json!({ "game": "chess", "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }), "bad_fen"),
        (json!({ "game": "chess", "fen": "x".repeat(10_000) }), "bad_fen"),
        (json!({ "game": "chess", "moves": ["e2e9"] }), "bad_move"),
        (json!({ "game": "chess", "moves": vec!["a"; 5000] }), "too_many_moves"),
        (json!({ "game": "chess", "rules": { "castling": "upside down" } }), "bad_rule"),
        (json!({ "game": "../chess" }), "no_such_game"),
    ] {
        assert_eq!(server.post("/api/position", &line).code(), code);
    }
    // Deep nesting does not exhaust the stack.
    let deep = "[".repeat(100_000);
    assert!((400..500).contains(&post("/api/position", &deep).status));
    let deep = format!("{{\"game\":{deep}");
    assert!((400..500).contains(&post("/api/position", &deep).status));
    // A body that is longer than the limit is refused before it is read.
    let huge = format!("{{\"game\":\"{}\"}}", "x".repeat(3 << 20));
    assert_eq!(post("/api/position", &huge).status, 413);
    let head = format!(
        "POST /api/position HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: 99999999999\r\n\r\n",
        server.address
    );
    let begun = Instant::now();
    assert_eq!(server.raw(head.as_bytes()).status, 413);
    assert!(begun.elapsed() < Duration::from_secs(5));
}

#[test]
fn bad_sockets_are_closed() {
    let server = Running::start();
    let mut socket = Socket::open(&server);
    // A message beyond the limit closes the socket.
    let _ = socket.send_text("x".repeat(1 << 20));
    let _ = socket.send_text("{}".into());
    while let Some(message) = socket.next(Duration::from_secs(5)) {
        assert_eq!(message["type"], "error");
    }
    // Too many jobs are refused, and the page lives on.
    let mut socket = Socket::open(&server);
    for id in 0..40 {
        socket.send(&json!({ "type": "watch", "id": id }));
    }
    let mut refused = 0;
    while let Some(message) = socket.next(Duration::from_secs(2)) {
        refused += u32::from(message["error"]["code"] == "busy");
    }
    assert_eq!(refused, 28);
    // Hundreds of stops and restarts leave nothing behind.
    for id in 100..400 {
        socket.send(&json!({ "type": "analyse", "id": id, "line": { "game": "connect_four" } }));
    }
    drop(socket);
    let begun = Instant::now();
    while server.get("/api/status").json()["busy_threads"] != 0 {
        assert!(begun.elapsed() < Duration::from_secs(5));
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A thousand clients that never finish their requests do not keep others out.
#[test]
fn a_thousand_slow_clients_are_dropped() {
    let server = Running::start();
    let starts: [&[u8]; 4] = [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow:",
        b"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{",
        b"\x16\x03\x01\x02\x00\x01\x00\x01",
    ];
    let mut clients = Vec::new();
    for number in 0..1000 {
        // The system may refuse so many open files; those that are open are enough.
        let Ok(mut client) = std::net::TcpStream::connect(server.address) else { break };
        let _ = client.write_all(starts[number % starts.len()]);
        clients.push(client);
    }
    let opened = clients.len();
    assert!(opened > 200, "{opened}");
    // Half of the clients go on byte by byte, which does not help them.
    let begun = Instant::now();
    let mut answered = None;
    while begun.elapsed() < Duration::from_secs(30) {
        for client in clients.iter_mut().step_by(2) {
            let _ = client.write_all(b"x");
        }
        let Ok(mut stream) = std::net::TcpStream::connect(server.address) else {
            clients.truncate(clients.len() - 20);
            continue;
        };
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let _ = stream
            .write_all(b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
        let mut answer = String::new();
        if stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200") {
            answered = Some(begun.elapsed());
            break;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    // Unfinished heads are dropped after ten seconds.
    assert!(answered.is_some_and(|time| time < Duration::from_secs(20)), "{answered:?}");
}
