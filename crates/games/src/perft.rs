//! Perft: counts the leaves of the game tree, the classic test of a move generator.

use crate::Game;

/// The number of lines of exactly `depth` plies. Every leaf is played, not only counted, so that
/// the result tests [`Game::play`] as well.
///
/// ```
/// use games::{Game, chess::Chess, perft};
///
/// assert_eq!(perft(&Chess::start(), 3), 8902);
/// ```
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

/// [`perft`] of each legal move, in the order of their texts. `depth` includes the move itself.
///
/// ```
/// use games::{Game, connect_four::ConnectFour, divide, perft};
///
/// let counts = divide(&ConnectFour::start(), 3);
/// assert_eq!(counts.len(), 7);
/// let total: u64 = counts.iter().map(|(_, count)| count).sum();
/// assert_eq!(total, perft(&ConnectFour::start(), 3));
/// ```
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
