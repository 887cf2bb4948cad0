//! Networks: the built-in ones and those below the root folder, and what the page shows of them.

mod cache;
mod charts;
mod list;
mod reliability;
mod view;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use arena::networks::{LoadedNetwork, SpeedRow, SpeedTable, measure_speed};
use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use games::ToolkitGame;
use serde::{Deserialize, Serialize};

use crate::app::App;
use crate::error::ApiError;
use crate::extract::{Asked, Body};
use crate::game::GameServer;
pub(crate) use cache::NetworkCache;
use list::NetworkSummary;
use reliability::ReliabilityView;
use view::NetworkView;

/// The beginning of the id of a network below the root; the rest is its path.
const FILE: &str = "file:";
/// The time of each measurement of speed.
const SPEED_SECONDS: f64 = 0.03;

/// What the description of a network needs of its game.
pub trait GameNetworks: Send + Sync {
    /// Why the network cannot read the positions of the game, if it cannot.
    fn network_fault(&self, network: &LoadedNetwork) -> Option<String>;
    /// Lets the network play against itself for that long, and compares what it expects with how
    /// the games end.
    fn reliability(
        &self,
        network: &LoadedNetwork,
        budget: Duration,
    ) -> Result<ReliabilityView, ApiError>;
}

impl<G: ToolkitGame> GameNetworks for GameServer<G> {
    fn network_fault(&self, network: &LoadedNetwork) -> Option<String> {
        network.inputs::<G>().err().map(|error| error.to_string())
    }

    fn reliability(
        &self,
        network: &LoadedNetwork,
        budget: Duration,
    ) -> Result<ReliabilityView, ApiError> {
        self.measure_reliability(network, budget)
    }
}

/// The requests about networks.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/networks", get(list))
        .route("/api/network", get(view))
        .route("/api/network/speed", post(speed))
        .route("/api/network/reliability", post(reliability))
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
    let built_in = app.networks.built_in();
    built_in.named(id).map(|network| Found::BuiltIn(network.name)).ok_or_else(|| {
        let names: Vec<_> = built_in.names().collect();
        let message = format!(
            "there is no network `{id}`; expected {FILE} and a path below the root, or one of {}",
            names.join(", ")
        );
        ApiError::not_found("no_such_network", message)
    })
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

/// The id of a network, as a query or as a body.
#[derive(Deserialize)]
struct NetworkId {
    id: String,
}

async fn view(
    State(app): State<Arc<App>>,
    Asked(NetworkId { id }): Asked<NetworkId>,
) -> Result<Json<NetworkView>, ApiError> {
    app.blocking(move |app| view::of(app, &id)).await.map(Json)
}

/// The answer to a measurement of speed.
#[derive(Serialize)]
struct Speeds {
    kernels: Vec<&'static str>,
    rows: Vec<SpeedRow>,
}

async fn speed(
    State(app): State<Arc<App>>,
    Body(NetworkId { id }): Body<NetworkId>,
) -> Result<Json<Speeds>, ApiError> {
    app.blocking(move |app| {
        let network = find(app, &id)?.load(app)?;
        let _measuring = app.network_cache.measure()?;
        let SpeedTable { kernels, rows, .. } = measure_speed(network.network(), SPEED_SECONDS);
        Ok(Json(Speeds { kernels, rows }))
    })
    .await
}

async fn reliability(
    State(app): State<Arc<App>>,
    Body(NetworkId { id }): Body<NetworkId>,
) -> Result<Json<ReliabilityView>, ApiError> {
    app.blocking(move |app| {
        let network = find(app, &id)?.load(app)?;
        let Some(info) = app.networks.games().of_features(network.features()) else {
            return Err(ApiError::bad_request(
                "wrong_network",
                format!("the feature set of {id} names no game here, so it cannot play"),
            ));
        };
        let game = app.game(info.name())?;
        if let Some(fault) = game.network_fault(&network) {
            return Err(ApiError::bad_request("wrong_network", fault));
        }
        let _measuring = app.network_cache.measure()?;
        game.reliability(&network, reliability::BUDGET).map(Json)
    })
    .await
}

#[cfg(test)]
mod tests;
