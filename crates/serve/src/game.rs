//! Games: [`ServedGame`], what the server does with a game, and [`GameServer`], which does it.

mod analysis;
mod evaluation;
mod levels;
mod line;
mod pgn;
mod position;
mod requests;
mod review;
mod score;

use std::marker::PhantomData;
use std::sync::Arc;

use arena::networks::{LoadedNetwork, NetworkLoader};
use games::ToolkitGame;
use nnue::ScoreModel;
use pipeline::quickstart::Recipe;
use search::Control;

use crate::error::ApiError;
use crate::networks::GameNetworks;
use crate::runs::GameRuns;
pub(crate) use analysis::{AnalysisLine, KeptEngine};
use evaluation::{CurveView, EvaluationView};
pub(crate) use levels::{ChosenView, Clocks, Strength};
pub(crate) use line::{Line, PlayedLine};
use pgn::{PgnRequest, PgnView};
use position::{CellNames, GameDescription, PositionView};
pub(crate) use requests::routes;
use review::{ReviewSummary, ReviewedMove};
use score::WhiteScore;

/// What a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EngineGrant {
    /// The size of the transposition table in MiB.
    pub hash_mib: usize,
    /// The number of threads.
    pub threads: usize,
}

/// An analysis without end.
pub(crate) struct Analysis<'a> {
    pub(crate) line: &'a Line,
    pub(crate) network: Option<&'a Arc<LoadedNetwork>>,
    pub(crate) grant: EngineGrant,
    pub(crate) multi_pv: usize,
    pub(crate) control: &'a Control,
}

/// The choice of a move.
pub(crate) struct Choice<'a> {
    pub(crate) line: &'a Line,
    pub(crate) network: Option<&'a LoadedNetwork>,
    pub(crate) strength: Strength,
    pub(crate) grant: EngineGrant,
    pub(crate) control: &'a Control,
    pub(crate) seed: u64,
}

/// The review of a game.
pub(crate) struct Review<'a> {
    pub(crate) line: &'a Line,
    pub(crate) network: Option<&'a LoadedNetwork>,
    pub(crate) nodes: u64,
    pub(crate) grant: EngineGrant,
    pub(crate) control: &'a Control,
}

/// A game at the grain of whole requests, without its type. [`GameServer`] implements it.
pub trait ServedGame: GamePlay + GameRuns + GameNetworks {}

impl<T: GamePlay + GameRuns + GameNetworks> ServedGame for T {}

/// What playing and analysing need of a game.
#[expect(private_interfaces, reason = "requests and views belong to the server")]
pub trait GamePlay: Send + Sync {
    /// The name of the game.
    fn name(&self) -> &'static str;
    /// The game as boards and forms see it.
    fn description(&self) -> GameDescription;
    /// The position after a line of play.
    fn position(&self, line: &Line) -> Result<PositionView, ApiError>;
    /// The static evaluation of a position.
    fn evaluate(
        &self,
        line: &Line,
        network: Option<&LoadedNetwork>,
        explain: bool,
    ) -> Result<EvaluationView, ApiError>;
    /// The static evaluation along a game, with scores of searches where there are any.
    fn curve(
        &self,
        line: &Line,
        network: Option<&LoadedNetwork>,
        scores: &[Option<WhiteScore>],
    ) -> Result<CurveView, ApiError>;
    /// The games of a PGN text.
    fn read_pgn(&self, pgn: &str) -> Result<PgnView, ApiError>;
    /// A game as PGN.
    fn write_pgn(&self, request: &PgnRequest) -> Result<String, ApiError>;
    /// Searches until it is stopped, and reports lines.
    fn analyse(
        &self,
        analysis: &Analysis<'_>,
        kept: &mut KeptEngine,
        report: &mut dyn FnMut(AnalysisLine),
    ) -> Result<(), ApiError>;
    /// Chooses a move.
    fn choose(&self, choice: &Choice<'_>) -> Result<ChosenView, ApiError>;
    /// Judges every move of a game; `None` if it is stopped.
    fn review(
        &self,
        review: &Review<'_>,
        each: &mut dyn FnMut(&ReviewedMove),
    ) -> Result<Option<ReviewSummary>, ApiError>;
}

/// [`ServedGame`] of the game `G`.
#[derive(Debug)]
pub struct GameServer<G> {
    pub(crate) networks: NetworkLoader,
    pub(crate) recipe: Recipe,
    pub(crate) score_model: ScoreModel,
    pub(crate) cells: CellNames,
    game: PhantomData<fn() -> G>,
}

impl<G: ToolkitGame> GameServer<G> {
    /// A game with the networks of the program, its quickstart recipe, and the score model of
    /// networks that have none of their own.
    pub fn new(networks: NetworkLoader, recipe: Recipe, score_model: ScoreModel) -> Self {
        Self { networks, recipe, score_model, cells: CellNames::of::<G>(), game: PhantomData }
    }
}

#[expect(private_interfaces, reason = "requests and views belong to the server")]
impl<G: ToolkitGame> GamePlay for GameServer<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn description(&self) -> GameDescription {
        let default = self.networks.built_in().default_of(G::NAME);
        GameDescription::of::<G>(default.map(|network| network.name))
    }

    fn position(&self, line: &Line) -> Result<PositionView, ApiError> {
        Ok(PositionView::of(&PlayedLine::<G>::read(line)?, &self.cells))
    }

    fn evaluate(
        &self,
        line: &Line,
        network: Option<&LoadedNetwork>,
        explain: bool,
    ) -> Result<EvaluationView, ApiError> {
        self.evaluation(&PlayedLine::read(line)?, network, explain)
    }

    fn curve(
        &self,
        line: &Line,
        network: Option<&LoadedNetwork>,
        scores: &[Option<WhiteScore>],
    ) -> Result<CurveView, ApiError> {
        self.curve_of(&PlayedLine::read(line)?, network, scores)
    }

    fn read_pgn(&self, pgn: &str) -> Result<PgnView, ApiError> {
        pgn::read::<G>(pgn)
    }

    fn write_pgn(&self, request: &PgnRequest) -> Result<String, ApiError> {
        pgn::write(request, &PlayedLine::<G>::read(&request.line)?)
    }

    fn analyse(
        &self,
        analysis: &Analysis<'_>,
        kept: &mut KeptEngine,
        report: &mut dyn FnMut(AnalysisLine),
    ) -> Result<(), ApiError> {
        self.analysis(kept, &PlayedLine::read(analysis.line)?, analysis, report)
    }

    fn choose(&self, choice: &Choice<'_>) -> Result<ChosenView, ApiError> {
        self.chosen(&PlayedLine::read(choice.line)?, choice)
    }

    fn review(
        &self,
        review: &Review<'_>,
        each: &mut dyn FnMut(&ReviewedMove),
    ) -> Result<Option<ReviewSummary>, ApiError> {
        self.reviewed(&PlayedLine::read(review.line)?, review, each)
    }
}
