//! `accrue match`: lets engines play each other.

mod args;
pub(crate) mod contest;
mod show;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use arena::contest::{Contest, MatchSettings};
use arena::tournament::{Identity, Schedule, Shape, Tournament, entrants};
use arena::{EngineSpec, Model, Sprt, TimeControl};
use games::ToolkitGame;

use crate::Answer;
use crate::toolkit::{GameEntry, Toolkit};
pub(crate) use args::{AdjudicationArgs, LimitArgs, StartArgs};
use contest::{ContestFormat, Over, Verbosity, Watch, explain_entrant};

/// Let engines play each other, and tell who is stronger
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The engines, as KEY=VALUE,…; a word alone is the file of a network
    #[arg(value_name = "ENGINE", num_args = 2.., required = true)]
    engines: Vec<String>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    start: StartArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,

    /// Games of each pairing, an even number: every opening is played with both colours [default: 100; 100000 with
    /// --sprt]
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// The first engine plays against each of the others, which do not meet
    #[arg(long)]
    gauntlet: bool,

    /// Stop as soon as it is clear whether the first engine is stronger by elo0 or by elo1
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true)]
    sprt: Option<[f64; 2]>,

    /// How likely the SPRT may accept elo1 although elo0 holds
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,

    /// How likely the SPRT may accept elo0 although elo1 holds
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    beta: f64,

    /// In which Elo the SPRT is: normalized or logistic
    #[arg(long, value_name = "MODEL", default_value_t = Model::Normalized, requires = "sprt")]
    model: Model,

    /// Games that are played at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    #[command(flatten)]
    files: FileArgs,

    /// After how many games the whole standing is told
    #[arg(long, value_name = "N", default_value_t = 10)]
    report_every: u64,

    /// Tell only the result, and how far the match has come
    #[arg(long, conflicts_with = "json")]
    quiet: bool,

    /// Print one JSON object for each game and one at the end
    #[arg(long)]
    json: bool,
}

impl Args {
    fn shape(&self) -> Shape {
        if self.gauntlet { Shape::Gauntlet } else { Shape::RoundRobin }
    }
}

/// What is written.
#[derive(Debug, clap::Args)]
pub(crate) struct FileArgs {
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// Keep what --resume needs in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,

    /// Go on with the match in the journal, or begin if there is none
    #[arg(long, requires = "journal")]
    pub(crate) resume: bool,
}

const AFTER_HELP: &str = "\
Keys of an engine: name=, and its own tc=, nodes=, softnodes=, depth= or movetime=;
  for the search of this program: net=, features=, large=, blend=, hash=, threads=, overhead=, mode=, param.NAME=;
  for another program, which speaks UCI: cmd=, arg= (may be repeated), dir=, option.NAME=;
  moves=random for a player that makes random moves.

Ctrl-C (or SIGTERM) stops it; with --journal, --resume goes on from there, and at a fixed number of nodes the games are
the same as if it had not been stopped. They are also the same whatever the concurrency. docs/08-matches.md tells more.

Exit codes: 0 finished, or the SPRT accepts elo1; 1 the SPRT accepts elo0; 2 bad input; 130 or 143 stopped by a signal.

Examples:
  accrue match new.accrue old.accrue --tc 8+0.08 --openings book.epd --sprt 0,5 --concurrency 4
  accrue match name=a,net=a.accrue,hash=16 name=b,param.futility_base=90 --nodes 5000 --games 400
  accrue match a.accrue b.accrue c.accrue --game hexchess --nodes 2000 --pgn games.pgn
  accrue match net.accrue cmd=stockfish,option.Threads=1,option.UCI_LimitStrength=true --movetime 100
  accrue match new.accrue old.accrue --nodes 5000 --games 10000 --journal match.journal --resume
  accrue match net.accrue moves=random --game connect_four --nodes 500 --quiet";

