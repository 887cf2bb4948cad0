//! Linear evaluation: a weight for each feature, updated incrementally; material and piece-square
//! values before there is a network.

use std::sync::Arc;

use games::{
    Changes, Color, FeaturePlace, FeatureSet, FeatureSetError, PerspectiveCount, SearchGame, Update,
};

use super::Evaluator;
use super::material::piece_square_value;

/// Why there is no linear evaluation of material.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinearError {
    /// The game has no feature set.
    #[error(transparent)]
    FeatureSet(#[from] FeatureSetError),
    /// No feature of the set has a place, so that no piece has a weight.
    #[error(
        "feature set `{name}` gives no piece and cell for any of its features: \
         implement `FeatureSet::place` for it"
    )]
    NoPlaces {
        /// The feature set.
        name: String,
    },
}

/// A sum of weights over the active features of the side to move. The game's piece values are
/// normalised centipawns by declaration.
///
/// ```
/// use games::{Game, chess::Chess};
/// use search::{Evaluator, Linear};
///
/// let mut material = Linear::<Chess>::material()?;
/// material.reset(&Chess::start());
/// assert_eq!(material.evaluate(), 0);
///
/// // Black lacks the queen.
/// material.reset(&Chess::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?);
/// assert!(material.evaluate() > 700);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Linear<G: SearchGame> {
    set: Arc<dyn FeatureSet<G>>,
    /// Normalised centipawns, by feature.
    weights: Arc<[i32]>,
    stack: Vec<LinearEntry<G>>,
    changes: Changes,
}

#[derive(Debug)]
struct LinearEntry<G> {
    position: G,
    /// The sum of each perspective, once it is computed.
    sums: Option<[i32; 2]>,
}

impl<G: SearchGame> Linear<G> {
    /// Material ([`BoardGame::piece_value`]) and a small bonus for pieces near the centre, which
    /// makes a search develop its pieces, as weights of the game's first feature set.
    ///
    /// [`BoardGame::piece_value`]: games::BoardGame::piece_value
    pub fn material() -> Result<Self, LinearError> {
        let name = G::feature_set_names().into_iter().next().unwrap_or_default();
        let set = G::feature_set(&name)?;
        let values = piece_square_value::<G>();
        let places = (0..set.size()).map(|feature| set.place(feature as u32));
        if places.clone().all(|place| place.is_none()) {
            return Err(LinearError::NoPlaces { name: set.name() });
        }
        let weight = |place: Option<FeaturePlace>| {
            let value = place.map_or(0, |place| values(place.piece, place.cell));
            if place.is_some_and(|place| place.theirs) { -value } else { value }
        };
        let weights = places.map(weight).collect();
        Ok(Self { set: set.into(), weights, stack: Vec::new(), changes: Changes::default() })
    }

    /// The weight of each feature of the game's first set for the side that sees it, in centipawns.
    pub fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// An evaluator with the same weights, for another thread.
    #[must_use]
    pub fn another(&self) -> Self {
        let (set, weights) = (Arc::clone(&self.set), Arc::clone(&self.weights));
        Self { set, weights, stack: Vec::new(), changes: Changes::default() }
    }

    fn recompute(&mut self, perspective: Color) -> i32 {
        let Some(top) = self.stack.last() else { return 0 };
        let active = &mut self.changes.added;
        active.clear();
        self.set.active(&top.position, perspective, active);
        active.iter().map(|&feature| self.weights[feature as usize]).sum()
    }

    /// The sum of a perspective at the top, from the nearest ancestor that has one.
    fn sum(&mut self, perspective: Color) -> i32 {
        let Some((top, below)) = self.stack.split_last() else { return 0 };
        let computed =
            below.iter().rev().find_map(|entry| entry.sums.map(|sums| (&entry.position, sums)));
        let Some((before, sums)) = computed else { return self.recompute(perspective) };
        match self.set.changes(before, &top.position, perspective, &mut self.changes) {
            Update::Refresh => self.recompute(perspective),
            Update::Changes => {
                let total = |features: &[u32]| -> i32 {
                    features.iter().map(|&feature| self.weights[feature as usize]).sum()
                };
                sums[perspective as usize] + total(&self.changes.added)
                    - total(&self.changes.removed)
            }
        }
    }
}

impl<G: SearchGame> Evaluator<G> for Linear<G> {
    fn reset(&mut self, position: &G) {
        self.stack.clear();
        self.push(position);
    }

    #[inline]
    fn push(&mut self, position: &G) {
        self.stack.push(LinearEntry { position: position.clone(), sums: None });
    }

    #[inline]
    fn pop(&mut self) {
        self.stack.pop();
    }

    fn evaluate(&mut self) -> i32 {
        let Some(top) = self.stack.last() else { return 0 };
        let side = top.position.side_to_move();
        let sums = top.sums.unwrap_or_else(|| match self.set.perspectives() {
            PerspectiveCount::Two => Color::BOTH.map(|perspective| self.sum(perspective)),
            PerspectiveCount::One => {
                let white = self.sum(Color::White);
                [white, -white]
            }
        });
        if let Some(top) = self.stack.last_mut() {
            top.sums = Some(sums);
        }
        sums[side as usize]
    }
}
