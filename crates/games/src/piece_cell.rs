//! `GAME.piece-cell`: the default feature set, an input for each piece of either side on each cell.

use std::marker::PhantomData;

use crate::{
    BoardGame, Changes, Color, FeatureIndex, FeaturePlace, FeatureSet, PerspectiveCount, Update,
};

/// Pieces on cells, for any [`BoardGame`].
///
/// A feature is (owner × kind × cell). If the sides are mirror images ([`BoardGame::MIRRORED`]),
/// there are two perspectives, and Black's sees the board from Black's end. Otherwise there is one
/// perspective and one more input: the other side is to move.
#[derive(Debug)]
pub struct PieceCell<G> {
    /// The letters of the pieces, in upper case.
    pieces: Vec<char>,
    /// The image of each cell in Black's perspective.
    mirror: Vec<usize>,
    game: PhantomData<fn() -> G>,
}

impl<G: BoardGame> PieceCell<G> {
    /// The name of the set for the game `G`.
    pub fn full_name() -> String {
        format!("{}.piece-cell", G::NAME)
    }

    /// The set for the game `G`.
    pub fn new() -> Self {
        let geometry = G::geometry();
        let upside_down = || geometry.reflected(false, true);
        let mirror = if G::MIRRORED {
            upside_down().or_else(|| geometry.reflected(true, true))
        } else {
            None
        };
        let mirror = mirror.unwrap_or_else(|| (0..geometry.cells.len()).collect());
        Self { pieces: G::PIECES.chars().collect(), mirror, game: PhantomData }
    }

    fn cells(&self) -> usize {
        self.mirror.len()
    }

    /// The number of inputs for pieces on cells; one more may follow.
    fn places(&self) -> usize {
        2 * self.pieces.len() * self.cells()
    }

    /// The feature of a piece on a cell; `None` for a letter that [`BoardGame::PIECES`] lacks.
    fn index(&self, letter: char, cell: usize, perspective: Color) -> Option<FeatureIndex> {
        let upper = letter.to_ascii_uppercase();
        let kind = self.pieces.iter().position(|&piece| piece == upper)?;
        let theirs = letter.is_ascii_uppercase() != (perspective == Color::White);
        let cell = if perspective == Color::White { cell } else { self.mirror[cell] };
        let group = usize::from(theirs) * self.pieces.len() + kind;
        Some((group * self.cells() + cell) as FeatureIndex)
    }

    /// The input that is active while the other side is to move.
    fn other_to_move(&self) -> FeatureIndex {
        self.places() as FeatureIndex
    }
}

impl<G: BoardGame> Default for PieceCell<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: BoardGame> FeatureSet<G> for PieceCell<G> {
    fn name(&self) -> String {
        Self::full_name()
    }

    fn size(&self) -> usize {
        self.places() + usize::from(!G::MIRRORED)
    }

    fn max_active(&self) -> usize {
        self.cells() + usize::from(!G::MIRRORED)
    }

    fn perspectives(&self) -> PerspectiveCount {
        if G::MIRRORED { PerspectiveCount::Two } else { PerspectiveCount::One }
    }

    fn place(&self, feature: FeatureIndex) -> Option<FeaturePlace> {
        let feature = feature as usize;
        let (group, cell) = (feature / self.cells(), feature % self.cells());
        let theirs = group >= self.pieces.len();
        let piece = *self.pieces.get(group % self.pieces.len())?;
        let place = FeaturePlace { bucket: 0, piece, theirs, cell };
        (feature < self.places()).then_some(place)
    }

    fn active(&self, position: &G, perspective: Color, features: &mut Vec<FeatureIndex>) {
        for cell in 0..self.cells() {
            let letter = position.piece_on(cell);
            features.extend(letter.and_then(|letter| self.index(letter, cell, perspective)));
        }
        if !G::MIRRORED && position.side_to_move() != perspective {
            features.push(self.other_to_move());
        }
    }

    fn changes(&self, before: &G, after: &G, perspective: Color, changes: &mut Changes) -> Update {
        changes.clear();
        for cell in 0..self.cells() {
            let (old, new) = (before.piece_on(cell), after.piece_on(cell));
            if old != new {
                let index = |letter| self.index(letter, cell, perspective);
                changes.removed.extend(old.and_then(index));
                changes.added.extend(new.and_then(index));
            }
        }
        if !G::MIRRORED && before.side_to_move() != after.side_to_move() {
            let now = after.side_to_move() != perspective;
            let list = if now { &mut changes.added } else { &mut changes.removed };
            list.push(self.other_to_move());
        }
        Update::Changes
    }
}
