//! Runs: trainings, data files, matches, loops and quickstarts below the root folder.

use std::sync::Arc;

use axum::Router;
use games::ToolkitGame;

use crate::app::App;
use crate::error::ApiError;
use crate::game::GameServer;

/// What runs need of a game.
pub trait GameRuns: Send + Sync {}

impl<G: ToolkitGame> GameRuns for GameServer<G> {}

/// What is known of the runs below the root.
#[derive(Debug, Default)]
pub(crate) struct Runs {}

impl Runs {
    /// The message `{runs, root}` as JSON. Reads files, at most twice a second for all pages.
    pub(crate) fn list_json(&self, _app: &App) -> Result<Arc<str>, ApiError> {
        Ok("{\"runs\":[],\"root\":\"\"}".into())
    }

    /// The `RunView` of a run as JSON. Reads files, at most twice a second for all pages.
    pub(crate) fn view_json(&self, _app: &App, path: &str) -> Result<Arc<str>, ApiError> {
        Err(ApiError::not_found("no_such_run", format!("there is no run `{path}`")))
    }

    /// Stops the quickstarts that this server runs, and waits for them.
    pub(crate) fn shut_down(&self) {}
}

/// The requests about runs.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
}
