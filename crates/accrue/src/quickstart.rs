//! `accrue quickstart`: from rules to a network that wins, in minutes.
//!
//! Every step is a command of this program, shown before it is carried out. Each of them can be stopped at any time
//! and goes on with what its files hold; so a quickstart needs to remember nothing but its plan.

mod folder;
mod gather;
mod plan;
mod recipe;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use games::ToolkitGame;
use report::page::CommandLine;
use report::quickstart::{MatchResult, QuickstartReport};

use crate::net::plot;
use crate::step::Step;
use crate::toolkit::{GameEntry, Toolkit};
use crate::train::log;
use crate::{Answer, matches, output, signals};
use folder::Folder;
use gather::{Gathered, match_result};
use pipeline::files;
use plan::Plan;
pub use recipe::Recipe;

/// From the rules of a game to a network that wins, in minutes
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The game [default: chess]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// About how long it may take; more time is more data, longer training and more games [default: 5]
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    minutes: Option<f64>,

    /// The folder for everything that it makes [default: quickstart-GAME]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Threads; all processors by default
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,

    /// What all random numbers follow from [default: 1]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Go on with what is in the folder, or begin if there is nothing
    #[arg(long)]
    resume: bool,
}

const AFTER_HELP: &str = "\
It lets a search that knows nothing but the worth of the pieces play itself, trains a network on these games, exports
and checks it, and lets it play against the evaluation that it began with, at equal numbers of nodes. The networks that
are built into this program have no part in it: what is gained was learnt in these minutes.

Each step prints the command that does it alone. The folder gets the network (net.accrue), all data, train.toml and
loop.toml to go on with, and report.html: curves, match table, games, neurons. docs/02-first-network.md tells more.

Ctrl-C (or SIGTERM) stops it, --resume goes on; so it does after a kill. How much is done in the given time is planned at
the beginning, by a short trial, and kept in quickstart.toml.

Exit codes: 0 done, 1 the network did not win its match (connect four: 90 % against random moves), 2 bad input; 130 or 143 stopped by a signal.

Examples:
  accrue quickstart
  accrue quickstart --game hexchess --minutes 10
  accrue quickstart --game connect_four --out four
  accrue quickstart --out four --resume";

fn minutes(text: &str) -> Result<f64, String> {
    let minutes = text.parse().ok().filter(|minutes| (0.01..=10_000.0).contains(minutes));
    minutes.ok_or_else(|| "expected a number of minutes, 0.01 to 10000".into())
}

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| (1..=1024).contains(threads));
    threads.ok_or_else(|| "expected a whole number from 1 to 1024".into())
}

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let (folder, plan) = Folder::open(args, toolkit)?;
    let game = match (&plan, &args.game) {
        (Some(plan), _) => plan.game.clone(),
        (None, Some(game)) => game.clone(),
        (None, None) => toolkit.default_game().to_owned(),
    };
    toolkit.find(&game)?.quickstart(toolkit, Run { args, folder, plan })
}

pub(crate) struct Run<'a> {
    args: &'a Args,
    folder: Folder,
    plan: Option<Plan>,
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self { args, folder, plan } = self;
        let (stop, signal) = signals::listen()?;
        let mut record = GameRecord { folder, commands: Vec::new(), stop, signal };
        let plan = match plan {
            Some(plan) => plan,
            None => Plan::make::<G>(args, &record.folder, game, toolkit)?,
        };
        let over = record.all::<G>(&plan, &game.recipe, toolkit);
        match over {
            Ok(answer @ Answer::Stopped { .. }) => {
                output::lines(["", &record.folder.how_to_resume()])?;
                Ok(answer)
            }
            over => over,
        }
    }
}

/// The way from step to step.
struct GameRecord {
    folder: Folder,
    /// What was done, and by which command.
    commands: Vec<CommandLine>,
    stop: Arc<AtomicBool>,
    signal: Arc<AtomicUsize>,
}

/// Goes on if a step was done, and hands on what ended it otherwise.
macro_rules! unless_stopped {
    ($answer:expr) => {
        if let answer @ Answer::Stopped { .. } = $answer {
            return Ok(answer);
        }
    };
}

