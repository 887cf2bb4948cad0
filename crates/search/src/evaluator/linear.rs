//! Positions valued by a weight for each piece on each cell: what plays before there is a network.

use std::sync::Arc;

use games::{Changes, Color, FeatureSet, FeatureSetError, Game, Update};

use super::Evaluator;

/// What the middle of the board is worth to a piece above the rim, in centipawns.
const CENTRE: f32 = 24.0;

/// A sum of weights over the features that the side to move sees.
#[derive(Debug)]
pub struct Linear<G: Game> {
    set: Arc<dyn FeatureSet<G>>,
    /// Centipawns, by feature.
    weights: Arc<[i32]>,
    plies: Vec<Ply<G>>,
    changes: Changes,
}

#[derive(Debug)]
struct Ply<G> {
    position: G,
    /// The sum of each view, once it is known.
    sums: Option<[i32; 2]>,
}

impl<G: Game> Linear<G> {
    /// The worth of the pieces ([`Game::piece_value`]), and a little for standing near the middle, which makes a search
    /// bring its pieces out. Every game has this.
    pub fn material() -> Result<Self, FeatureSetError> {
        let name = G::feature_set_names().first().copied().unwrap_or_default();
        let set = G::feature_set(name)?;
        let nearness = nearness_to_centre::<G>();
        let weight = |feature: usize| {
            let Some(place) = set.place(feature as u32) else { return 0 };
            let Some(value) = G::piece_value(place.piece) else { return 0 };
            let centre = CENTRE * nearness.get(place.cell).copied().unwrap_or(0.0);
            let value = value + centre.round() as i32;
            if place.theirs { -value } else { value }
        };
        let weights = (0..set.size()).map(weight).collect();
        Ok(Self { set: set.into(), weights, plies: Vec::new(), changes: Changes::default() })
    }

    /// What each feature of the game's first set is worth to the side that sees it, in centipawns.
    pub fn weights(&self) -> &[i32] {
        &self.weights
    }

    /// One with the same weights, for another thread.
    #[must_use]
    pub fn another(&self) -> Self {
        let (set, weights) = (Arc::clone(&self.set), Arc::clone(&self.weights));
        Self { set, weights, plies: Vec::new(), changes: Changes::default() }
    }

    fn recompute(&mut self, view: Color) -> i32 {
        let Some(ply) = self.plies.last() else { return 0 };
        let active = &mut self.changes.added;
        active.clear();
        self.set.active(&ply.position, view, active);
        active.iter().map(|&feature| self.weights[feature as usize]).sum()
    }

    /// The sum of a view at the top, from the nearest ancestor that has one.
    fn sum(&mut self, view: Color) -> i32 {
        let Some((top, below)) = self.plies.split_last() else { return 0 };
        let known = below.iter().rev().find_map(|ply| ply.sums.map(|sums| (&ply.position, sums)));
        let Some((before, sums)) = known else { return self.recompute(view) };
        match self.set.changes(before, &top.position, view, &mut self.changes) {
            Update::Refresh => self.recompute(view),
            Update::Changes => {
                let total = |features: &[u32]| -> i32 {
                    features.iter().map(|&feature| self.weights[feature as usize]).sum()
                };
                sums[view as usize] + total(&self.changes.added) - total(&self.changes.removed)
            }
        }
    }
}

/// For each cell 1 in the middle of the board, down to 0 at the cell that is farthest from it.
fn nearness_to_centre<G: Game>() -> Vec<f32> {
    let cells = G::geometry().cells;
    let count = cells.len().max(1) as f32;
    let (x, y) = cells.iter().fold((0.0, 0.0), |(x, y), cell| (x + cell.x, y + cell.y));
    let distance = cells.iter().map(|cell| (cell.x - x / count).hypot(cell.y - y / count));
    let distance: Vec<f32> = distance.collect();
    let most = distance.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    distance.into_iter().map(|distance| 1.0 - distance / most).collect()
}

impl<G: Game> Evaluator<G> for Linear<G> {
    fn reset(&mut self, position: &G) {
        self.plies.clear();
        self.push(position);
    }

    #[inline]
    fn push(&mut self, position: &G) {
        self.plies.push(Ply { position: position.clone(), sums: None });
    }

    #[inline]
    fn pop(&mut self) {
        self.plies.pop();
    }

    fn evaluate(&mut self) -> i32 {
        let Some(top) = self.plies.last() else { return 0 };
        let side = top.position.side_to_move();
        let sums = top.sums.unwrap_or_else(|| Color::BOTH.map(|view| self.sum(view)));
        if let Some(top) = self.plies.last_mut() {
            top.sums = Some(sums);
        }
        sums[side as usize]
    }
}
