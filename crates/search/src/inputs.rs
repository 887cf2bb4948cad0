//! How a network reads the positions of a game.

use games::{Changes, Color, FeatureSet, FeatureSetError, FewFeatures, Game, Update};
use nnue::{Architecture, Inputs};

/// The feature set of a game, as [`nnue::AccumulatorStack`] asks for it.
#[derive(Debug)]
pub struct GameInputs<G: Game> {
    set: Box<dyn FeatureSet<G>>,
}

/// Why a network cannot read the positions of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputsError {
    /// The game does not have the network's feature set.
    #[error(transparent)]
    FeatureSet(#[from] FeatureSetError),
    /// It has, but of another size.
    #[error(
        "the network has {network} inputs, but feature set `{name}` has {set}: \
         the network was made for another version of it"
    )]
    Size {
        /// The feature set.
        name: String,
        /// How many features the set has.
        set: usize,
        /// How many inputs the network has.
        network: usize,
    },
    /// The network looks at the board from one side only, and the set does not tell it whose turn it is.
    #[error(
        "the network has one perspective, but feature set `{name}` does not say who is to move: it needs two \
         perspectives, or a set made for one"
    )]
    Perspectives {
        /// The feature set.
        name: String,
    },
}

impl<G: Game> GameInputs<G> {
    /// The inputs of a network with this architecture.
    pub fn new(architecture: &Architecture) -> Result<Self, InputsError> {
        let set = G::feature_set(&architecture.features)?;
        let one = architecture.perspectives == nnue::Perspectives::One;
        if one && set.perspectives() == games::Perspectives::Two {
            return Err(InputsError::Perspectives { name: set.name() });
        }
        Self::from_set(set, architecture.inputs)
    }

    /// The inputs of a network that does not name its feature set, or names it by another name.
    pub fn from_set(set: Box<dyn FeatureSet<G>>, inputs: usize) -> Result<Self, InputsError> {
        if set.size() != inputs {
            return Err(InputsError::Size { name: set.name(), set: set.size(), network: inputs });
        }
        Ok(Self { set })
    }

    /// The feature set.
    pub fn set(&self) -> &dyn FeatureSet<G> {
        &*self.set
    }
}

impl<G: Game> Inputs<G> for GameInputs<G> {
    #[inline]
    fn side_to_move(&self, position: &G) -> usize {
        position.side_to_move() as usize
    }

    #[inline]
    fn pieces(&self, position: &G) -> usize {
        position.piece_count()
    }

    fn slots(&self) -> usize {
        self.set.slots()
    }

    #[inline]
    fn slot(&self, position: &G, view: usize) -> usize {
        self.set.slot(position, Color::BOTH[view])
    }

    #[inline]
    fn active(&self, position: &G, view: usize, active: &mut Vec<u32>) {
        self.set.active(position, Color::BOTH[view], active);
    }

    #[inline]
    fn changes(
        &self,
        before: &G,
        after: &G,
        view: usize,
        added: &mut Vec<u32>,
        removed: &mut Vec<u32>,
    ) {
        let mut changes =
            Changes { added: std::mem::take(added), removed: std::mem::take(removed) };
        let update = self.set.changes(before, after, Color::BOTH[view], &mut changes);
        debug_assert_eq!(update, Update::Changes, "the slots are equal");
        Changes { added: *added, removed: *removed } = changes;
    }

    #[inline]
    fn changes_of_both(
        &self,
        before: &G,
        after: &G,
        added: &mut FewFeatures,
        removed: &mut FewFeatures,
    ) -> Option<[u8; 2]> {
        self.set.changes_of_both(before, after, added, removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::chess::Chess;

    fn error(architecture: &str) -> String {
        GameInputs::<Chess>::new(&architecture.parse().unwrap()).unwrap_err().to_string()
    }

    #[test]
    fn networks_that_do_not_fit_are_refused() {
        assert!(error("hexchess.piece-cell (1110→8)×2→1 crelu").contains("no feature set"));
        assert!(error("chess.piece-square (769→8)×2→1 crelu").contains("has 769 inputs"));
        assert!(error("chess.piece-square 768→8→1 crelu").contains("one perspective"));
        let fitting = "chess.piece-square-stm 769→8→1 crelu".parse().unwrap();
        assert!(GameInputs::<Chess>::new(&fitting).is_ok());
    }
}
