//! How a network reads the positions of a game.

use games::{Changes, Color, FeatureSet, FeatureSetError, Game, Update};
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
}

impl<G: Game> GameInputs<G> {
    /// The inputs of a network with this architecture.
    pub fn new(architecture: &Architecture) -> Result<Self, InputsError> {
        Self::from_set(G::feature_set(&architecture.features)?, architecture.inputs)
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
}
