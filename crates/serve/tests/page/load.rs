//! Load: a hundred open pages, twenty of them analysing, on two threads.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::socket::Socket;
use crate::support::Running;
use serde_json::json;

const PAGES: usize = 100;
const ANALYSING: usize = 20;
/// Series of which one must succeed.
const SERIES: usize = 3;
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

/// The longest wait of any page, and the most memory that was in use.
fn measure(server: &Running) -> (Duration, usize) {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut peak = 0;
            while !done.load(Ordering::Relaxed) {
                peak = peak.max(resident_mib());
                std::thread::sleep(Duration::from_millis(100));
            }
            peak
        });
        let page = |number: usize| {
            scope.spawn(
                move || {
                    if number < ANALYSING { analyse(server, number) } else { look(server) }
                },
            )
        };
        let pages: Vec<_> = (0..PAGES).map(page).collect();
        let waits = pages.into_iter().map(|page| page.join().unwrap());
        let longest = waits.max().unwrap_or_default();
        done.store(true, Ordering::Relaxed);
        (longest, watcher.join().unwrap())
    })
}

#[test]
fn every_page_gets_updates_every_second() {
    let server = Running::start();
    let before = resident_mib();
    // Other tests use the same processors; one undisturbed series is enough.
    let (mut longest, mut peak) = (Duration::MAX, 0);
    for _ in 0..SERIES {
        (longest, peak) = measure(&server);
        assert!(peak < before + MEMORY_MIB, "{before} MiB before, {peak} MiB at most");
        if longest < Duration::from_secs(1) {
            break;
        }
    }
    assert!(longest < Duration::from_secs(1), "a page waited {longest:?}");
    println!("longest wait {longest:?}, memory {before} MiB before, {peak} MiB at most");
    let begun = Instant::now();
    while server.get("/api/status").json()["busy_threads"] != 0 {
        assert!(begun.elapsed() < Duration::from_secs(5));
    }
}
