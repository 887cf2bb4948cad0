//! Tune command: `accrue tune` tunes search parameters by SPSA over self-play games.

mod args;
mod params;
mod report;
mod state;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use arena::Rules;
use arena::tune::{Spsa, TuningGames, TuningMatch, TuningReport, tune};
use games::ToolkitGame;
use search::{Engine, EngineOptions, Params, SearchMode};

pub(crate) use args::Args;

use crate::network::{NetworkOption, explain};
use crate::progress::Progress;
use crate::signals::Signals;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output};
use state::StateFile;

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(args.game())?.tune(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let (mut games, mode) = tuning_match::<G>(args, toolkit)?;
        let params = args.tuned_params(mode)?;
        let spsa = Spsa::new(params, args.gains(), args.iterations, args.seed())?;
        let file = StateFile::new(&args.state, args.settings::<G>(&spsa, mode, toolkit)?);
        let mut spsa = file.resume(spsa)?;
        // Fail before the games, not after them, if the file cannot be written.
        file.write(&spsa)?;
        let signals = Signals::listen()?;
        run_games(&mut spsa, &mut games, &file, signals.stop())?;
        let report = TuningReport::new(&spsa, args.pairs);
        if args.json {
            output::json(&report)?;
        } else {
            output::lines(report::lines(&report))?;
        }
        if report.is_complete() {
            return Ok(Answer::Yes);
        }
        Ok(signals.answer())
    }
}

/// Plays until all iterations are done, the state cannot be written or a signal arrives.
fn run_games<G: ToolkitGame>(
    spsa: &mut Spsa,
    games: &mut TuningMatch<G>,
    file: &StateFile,
    stop: &AtomicBool,
) -> anyhow::Result<()> {
    let progress = Progress::new("tune", spsa.iterations());
    progress.at(spsa.progress().iteration);
    let names: Vec<String> = spsa.params().iter().map(|param| param.name.clone()).collect();
    let failure = tune(
        spsa,
        |trial| {
            let sides = [&trial.first, &trial.second].map(|values| params(&names, values));
            games.play(trial.iteration, sides.each_ref(), stop)
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

/// Search parameters with these values in place of the defaults.
fn params(names: &[String], values: &[i32]) -> Params {
    let mut params = Params::default();
    for (name, &value) in names.iter().zip(values) {
        params.set(name, value);
    }
    params
}

/// The games of the tuning, and the mode in which both sides search.
fn tuning_match<G: ToolkitGame>(
    args: &Args,
    toolkit: &Toolkit,
) -> anyhow::Result<(TuningMatch<G>, SearchMode)> {
    if args.concurrency == 0 || args.concurrency > MAX_CONCURRENCY {
        bail!("--concurrency {}: expected 1 to {MAX_CONCURRENCY}", args.concurrency);
    }
    let network = args.network.load(toolkit)?;
    let (hash_mib, mode) = (args.hash, args.mode());
    let options = EngineOptions { hash_mib, mode, ..EngineOptions::default() };
    let engine = || {
        let engine = toolkit.networks().engine(options, network.as_ref(), 100);
        engine.map_err(|error| explain(&error, NetworkOption::Engine))
    };
    let mut engines = (0..args.concurrency)
        .map(|_| Ok([engine()?, engine()?]))
        .collect::<anyhow::Result<Vec<[Engine<G>; 2]>>>()?;
    let mode = engines[0][0].resolved_mode();
    let games = TuningGames {
        openings: args.openings()?,
        rules: Rules {
            limits: [args.limits(); 2],
            time_margin: args.time_margin(),
            adjudication: args.adjudication(),
        },
        pairs: args.pairs,
    };
    Ok((TuningMatch::new(games, engines), mode))
}

/// The maximum number of concurrent games: more than any machine has processors.
const MAX_CONCURRENCY: usize = 1024;
