//! Regret command: `accrue regret` compares the moves that engines choose by a reference search.

mod show;

use std::path::PathBuf;

use anyhow::{Context, bail};
use arena::regret::{
    Reference, ReferenceCache, RegretTest, distinct_positions, reference_identity,
};
use arena::tournament::{Entrant, entrants};
use arena::{EngineSpec, SearchLimits};
use games::ToolkitGame;
use pipeline::stages::PlayMatch;

use crate::Answer;
use crate::matches::contest::explain_entrant;
use crate::matches::setting;
use crate::network::{NetworkOption, explain};
use crate::progress::Progress;
use crate::signals::Signals;
use crate::toolkit::{GameEntry, Toolkit};

/// Compare the moves that engines choose, by a reference search
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The engines, as in `accrue match`; the first is compared with each other one
    #[arg(value_name = "ENGINE", num_args = 2.., required = true)]
    engines: Vec<String>,

    /// The game
    #[arg(long, value_name = "GAME", default_value = "")]
    game: String,

    /// A rule variant, as NAME=VALUE; `accrue games` lists them
    #[arg(long = "rule", value_name = "NAME=VALUE", value_parser = setting)]
    rules: Vec<(String, String)>,

    /// The positions: a FEN or EPD on each line, or PGN; without it, the start position
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,

    /// The number of positions; fewer if there are not that many distinct ones
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        value_parser = clap::value_parser!(u64).range(1..=10_000_000)
    )]
    count: u64,

    /// Random moves after each position [default: 0, or 16 without --positions]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=200))]
    random_plies: Option<u16>,

    /// Take the positions in a random order, by --seed
    #[arg(long, requires = "positions")]
    shuffle: bool,

    /// The seed of the order and the random moves
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,

    /// The nodes of engines that have no limits of their own
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    nodes: u64,

    /// The engine that scores the moves, as in `accrue match`
    #[arg(long, value_name = "ENGINE", default_value = "name=reference,hash=64")]
    reference: String,

    /// The nodes of the reference, unless it has limits of its own
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200_000,
        value_parser = clap::value_parser!(u64).range(1..)
    )]
    reference_nodes: u64,

    /// Keep the reference searches in this file, and use those that it has
    #[arg(long, value_name = "FILE")]
    cache: Option<PathBuf>,

    /// Positions that are searched at the same time
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=1024)
    )]
    concurrency: u16,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Each engine searches each position from a clean state. The reference searches the position, and the
positions after its best move and after the move of each engine. Regret is the expected score (1 for a win,
1/2 for a draw) of the best of these moves minus that of the engine's move. The difference is paired:
both engines are compared position by position. A negative one is better for the first engine.

Give the reference its own program (cmd=…) or keep its cache if the search itself changes: the cache
is used whatever version wrote it.

Ctrl-C (or SIGTERM) stops it; with --cache, the same command continues. At fixed nodes the output is
the same whatever the concurrency. docs/regret.md has the details.

Exit codes: 0 finished; 2 bad input; 130 or 143 stopped by a signal.

Examples:
  accrue regret new.accrue old.accrue --positions middlegames.epd --cache reference.cache
  accrue regret name=new name=old,cmd=./accrue-old --reference cmd=./accrue-old --cache reference.cache
  accrue regret net=a.accrue,mode=learned net=a.accrue,mode=classical --reference net=chess-large
  accrue regret name=a name=b,param.rfp_margin=60 --game hexchess --count 300 --concurrency 2";

/// Random moves from the start position.
const RANDOM_PLIES: u16 = 16;

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(&args.game)?.regret(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let signals = Signals::listen()?;
        let specs = args.engines.iter().map(|engine| engine.parse());
        let specs = specs.collect::<Result<Vec<EngineSpec>, _>>()?;
        let test = RegretTest {
            entrants: make(&specs, args.nodes, toolkit)?,
            reference: args.reference(game, toolkit)?,
            positions: args.positions()?,
            concurrency: args.concurrency.into(),
        };
        let mut cache = match &args.cache {
            Some(path) => ReferenceCache::open(path, &args.rules)?,
            None => ReferenceCache::new(),
        };
        let progress = Progress::positions("regret", test.positions.len() as u64, 0);
        let report = test.run(&mut cache, signals.stop(), &mut |done| progress.at(done as u64));
        progress.finish();
        match report? {
            None => Ok(signals.answer()),
            Some(report) => show::print(args.json, G::NAME, &report).map(|()| Answer::Yes),
        }
    }
}

/// Makes engines, each limited by nodes unless it has its own limits.
fn make<G: ToolkitGame>(
    specs: &[EngineSpec],
    nodes: u64,
    toolkit: &Toolkit,
) -> anyhow::Result<Vec<Entrant<G>>> {
    let limits = SearchLimits { nodes: Some(nodes), ..SearchLimits::default() };
    entrants(specs, limits, toolkit.networks()).map_err(explain_entrant)
}

impl Args {
    /// The reference.
    fn reference<G: ToolkitGame>(
        &self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Reference<G>> {
        let spec: EngineSpec = self.reference.parse().context("--reference")?;
        let networks = toolkit.networks();
        let mut made = make(std::slice::from_ref(&spec), self.reference_nodes, toolkit)
            .context("--reference")?;
        let entrant = made.remove(0);
        let identity = reference_identity(&spec, &entrant, networks)?;
        let score_model = Reference::<G>::score_model(&spec, networks, &game.score_model)
            .map_err(|error| explain(&error, NetworkOption::Spec).context("--reference"))?;
        Ok(Reference { entrant, identity, score_model })
    }

    /// The positions.
    fn positions<G: ToolkitGame>(&self) -> anyhow::Result<Vec<G>> {
        let plies = if self.positions.is_some() { 0 } else { RANDOM_PLIES };
        let plies = self.random_plies.unwrap_or(plies);
        let openings = PlayMatch {
            rules: self.rules.clone(),
            openings: self.positions.clone(),
            shuffle: self.shuffle,
            random_plies: plies.into(),
            seed: self.seed,
            ..PlayMatch::new(G::NAME, Vec::new())
        }
        .start_positions()?;
        let positions = distinct_positions(&openings, self.count as usize, plies > 0);
        if positions.is_empty() {
            bail!("there is no position to search; expected one in which the game goes on");
        }
        Ok(positions)
    }
}
