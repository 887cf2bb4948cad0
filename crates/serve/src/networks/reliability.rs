//! Reliability of a network: it plays quick games against itself, and what it expects is compared
//! with how they end.

use std::time::{Duration, Instant};

use arena::networks::{LoadedNetwork, NetworkLoadError};
use arena::{
    Adjudication, EnginePlayer, Played, Player, Rules, SearchLimits, WinRule, play, random_opening,
};
use games::{Random, ToolkitGame};
use nnue::{Outputs, ScoreModel};
use report::quickstart::{ReliabilityBins, reliability_chart};
use search::{Control, EngineOptions};
use serde::Serialize;

use crate::error::ApiError;
use crate::game::GameServer;

/// How long games are played.
pub(super) const BUDGET: Duration = Duration::from_secs(4);
/// Random moves at the beginning of each game, so that games differ; fewer where a game is short.
const OPENING_PLIES: usize = 6;
/// The seed of the openings: two networks of a game are measured by the same ones.
const SEED: u64 = 23;

/// The answer.
#[derive(Debug, Serialize)]
pub struct ReliabilityView {
    pub(super) games: u64,
    pub(super) positions: u64,
    svg: String,
}

/// Each move is a search of some milliseconds.
fn rules() -> Rules {
    let limits =
        SearchLimits { soft_nodes: Some(80), nodes: Some(1000), ..SearchLimits::default() };
    // What is won beyond doubt is not played to its end.
    let win = WinRule { moves: 4, score: 1300, both: true };
    let adjudication =
        Adjudication { win: Some(win), max_plies: Some(300), ..Adjudication::default() };
    Rules { limits: [limits; 2], adjudication, ..Rules::default() }
}

impl<G: ToolkitGame> GameServer<G> {
    /// Plays games for that long, and compares.
    pub(super) fn measure_reliability(
        &self,
        network: &LoadedNetwork,
        budget: Duration,
    ) -> Result<ReliabilityView, ApiError> {
        let unfit =
            |error: NetworkLoadError| ApiError::bad_request("bad_network", error.to_string());
        let options = EngineOptions { hash_mib: 4, ..EngineOptions::default() };
        let engine = self.networks.engine::<G>(options, Some(network), 100).map_err(unfit)?;
        let mut player = EnginePlayer(engine);
        let mut evaluator = network.position_evaluator::<G>().map_err(unfit)?;
        let model = network.score_model();
        let (rules, control) = (rules(), Control::new());
        let mut random = Random::new(SEED);
        let mut bins = ReliabilityBins::default();
        let mut games = 0;
        let begin = Instant::now();
        while games == 0 || begin.elapsed() < budget {
            let opening = random_opening(&G::start(), OPENING_PLIES, &mut random);
            let Some(opening) = opening.or_else(|| random_opening(&G::start(), 1, &mut random))
            else {
                break;
            };
            // An engine in this process does not fail to begin.
            if player.new_game().is_err() {
                break;
            }
            let played = play(opening, &rules, &control, |_, request| player.choose(request));
            let Some(played) = played else { break };
            add(&mut bins, &played, |position| {
                expected_score(&evaluator.outputs(position), model, position.piece_count())
            });
            games += 1;
        }
        let bins = bins.means();
        Ok(ReliabilityView {
            games,
            positions: bins.iter().map(|bin| bin.positions).sum(),
            svg: reliability_chart(&bins).inline().into_string(),
        })
    }
}

/// Counts the positions of a game after its opening.
fn add<G: ToolkitGame>(
    bins: &mut ReliabilityBins,
    played: &Played<G>,
    mut expected: impl FnMut(&G) -> f64,
) {
    let mut line = played.record.opening().line();
    for played_move in played.record.played_moves() {
        let position = line.position();
        let score = played.outcome.score(position.side_to_move());
        bins.add(expected(position), f64::from(score.as_quarters()) / 4.0);
        line.play(played_move.mv);
    }
}

/// The expected score of the side to move, by the WDL head or else by the score model.
fn expected_score(outputs: &Outputs, model: &ScoreModel, pieces: usize) -> f64 {
    if let Some([win, draw, _]) = outputs.wdl {
        return f64::from(win + draw / 2.0);
    }
    let [win, loss] = model.win_and_loss(outputs.value, pieces);
    0.5 + (win - loss) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_or_the_model_says_what_is_expected() {
        let model = ScoreModel::constant(100.0, 100.0);
        let outputs = Outputs { value: 0, wdl: None, quantiles: None };
        assert!((expected_score(&outputs, &model, 32) - 0.5).abs() < 1e-9);
        let better = Outputs { value: 300, ..outputs };
        assert!(expected_score(&better, &model, 32) > 0.8);
        let wdl = Outputs { wdl: Some([0.25, 0.5, 0.25]), ..better };
        assert!((expected_score(&wdl, &model, 32) - 0.5).abs() < 1e-6);
    }
}
