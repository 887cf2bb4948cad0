//! The properties that every game must have, whatever its rules.

use crate::Game;

/// A way to turn positions into others that must play just the same.
#[derive(Clone, Copy, Debug)]
pub struct Symmetry<G: Game> {
    /// What it does, for example `left-right`.
    pub name: &'static str,
    /// Whether the image has the players swapped.
    pub swaps_colors: bool,
    /// The image of a position; `None` where the symmetry does not hold, as with castling rights.
    pub position: fn(&G) -> Option<G>,
    /// The text of the image of a move, from the text of the move.
    pub move_text: fn(&str) -> String,
}

/// A game with known symmetries, for [`conformance`](crate::conformance) and for doubling data.
pub trait Symmetric: Game {
    /// The symmetries of the rules. Empty if there are none.
    fn symmetries() -> Vec<Symmetry<Self>>;
}
