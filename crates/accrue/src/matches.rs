//! Match command: `accrue match` lets engines play each other.

mod args;
pub(crate) mod contest;
mod show;

use std::path::PathBuf;

use arena::tournament::Shape;
use arena::{EngineSpec, Model, Sprt};
use games::ToolkitGame;
use pipeline::stages::PlayMatch;

use crate::Answer;
use crate::signals::Signals;
use crate::toolkit::{GameEntry, Toolkit};
pub(crate) use args::{AdjudicationArgs, LimitArgs, StartArgs, setting};
use contest::{ContestFormat, Verbosity};

/// Play a match between engines, and report who is stronger
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

    /// Games of each pairing, an even number: every opening is played with both colours
    /// [default: 100; 100000 with --sprt]
    #[arg(long, value_name = "N")]
    games: Option<u64>,

    /// The first engine plays against each of the others, which do not meet
    #[arg(long)]
    gauntlet: bool,

    /// Run an SPRT: stop when the first engine proves stronger by elo0 or by elo1
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true)]
    sprt: Option<[f64; 2]>,

    /// The probability that the SPRT accepts elo1 although elo0 holds
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    alpha: f64,

    /// The probability that the SPRT accepts elo0 although elo1 holds
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    beta: f64,

    /// The Elo model of the SPRT: normalized or logistic
    #[arg(long, value_name = "MODEL", default_value_t = Model::Normalized, requires = "sprt")]
    model: Model,

    /// Games that are played at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    #[command(flatten)]
    files: FileArgs,

    /// Print the whole standing after every N games
    #[arg(long, value_name = "N", default_value_t = 10)]
    report_every: u64,

    /// Print the progress and the result only
    #[arg(long, conflicts_with = "json")]
    quiet: bool,

    /// Print one JSON object for each game and one at the end
    #[arg(long)]
    json: bool,
}

/// Files of a match.
#[derive(Debug, clap::Args)]
pub(crate) struct FileArgs {
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,

    /// The journal that --resume continues from
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,

    /// Resume the match in the journal, or start if there is none
    #[arg(long, requires = "journal")]
    pub(crate) resume: bool,
}

const AFTER_HELP: &str = "\
Keys of an engine: name=, and its own tc=, nodes=, softnodes=, depth= or movetime=;
  for the search of this program: net=, features=, large=, blend=, hash=, threads=, overhead=, mode=, param.NAME=;
  for another program, which speaks UCI: cmd=, arg= (may be repeated), dir=, option.NAME=;
  moves=random for a player that makes random moves.

Ctrl-C (or SIGTERM) stops it; with --journal, --resume continues, and at fixed nodes the games are
the same as without the stop. They are also the same whatever the concurrency. docs/08-matches.md
has the details.

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

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(&args.start.game)?.play_match(toolkit, Run(args))
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
        let context = toolkit.context(&game.score_model, signals.stop());
        let format = match (args.json, args.quiet) {
            (true, _) => ContestFormat::Json,
            (_, true) => ContestFormat::Result,
            _ => ContestFormat::Everything,
        };
        let verbosity = Verbosity { report_every: args.report_every, format };
        let result = contest::play::<G>(&args.stage()?, &context, verbosity, &mut |_, _| {})?;
        Ok(contest::answer(&result, &signals))
    }
}

impl Args {
    /// The stage that the arguments describe.
    pub(crate) fn stage(&self) -> anyhow::Result<PlayMatch> {
        let engines = self.engines.iter().map(|engine| engine.parse());
        let engines = engines.collect::<Result<Vec<EngineSpec>, _>>()?;
        let sprt =
            self.sprt.map(|[elo0, elo1]| Sprt::new(elo0, elo1, self.alpha, self.beta, self.model));
        let games = match self.sprt {
            Some(_) => PlayMatch::MAX_SPRT_GAMES,
            None => PlayMatch::DEFAULT_GAMES,
        };
        let stage = PlayMatch {
            shape: if self.gauntlet { Shape::Gauntlet } else { Shape::RoundRobin },
            limits: self.limits.limits(PlayMatch::DEFAULT_TIME),
            time_margin: self.limits.margin(),
            adjudication: self.adjudication.rules(),
            games: self.games.unwrap_or(games),
            sprt: sprt.transpose()?,
            concurrency: self.concurrency,
            ..PlayMatch::new(&self.start.game, engines)
        };
        Ok(self.files.apply(self.start.apply(stage)))
    }
}

impl FileArgs {
    /// The match with these files.
    pub(crate) fn apply(&self, stage: PlayMatch) -> PlayMatch {
        PlayMatch {
            pgn: self.pgn.clone(),
            journal: self.journal.clone(),
            resume: self.resume,
            ..stage
        }
    }
}
