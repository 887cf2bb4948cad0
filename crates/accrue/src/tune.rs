//! `accrue tune`: finds better numbers for the search by letting them play.

mod args;
mod report;
mod state;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use arena::Rules;
use arena::tune::{Arena, Games, Spsa, tune};
use games::Game;
use games::registry::{GameVisitor, with_game};
use search::{EngineOptions, Params};

pub(crate) use args::Args;

use crate::evaluation::{self, Loaded};
use crate::progress::Progress;
use crate::{Answer, signals};
use report::Report;
use state::StateFile;

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    with_game(args.game(), Run(args))?
}

struct Run<'a>(&'a Args);

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<Answer>;

    fn visit<G: Game>(self) -> Self::Output {
        let Self(args) = self;
        let mut arena = arena::<G>(args)?;
        let spsa = Spsa::new(args.knobs()?, args.gains(), args.iterations, args.seed())?;
        let file = StateFile::new(&args.state, args.settings::<G>(&spsa)?);
        let mut spsa = file.resume(spsa)?;
        // A place that cannot be written to must be known before the games, not after them.
        file.write(&spsa)?;
        let (stop, signal) = signals::listen()?;
        run_games(&mut spsa, &mut arena, &file, &stop)?;
        let report = Report::new(&spsa, args.pairs);
        report.tell(args.json)?;
        if report.is_complete() {
            return Ok(Answer::Yes);
        }
        Ok(Answer::Stopped { signal: signal.load(Ordering::Relaxed) as u8 })
    }
}

/// Plays until all is done, something fails or a signal comes.
fn run_games<G: Game>(
    spsa: &mut Spsa,
    arena: &mut Arena<G>,
    file: &StateFile,
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let progress = Progress::new("tune", spsa.iterations());
    progress.at(spsa.progress().iteration);
    let names: Vec<String> = spsa.knobs().iter().map(|knob| knob.name.clone()).collect();
    let failure = tune(
        spsa,
        |trial| {
            let sides = [&trial.first, &trial.second].map(|values| params(&names, values));
            arena.meet(trial.iteration, sides.each_ref(), stop)
        },
        |spsa| {
            progress.at(spsa.progress().iteration);
            match file.write(spsa) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(error),
            }
        },
    );
    progress.finish();
    failure.map_or(Ok(()), Err)
}

/// The numbers of a search with these among them.
fn params(names: &[String], values: &[i32]) -> Params {
    let mut params = Params::default();
    for (name, &value) in names.iter().zip(values) {
        params.set(name, value);
    }
    params
}

fn arena<G: Game>(args: &Args) -> anyhow::Result<Arena<G>> {
    if args.concurrency == 0 || args.concurrency > MOST_CONCURRENCY {
        bail!("--concurrency {}: expected 1 to {MOST_CONCURRENCY}", args.concurrency);
    }
    let loaded = args.net.as_deref().map(Loaded::read).transpose()?;
    let options = EngineOptions { hash_mib: args.hash, ..EngineOptions::default() };
    let engine = || evaluation::engine(options, loaded.as_ref(), 100);
    let engines =
        (0..args.concurrency).map(|_| Ok([engine()?, engine()?])).collect::<anyhow::Result<_>>()?;
    let games = Games {
        openings: args.openings()?,
        rules: Rules {
            pace: [args.pace(); 2],
            time_margin: args.time_margin(),
            adjudication: args.adjudication(),
        },
        pairs: args.pairs,
    };
    Ok(Arena::new(games, engines))
}

/// More engines than any machine has processors.
const MOST_CONCURRENCY: usize = 1024;
