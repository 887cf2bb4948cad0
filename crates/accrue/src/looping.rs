//! Loop command: `accrue loop` improves a network, generation by generation.

mod status;

use std::path::PathBuf;

use clap::Subcommand;
use games::ToolkitGame;
use pipeline::looping::{Loop, LoopConfig};

use crate::runner::Runner;
use crate::signals::Signals;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output};

/// Improve a network: generate, train, test, promote, repeat
#[derive(Debug, clap::Args)]
#[command(
    after_help = AFTER_HELP,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,

    /// The configuration, in TOML; examples/loop_*.toml explain it
    #[arg(value_name = "CONFIG.toml", required = true)]
    config: Option<PathBuf>,

    /// Stop after so many tested generations, those of earlier runs included
    #[arg(long, value_name = "N")]
    generations: Option<u64>,

    /// Threads, instead of the configuration's
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// The niceness, from 0 to 19, instead of the configuration's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=19))]
    nice: Option<i32>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Status(status::StatusArgs),
}

const AFTER_HELP: &str = "\
Each generation plays games with the best network so far, trains a new one on the games of the last
generations, and tests it against the best by an SPRT. A winner is the best from then on. Everything
is in the folder of the loop: gen-0001 and so on with data, training, network and match of each, and
state.toml with the decisions.

Ctrl-C (or SIGTERM) stops it; the same command continues, after a kill or a power failure as well. A
change of the configuration applies from the next generation on. docs/loop.md has the details.

Exit codes: 0 done, 2 bad input, 130 or 143 stopped by a signal.

Examples:
  accrue loop examples/loop_connect_four.toml --generations 4
  accrue loop my.toml --nice 19 --threads 1
  accrue loop status my.toml";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    if let Some(Command::Status(args)) = &args.command {
        return status::run(args, toolkit).map(|()| Answer::Yes);
    }
    let Some(path) = &args.config else { anyhow::bail!("name a configuration file") };
    let config = LoopConfig::read(path, toolkit.games())?;
    set_nice(args.nice.unwrap_or(config.nice))?;
    let Args { generations, threads, .. } = *args;
    toolkit
        .find(&config.game)?
        .run_loop(toolkit, Run(Loop { config: path.clone(), generations, threads }))
}

pub(crate) struct Run(Loop);

impl Run {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(looping) = self;
        let signals = Signals::listen()?;
        let mut runner = Runner::plain(toolkit, &game.score_model, &signals);
        let Some((folder, state)) = looping.run::<G, _>(&mut runner)? else {
            let config = looping.config.display();
            output::lines([String::new(), format!("to resume: accrue loop {config}")])?;
            return Ok(signals.answer());
        };
        output::lines(status::lines(&folder, &state))?;
        Ok(Answer::Yes)
    }
}

/// Lowers the priority of the process.
#[cfg(unix)]
fn set_nice(nice: i32) -> anyhow::Result<()> {
    use anyhow::Context;
    if nice > 0 {
        rustix::process::nice(nice)
            .with_context(|| format!("cannot set the niceness to {nice}"))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn set_nice(nice: i32) -> anyhow::Result<()> {
    if nice > 0 {
        anyhow::bail!("only Unix has `nice`; leave it out");
    }
    Ok(())
}
