//! Data generation stage: an engine plays itself and writes training records (`accrue datagen`).

mod manifest;
mod report;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arena::datagen::{Datagen, DatagenEvent, DatagenOptions, DatagenReport, generate};
use arena::networks::{LoadedNetwork, NetworkSource};
use arena::{Openings, SearchLimits, file_identity};
use dataset::Filter;
use games::ToolkitGame;
use search::{Engine, EngineOptions, SearchMode};

use crate::{CommandLine, Context, PipelineError};
pub use report::{DataCounts, DataReport};

/// Lets an engine play itself and writes the positions with their scores and results.
#[derive(Clone, Debug, PartialEq)]
pub struct GenerateData {
    /// The name of the game.
    pub game: String,
    /// The network that evaluates positions; `None` for the default network of the game.
    pub net: Option<NetworkSource>,
    /// The file to write or to resume.
    pub out: PathBuf,
    /// A book of openings; `None` for the start position.
    pub openings: Option<PathBuf>,
    /// What the selectivity of the searches is based on.
    pub mode: SearchMode,
    /// The size of each thread's transposition table in MiB.
    pub hash_mib: usize,
    /// The number of threads; `None` for all processors.
    pub threads: Option<usize>,
    /// What to generate.
    pub options: DatagenOptions,
}

impl GenerateData {
    /// The size of the transposition table of a thread where nothing else is said, in MiB.
    pub const DEFAULT_HASH: usize = 8;
    /// The number of random plies after an opening of a book.
    pub const RANDOM_PLIES_AFTER_BOOK: usize = 4;

    /// Data of a game with the default options.
    pub fn new(game: impl Into<String>, out: impl Into<PathBuf>) -> Self {
        Self {
            game: game.into(),
            net: None,
            out: out.into(),
            openings: None,
            mode: SearchMode::Classical,
            hash_mib: Self::DEFAULT_HASH,
            threads: None,
            options: DatagenOptions::default(),
        }
    }

    /// The equivalent command line.
    pub fn command(&self) -> CommandLine {
        let default = DatagenOptions::default();
        let DatagenOptions { positions, seed, shard, random_plies, per_game, .. } = self.options;
        let default_plies = match self.openings {
            Some(_) => Self::RANDOM_PLIES_AFTER_BOOK,
            None => default.random_plies,
        };
        let command = CommandLine::new("datagen")
            .option("game", &self.game)
            .maybe("net", self.net.as_ref().map(|net| net.file.display()))
            .maybe("features", self.net.as_ref().and_then(|net| net.features.as_ref()))
            .option("out", self.out.display())
            .option("positions", positions);
        let command = limits(command, &self.options.limits)
            .unless_default("mode", self.mode, SearchMode::Classical)
            .maybe("openings", self.openings.as_ref().map(|book| book.display()))
            .unless_default("random-plies", random_plies, default_plies)
            .unless_default(
                "max-opening-score",
                or_none(self.options.max_opening_score),
                or_none(default.max_opening_score),
            );
        let command = adjudication(command, &self.options, &default);
        let depths: Vec<_> = self.options.depths.iter().map(u8::to_string).collect();
        keep(command, &self.options.filter)
            .unless_default("per-game", per_game, default.per_game)
            .unless_default("tree-share", self.options.tree_share, default.tree_share)
            .maybe("depths", Some(depths.join(",")).filter(|depths| !depths.is_empty()))
            .unless_default("hash", self.hash_mib, Self::DEFAULT_HASH)
            .option("seed", seed)
            .unless_default("shard", shard, default.shard)
            .maybe("threads", self.threads)
    }

