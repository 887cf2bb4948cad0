//! `accrue datagen`: lets an engine play itself and writes down what it thought.

mod args;
pub(crate) mod manifest;
mod report;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::bail;
use arena::Openings;
use arena::datagen::{Datagen, DatagenEvent, DatagenReport, generate};
use arena::networks::LoadedNetwork;
use games::ToolkitGame;
use search::{Engine, EngineOptions};
use sha2::{Digest, Sha256};

pub(crate) use args::Args;

use crate::network::{EngineNetworkArgs, NetworkOption, explain};
use crate::progress::Progress;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, signals};
use report::Report;

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(&args.game)?.datagen(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let options = args.options();
        options.check()?;
        let network = args.network.load(toolkit)?;
        let openings = openings::<G>(args, options.seed)?;
        let origin = origin::<G>(args, toolkit)?;
        let engines = engines::<G>(args, network.as_ref(), toolkit)?;
        let threads = engines.len();
        let (options, openings, origin) = (&options, &openings, &origin[..]);
        let run = Datagen { options, openings, out: &args.out, origin, engines };
        let facts = run.facts();
        let (stop, signal) = signals::listen()?;
        let wanted = options.shard.share(options.positions);
        let mut progress = None;
        let report = generate(run, &stop, &mut |event| match event {
            DatagenEvent::Begun(contents) => {
                progress = Some(Progress::positions("datagen", wanted, contents.positions));
            }
            DatagenEvent::Progress(contents) => {
                if let Some(progress) = &progress {
                    progress.at(contents.positions);
                }
            }
        });
        if let Some(progress) = &progress {
            progress.finish();
        }
        let report = Report::new::<G>(args, options, threads, &report?);
        if report.is_complete() {
            manifest::write(&args.out, &facts, &report)?;
        }
        report.tell(args.json)?;
        if report.is_complete() {
            return Ok(Answer::Yes);
        }
        Ok(Answer::Stopped { signal: signal.load(Ordering::Relaxed) as u8 })
    }
}

/// Generates for a moment, to see how fast that is. The file is of no use.
pub(crate) fn trial<G: ToolkitGame>(
    args: &Args,
    time: Duration,
    toolkit: &Toolkit,
) -> anyhow::Result<DatagenReport> {
    let options = args.options();
    let openings = openings::<G>(args, options.seed)?;
    let network = args.network.load(toolkit)?;
    let engines = engines::<G>(args, network.as_ref(), toolkit)?;
    let run =
        Datagen { options: &options, openings: &openings, out: &args.out, origin: &[], engines };
    let stop = Arc::new(AtomicBool::new(false));
    let alarm = Arc::clone(&stop);
    std::thread::spawn(move || {
        std::thread::sleep(time);
        alarm.store(true, Ordering::Relaxed);
    });
    Ok(generate(run, &stop, &mut |_| {})?)
}

/// Where games begin, before random moves.
fn openings<G: ToolkitGame>(args: &Args, seed: u64) -> anyhow::Result<Openings<G>> {
    match &args.openings {
        None => Ok(Openings::start(G::start())),
        Some(book) => Ok(Openings::read(book, None, &[])?.shuffled(seed)),
    }
}

/// What the data follows from beside the options of the arena.
fn origin<G: ToolkitGame>(
    args: &Args,
    toolkit: &Toolkit,
) -> anyhow::Result<Vec<(&'static str, String)>> {
    let book = args.openings.as_deref().map(named).transpose()?;
    Ok(vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("game", G::NAME.to_owned()),
        ("evaluation", evaluation::<G>(&args.network, toolkit)?),
        ("hash", args.hash.to_string()),
        ("openings", book.unwrap_or_else(|| "start".to_owned())),
    ])
}

/// The evaluation of positions: the network's name, its checksum, and the feature set if one was given.
pub(crate) fn evaluation<G: ToolkitGame>(
    args: &EngineNetworkArgs,
    toolkit: &Toolkit,
) -> anyhow::Result<String> {
    let networks = toolkit.networks().built_in();
    let Some(net) = &args.net else {
        let default = networks.default_of(G::NAME);
        let default = default.map(|network| {
            manifest::named(network.name, &format!("{:x}", Sha256::digest(network.bytes)))
        });
        return Ok(default.unwrap_or_else(|| "material".to_owned()));
    };
    let network = name_and_checksum(net, &manifest::checksum_of_network(net, toolkit)?);
    Ok(match &args.features {
        Some(features) => format!("{network} {features}"),
        None => network,
    })
}

/// A file's name and the checksum of its content. Where the file lies does not matter.
pub(crate) fn named(path: &Path) -> anyhow::Result<String> {
    Ok(name_and_checksum(path, &manifest::checksum(path)?))
}

fn name_and_checksum(path: &Path, checksum: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    manifest::named(&name, checksum)
}

/// An engine for each thread.
fn engines<G: ToolkitGame>(
    args: &Args,
    network: Option<&LoadedNetwork>,
    toolkit: &Toolkit,
) -> anyhow::Result<Vec<Engine<G>>> {
    let options = EngineOptions { hash_mib: args.hash, ..EngineOptions::default() };
    let threads = match args.threads {
        Some(0) => bail!("--threads cannot be 0; leave it out to use all processors"),
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    arena::check_table_memory(args.hash.saturating_mul(threads), 0)?;
    let engine = |_| {
        let engine = toolkit.networks().engine(options, network, 100);
        engine.map_err(|error| explain(&error, NetworkOption::Engine))
    };
    (0..threads).map(engine).collect()
}
