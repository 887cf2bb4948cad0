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
use games::Game;
use games::registry::{GameVisitor, with_game};
use search::{Engine, EngineOptions};
use sha2::{Digest, Sha256};

pub(crate) use args::Args;

use crate::evaluation::{self, Loaded};
use crate::progress::Progress;
use crate::{Answer, built_in, memory, signals};
use report::Report;

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    with_game(&args.game, Run(args))?
}

struct Run<'a>(&'a Args);

impl GameVisitor for Run<'_> {
    type Output = anyhow::Result<Answer>;

    fn visit<G: Game>(self) -> Self::Output {
        let Self(args) = self;
        let options = args.options();
        options.check()?;
        let loaded = args.net.as_deref().map(Loaded::read).transpose()?;
        let openings = openings::<G>(args, options.seed)?;
        let origin = origin::<G>(args)?;
        let engines = engines::<G>(args, loaded.as_ref())?;
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
pub(crate) fn trial<G: Game>(args: &Args, time: Duration) -> anyhow::Result<DatagenReport> {
    let options = args.options();
    let openings = openings::<G>(args, options.seed)?;
    let loaded = args.net.as_deref().map(Loaded::read).transpose()?;
    let engines = engines::<G>(args, loaded.as_ref())?;
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
fn openings<G: Game>(args: &Args, seed: u64) -> anyhow::Result<Openings<G>> {
    match &args.openings {
        None => Ok(Openings::start(G::start())),
        Some(book) => Ok(Openings::read(book, None, &[])?.shuffled(seed)),
    }
}

/// What the data follows from beside the options of the arena.
fn origin<G: Game>(args: &Args) -> anyhow::Result<Vec<(&'static str, String)>> {
    let net = args.net.as_deref().map(Path::new).map(named_network).transpose()?;
    let book = args.openings.as_deref().map(named).transpose()?;
    Ok(vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("game", G::NAME.to_owned()),
        ("evaluation", net.unwrap_or_else(built_in_evaluation::<G>)),
        ("hash", args.hash.to_string()),
        ("openings", book.unwrap_or_else(|| "start".to_owned())),
    ])
}

/// What values positions if no network was named.
pub(crate) fn built_in_evaluation<G: Game>() -> String {
    match built_in::network(G::NAME) {
        Some((name, bytes)) => manifest::named(name, &format!("{:x}", Sha256::digest(bytes))),
        None => "material".to_owned(),
    }
}

/// A file's name and the checksum of its content. Where the file lies does not matter.
pub(crate) fn named(path: &Path) -> anyhow::Result<String> {
    Ok(name_and_checksum(path, &manifest::checksum(path)?))
}

/// The same of a network.
pub(crate) fn named_network(net: &Path) -> anyhow::Result<String> {
    Ok(name_and_checksum(net, &manifest::checksum_of_network(net)?))
}

fn name_and_checksum(path: &Path, checksum: &str) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    manifest::named(&name, checksum)
}

/// An engine for each thread.
fn engines<G: Game>(args: &Args, loaded: Option<&Loaded>) -> anyhow::Result<Vec<Engine<G>>> {
    let options = EngineOptions { hash_mib: args.hash, ..EngineOptions::default() };
    let threads = match args.threads {
        Some(0) => bail!("--threads cannot be 0; leave it out to use all processors"),
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    memory::check_tables(args.hash.saturating_mul(threads), 0)?;
    (0..threads).map(|_| evaluation::engine(options, loaded, 100)).collect()
}
