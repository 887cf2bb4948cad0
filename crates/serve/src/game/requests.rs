//! Requests about games: positions, evaluations, curves and PGN.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::extract::State;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::evaluation::{CurveView, EvaluationView};
use super::levels::LEVELS;
use super::line::Line;
use super::pgn::{PgnRequest, PgnView};
use super::position::PositionView;
use super::score::WhiteScore;
use crate::app::App;
use crate::error::ApiError;
use crate::extract::Body;
use crate::{limits, networks};

type Shared = State<Arc<App>>;
type Answer<T> = Result<Json<T>, ApiError>;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/status", get(status))
        .route("/api/position", post(position))
        .route("/api/evaluate", post(evaluate))
        .route("/api/curve", post(curve))
        .route("/api/pgn/read", post(read_pgn))
        .route("/api/pgn/write", post(write_pgn))
}

async fn games(State(app): Shared) -> Json<Value> {
    let games: Vec<_> = app.games.iter().map(|game| game.description()).collect();
    Json(json!({
        "games": games,
        "levels": LEVELS,
        "limits": {
            "threads": app.options.threads,
            "multipv": limits::MULTI_PV,
            "moves": limits::MOVES,
            "sessions": limits::SESSIONS,
            "analyses": limits::SEARCHES,
            "review_nodes": limits::REVIEW_NODES,
        },
        "version": env!("CARGO_PKG_VERSION"),
    }))
}

async fn status(State(app): Shared) -> Json<Value> {
    Json(json!({
        "pages": app.sessions.load(Ordering::Relaxed),
        "searches": app.searches.used(),
        "busy_threads": app.searches.busy_threads(),
    }))
}

async fn position(State(app): Shared, Body(line): Body<Line>) -> Answer<PositionView> {
    app.blocking(move |app| app.game(&line.game)?.position(&line)).await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Evaluate {
    line: Line,
    #[serde(default)]
    network: Option<String>,
    #[serde(default)]
    explain: bool,
}

async fn evaluate(State(app): Shared, Body(body): Body<Evaluate>) -> Answer<EvaluationView> {
    let Evaluate { line, network, explain } = body;
    let view = app.blocking(move |app| {
        let game = app.game(&line.game)?;
        let network = networks::load(app, network.as_deref(), &line.game)?;
        game.evaluate(&line, network.as_deref(), explain)
    });
    view.await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Curve {
    line: Line,
    #[serde(default)]
    network: Option<String>,
    #[serde(default)]
    scores: Vec<Option<WhiteScore>>,
}

async fn curve(State(app): Shared, Body(body): Body<Curve>) -> Answer<CurveView> {
    let Curve { line, network, scores } = body;
    let view = app.blocking(move |app| {
        let game = app.game(&line.game)?;
        let network = networks::load(app, network.as_deref(), &line.game)?;
        game.curve(&line, network.as_deref(), &scores)
    });
    view.await.map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadPgn {
    game: String,
    pgn: String,
}

async fn read_pgn(State(app): Shared, Body(body): Body<ReadPgn>) -> Answer<PgnView> {
    app.blocking(move |app| app.game(&body.game)?.read_pgn(&body.pgn)).await.map(Json)
}

async fn write_pgn(State(app): Shared, Body(body): Body<PgnRequest>) -> Answer<Value> {
    let pgn = app.blocking(move |app| app.game(&body.line.game)?.write_pgn(&body));
    pgn.await.map(|pgn| Json(json!({ "pgn": pgn })))
}
