//! Quickstart: from the rules of a game to a network that wins, in minutes.
//!
//! Its stages resume from their files, so a quickstart stores nothing but its [`QuickstartPlan`].

mod configs;
mod fit;
mod folder;
mod plan;
mod planned;
mod recipe;
mod samples;
mod titles;

use arena::networks::NetworkSource;
use arena::tournament::End;
use games::ToolkitGame;
use report::neurons::NeuronSelection;
use report::page::ListedCommand;
use report::quickstart::{MatchResult, QuickstartReport};

use crate::stages::{draw_network, read_log};
use crate::{CommandLine, Context, PipelineError, StageRunner, files};
use fit::{FIT_REPORT, NETWORK, read_rules};
pub use folder::{FolderState, QuickstartFolder};
pub use plan::QuickstartPlan;
pub use planned::PlannedStage;
pub use recipe::Recipe;
use samples::{MatchSamples, match_result};

/// A quickstart in its folder.
#[derive(Debug)]
pub struct Quickstart {
    /// The folder.
    pub folder: QuickstartFolder,
    /// How much is done.
    pub plan: QuickstartPlan,
    /// The settings of the game.
    pub recipe: Recipe,
}

/// The result of a quickstart.
#[derive(Clone, Debug)]
pub struct QuickstartResult {
    /// The matches, the one against the start first.
    pub matches: Vec<MatchResult>,
}

impl QuickstartResult {
    /// Whether the network won: the match against random moves decides where there is one, because
    /// it shows best whether anything was learned.
    pub fn has_won(&self) -> bool {
        match &self.matches[..] {
            [own] => own.mean_score() > 0.5,
            [_, random, ..] => random.mean_score() >= 0.9,
            [] => false,
        }
    }
}

/// The stages so far as the report lists them.
struct Listed<'a, R> {
    runner: &'a mut R,
    commands: Vec<ListedCommand>,
}

impl<R> Listed<'_, R> {
    fn announce<G: ToolkitGame>(
        &mut self,
        title: &str,
        command: &CommandLine,
    ) -> Result<(), R::Error>
    where
        R: StageRunner<G>,
    {
        let listed = ListedCommand { title: title.to_owned(), command: command.to_string() };
        self.commands.push(listed);
        self.runner.announce(title, command)
    }
}

impl Quickstart {
    /// Runs the stages that are not done. `None` if the program is to stop before the end.
    pub fn run<G: ToolkitGame, R: StageRunner<G>>(
        &self,
        runner: &mut R,
    ) -> Result<Option<QuickstartResult>, R::Error> {
        let Self { folder, plan, recipe } = self;
        let stages = plan.stages(folder.path(), recipe);
        let mut listed = Listed { runner, commands: Vec::new() };

        listed.announce::<G>(titles::START, &stages.start.command())?;
        if stages.start.out.is_file() {
            listed.runner.note(&done(&stages.start.out))?;
        } else {
            listed.runner.start_network(&stages.start)?;
        }
        if listed.runner.context().is_stopped() {
            return Ok(None);
        }
        listed.announce::<G>(titles::DATA, &stages.data.command())?;
        let report = listed.runner.generate_data(&stages.data)?;
        if !report.is_complete() || listed.runner.context().is_stopped() {
            return Ok(None);
        }
        folder.write("train.toml", &plan.train_toml(recipe))?;
        let exported = &stages.export.out;
        listed.announce::<G>(titles::TRAIN, &stages.train.command())?;
        if exported.is_file() {
            listed.runner.note(&done(exported))?;
        } else if listed.runner.train(&stages.train)?.is_stopped()
            || listed.runner.context().is_stopped()
        {
            return Ok(None);
        }
        listed.announce::<G>(titles::EXPORT, &stages.export.command())?;
        if exported.is_file() {
            listed.runner.note(&done(exported))?;
        } else {
            listed.runner.export(&stages.export)?;
        }
        if listed.runner.context().is_stopped() {
            return Ok(None);
        }
        if !self.fit::<G, R>(stages.fit.as_ref(), &mut listed)?
            || listed.runner.context().is_stopped()
        {
            return Ok(None);
        }
        folder.write("loop.toml", &plan.loop_toml(recipe)?)?;
        let mut samples = MatchSamples::<G>::new(&folder.file(NETWORK), &listed.runner.context())?;
        let mut matches = Vec::new();
        for (title, stage) in &stages.matches {
            listed.announce::<G>(title, &stage.command())?;
            let is_first = matches.is_empty();
            let result = listed.runner.play_match(stage, &mut |fixture, played| {
                if is_first {
                    samples.add(fixture, played);
                }
            })?;
            if result.end == End::Stopped {
                return Ok(None);
            }
            matches.push(match_result(title, &result.standings));
        }
        let result = QuickstartResult { matches };
        let commands = listed.commands;
        self.write_report::<G>(&result, commands, samples, &runner.context())?;
        Ok(Some(result))
    }

    fn write_report<G: ToolkitGame>(
        &self,
        result: &QuickstartResult,
        commands: Vec<ListedCommand>,
        samples: MatchSamples<G>,
        context: &Context<'_>,
    ) -> Result<(), PipelineError> {
        let (games, reliability) = samples.finish();
        let net = self.folder.file(NETWORK);
        let file = context.networks.read_file(&NetworkSource::new(&net))?;
        let (_, picture) = draw_network(&net, &file, &NeuronSelection::default(), context.games)?;
        let page = QuickstartReport {
            positions: self.plan.positions,
            threads: self.plan.threads,
            steps: commands,
            matches: result.matches.clone(),
            rules: read_rules(&self.folder.file(FIT_REPORT))?,
            superbatches: read_log(&self.folder.file("training"))?,
            reliability: reliability.means(),
            games,
            neurons: Some(picture),
            next: self.next_commands(),
        };
        files::replace(&self.folder.report(), page.html().as_bytes())
    }

    /// What to do next, and by which command.
    fn next_commands(&self) -> Vec<ListedCommand> {
        let file = |name: &str| self.folder.file(name).display().to_string();
        let next = |title: &str, command: CommandLine| ListedCommand {
            title: title.to_owned(),
            command: command.to_string(),
        };
        let eval = CommandLine::new("eval").option("net", file(NETWORK));
        let train = CommandLine::new("train")
            .word(file("train.toml"))
            .option("set", "network.accumulator=64")
            .option("set", "output.folder=wider");
        vec![
            next(
                "Improve the network for hours or days: generate, train, test, repeat",
                CommandLine::new("loop").word(file("loop.toml")),
            ),
            next("Evaluate a position", eval.option("game", &self.plan.game)),
            next("Train another network on the same games", train),
        ]
    }
}

fn done(file: &std::path::Path) -> String {
    format!("   done before: {}", file.display())
}
