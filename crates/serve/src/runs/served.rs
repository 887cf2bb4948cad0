//! What runs need of a game, once for every game.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use arena::contest::OpeningLine;
use arena::tournament::{JournalReader, LiveGame};
use dataset::{Reader, RecordStatistics, StatisticsSummary};
use games::ToolkitGame;
use pipeline::quickstart::{PlannedStage, Quickstart, QuickstartPlan};
use pipeline::{CommandLine, Context, PipelineError, StageRunner};

use super::jobs::{PlanSource, QuickstartStart};
use super::replay::{self, LiveBoard, ReplayedGame};
use super::sentence;
use crate::game::GameServer;

/// What runs need of a game.
pub trait GameRuns: Send + Sync {
    /// Replays a game of a match.
    fn replay(
        &self,
        journal: &JournalReader,
        number: u64,
        opening: &OpeningLine,
        rules: &[(String, String)],
    ) -> Result<ReplayedGame, String>;

    /// The board of a game in progress.
    fn live_board(&self, game: &LiveGame, rules: &[(String, String)]) -> Result<LiveBoard, String>;

    /// Statistics of the first records of a data file.
    fn data_statistics(&self, path: &Path, max: u64) -> Result<StatisticsSummary, String>;

    /// The stages of a quickstart, and which of them are done.
    fn quickstart_stages(&self, plan: &QuickstartPlan, folder: &Path) -> Vec<PlannedStage>;

    /// Runs a quickstart and announces its stages. Returns whether it is finished.
    fn run_quickstart(
        &self,
        start: QuickstartStart,
        stop: &AtomicBool,
        announce: &dyn Fn(&str),
    ) -> Result<bool, String>;
}

/// The seed of quickstarts, as on the command line.
const SEED: u64 = 1;

impl<G: ToolkitGame> GameRuns for GameServer<G> {
    fn replay(
        &self,
        journal: &JournalReader,
        number: u64,
        opening: &OpeningLine,
        rules: &[(String, String)],
    ) -> Result<ReplayedGame, String> {
        replay::replay::<G>(journal, number, opening, rules)
    }

    fn live_board(&self, game: &LiveGame, rules: &[(String, String)]) -> Result<LiveBoard, String> {
        replay::live_board::<G>(game, rules)
    }

    fn data_statistics(&self, path: &Path, max: u64) -> Result<StatisticsSummary, String> {
        let mut reader = Reader::<G>::open(path).map_err(|error| sentence(&error))?;
        let mut statistics = RecordStatistics::default();
        for _ in 0..max {
            match reader.next().map_err(|error| sentence(&error))? {
                Some(record) => statistics.add(&record),
                None => break,
            }
        }
        Ok(statistics.summary())
    }

    fn quickstart_stages(&self, plan: &QuickstartPlan, folder: &Path) -> Vec<PlannedStage> {
        plan.planned(folder, &self.recipe)
    }

    fn run_quickstart(
        &self,
        start: QuickstartStart,
        stop: &AtomicBool,
        announce: &dyn Fn(&str),
    ) -> Result<bool, String> {
        let context = Context {
            games: self.networks.games(),
            networks: &self.networks,
            score_model: &self.score_model,
            stop,
        };
        let QuickstartStart { folder, plan } = start;
        let recipe = self.recipe.clone();
        let plan = match plan {
            PlanSource::Saved(plan) => plan,
            PlanSource::Measured { minutes, threads } => {
                let plan = QuickstartPlan::measure::<G>(minutes, SEED, threads, &recipe, &context);
                let plan = plan.map_err(|error| sentence(&error))?;
                folder.write_plan(&plan).map_err(|error| sentence(&error))?;
                plan
            }
        };
        let mut runner = Announcer { context, announce };
        let result = Quickstart { folder, plan, recipe }.run::<G, _>(&mut runner);
        Ok(result.map_err(|error| sentence(&error))?.is_some())
    }
}

/// Runs stages silently and announces each.
struct Announcer<'a> {
    context: Context<'a>,
    announce: &'a dyn Fn(&str),
}

impl<G: ToolkitGame> StageRunner<G> for Announcer<'_> {
    type Error = PipelineError;

    fn context(&self) -> Context<'_> {
        self.context
    }

    fn announce(&mut self, title: &str, _command: &CommandLine) -> Result<(), PipelineError> {
        (self.announce)(title);
        Ok(())
    }
}
