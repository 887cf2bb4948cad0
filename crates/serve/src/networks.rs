//! Networks: the built-in ones and those below the root folder, and what the page shows of them.

mod cache;
mod list;

use std::path::PathBuf;
use std::sync::Arc;

use arena::networks::LoadedNetwork;
use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use games::ToolkitGame;
use serde::Serialize;

use crate::app::App;
use crate::error::ApiError;
use crate::game::GameServer;
pub(crate) use cache::NetworkCache;
use list::NetworkSummary;

/// The beginning of the id of a network below the root; the rest is its path.
const FILE: &str = "file:";

/// What the description of a network needs of its game.
pub trait GameNetworks: Send + Sync {
    /// Why the network cannot read the positions of the game, if it cannot.
    fn network_fault(&self, network: &LoadedNetwork) -> Option<String>;
}

impl<G: ToolkitGame> GameNetworks for GameServer<G> {
    fn network_fault(&self, network: &LoadedNetwork) -> Option<String> {
        network.inputs::<G>().err().map(|error| error.to_string())
    }
}

/// The requests about networks.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/networks", get(list))
}

/// The network that a request names, ready to evaluate positions of a game. Without an id, it is
/// the default network of the game; `None` if the game has none and is evaluated by its material.
/// Reads a file unless the network is in the cache.
pub(crate) fn load(
    app: &App,
    id: Option<&str>,
    game: &str,
) -> Result<Option<Arc<LoadedNetwork>>, ApiError> {
    let served = app.game(game)?;
    let default = || app.networks.built_in().default_of(game).map(|network| network.name);
    let Some(id) = id.or_else(default) else { return Ok(None) };
    let network = find(app, id)?.load(app)?;
    match served.network_fault(&network) {
        None => Ok(Some(network)),
        Some(fault) => Err(ApiError::bad_request(
            "wrong_network",
            format!("{fault}; choose a network of {game}, or none for its default"),
        )),
    }
}

/// A network that exists, not yet read.
enum Found {
    /// The name of a built-in network.
    BuiltIn(&'static str),
    /// A file below the root: its path as requests name it, and where it is.
    File { relative: String, path: PathBuf },
}

/// The network of that id.
fn find(app: &App, id: &str) -> Result<Found, ApiError> {
    if let Some(relative) = id.strip_prefix(FILE) {
        let path = app.root.resolve(relative)?;
        return Ok(Found::File { relative: relative.to_owned(), path });
    }
    match app.networks.built_in().named(id) {
        Some(network) => Ok(Found::BuiltIn(network.name)),
        None => {
            let names: Vec<_> = app.networks.built_in().names().collect();
            let message = format!(
                "there is no network `{id}`; expected {FILE} and a path below the root, or one of {}",
                names.join(", ")
            );
            Err(ApiError::not_found("no_such_network", message))
        }
    }
}

impl Found {
    /// The network, from the cache or from its file.
    fn load(&self, app: &App) -> Result<Arc<LoadedNetwork>, ApiError> {
        match self {
            Self::BuiltIn(name) => app.network_cache.built_in(app, name),
            Self::File { relative, path } => app.network_cache.file(app, relative, path),
        }
    }
}

#[derive(Serialize)]
struct Networks {
    networks: Vec<NetworkSummary>,
}

async fn list(State(app): State<Arc<App>>) -> Result<Json<Networks>, ApiError> {
    let networks = app.blocking(|app| Ok(list::all(app))).await?;
    Ok(Json(Networks { networks }))
}

#[cfg(test)]
mod tests;