    /// Generates until the file is complete or the program is to stop, then reports what is in it.
    pub fn run<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
        observe: &mut dyn FnMut(&DatagenEvent),
    ) -> Result<DataReport, PipelineError> {
        self.options.check()?;
        let openings = self.book::<G>()?;
        let mut engines = self.engines::<G>(context)?;
        let mode = engines.first_mut().map_or(self.mode, Engine::resolved_mode);
        let origin = self.origin::<G>(mode, context)?;
        let threads = engines.len();
        let (options, out) = (&self.options, &self.out);
        let run = Datagen { options, openings: &openings, out, origin: &origin, engines };
        let facts = run.facts();
        let report = generate(run, context.stop, observe)?;
        let report = DataReport::new(self, threads, &report);
        if report.is_complete() {
            manifest::write(out, &facts, &report)?;
        }
        Ok(report)
    }

    /// Generates for a short time, to measure the speed. The file is of no other use.
    pub fn trial<G: ToolkitGame>(
        &self,
        time: Duration,
        context: &Context<'_>,
    ) -> Result<DatagenReport, PipelineError> {
        let openings = self.book::<G>()?;
        let engines = self.engines::<G>(context)?;
        let (options, out) = (&self.options, &self.out);
        let run = Datagen { options, openings: &openings, out, origin: &[], engines };
        let stop = Arc::new(AtomicBool::new(false));
        let alarm = Arc::clone(&stop);
        std::thread::spawn(move || {
            std::thread::sleep(time);
            alarm.store(true, Ordering::Relaxed);
        });
        Ok(generate(run, &stop, &mut |_| {})?)
    }

    /// The start positions of games, before random moves.
    pub(super) fn book<G: ToolkitGame>(&self) -> Result<Openings<G>, PipelineError> {
        match &self.openings {
            None => Ok(Openings::start(G::start())),
            Some(book) => Ok(Openings::read(book, None, &[])?.shuffled(self.options.seed)),
        }
    }

    /// What the data depends on beside the options of the arena.
    pub(super) fn origin<G: ToolkitGame>(
        &self,
        mode: SearchMode,
        context: &Context<'_>,
    ) -> Result<Vec<(&'static str, String)>, PipelineError> {
        let book = match &self.openings {
            Some(book) => file_identity(book)?,
            None => "start".to_owned(),
        };
        Ok(vec![
            ("version", env!("CARGO_PKG_VERSION").to_owned()),
            ("game", G::NAME.to_owned()),
            ("evaluation", context.networks.evaluation_identity::<G>(self.net.as_ref())?),
            ("mode", mode.to_string()),
            ("hash", self.hash_mib.to_string()),
            ("openings", book),
        ])
    }

    /// An engine for each thread.
    pub(super) fn engines<G: ToolkitGame>(
        &self,
        context: &Context<'_>,
    ) -> Result<Vec<Engine<G>>, PipelineError> {
        let network = self.net.as_ref().map(|net| context.networks.load(net)).transpose()?;
        let threads = match self.threads {
            Some(0) => return Err(PipelineError::field("threads", "cannot be 0")),
            Some(threads) => threads,
            None => std::thread::available_parallelism().map_or(1, usize::from),
        };
        arena::check_table_memory(self.hash_mib.saturating_mul(threads), 0)?;
        let (hash_mib, mode) = (self.hash_mib, self.mode);
        let options = EngineOptions { hash_mib, mode, ..EngineOptions::default() };
        let network: Option<&LoadedNetwork> = network.as_ref();
        let engine = |_| Ok(context.networks.engine(options, network, 100)?);
        (0..threads).map(engine).collect()
    }
}

fn or_none(limit: Option<i32>) -> String {
    limit.map_or_else(|| "none".to_owned(), |limit| limit.to_string())
}

fn limits(command: CommandLine, limits: &SearchLimits) -> CommandLine {
    let hard = limits.soft_nodes.map(DatagenOptions::soft).and_then(|limits| limits.nodes);
    let default = DatagenOptions::default().limits;
    command
        .maybe("soft-nodes", limits.soft_nodes.filter(|_| *limits != default))
        .maybe("nodes", limits.nodes.filter(|&nodes| Some(nodes) != hard))
        .maybe("depth", limits.depth)
}

fn adjudication(
    command: CommandLine,
    options: &DatagenOptions,
    default: &DatagenOptions,
) -> CommandLine {
    let scores = |options: &DatagenOptions| {
        let rules = &options.adjudication;
        [rules.win.map(|rule| rule.score), rules.draw.map(|rule| rule.score)].map(or_none)
    };
    let [win, draw] = scores(options);
    let [default_win, default_draw] = scores(default);
    let mut command = command.unless_default("win-score", win, default_win).unless_default(
        "draw-score",
        draw,
        default_draw,
    );
    let (rules, default) = (&options.adjudication, &default.adjudication);
    if let (Some(rule), Some(default)) = (rules.win, default.win) {
        command = command.unless_default("win-moves", rule.moves, default.moves);
    }
    if let (Some(rule), Some(default)) = (rules.draw, default.draw) {
        command = command.unless_default("draw-moves", rule.moves, default.moves).unless_default(
            "draw-after",
            rule.after,
            default.after,
        );
    }
    match rules.max_plies {
        plies if plies == default.max_plies => command,
        plies => command.maybe("max-plies", plies),
    }
}

/// The positions that are written although they are filtered out by default.
fn keep(command: CommandLine, filter: &Filter) -> CommandLine {
    let kept =
        [(!filter.in_check, "check"), (!filter.captures, "captures"), (!filter.mates, "mates")];
    let kept: Vec<_> = kept.iter().filter(|(kept, _)| *kept).map(|(_, name)| *name).collect();
    match kept.len() {
        0 => command,
        3 => command.option("keep", "all"),
        _ => command.option("keep", kept.join(",")),
    }
}
