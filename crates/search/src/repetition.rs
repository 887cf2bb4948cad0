//! Repetition: draws by repeated positions, and positions from which a move repeats one.

use games::SearchGame;

use crate::evaluator::Evaluator;
use crate::search::Search;

/// The change of the hash key by a null move, at the start; `None` if the game has no null move.
pub(crate) fn null_move_key<G: SearchGame>() -> Option<u64> {
    let start = G::start();
    Some(start.null_move()?.hash() ^ start.hash())
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Whether the position repeats one of the search, or one of the game as often as makes a draw.
    pub(crate) fn is_repetition(&self, position: &G, ply: usize) -> bool {
        let Some(limit) = G::REPETITIONS else { return false };
        let top = self.keys.len() - 1;
        let reach = position.reversible_plies().min(top);
        let mut count = 1;
        for distance in (2..=reach).step_by(2) {
            if self.keys[top - distance] == self.keys[top] {
                count += 1;
                // What can be repeated once can be repeated again.
                if distance < ply || count >= limit {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a move leads back to a position of the search, or to one that has occurred often
    /// enough in the game: the side to move can have a draw (upcoming repetition).
    ///
    /// Hash keys are sums (by xor) of a key for each piece on its cell. If the opponent's moves
    /// since some position cancel out, what differs is our own, and perhaps a single move undoes
    /// it; that is rare, so then the moves are tried. In a game whose keys are no such sums nothing
    /// is found.
    pub(crate) fn can_repeat(&self, position: &G, ply: usize) -> bool {
        let Some(limit) = G::REPETITIONS else { return false };
        let top = self.keys.len() - 1;
        let reach = position.reversible_plies().min(top);
        let step = |back: usize| self.keys[top - back] ^ self.keys[top - back - 1];
        if reach < 3 {
            return false;
        }
        // What the opponent's moves have changed, with one change of the turn for each.
        let mut changed = step(0);
        for distance in (3..=reach).step_by(2) {
            changed ^= step(distance - 1);
            let even = distance % 4 == 3;
            let cancels = if even { changed == 0 } else { Some(changed) == self.null_move_key };
            if cancels && self.repeats_by_move(position, distance, ply, limit) {
                return true;
            }
        }
        false
    }

    /// Whether a move leads to the position `distance` plies back, and draws by it.
    fn repeats_by_move(&self, position: &G, distance: usize, ply: usize, limit: usize) -> bool {
        let index = self.keys.len() - 1 - distance;
        let target = self.keys[index];
        if distance >= ply {
            // A position of the game itself must have occurred often enough already.
            let before = self.keys[..=index].iter().filter(|&&key| key == target).count();
            if before + 1 < limit {
                return false;
            }
        }
        let mut found = false;
        position.for_each_quiet_move(|mv| {
            if !found {
                let mut child = position.clone();
                child.play(mv);
                found = child.hash() == target;
            }
        });
        found
    }
}
