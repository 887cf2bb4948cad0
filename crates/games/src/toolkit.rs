//! Toolkit game: [`ToolkitGame`], the bound for data, training, search, matches and pages.

use crate::{NotatedGame, PackedGame, SearchGame};

/// A game with all extension traits. Implement those; this trait follows automatically.
pub trait ToolkitGame: SearchGame + PackedGame + NotatedGame {}

impl<G: SearchGame + PackedGame + NotatedGame> ToolkitGame for G {}
