//! Quickstart plan: how much is done in the given time, measured by a short trial.

use std::path::Path;
use std::time::Duration;

use arena::datagen::DatagenOptions;
use arena::networks::NetworkSource;
use arena::{Adjudication, EngineSpec, WinRule};
use games::ToolkitGame;
use search::{SampleKind, SearchMode};
use serde::{Deserialize, Serialize};

use super::fit::{FIT_REPORT, NETWORK};
use super::recipe::Recipe;
use crate::stages::{
    ExportNetwork, FitSearch, GenerateData, PlayMatch, StartNetwork, StartWeights, TrainNetwork,
};
use crate::{Context, PipelineError, files};

/// The contents of `quickstart.toml`: everything that the stages depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuickstartPlan {
    /// The version of the program.
    pub version: String,
    /// The name of the game.
    pub game: String,
    /// The time that the quickstart may take.
    pub minutes: f64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// The number of positions to generate.
    pub positions: u64,
    /// The maximum number of games for each kind of sample of the fit; 0 for no fit.
    #[serde(default)]
    pub fit_games: u64,
    /// The number of games of the match.
    pub games: u64,
}

/// The stages, in their order.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    pub(super) start: StartNetwork,
    pub(super) data: GenerateData,
    pub(super) train: TrainNetwork,
    pub(super) export: ExportNetwork,
    /// `None` if there is no time for enough samples.
    pub(super) fit: Option<FitSearch>,
    pub(super) matches: Vec<(&'static str, PlayMatch)>,
}

const HEAD: &str = "\
# The plan of `accrue quickstart`, made by a short trial of how fast this machine plays.
# `accrue quickstart --resume` follows it; do not change it.

";

/// The shares of the time for trial, self-play, fit and match; the rest is for training.
const TRIAL_SHARE: f64 = 0.02;
const DATA_SHARE: f64 = 0.52;
const FIT_SHARE: f64 = 0.05;
const MATCH_SHARE: f64 = 0.24;
/// Bounds of a plan: fewer positions or games are useless, more do not help a small network.
const POSITIONS: (f64, f64) = (3000.0, 10_000_000.0);
const GAMES: (f64, f64) = (8.0, 4000.0);
/// The bounds of the games for each kind of sample. A game has hundreds of samples, which are alike;
/// fits to two or three games lose Elo.
const FIT_GAMES: (f64, f64) = (10.0, 1000.0);
/// The soft node limit of the searches that are sampled. Those of self-play are too shallow to
/// reduce much; with more nodes there would be few games, whose samples are alike.
const FIT_NODES: u64 = 1000;
/// The number of games against random moves. They are short.
const RANDOM_GAMES: u64 = 100;
/// The size of the transposition table of each search in MiB.
const HASH: usize = 2;
/// The score at which self-play is adjudicated: clear games teach little.
const WIN_SCORE: i32 = 1000;

/// A plan has a few lines.
const MAX_PLAN_BYTES: u64 = 1 << 16;

impl QuickstartPlan {
    /// The version of the program that makes plans.
    pub const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// Measures by a short trial how much can be done in so many minutes.
    pub fn measure<G: ToolkitGame>(
        minutes: f64,
        seed: u64,
        threads: usize,
        recipe: &Recipe,
        context: &Context<'_>,
    ) -> Result<Self, PipelineError> {
        let mut plan = Self {
            version: Self::VERSION.to_owned(),
            game: G::NAME.to_owned(),
            minutes,
            seed,
            threads,
            positions: POSITIONS.1 as u64,
            fit_games: 0,
            games: 0,
        };
        let seconds = 60.0 * minutes;
        let time = Duration::from_secs_f64((seconds * TRIAL_SHARE).clamp(0.2, 10.0));
        let scratch = tempfile::tempdir();
        let scratch =
            scratch.map_err(PipelineError::io("create", Path::new("a temporary folder")))?;
        let start = scratch.path().join("start.accrue");
        let weights = StartWeights::Material { game: plan.game.clone() };
        StartNetwork { weights, out: start.clone() }.run::<G>(context)?;
        let trial = plan.data(&scratch.path().join("trial.data"), &start, recipe);
        let report = trial.trial::<G>(time, context)?;
        let spent = report.time.as_secs_f64().max(1e-3);
        let a_second = |count: u64| count as f64 / spent;
        let positions = a_second(report.contents.positions) * seconds * DATA_SHARE;
        let games = a_second(report.contents.games) * seconds * MATCH_SHARE;
        let effort = SampleKind::ALL.len() as f64 * FIT_NODES as f64 / recipe.soft_nodes as f64;
        let fit_games = a_second(report.contents.games) * seconds * FIT_SHARE / effort;
        if fit_games >= FIT_GAMES.0 {
            plan.fit_games = round(fit_games.min(FIT_GAMES.1)) as u64;
        }
        plan.positions = round(positions.clamp(POSITIONS.0, POSITIONS.1)) as u64;
        plan.games = 2 * (games.clamp(GAMES.0, GAMES.1) / 2.0) as u64;
        Ok(plan)
    }

