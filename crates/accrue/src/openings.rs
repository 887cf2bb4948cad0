//! Openings command: `accrue openings` writes a book of balanced positions for matches.

use std::collections::HashSet;
use std::path::PathBuf;

use arena::Openings;
use arena::datagen::{DatagenOptions, generate_openings};
use games::ToolkitGame;
use pipeline::files;
use search::{Control, EngineOptions};

use crate::network::{EngineNetworkArgs, NetworkOption, explain};
use crate::progress::Progress;
use crate::signals::Signals;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output};

/// Make a book of balanced openings for matches
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "chess")]
    game: String,

    /// The file to write, a FEN on each line
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// The number of openings
    #[arg(
        long,
        value_name = "N",
        default_value_t = 500,
        value_parser = clap::value_parser!(u64).range(1..=10_000_000)
    )]
    count: u64,

    /// The number of random moves from the start; a random half of the openings has one more
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8,
        value_parser = clap::value_parser!(u16).range(1..=200)
    )]
    random_plies: u16,

    /// The maximum absolute score of an opening in centipawns
    #[arg(
        long,
        value_name = "CP",
        default_value_t = 50,
        value_parser = clap::value_parser!(i32).range(0..=30_000)
    )]
    max_score: i32,

    /// The soft node limit of the search for the score
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    soft_nodes: u64,

    #[command(flatten)]
    network: EngineNetworkArgs,

    /// The seed of all random numbers
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,
}

const AFTER_HELP: &str = "\
After a few random moves one side is often a piece ahead: then both engines win with the same
colour, and the pair of games carries no information about their strength. In a book of balanced positions
every pair counts.

No position occurs twice. The same options give the same book. Ctrl-C (or SIGTERM) stops it; then
nothing is written.

Examples:
  accrue openings --game hexchess --out hexchess.epd
  accrue match new.accrue old.accrue --game hexchess --openings hexchess.epd --nodes 2000
  accrue openings --out even.epd --count 2000 --random-plies 10 --max-score 30 --net net.accrue";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(&args.game)?.openings(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let options = DatagenOptions {
            seed: args.seed,
            random_plies: args.random_plies.into(),
            max_opening_score: Some(args.max_score),
            limits: DatagenOptions::soft(args.soft_nodes),
            ..DatagenOptions::default()
        };
        let network = args.network.load(toolkit)?;
        let engine = toolkit.networks().engine(EngineOptions::default(), network.as_ref(), 100);
        let mut engine = engine.map_err(|error| explain(&error, NetworkOption::Engine))?;
        let signals = Signals::listen()?;
        let control = Control::new();
        let progress = Progress::new("openings", args.count);
        let (mut book, mut known) = (Vec::new(), HashSet::new());
        // After this many duplicates in a row, assume that there are no others.
        let mut repeated = 0;
        let start = Openings::start(G::start());
        generate_openings(&options, &start, &mut engine, &control, &mut |opening| {
            let fen = opening.line().position().to_fen();
            if known.insert(fen.clone()) {
                book.push(fen);
                repeated = 0;
            } else {
                repeated += 1;
            }
            progress.at(book.len() as u64);
            let wanted = book.len() < args.count as usize && repeated < MAX_REPEATED;
            wanted && !signals.came()
        })?;
        progress.finish();
        if signals.came() {
            return Ok(signals.answer());
        }
        files::replace(&args.out, (book.join("\n") + "\n").as_bytes())?;
        let shown = args.out.display();
        let all = if book.len() < args.count as usize { "; no others were found" } else { "" };
        output::lines([format!("wrote {shown}: {} openings{all}", book.len())])?;
        Ok(Answer::Yes)
    }
}

const MAX_REPEATED: usize = 1000;
