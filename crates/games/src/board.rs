//! Board and pieces: [`BoardGame`], the trait behind diagrams, material evaluation and feature
//! sets.

use crate::{BoardGeometry, FeatureSet, FeatureSetError, Game, PieceCell};

/// A game as a board with pieces on its cells.
pub trait BoardGame: Game {
    /// The letters of the pieces in upper case, each once: `PNBRQK`.
    const PIECES: &'static str;

    /// Whether the two sides are mirror images: the same pieces, moves and goals, seen from the
    /// other end of the board. If they are not, the default feature set has one perspective and an
    /// input for the side to move, and no color-swap symmetry is assumed.
    const MIRRORED: bool = true;

    /// Whether pieces fall to the lowest free cell of a column, so that any cell of the column
    /// stands for the move on a board to click on.
    const DROPS: bool = false;

    /// The board geometry, for drawing. Cells are numbered from 0 in the order of the list.
    fn geometry() -> BoardGeometry;

    /// The letter of the piece on a cell: upper case for White, lower case for Black.
    fn piece_on(&self, cell: usize) -> Option<char>;

    /// The number of pieces on the board, both sides together. Output buckets and calibration
    /// read it at every evaluation, so a game with bitboards overrides the default, which visits
    /// every cell.
    fn piece_count(&self) -> usize {
        let cells = 0..Self::geometry().cells.len();
        cells.filter(|&cell| self.piece_on(cell).is_some()).count()
    }

    /// The value of a piece (its letter in upper case) in centipawns, for the material evaluation
    /// that plays before there is a network; `None` for a piece that is never lost, such as a
    /// king. By default all pieces are equal.
    fn piece_value(letter: char) -> Option<i32> {
        Self::PIECES.contains(letter).then_some(100)
    }

    /// The position without the piece on a cell, if it is playable, for `eval --explain`. A game
    /// that always returns `None` does not support that explanation.
    fn without_piece(&self, _cell: usize) -> Option<Self> {
        None
    }

    /// The names of the feature sets, the simplest first, each `GAME.set`. A name that ends in
    /// `:…` takes a parameter there. By default there is one: [`PieceCell`].
    fn feature_set_names() -> Vec<String> {
        vec![PieceCell::<Self>::full_name()]
    }

    /// The feature set of that name.
    fn feature_set(name: &str) -> Result<Box<dyn FeatureSet<Self>>, FeatureSetError> {
        if name == PieceCell::<Self>::full_name() {
            return Ok(Box::new(PieceCell::new()));
        }
        Err(unknown_feature_set::<Self>(name))
    }
}

/// The error for a feature set that `G` does not have. It lists the existing ones.
pub fn unknown_feature_set<G: BoardGame>(name: &str) -> FeatureSetError {
    FeatureSetError::Unknown { name: name.to_owned(), known: G::feature_set_names().join(", ") }
}
