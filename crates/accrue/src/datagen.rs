//! `accrue datagen`: lets an engine play itself and writes down what it thought.

mod args;
mod report;

use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use arena::datagen::{Datagen, DatagenEvent, generate};
use games::Game;
use games::registry::{GameVisitor, with_game};
use search::{Engine, EngineOptions};

pub(crate) use args::Args;

use crate::evaluation::{self, Loaded};
use crate::progress::Progress;
use crate::{Answer, signals};
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
        let origin = origin::<G>(args)?;
        let engines = engines::<G>(args, loaded.as_ref())?;
        let threads = engines.len();
        let (stop, signal) = signals::listen()?;
        let wanted = options.shard.share(options.positions);
        let mut progress = None;
        let run = Datagen { options: &options, out: &args.out, origin: &origin, engines };
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
        let report = Report::new::<G>(args, &options, threads, &report?);
        report.tell(args.json)?;
        if report.is_complete() {
            return Ok(Answer::Yes);
        }
        Ok(Answer::Stopped { signal: signal.load(Ordering::Relaxed) as u8 })
    }
}

/// What the data follows from beside the options of the arena.
fn origin<G: Game>(args: &Args) -> anyhow::Result<Vec<(&'static str, String)>> {
    let evaluation = match &args.net {
        None => "built-in".to_owned(),
        Some(file) => {
            let bytes = std::fs::read(file).with_context(|| format!("cannot read {file}"))?;
            let name = std::path::Path::new(file).file_name().unwrap_or_default();
            format!("{} {:08x}", name.to_string_lossy(), crc32fast::hash(&bytes))
        }
    };
    Ok(vec![
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("game", G::NAME.to_owned()),
        ("evaluation", evaluation),
        ("hash", args.hash.to_string()),
    ])
}

/// An engine for each thread.
fn engines<G: Game>(args: &Args, loaded: Option<&Loaded>) -> anyhow::Result<Vec<Engine<G>>> {
    let options = EngineOptions { hash_mib: args.hash, ..EngineOptions::default() };
    let threads = match args.threads {
        Some(0) => bail!("--threads cannot be 0; leave it out to use all processors"),
        Some(threads) => threads,
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let make = |_| {
        let mut engine = Engine::new(options)?;
        evaluation::install(&mut engine, loaded, 100)?;
        Ok(engine)
    };
    (0..threads).map(make).collect()
}
