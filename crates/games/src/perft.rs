//! Perft: counts the leaves of the game tree, the classic proof of a move generator.

use crate::Game;

/// The number of lines of exactly `depth` plies. Every leaf is played out, not only counted, so that the
/// figure proves [`Game::play`] as well.
pub fn perft<G: Game>(position: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    position.for_each_move(|mv| {
        let mut child = position.clone();
        child.play(mv);
        nodes += perft(&child, depth - 1);
    });
    nodes
}

/// [`perft`] of each legal move by itself, in the order of their texts. `depth` counts the move itself.
pub fn divide<G: Game>(position: &G, depth: u32) -> Vec<(String, u64)> {
    let mut counts = Vec::new();
    if depth == 0 {
        return counts;
    }
    position.for_each_move(|mv| {
        let mut child = position.clone();
        child.play(mv);
        counts.push((position.move_text(mv), perft(&child, depth - 1)));
    });
    counts.sort();
    counts
}
