//! `accrue loop`: generate, train, test, promote, and again, for as long as it runs.
//!
//! Every step is a command of this program that goes on with what its files hold. What was decided is in one small file,
//! which is replaced as a whole. So it does not matter when the program ends: it goes on where it was.

mod config;
mod generation;
mod place;
mod state;
mod status;
mod training;

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Subcommand;
use games::ToolkitGame;

use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output, signals};
use config::LoopConfig;
use generation::{Generation, begin};
use place::Place;
use state::State;

/// Let a network get better by itself: generate, train, test, promote, again
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

    /// Stop when so many generations have been tested, those of earlier runs included
    #[arg(long, value_name = "N")]
    generations: Option<u64>,

    /// Threads, whatever the configuration says
    #[arg(long, value_name = "N")]
    threads: Option<usize>,

    /// Give way to other programs, from 0 to 19, whatever the configuration says
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(i32).range(0..=19))]
    nice: Option<i32>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Status(status::StatusArgs),
}

const AFTER_HELP: &str = "\
Each generation plays games with the best network so far, trains a new one on the games of the last generations, and
lets it play against the best by an SPRT. If it wins, it is the best from then on. Everything is in the folder of the
loop: gen-0001 and so on with data, training, network and match of each, state.toml with what was decided.

Ctrl-C (or SIGTERM) stops it; the same command goes on, as it does after a kill or a failure of the machine. What is
changed in the configuration holds from the next generation on. docs/loop.md tells more.

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
    let game = config.game.clone();
    toolkit.find(&game)?.run_loop(toolkit, Run { args, path, config })
}

pub(crate) struct Run<'a> {
    args: &'a Args,
    path: &'a PathBuf,
    config: LoopConfig,
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self { args, path, config } = self;
        let (stop, signal) = signals::listen()?;
        let stopped = || {
            let signal = signal.load(Ordering::Relaxed) as u8;
            stop.load(Ordering::Relaxed).then_some(Answer::Stopped { signal })
        };
        // What is missing is told before anything is begun.
        config.other_games(path, toolkit.games())?;
        let place = Place::open(path, &config)?;
        give_way(args.nice.unwrap_or(config.nice))?;
        let mut state = State::read(&place)?;
        begin(&place, &config, path, toolkit)?;
        let last = args.generations.unwrap_or(config.generations);
        while last == 0 || state.generations.len() < last as usize {
            let config = LoopConfig::read(path, toolkit.games())?;
            config.check_game::<G>(path)?;
            let generation =
                Generation::open(&place, &state, &config, path, args.threads, toolkit)?;
            let (tested, answer) = generation.carry_out::<G>()?;
            let Some(tested) = tested else { return ended(path, answer) };
            let sentence = tested.generation().summary();
            state.add(tested);
            state.write(&place)?;
            status::draw(&place, &state)?;
            output::lines(["", &sentence])?;
            // A signal that came when a step was ending.
            if let Some(answer) = stopped() {
                return ended(path, answer);
            }
            let begun = Instant::now();
            while begun.elapsed().as_secs_f64() < config.pause {
                std::thread::sleep(Duration::from_millis(50));
                if let Some(answer) = stopped() {
                    return ended(path, answer);
                }
            }
        }
        output::lines(status::lines(&place, &state))?;
        Ok(Answer::Yes)
    }
}

fn ended(path: &std::path::Path, answer: Answer) -> anyhow::Result<Answer> {
    output::lines(["", &format!("to go on: accrue loop {}", path.display())])?;
    Ok(answer)
}

/// Lets other programs go first.
#[cfg(unix)]
fn give_way(nice: i32) -> anyhow::Result<()> {
    use anyhow::Context;
    if nice > 0 {
        rustix::process::nice(nice).with_context(|| format!("cannot give way by {nice}"))?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn give_way(nice: i32) -> anyhow::Result<()> {
    if nice > 0 {
        anyhow::bail!("`nice` is known to Unix alone; leave it out");
    }
    Ok(())
}