    /// Reads a plan.
    pub fn read(path: &Path) -> Result<Self, PipelineError> {
        let text = files::read_text(path, MAX_PLAN_BYTES)?;
        toml::from_str(&text).map_err(|error| PipelineError::damaged(path, &error))
    }

    /// The plan as text.
    pub(super) fn text(&self) -> Result<String, PipelineError> {
        let text = toml::to_string(self);
        let text = text.map_err(|error| PipelineError::field("the plan", error.to_string()))?;
        Ok(format!("{HEAD}{text}"))
    }

    fn data(&self, out: &Path, net: &Path, recipe: &Recipe) -> GenerateData {
        let default = DatagenOptions::default();
        let rules = default.adjudication;
        let win = rules.win.map(|rule| WinRule { score: WIN_SCORE, ..rule });
        let (win, draw) = if recipe.adjudicate { (win, rules.draw) } else { (None, None) };
        GenerateData {
            net: Some(NetworkSource::new(net)),
            hash_mib: HASH,
            threads: Some(self.threads),
            options: DatagenOptions {
                positions: self.positions,
                seed: self.seed,
                limits: DatagenOptions::soft(recipe.soft_nodes),
                random_plies: recipe.random_plies,
                adjudication: Adjudication { win, draw, ..rules },
                ..default
            },
            ..GenerateData::new(&self.game, out)
        }
    }

    /// All stages.
    pub(super) fn stages(&self, folder: &Path, recipe: &Recipe) -> Stages {
        let file = |name: &str| folder.join(name);
        let (start, data) = (file("start.accrue"), file("games.data"));
        let (has_fit, net) = (self.fit_games > 0, file(NETWORK));
        let exported = if has_fit { file("exported.accrue") } else { net.clone() };
        let engine = |name: &str, file: &Path, mode: SearchMode| {
            let file = file.display().to_string();
            EngineSpec::of_network(name, &file, mode, recipe.soft_nodes, HASH)
        };
        let network = engine("net", &net, SearchMode::Auto);
        let opponent = engine("start", &start, SearchMode::Classical);
        let mut matches = vec![(
            "match against the evaluation that it started from",
            self.a_match(folder, "match", vec![network.clone(), opponent], self.games, recipe),
        )];
        if recipe.random_opponent {
            let games = RANDOM_GAMES.min(self.games);
            let engines = vec![network, EngineSpec::random()];
            matches.push((
                "match against random moves",
                self.a_match(folder, "random", engines, games, recipe),
            ));
        }
        let weights = StartWeights::Material { game: self.game.clone() };
        Stages {
            start: StartNetwork { weights, out: start.clone() },
            data: self.data(&data, &start, recipe),
            train: TrainNetwork {
                config: file("train.toml"),
                overrides: Vec::new(),
                threads: Some(self.threads),
                resume: file("training").is_dir(),
            },
            export: ExportNetwork {
                data: Some(data),
                ..ExportNetwork::new(file("training"), &exported)
            },
            fit: has_fit.then(|| FitSearch {
                out: Some(net),
                report: Some(file(FIT_REPORT)),
                max_games: Some(self.fit_games),
                soft_nodes: FIT_NODES,
                random_plies: recipe.random_plies,
                // Not the openings of the training data, nor those of the match.
                seed: self.seed.wrapping_add(2000),
                threads: Some(self.threads),
                ..FitSearch::new(&self.game, exported)
            }),
            matches,
        }
    }

    fn a_match(
        &self,
        folder: &Path,
        name: &str,
        engines: Vec<EngineSpec>,
        games: u64,
        recipe: &Recipe,
    ) -> PlayMatch {
        let adjudication = Adjudication {
            win: recipe.adjudicate.then_some(PlayMatch::WIN_RULE),
            draw: recipe.adjudicate.then_some(PlayMatch::DRAW_RULE),
            max_plies: None,
        };
        PlayMatch {
            games,
            adjudication,
            random_plies: recipe.random_plies,
            // Not the openings of the training data.
            seed: self.seed.wrapping_add(1000),
            concurrency: self.threads,
            pgn: Some(folder.join(format!("{name}.pgn"))),
            journal: Some(folder.join(format!("{name}.journal"))),
            resume: true,
            ..PlayMatch::new(&self.game, engines)
        }
    }
}

/// Two digits are enough for a plan.
fn round(value: f64) -> f64 {
    let step = 10f64.powf(value.log10().floor() - 1.0);
    (value / step).round() * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_are_round() {
        let planned = [3000.0, 123_456.0, 98_765.0].map(|value| round(value) as u64);
        assert_eq!(planned, [3000, 120_000, 99_000]);
    }

    #[test]
    fn a_plan_reads_back() {
        let plan = QuickstartPlan {
            version: "1".into(),
            game: "chess".into(),
            minutes: 5.0,
            seed: 1,
            threads: 2,
            positions: 200_000,
            fit_games: 10,
            games: 100,
        };
        assert_eq!(toml::from_str::<QuickstartPlan>(&plan.text().unwrap()).unwrap(), plan);
    }
}
