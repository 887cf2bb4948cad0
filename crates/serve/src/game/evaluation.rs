//! Static evaluation of a position by every head of a network, and the curve along a game.

use arena::networks::{LoadedNetwork, PositionEvaluator};
use games::ToolkitGame;
use nnue::{Outputs, QUANTILE_LEVELS};
use report::chart::{Axis, Chart, Point, Series, Tone};
use serde::Serialize;

use super::GameServer;
use super::line::PlayedLine;
use super::position::MoveName;
use super::score::{ScoreScale, WhiteScore};
use crate::error::ApiError;

const QUANTILES: usize = QUANTILE_LEVELS.len();

/// The static evaluation of a position. All values are White's.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluationView {
    network: Option<String>,
    architecture: Option<String>,
    cp: i32,
    expected: f64,
    wdl: Option<[f64; 3]>,
    bucket: Option<usize>,
    quantiles: Option<[i32; QUANTILES]>,
    quantile_levels: [f32; QUANTILES],
    quantile_expected: Option<[f64; QUANTILES]>,
    policy: Vec<PolicyView>,
    pieces: Vec<PieceView>,
}

#[derive(Clone, Debug, Serialize)]
struct PolicyView {
    #[serde(flatten)]
    name: MoveName,
    probability: f32,
}

#[derive(Clone, Debug, Serialize)]
struct PieceView {
    cell: usize,
    piece: char,
    cp: Option<i32>,
}

/// The evaluation along a game.
#[derive(Clone, Debug, Serialize)]
pub struct CurveView {
    points: Vec<CurvePoint>,
    svg: String,
}

#[derive(Clone, Debug, Serialize)]
struct CurvePoint {
    ply: usize,
    cp: Option<i32>,
    expected: f64,
    quantile_expected: Option<[f64; QUANTILES]>,
}

/// Evaluates positions by a network, or by material without one.
pub(super) enum Judge<G: ToolkitGame> {
    Network(Box<PositionEvaluator<G>>),
    Material(arena::networks::StaticEvaluator<G>),
}

impl<G: ToolkitGame> Judge<G> {
    pub(super) fn new(
        server: &GameServer<G>,
        network: Option<&LoadedNetwork>,
    ) -> Result<Self, ApiError> {
        let unfit = |error: arena::networks::NetworkLoadError| {
            ApiError::bad_request("bad_network", error.to_string())
        };
        Ok(if let Some(network) = network {
            Self::Network(Box::new(network.position_evaluator().map_err(unfit)?))
        } else {
            let mut evaluate = server.networks.static_evaluator(None).map_err(unfit)?;
            // Material is normalised; values are shown by the model of the game, as a network's.
            let unit = server.score_model.search_unit();
            Self::Material(Box::new(move |position| unit.raw(evaluate(position))))
        })
    }

    fn outputs(&mut self, position: &G) -> Outputs {
        match self {
            Self::Network(evaluator) => evaluator.outputs(position),
            Self::Material(evaluate) => {
                Outputs { value: evaluate(position), wdl: None, quantiles: None }
            }
        }
    }

    pub(super) fn policy(&mut self, position: &G) -> Vec<(G::Move, f32)> {
        match self {
            Self::Network(evaluator) => evaluator.policy(position),
            Self::Material(_) => Vec::new(),
        }
    }

    /// The static value for the side to move.
    pub(super) fn value(&mut self, position: &G) -> i32 {
        self.outputs(position).value
    }
}

