//! Games: [`ServedGame`], what the server does with a game, and [`GameServer`], which does it.

use std::marker::PhantomData;

use arena::networks::NetworkLoader;
use games::ToolkitGame;
use nnue::ScoreModel;
use pipeline::quickstart::Recipe;

use crate::networks::GameNetworks;
use crate::runs::GameRuns;

/// A game at the grain of whole requests, without its type.
pub trait ServedGame: GameRuns + GameNetworks {
    /// The name of the game.
    fn name(&self) -> &'static str;
}

/// [`ServedGame`] of the game `G`.
#[derive(Debug)]
pub struct GameServer<G> {
    pub(crate) networks: NetworkLoader,
    pub(crate) recipe: Recipe,
    pub(crate) score_model: ScoreModel,
    game: PhantomData<fn() -> G>,
}

impl<G: ToolkitGame> GameServer<G> {
    /// A game with the networks of the program, its quickstart recipe, and the score model of
    /// networks that have none of their own.
    pub fn new(networks: NetworkLoader, recipe: Recipe, score_model: ScoreModel) -> Self {
        Self { networks, recipe, score_model, game: PhantomData }
    }
}

impl<G: ToolkitGame> ServedGame for GameServer<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }
}
