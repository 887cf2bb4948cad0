//! Positions that searches look at and no game comes to.
//!
//! What a network is asked in play are mostly such positions: after blunders, in the middle of exchanges. The search shows
//! every so many positions that it looks at, whatever they are: of any depth, on main lines and off them, quiescence and what
//! follows a passed move included. So each position that a search looks at is as likely as the others.

use games::{Random, ToolkitGame};

/// A position that a search looked at.
pub(super) struct Looked<G> {
    pub(super) position: G,
    /// Moves from the beginning of the game, those of the search included.
    pub(super) ply: u16,
}

/// Those that the searches of a game have shown.
pub(super) struct Trees<G> {
    wanted: bool,
    looked: Vec<Looked<G>>,
}

impl<G: ToolkitGame> Trees<G> {
    pub(super) fn new(share: f64) -> Self {
        Self { wanted: share > 0.0, looked: Vec::new() }
    }

    pub(super) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Remembers a position, unless the game is over there.
    pub(super) fn look(&mut self, position: &G, ply: usize) {
        if position.outcome().is_none() {
            let ply = u16::try_from(ply).unwrap_or(u16::MAX);
            self.looked.push(Looked { position: position.clone(), ply });
        }
    }

    /// All of them, in a random order.
    pub(super) fn shuffled(self, random: &mut Random) -> Vec<Looked<G>> {
        let mut looked = self.looked;
        for last in (1..looked.len()).rev() {
            looked.swap(last, random.below(last + 1));
        }
        looked
    }
}

/// How many positions of trees go with so many of games: a whole number that is right on average.
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
