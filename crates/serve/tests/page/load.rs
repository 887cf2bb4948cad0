//! Load: a hundred open pages, twenty of them analysing, on two threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::socket::Socket;
use crate::support::Running;
use serde_json::json;

const PAGES: usize = 100;
const ANALYSING: usize = 20;
const TIME: Duration = Duration::from_secs(8);
/// What the server may hold beyond what it held before: twenty tables and their engines.
const MEMORY_MIB: usize = 1000;

fn resident_mib() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    kib.unwrap_or(0) / 1024
}

/// The longest time between two messages of a page that analyses.
fn analyse(server: &Running, number: usize) -> Duration {
    let mut socket = Socket::open(server);
    let game = ["chess", "hexchess", "connect_four"][number % 3];
    socket.send(
        &json!({ "type": "analyse", "id": 1, "line": { "game": game }, "multipv": 1 + number % 3 }),
    );
    let begun = Instant::now();
    let first = socket.wait_for("analysis", Duration::from_secs(10));
    assert!(first["lines"].is_array());
    let (mut last, mut longest) = (Instant::now(), Duration::ZERO);
    let mut nodes = 0;
    while begun.elapsed() < TIME {
        let report = socket.wait_for("analysis", Duration::from_secs(10));
        longest = longest.max(last.elapsed());
        last = Instant::now();
        nodes = report["nodes"].as_u64().unwrap();
    }
    assert!(nodes > 1000, "page {number} searched {nodes} nodes");
    longest
}

/// The longest time that a page which only looks waits for an answer.
fn look(server: &Running) -> Duration {
    let mut socket = Socket::open(server);
    socket.send(&json!({ "type": "watch", "id": 1 }));
    socket.wait_for("runs", Duration::from_secs(10));
    let begun = Instant::now();
    let mut longest = Duration::ZERO;
    while begun.elapsed() < TIME {
        let asked = Instant::now();
        let answer = server.post("/api/position", &json!({ "game": "chess", "moves": ["e2e4"] }));
        assert_eq!(answer.status, 200);
        longest = longest.max(asked.elapsed());
        std::thread::sleep(Duration::from_millis(500));
    }
    longest
}

#[test]
fn every_page_gets_updates_every_second() {
    let server = Running::start();
    let before = resident_mib();
    let done = AtomicBool::new(false);
    let (peak, longest) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut peak = 0;
            while !done.load(Ordering::Relaxed) {
                peak = peak.max(resident_mib());
                std::thread::sleep(Duration::from_millis(100));
            }
            peak
        });
        let pages: Vec<_> =
            (0..PAGES)
                .map(|number| {
                    let server = &server;
                    scope.spawn(move || {
                        if number < ANALYSING { analyse(server, number) } else { look(server) }
                    })
                })
                .collect();
        let waits: Vec<Duration> = pages.into_iter().map(|page| page.join().unwrap()).collect();
        done.store(true, Ordering::Relaxed);
        (watcher.join().unwrap(), waits)
    });
    let worst = longest.iter().max().unwrap();
    println!("longest wait {worst:?}, memory {before} MiB before, {peak} MiB at most");
    assert!(*worst < Duration::from_secs(1), "{longest:?}");
    assert!(peak < before + MEMORY_MIB, "{before} MiB before, {peak} MiB at most");
    let status = server.get("/api/status").json();
    assert_eq!((&status["pages"], &status["busy_threads"]), (&json!(0), &json!(0)));
}
