//! Node counts of hexchess against the table in `data/hexchess.perft`.

use games::hexchess::Hexchess;
use games::{Game, divide, perft};

/// The most nodes to count in an ordinary test run.
const CHEAP: u64 = 8_000_000;

struct Entry {
    fen: &'static str,
    counts: Vec<(u32, u64)>,
}

fn table() -> Vec<Entry> {
    let lines = include_str!("data/hexchess.perft").lines();
    lines.filter(|line| !line.starts_with('#') && !line.is_empty()).map(entry).collect()
}

fn entry(line: &'static str) -> Entry {
    let mut parts = line.split(';').map(str::trim);
    let fen = parts.next().expect("a line has a FEN");
    let counts = parts.map(|part| {
        let (depth, nodes) = part.split_once(' ').expect("a count is `Dn nodes`");
        let depth = depth.strip_prefix('D').expect("a depth begins with D");
        (depth.parse().expect("a depth"), nodes.parse().expect("a count"))
    });
    Entry { fen, counts: counts.collect() }
}

fn check(wanted: impl Fn(u64) -> bool) {
    for Entry { fen, counts } in table() {
        let position = Hexchess::from_fen(fen).expect("a position of the table");
        assert_eq!(position.to_fen(), fen);
        for (depth, nodes) in counts {
            if wanted(nodes) {
                assert_eq!(perft(&position, depth), nodes, "{fen} at depth {depth}");
            }
        }
    }
}

/// The two larger counts are checked by `.ci/run`, through the release build of the binary.
#[test]
fn counts_match_the_table() {
    check(|nodes| nodes <= CHEAP);
}

/// 51 at depth 1 proves little: with Black's king and queen swapped it is the same, and then other.
#[test]
fn a_wrong_start_is_told_from_the_right_one() {
    let swapped = "b/kbq/n1b1n/r5r/ppppppppp/11/5P5/4P1P4/3P1B1P3/2P2B2P2/1PRNQBKNRP1 w - 0 1";
    let position = Hexchess::from_fen(swapped).expect("a position");
    let counts: Vec<_> = (1..=3).map(|depth| perft(&position, depth)).collect();
    assert_eq!(counts, [51, 2541, 132_587]);
    assert_ne!(position, Hexchess::start());
}

#[test]
fn divided_counts_add_up() {
    let moves = divide(&Hexchess::start(), 3);
    assert_eq!(moves.len(), 51);
    assert_eq!(moves.iter().map(|(_, nodes)| nodes).sum::<u64>(), 137_858);
}

#[test]
fn there_is_a_position_with_373_moves() {
    let fen = "1/1RB/K3N/6Q/B1Q6/B3Q2k3/10Q/1Q4Q4/N8Q1/2Q2Q5/3R4Q2 w - 0 1";
    let position = Hexchess::from_fen(fen).expect("a position");
    let mut texts: Vec<_> =
        position.legal_moves().into_iter().map(|mv| position.move_text(mv)).collect();
    assert_eq!(texts.len(), 373);
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), 373);
}
