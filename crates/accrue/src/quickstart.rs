//! Quickstart command: `accrue quickstart` goes from rules to a network that wins, in minutes.

use std::path::PathBuf;

use anyhow::bail;
use games::ToolkitGame;
use pipeline::PipelineError;
use pipeline::quickstart::{
    FolderState, Quickstart, QuickstartFolder, QuickstartPlan, QuickstartResult,
};
use report::quickstart::MatchResult;

use crate::runner::Runner;
use crate::signals::Signals;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output};

/// From the rules of a game to a network that wins, in minutes
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The game [default: chess]
    #[arg(long, value_name = "GAME")]
    game: Option<String>,

    /// About how long it may take; more time means more data, training and games [default: 5]
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    minutes: Option<f64>,

    /// The folder for everything that it makes [default: quickstart-GAME]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,

    /// Threads; all processors by default
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,

    /// The seed of all random numbers [default: 1]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    /// Resume the quickstart in the folder, or start one if there is none
    #[arg(long)]
    resume: bool,
}

const AFTER_HELP: &str = "\
A search that evaluates material alone plays itself; a network is trained on these games, exported
and checked; the search is fitted to it; and it plays a match against the material evaluation at
equal nodes. The built-in networks have no part in it: the gain was learned in these minutes.

Each stage prints its equivalent command. The folder gets the network (net.accrue), all data,
train.toml and loop.toml to continue with, and report.html: curves, match table, games, neurons.
docs/02-first-network.md has the details.

Ctrl-C (or SIGTERM) stops it and --resume continues, after a kill as well. A short trial at the
start plans how much is done in the given time; quickstart.toml stores the plan.

Exit codes: 0 done, 1 the network did not win its match (connect four: 90 % against random moves),
2 bad input, 130 or 143 stopped by a signal.

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
    let game = args.game.as_deref().unwrap_or(toolkit.default_game());
    let path = args.out.clone().unwrap_or_else(|| format!("quickstart-{game}").into());
    let folder = QuickstartFolder::open(path).map_err(explain_folder)?;
    let plan = saved_plan(args, &folder)?;
    let game = plan.as_ref().map_or(game, |plan| &plan.game);
    toolkit.find(game)?.quickstart(toolkit, Run { args, folder, plan: plan.clone() })
}

pub(crate) struct Run<'a> {
    args: &'a Args,
    folder: QuickstartFolder,
    plan: Option<QuickstartPlan>,
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self { args, folder, plan } = self;
        let signals = Signals::listen()?;
        let mut runner = Runner::numbered(toolkit, &game.score_model, &signals);
        let recipe = game.recipe.clone();
        let plan = if let Some(plan) = plan {
            plan
        } else {
            let all = || std::thread::available_parallelism().map_or(1, usize::from);
            let plan = QuickstartPlan::measure::<G>(
                args.minutes.unwrap_or(5.0),
                args.seed.unwrap_or(1),
                args.threads.unwrap_or_else(all),
                &recipe,
                &toolkit.context(&game.score_model, signals.stop()),
            )?;
            folder.write_plan(&plan)?;
            plan
        };
        output::lines(plan_lines(&plan, &folder))?;
        let quickstart = Quickstart { folder, plan, recipe };
        let Some(result) = quickstart.run::<G, _>(&mut runner)? else {
            let resume = quickstart.folder.resume_command();
            output::lines([String::new(), format!("to resume: {resume}")])?;
            return Ok(signals.answer());
        };
        output::lines(result_lines(&result, &quickstart.folder))?;
        Ok(if result.has_won() { Answer::Yes } else { Answer::No })
    }
}

/// The plan of a quickstart that was stopped, if it may be resumed with these arguments.
fn saved_plan(args: &Args, folder: &QuickstartFolder) -> anyhow::Result<Option<QuickstartPlan>> {
    let shown = folder.path().display();
    let plan = match folder.state()? {
        FolderState::Empty => return Ok(None),
        FolderState::Foreign(name) => {
            bail!("{shown} holds `{name}` but no quickstart; name another folder with --out")
        }
        FolderState::Stopped(_) if !args.resume => {
            bail!("{shown} holds a quickstart that was stopped; --resume continues it")
        }
        FolderState::Finished(_) if !args.resume => bail!(
            "{shown} holds a finished quickstart: see {}; name another folder with --out for a new one",
            folder.report().display()
        ),
        FolderState::Stopped(plan) | FolderState::Finished(plan) => plan,
    };
    check_plan(&plan, args).map_err(|error| error.context(format!("cannot resume {shown}")))?;
    Ok(Some(plan))
}

/// Refuses arguments that contradict the plan.
fn check_plan(plan: &QuickstartPlan, args: &Args) -> anyhow::Result<()> {
    let QuickstartPlan { version, game, minutes, seed, threads, .. } = plan;
    if version != QuickstartPlan::VERSION {
        bail!(
            "version {version} started it, and this is {}; start again in another folder",
            QuickstartPlan::VERSION
        );
    }
    let differ = |name: &str, planned: &dyn ToString, given: Option<String>| match given {
        Some(given) if given != planned.to_string() => bail!(
            "it was started with --{name} {}, not {given}; leave --{name} out",
            planned.to_string()
        ),
        _ => Ok(()),
    };
    differ("game", game, args.game.clone())?;
    differ("minutes", minutes, args.minutes.map(|minutes| minutes.to_string()))?;
    differ("seed", seed, args.seed.map(|seed| seed.to_string()))?;
    differ("threads", threads, args.threads.map(|threads| threads.to_string()))
}

fn explain_folder(error: PipelineError) -> anyhow::Error {
    match error {
        PipelineError::FolderName { .. } | PipelineError::FolderBusy { .. } => {
            anyhow::anyhow!("{error}; name another folder with --out")
        }
        error => error.into(),
    }
}

fn plan_lines(plan: &QuickstartPlan, folder: &QuickstartFolder) -> [String; 2] {
    let QuickstartPlan { game, minutes, positions, games, threads, .. } = plan;
    let folder = folder.path().display();
    [
        format!("quickstart of {game} in {folder}: about {minutes} minutes on {threads} threads"),
        format!("planned: {positions} positions of self-play, a match of {games} games"),
    ]
}

fn result_lines(result: &QuickstartResult, folder: &QuickstartFolder) -> Vec<String> {
    let mut lines = vec![String::new()];
    lines.extend(result.matches.iter().map(MatchResult::summary));
    for (what, file) in [("network", "net.accrue"), ("report", "report.html")] {
        lines.push(format!("{what:<12} {}", folder.file(file).display()));
    }
    lines.push(format!("to continue  accrue loop {}", folder.file("loop.toml").display()));
    lines
}
