//! Toolkit game: [`ToolkitGame`], all that data, training, search, matches and pages ask of a game.

use crate::{NotatedGame, PackedGame, SearchGame};

/// A game with all extension traits. Implement those; this one follows.
pub trait ToolkitGame: SearchGame + PackedGame + NotatedGame {}

impl<G: SearchGame + PackedGame + NotatedGame> ToolkitGame for G {}
