//! Requests about runs.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::html_report;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::{Asked, Body};

type Shared = State<Arc<App>>;

/// The requests about runs.
pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/runs", get(list))
        .route("/api/run", get(view))
        .route("/api/run/game", get(game))
        .route("/api/run/report", get(report))
        .route("/api/quickstart/start", post(start))
        .route("/api/quickstart/stop", post(stop))
}

#[derive(Deserialize)]
struct RunPath {
    path: String,
}

#[derive(Deserialize)]
struct RunGame {
    path: String,
    number: u64,
}

/// What starts a quickstart: settings of a new one, or the path of one to resume.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Start {
    path: Option<String>,
    game: Option<String>,
    minutes: Option<f64>,
    name: Option<String>,
    threads: Option<usize>,
}

fn as_json(text: &Arc<str>) -> Response {
    ([(CONTENT_TYPE, "application/json")], text.to_string()).into_response()
}

async fn list(State(app): Shared) -> Result<Response, ApiError> {
    let text = app.blocking(|app| app.runs.list_json(app)).await?;
    Ok(as_json(&text))
}

async fn view(State(app): Shared, Asked(run): Asked<RunPath>) -> Result<Response, ApiError> {
    let text = app.blocking(move |app| app.runs.view_json(app, &run.path)).await?;
    Ok(as_json(&text))
}

async fn game(State(app): Shared, Asked(run): Asked<RunGame>) -> Result<Json<Value>, ApiError> {
    app.blocking(move |app| app.runs.game(app, &run.path, run.number)).await.map(Json)
}

async fn report(State(app): Shared, Asked(run): Asked<RunPath>) -> Result<Response, ApiError> {
    let bytes = app.blocking(move |app| html_report::read(app, &run.path)).await?;
    Ok(html_report::page(bytes))
}

async fn start(State(app): Shared, Body(start): Body<Start>) -> Result<Json<Value>, ApiError> {
    let path = app.blocking(move |app| begin(app, &start)).await?;
    Ok(Json(json!({ "path": path })))
}

fn begin(app: &App, start: &Start) -> Result<String, ApiError> {
    let missing = |name: &str| {
        let message = format!("`{name}` is missing; expected game, minutes and name, or path");
        ApiError::bad_request("bad_body", message)
    };
    let path = if let Some(path) = &start.path {
        app.runs.jobs.resume(app, path)?
    } else {
        let game = start.game.as_deref().ok_or_else(|| missing("game"))?;
        let name = start.name.as_deref().ok_or_else(|| missing("name"))?;
        let minutes = start.minutes.ok_or_else(|| missing("minutes"))?;
        app.runs.jobs.begin(app, game, name, minutes, start.threads)?
    };
    Ok(app.root.relative(&path))
}

async fn stop(State(app): Shared, Body(run): Body<RunPath>) -> Result<Json<Value>, ApiError> {
    app.blocking(move |app| app.runs.jobs.stop(app, &run.path)).await?;
    Ok(Json(json!({})))
}
