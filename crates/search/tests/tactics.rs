//! Tactics: combinations are found within a fixed number of nodes.

use games::chess::Chess;
use games::{Game, GameHistory};
use search::{Control, Engine, EngineOptions, Limits};

const TACTICS: &str = include_str!("data/tactics.txt");
/// Nodes for each combination.
const NODES: u64 = 150_000;

#[test]
fn combinations_are_found() {
    let options = EngineOptions { hash_mib: 8, ..EngineOptions::default() };
    let mut engine = Engine::<Chess>::new(options).unwrap();
    let (mut found, mut count) = (0, 0);
    let mut missed = Vec::new();
    for line in TACTICS.lines().filter(|line| !line.starts_with('#')) {
        let (expected, fen) = line.split_once(' ').expect(line);
        let position = Chess::from_fen(fen).expect(line);
        let expected = position.parse_move(expected).expect(line);
        engine.new_game();
        let limits = Limits::of_nodes(NODES);
        let best =
            engine.go(&GameHistory::new(position), &limits, &Control::new(), &mut |_| {}).best;
        count += 1;
        if best == Some(expected) {
            found += 1;
        } else {
            missed.push((line, best));
        }
    }
    assert!(count >= 40 && 100 * found >= 85 * count, "{found} of {count}: {missed:#?}");
}
