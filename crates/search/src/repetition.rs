//! Positions that occurred before, and those that are a move away from it.

use games::Game;

use crate::evaluator::Evaluator;
use crate::search::Search;

/// By what the hash of a game changes when the turn passes and nothing else; `None` if the game knows no passing.
pub(crate) fn turn<G: Game>() -> Option<u64> {
    let start = G::start();
    Some(start.null_move()?.hash() ^ start.hash())
}

impl<G: Game, E: Evaluator<G>> Search<G, E> {
    /// Whether the position repeats one of the search, or one of the game for the time that makes it a draw.
    pub(crate) fn is_repeated(&self, position: &G, ply: usize) -> bool {
        let Some(limit) = G::REPETITIONS else { return false };
        let top = self.hashes.len() - 1;
        let reach = position.reversible_plies().min(top);
        let mut count = 1;
        for distance in (2..=reach).step_by(2) {
            if self.hashes[top - distance] == self.hashes[top] {
                count += 1;
                // What can be repeated once can be repeated again.
                if distance < ply || count >= limit {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a move leads back to a position of the search, or to one that occurred twice before: the side to move can
    /// have a draw.
    ///
    /// Hashes are sums (by xor) of parts that belong to a piece on its place. If the opponent's moves since some position
    /// cancel out, what differs is ours alone, and perhaps a single move puts it right; that is seldom, so then the moves
    /// are tried. In a game whose hashes are no such sums nothing is ever found.
    pub(crate) fn can_repeat(&self, position: &G, ply: usize) -> bool {
        let Some(limit) = G::REPETITIONS else { return false };
        let top = self.hashes.len() - 1;
        let reach = position.reversible_plies().min(top);
        let step = |back: usize| self.hashes[top - back] ^ self.hashes[top - back - 1];
        if reach < 3 {
            return false;
        }
        // What the opponent's moves have changed, and how often the turn has passed with them.
        let mut changed = step(0);
        for distance in (3..=reach).step_by(2) {
            changed ^= step(distance - 1);
            let even = distance % 4 == 3;
            let cancels = if even { changed == 0 } else { Some(changed) == self.turn };
            if cancels && self.repeats_by_move(position, distance, ply, limit) {
                return true;
            }
        }
        false
    }

    /// Whether a move leads to the position that many plies back, and makes a draw of it.
    fn repeats_by_move(&self, position: &G, distance: usize, ply: usize, limit: usize) -> bool {
        let place = self.hashes.len() - 1 - distance;
        let target = self.hashes[place];
        if distance >= ply {
            // A position of the game itself must have occurred often enough for the next time to be the last.
            let before = self.hashes[..=place].iter().filter(|&&hash| hash == target).count();
            if before + 1 < limit {
                return false;
            }
        }
        let mut found = false;
        position.for_each_quiet(|mv| {
            if !found {
                let mut child = position.clone();
                child.play(mv);
                found = child.hash() == target;
            }
        });
        found
    }
}
