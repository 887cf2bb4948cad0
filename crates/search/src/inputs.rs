//! Network inputs: the feature set of a game behind the interface of the accumulator stack.

use games::{Changes, Color, FeatureSet, FeatureSetError, FewFeatures, SearchGame, Update};
use nnue::{Architecture, Inputs};

/// The feature set of a game as the inputs of an [`nnue::AccumulatorStack`].
///
/// ```
/// use games::{Game, chess::Chess, connect_four::ConnectFour};
/// use nnue::{Architecture, Inputs};
/// use search::GameInputs;
///
/// let architecture: Architecture = "chess.piece-square (768→32)×2→1 screlu".parse()?;
/// let inputs = GameInputs::<Chess>::new(&architecture)?;
/// assert_eq!(inputs.pieces(&Chess::start()), 32);
/// let mut features = Vec::new();
/// inputs.active(&Chess::start(), 0, &mut features);
/// assert_eq!(features.len(), 32);
///
/// // A network for chess cannot read positions of another game.
/// assert!(GameInputs::<ConnectFour>::new(&architecture).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameInputs<G: SearchGame> {
    set: Box<dyn FeatureSet<G>>,
}

/// Why a network does not fit a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InputsError {
    /// The game does not have the network's feature set.
    #[error(transparent)]
    FeatureSet(#[from] FeatureSetError),
    /// The feature set has another size.
    #[error(
        "the network has {network} inputs, but feature set `{name}` has {set}: \
         the network was made for another version of it"
    )]
    Size {
        /// The feature set.
        name: String,
        /// The number of features of the set.
        set: usize,
        /// The number of inputs of the network.
        network: usize,
    },
    /// The network has one perspective, and the set has no feature for the side to move.
    #[error(
        "the network has one perspective, but feature set `{name}` has no feature for the side to \
         move: use two perspectives, or a set made for one"
    )]
    Perspectives {
        /// The feature set.
        name: String,
    },
}

impl<G: SearchGame> GameInputs<G> {
    /// The inputs of a network with this architecture.
    pub fn new(architecture: &Architecture) -> Result<Self, InputsError> {
        let set = G::feature_set(&architecture.features)?;
        let one = architecture.perspectives == nnue::Perspectives::One;
        if one && set.perspectives() == games::PerspectiveCount::Two {
            return Err(InputsError::Perspectives { name: set.name() });
        }
        Self::from_set(set, architecture.inputs)
    }

    /// The inputs of a network that does not name its feature set, or has another name for it.
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

impl<G: SearchGame> Inputs<G> for GameInputs<G> {
    #[inline]
    fn side_to_move(&self, position: &G) -> usize {
        position.side_to_move() as usize
    }

    #[inline]
    fn pieces(&self, position: &G) -> usize {
        position.piece_count()
    }

    fn refresh_buckets(&self) -> usize {
        self.set.refresh_buckets()
    }

    #[inline]
    fn refresh_bucket(&self, position: &G, perspective: usize) -> usize {
        self.set.refresh_bucket(position, Color::BOTH[perspective])
    }

    #[inline]
    fn active(&self, position: &G, perspective: usize, active: &mut Vec<u32>) {
        self.set.active(position, Color::BOTH[perspective], active);
    }

    #[inline]
    fn changes(
        &self,
        before: &G,
        after: &G,
        perspective: usize,
        added: &mut Vec<u32>,
        removed: &mut Vec<u32>,
    ) {
        let mut changes =
            Changes { added: std::mem::take(added), removed: std::mem::take(removed) };
        let update = self.set.changes(before, after, Color::BOTH[perspective], &mut changes);
        debug_assert_eq!(update, Update::Changes, "the refresh buckets are equal");
        Changes { added: *added, removed: *removed } = changes;
    }

    #[inline]
    fn changes_both(
        &self,
        before: &G,
        after: &G,
        added: &mut FewFeatures,
        removed: &mut FewFeatures,
    ) -> Option<[u8; 2]> {
        self.set.changes_both(before, after, added, removed)
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
