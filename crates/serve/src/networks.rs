//! Networks: the built-in ones and those below the root folder, and what the page shows of them.

use std::sync::Arc;

use axum::Router;
use games::ToolkitGame;

use crate::app::App;
use crate::game::GameServer;

/// What the description of a network needs of its game.
pub trait GameNetworks: Send + Sync {}

impl<G: ToolkitGame> GameNetworks for GameServer<G> {}

/// The requests about networks.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
}