impl<G: ToolkitGame> GameServer<G> {
    pub(super) fn evaluation(
        &self,
        line: &PlayedLine<G>,
        network: Option<&LoadedNetwork>,
        explain: bool,
    ) -> Result<EvaluationView, ApiError> {
        let history = line.history();
        let position = history.position();
        let mut judge = Judge::new(self, network)?;
        let scale = ScoreScale::new(network, &self.score_model, position);
        let outputs = judge.outputs(position);
        let wdl = outputs
            .wdl
            .map_or_else(|| scale.wdl(outputs.value), |wdl| scale.wdl_of_white(wdl.map(f64::from)));
        let [win, draw, _] = wdl;
        let policy = judge.policy(position).into_iter().map(|(mv, probability)| PolicyView {
            name: self.cells.name(position, mv),
            probability,
        });
        let policy = policy.collect();
        let bucket = match &judge {
            Judge::Network(evaluator) => Some(evaluator.bucket(position)),
            Judge::Material(_) => None,
        };
        let pieces = match &mut judge {
            Judge::Network(evaluator) if explain => evaluator.contributions(position),
            _ => Vec::new(),
        };
        // A game that never returns a position without a piece does not support explanations.
        let explained = pieces.iter().any(|piece| piece.value.is_some());
        let pieces = pieces.into_iter().filter(|_| explained).map(|piece| PieceView {
            cell: piece.cell,
            piece: piece.piece,
            cp: piece.value.map(|value| scale.centipawns(value)),
        });
        Ok(EvaluationView {
            network: network.map(|network| network.file().to_owned()),
            architecture: network.map(LoadedNetwork::description),
            cp: scale.centipawns(outputs.value),
            expected: if outputs.wdl.is_some() {
                win + draw / 2.0
            } else {
                scale.expected(outputs.value)
            },
            wdl: Some(wdl),
            bucket,
            quantiles: outputs.quantiles.map(|q| scale.ascending(q.map(|q| scale.centipawns(q)))),
            quantile_levels: QUANTILE_LEVELS,
            quantile_expected: expected_quantiles(&outputs, &scale),
            policy,
            pieces: pieces.collect(),
        })
    }

    pub(super) fn curve_of(
        &self,
        line: &PlayedLine<G>,
        network: Option<&LoadedNetwork>,
        scores: &[Option<WhiteScore>],
    ) -> Result<CurveView, ApiError> {
        let mut judge = Judge::new(self, network)?;
        let positions = line.positions();
        let point = |(ply, position): (usize, &G)| {
            let scale = ScoreScale::new(network, &self.score_model, position);
            if let Some(outcome) = position.outcome() {
                let expected = f64::from(outcome.white.as_f32());
                return CurvePoint { ply, cp: None, expected, quantile_expected: None };
            }
            let outputs = judge.outputs(position);
            CurvePoint {
                ply,
                cp: Some(scale.centipawns(outputs.value)),
                expected: scale.expected(outputs.value),
                quantile_expected: expected_quantiles(&outputs, &scale),
            }
        };
        let points: Vec<_> = positions.iter().enumerate().map(point).collect();
        let searched = positions.iter().zip(scores).enumerate().filter_map(|(ply, (at, score))| {
            let scale = ScoreScale::new(network, &self.score_model, at);
            Some((ply, scale.expected_of_white((*score)?)))
        });
        let svg = chart(&points, &searched.collect::<Vec<_>>());
        Ok(CurveView { points, svg })
    }
}

fn expected_quantiles(outputs: &Outputs, scale: &ScoreScale<'_>) -> Option<[f64; QUANTILES]> {
    outputs.quantiles.map(|q| scale.ascending(q.map(|q| scale.expected(q))))
}

/// White's expected score by ply: the network's, with the band that it expects four of five
/// searches in, and that of searches.
fn chart(points: &[CurvePoint], searched: &[(usize, f64)]) -> String {
    let percent = |share: f64| 100.0 * share;
    let name = |point: &CurvePoint| format!("ply {}: {:.0} %", point.ply, percent(point.expected));
    let line = points.iter().map(|point| {
        Point::new(point.ply as f64, percent(point.expected)).radius(2.0).tooltip(name(point))
    });
    let band = points.iter().filter_map(|point| {
        let quantiles = point.quantile_expected?;
        let middle = Point::new(point.ply as f64, percent(quantiles[QUANTILES / 2]));
        Some(middle.interval(percent(quantiles[0]), percent(quantiles[QUANTILES - 1])))
    });
    let band: Vec<_> = band.collect();
    let end = points.len().saturating_sub(1).max(1) as f64;
    let even = [Point::new(0.0, 50.0), Point::new(end, 50.0)];
    let x = Axis::new("ply").integers().range(0.0, end);
    let mut chart = Chart::new("White's expected score", x, Axis::new("%").range(0.0, 100.0));
    if !band.is_empty() {
        chart = chart.series(Series::band("q10–q90", Tone::Blue, band));
    }
    chart = chart.series(Series::reference("", Tone::Gray, even)).series(Series::line(
        "network",
        Tone::Blue,
        line,
    ));
    if !searched.is_empty() {
        let searched = searched.iter().map(|&(ply, share)| Point::new(ply as f64, percent(share)));
        chart = chart.series(Series::line("search", Tone::Orange, searched));
    }
    chart.size(760.0, 260.0).picture().inline().into_string()
}
