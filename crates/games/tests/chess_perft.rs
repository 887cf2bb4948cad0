//! Move generation: the counts in `data/chess.perft`, and those counts against Stockfish.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use games::chess::Chess;
use games::{Game, perft};

const SUITE: &str = include_str!("data/chess.perft");

/// A line of the suite.
struct Entry {
    fen: &'static str,
    /// Depth and leaves.
    counts: Vec<(u32, u64)>,
}

fn suite() -> Vec<Entry> {
    let lines = SUITE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().expect("a line has a position");
            let counts = parts.map(|part| {
                let (depth, leaves) = part.split_once(' ').expect("`D<depth> <leaves>`");
                let depth = depth.strip_prefix('D').expect("`D<depth> <leaves>`");
                (depth.parse().expect("a depth"), leaves.parse().expect("a count"))
            });
            Entry { fen, counts: counts.collect() }
        })
        .collect()
}

#[test]
fn suite_is_counted_right() {
    for entry in suite() {
        let position = Chess::from_fen(entry.fen).expect(entry.fen);
        for (depth, leaves) in entry.counts {
            assert_eq!(perft(&position, depth), leaves, "depth {depth} of {}", entry.fen);
        }
    }
}

#[test]
fn suite_is_broad() {
    let entries = suite();
    let chess960 = entries.iter().filter(|entry| Chess::from_fen(entry.fen).unwrap().is_chess960());
    assert!(chess960.count() >= 25);
    assert!(entries.len() >= 106);
    assert!(entries.iter().all(|entry| !entry.counts.is_empty()));
}

/// Set `ACCRUE_STOCKFISH` to the path of a Stockfish to compare the whole suite with its own count. The
/// message of a failure states the right number, so that is also how a new line gets its counts.
#[test]
fn suite_agrees_with_stockfish() {
    let Some(path) = std::env::var_os("ACCRUE_STOCKFISH") else {
        eprintln!("skipped: ACCRUE_STOCKFISH is not set");
        return;
    };
    let mut engine = Command::new(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("ACCRUE_STOCKFISH names a program that runs");
    let mut commands = engine.stdin.take().expect("piped");
    let mut answers = BufReader::new(engine.stdout.take().expect("piped")).lines();
    for entry in suite() {
        let chess960 = Chess::from_fen(entry.fen).expect(entry.fen).is_chess960();
        writeln!(commands, "setoption name UCI_Chess960 value {chess960}").unwrap();
        writeln!(commands, "position fen {}", entry.fen).unwrap();
        for (depth, leaves) in entry.counts {
            writeln!(commands, "go perft {depth}").unwrap();
            let counted = answers
                .by_ref()
                .map(|line| line.expect("Stockfish answers"))
                .find_map(|line| line.strip_prefix("Nodes searched: ")?.parse::<u64>().ok())
                .expect("Stockfish counts");
            assert_eq!(leaves, counted, "the suite is wrong: depth {depth} of {}", entry.fen);
        }
    }
    writeln!(commands, "quit").unwrap();
    engine.wait().expect("Stockfish ends");
}