impl GameRecord {
    fn all<G: ToolkitGame>(
        &mut self,
        plan: &Plan,
        recipe: &Recipe,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        output::lines(plan.lines(self.folder.path()))?;
        let steps = plan.steps(&self.folder, recipe);
        unless_stopped!(self.step(
            "the evaluation to begin with",
            &steps.start,
            Some("start.accrue"),
            toolkit,
        )?);
        unless_stopped!(self.step(
            "games of a search with itself",
            &steps.datagen,
            None,
            toolkit
        )?);
        self.folder.write("train.toml", &plan.train_toml(recipe, toolkit.games())?)?;
        unless_stopped!(self.step("training", &steps.train, Some("net.accrue"), toolkit)?);
        unless_stopped!(self.step(
            "export: floats become integers",
            &steps.export,
            Some("net.accrue"),
            toolkit,
        )?);
        self.folder.write("loop.toml", &plan.loop_toml(recipe))?;
        let mut gathered = Gathered::<G>::new(&self.folder.file("net.accrue"), toolkit)?;
        let mut results = Vec::new();
        for (title, step) in steps.matches {
            self.announce(title, &step)?;
            let over = matches::play::<G>(
                &step.args()?,
                &mut |fixture, played| {
                    if results.is_empty() {
                        gathered.add(fixture, played);
                    }
                },
                toolkit,
            )?;
            unless_stopped!(over.answer);
            results.push(match_result(title, &over.standings));
        }
        self.report::<G>(plan, &results, gathered, toolkit)?;
        // Who plays random moves shows best whether anything was learnt, where they are an opponent.
        let won = match &results[..] {
            [own] => own.mean_score() > 0.5,
            [_, random, ..] => random.mean_score() >= 0.9,
            [] => false,
        };
        output::lines(self.last_words(&results))?;
        Ok(if won { Answer::Yes } else { Answer::No })
    }

    fn announce(&mut self, title: &str, step: &Step) -> anyhow::Result<()> {
        self.commands.push(CommandLine { title: title.to_owned(), command: step.to_string() });
        output::lines([
            String::new(),
            format!("{}. {title}", self.commands.len()),
            format!("   {step}"),
        ])
    }

    /// Carries out a step, unless the file that shows that it was done is there.
    fn step(
        &mut self,
        title: &str,
        step: &Step,
        done: Option<&str>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        self.announce(title, step)?;
        if let Some(file) = done.map(|done| self.folder.file(done)).filter(|file| file.is_file()) {
            output::lines([format!("   done before: {}", file.display())])?;
            return Ok(Answer::Yes);
        }
        let answer = step.run(toolkit)?;
        // A signal that came when a step was ending or could not be stopped.
        if self.stop.load(Ordering::Relaxed) {
            return Ok(Answer::Stopped { signal: self.signal.load(Ordering::Relaxed) as u8 });
        }
        Ok(answer)
    }

    fn report<G: ToolkitGame>(
        &self,
        plan: &Plan,
        results: &[MatchResult],
        gathered: Gathered<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<()> {
        let (games, reliability) = gathered.finish();
        let page = QuickstartReport {
            positions: plan.positions,
            threads: plan.threads,
            steps: self.commands.clone(),
            matches: results.to_vec(),
            superbatches: log::read(&self.folder.file("training"))?,
            reliability: reliability.means(),
            games,
            neurons: Some(plot::picture_of(&self.folder.file("net.accrue"), toolkit)?),
            next: plan.next(&self.folder),
        };
        Ok(files::replace(&self.folder.file("report.html"), page.html().as_bytes())?)
    }

    fn last_words(&self, results: &[MatchResult]) -> Vec<String> {
        let mut lines = vec![String::new()];
        lines.extend(results.iter().map(MatchResult::summary));
        for (what, file) in [("the network", "net.accrue"), ("the report", "report.html")] {
            lines.push(format!("{what:<12} {}", self.folder.file(file).display()));
        }
        lines.push(format!("to go on     accrue loop {}", self.folder.file("loop.toml").display()));
        lines
    }
}
