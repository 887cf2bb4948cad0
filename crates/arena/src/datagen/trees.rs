//! Search-tree positions: positions that searches visit and no game reaches.
//!
//! In play a network evaluates mostly such positions: after blunders, in the middle of exchanges.
//! The search samples every n-th position that it visits, at any depth, in PV nodes and others,
//! including quiescence search and null moves. So every visited position is equally likely.

use games::{Random, ToolkitGame};

/// A position that a search visited.
pub(super) struct VisitedPosition<G> {
    pub(super) position: G,
    /// The number of plies from the start of the game, including those of the search.
    pub(super) ply: u16,
}

/// The sampled positions of the searches of a game.
pub(super) struct Trees<G> {
    wanted: bool,
    looked: Vec<VisitedPosition<G>>,
}

impl<G: ToolkitGame> Trees<G> {
    pub(super) fn new(share: f64) -> Self {
        Self { wanted: share > 0.0, looked: Vec::new() }
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Stores a position, unless the game is over there.
    pub(super) fn look(&mut self, position: &G, ply: usize) {
        if position.outcome().is_none() {
            let ply = u16::try_from(ply).unwrap_or(u16::MAX);
            self.looked.push(VisitedPosition { position: position.clone(), ply });
        }
    }

    /// All of them, in a random order.
    pub(super) fn shuffled(self, random: &mut Random) -> Vec<VisitedPosition<G>> {
        let mut looked = self.looked;
        for last in (1..looked.len()).rev() {
            looked.swap(last, random.below(last + 1));
        }
        looked
    }
}

/// The number of tree positions for this number of game positions: an integer whose expected value
/// is exact.
pub(super) fn wanted(of_games: usize, share: f64, random: &mut Random) -> usize {
    let exact = of_games as f64 * share / (1.0 - share);
    let chance = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    exact.floor() as usize + usize::from(chance < exact.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_right_on_average() {
        let mut random = Random::new(1);
        for share in [0.0, 0.1, 0.5, 0.9] {
            let trees: usize = (0..2000).map(|_| wanted(3, share, &mut random)).sum();
            let found = trees as f64 / (6000 + trees) as f64;
            assert!((found - share).abs() < 0.01, "{found} for {share}");
        }
    }
}