/// Two numbers with a comma between them.
fn hypotheses(text: &str) -> anyhow::Result<[f64; 2]> {
    let numbers = text.split_once(',');
    let numbers = numbers.and_then(|(a, b)| Some([a.trim().parse().ok()?, b.trim().parse().ok()?]));
    anyhow::Context::context(numbers, "expected two numbers such as 0,5")
}

/// What is played if nothing is said about it.
pub(crate) const DEFAULT_TIME: TimeControl =
    TimeControl { base: Duration::from_secs(8), increment: Duration::from_millis(80), moves: None };
const DEFAULT_GAMES: u64 = 100;
const MAX_SPRT_GAMES: u64 = 100_000;

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(&args.start.game)?.play_match(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        Ok(play::<G>(self.0, &mut |_, _| {}, toolkit)?.answer)
    }
}

/// Plays the match that the arguments ask for. `watch` sees every game, in the order of their numbers, those of the
/// journal too.
pub(crate) fn play<G: ToolkitGame>(
    args: &Args,
    watch: Watch<'_, G>,
    toolkit: &Toolkit,
) -> anyhow::Result<Over> {
    let sprt = sprt(args)?;
    let specs = args.engines.iter().map(|engine| engine.parse());
    let specs = specs.collect::<Result<Vec<EngineSpec>, _>>()?;
    let tournament = tournament::<G>(args, &specs, toolkit)?;
    let identity = identity(
        G::NAME,
        args.shape(),
        &specs,
        (&args.limits, &args.start, &args.adjudication),
        toolkit,
    )?;
    let files = args.files.files(identity)?;
    let contest = Contest { tournament, sprt, anchors: Vec::new(), files };
    let format = match (args.json, args.quiet) {
        (true, _) => ContestFormat::Json,
        (_, true) => ContestFormat::Result,
        _ => ContestFormat::Everything,
    };
    contest::play(&contest, Verbosity { report_every: args.report_every, format }, watch)
}

/// What makes a match another one, for its journal.
pub(crate) fn identity(
    game: &str,
    shape: Shape,
    engines: &[EngineSpec],
    (limits, start, adjudication): (&LimitArgs, &StartArgs, &AdjudicationArgs),
    toolkit: &Toolkit,
) -> anyhow::Result<Identity> {
    let settings = MatchSettings {
        version: env!("CARGO_PKG_VERSION"),
        game,
        shape,
        engines,
        book: start.openings.as_deref(),
        others: &[
            ("limit", format!("{limits:?}")),
            ("start", format!("{start:?}")),
            ("adjudication", format!("{adjudication:?}")),
        ],
    };
    Ok(settings.identity(toolkit.networks())?)
}

fn sprt(args: &Args) -> anyhow::Result<Option<Sprt>> {
    let Some([elo0, elo1]) = args.sprt else { return Ok(None) };
    if args.engines.len() != 2 {
        bail!("--sprt compares two engines; there are {}", args.engines.len());
    }
    Ok(Some(Sprt::new(elo0, elo1, args.alpha, args.beta, args.model)?))
}

fn tournament<G: ToolkitGame>(
    args: &Args,
    specs: &[EngineSpec],
    toolkit: &Toolkit,
) -> anyhow::Result<Tournament<G>> {
    let default = if args.sprt.is_some() { MAX_SPRT_GAMES } else { DEFAULT_GAMES };
    let games = args.games.unwrap_or(default);
    if games == 0 || !games.is_multiple_of(2) {
        bail!("--games {games}: expected an even number, 2 or more");
    }
    let openings = args.start.openings()?;
    let limits = args.limits.limits(DEFAULT_TIME);
    let entrants = entrants::<G>(specs, limits, toolkit.networks()).map_err(explain_entrant)?;
    Ok(Tournament {
        schedule: Schedule::new(args.shape(), entrants.len(), games / 2),
        entrants,
        openings,
        adjudication: args.adjudication.rules(),
        time_margin: args.limits.margin(),
        concurrency: args.concurrency,
    })
}
