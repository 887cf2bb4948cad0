//! Ladder command: `accrue ladder` rates a chess engine by a gauntlet of rated engines.

use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use arena::ladder::{
    InstalledOpponent, LADDER, LadderError, LadderOpponent, choose_opponents, installed_opponents,
};
use arena::tournament::Shape;
use arena::{Anchor, EngineSpec, TimeControl};
use games::Game;
use games::chess::Chess;

use pipeline::stages::PlayMatch;

use crate::matches::contest::{self, ContestFormat, Verbosity};
use crate::matches::{AdjudicationArgs, FileArgs, LimitArgs, StartArgs};
use crate::signals::Signals;
use crate::toolkit::{SCORE_MODEL, Toolkit};
use crate::{Answer, output};

/// Rate a chess engine by a gauntlet of engines of known rating
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The engine, as for `accrue match`
    #[arg(value_name = "ENGINE", default_value = "name=accrue")]
    engine: String,

    /// The opponents, as names separated by commas; by default all that are installed and of a
    /// suitable strength
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    engines: Vec<String>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    start: StartArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,

    /// Games against each opponent, an even number
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,

    /// The number of concurrent games
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    #[command(flatten)]
    files: FileArgs,

    /// List the opponents, their ratings and whether they are installed, without playing
    #[arg(long)]
    list: bool,

    /// Print one JSON object for each game and one at the end
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The opponents are packages of Debian; scripts/ladder installs them. Their ratings were measured at
4 s + 0.04 s on one thread, on the scale of CCRL Blitz, with an error of about 100. The reported
error is that of the games alone.

Examples:
  accrue ladder --list
  accrue ladder net=new.accrue --games 40 --concurrency 2
  accrue ladder --engines gnuchess,toga2 --pgn ladder.pgn";

/// The time control of the opponents' ratings.
const DEFAULT_TIME: TimeControl =
    TimeControl { base: Duration::from_secs(4), increment: Duration::from_millis(40), moves: None };

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let installed = installed_opponents(std::env::split_paths(&path));
    if args.list {
        return list(&installed);
    }
    if args.start.game != Chess::NAME {
        bail!("the opponents of the ladder play chess, not {}", args.start.game);
    }
    let opponents = choose_opponents(&args.engines, &installed).map_err(|error| match error {
        LadderError::NoneInstalled { .. } => anyhow!("{error}, or run scripts/ladder"),
        error => error.into(),
    })?;
    let mut specs: Vec<EngineSpec> = vec![args.engine.parse()?];
    for opponent in &opponents {
        specs.push(opponent.spec_text().parse().context("an opponent of the ladder")?);
    }
    let anchor =
        |(player, found): (usize, &&InstalledOpponent)| Anchor { player, elo: found.opponent.elo };
    let stage = PlayMatch {
        shape: Shape::Gauntlet,
        limits: args.limits.limits(DEFAULT_TIME),
        time_margin: args.limits.margin(),
        adjudication: args.adjudication.rules(),
        games: args.games,
        anchors: (1..).zip(&opponents).map(anchor).collect(),
        concurrency: args.concurrency,
        ..PlayMatch::new(Chess::NAME, specs)
    };
    let stage = args.files.apply(args.start.apply(stage));
    let verbosity = Verbosity {
        report_every: 2 * opponents.len() as u64,
        format: if args.json { ContestFormat::Json } else { ContestFormat::Everything },
    };
    let signals = Signals::listen()?;
    // Only fits of score models use the fallback, and a match fits none.
    let context = toolkit.context(&SCORE_MODEL, signals.stop());
    let result = contest::play::<Chess>(&stage, &context, verbosity, &mut |_, _| {})?;
    Ok(contest::answer(&result, &signals))
}

fn list(installed: &[InstalledOpponent]) -> anyhow::Result<Answer> {
    let line = |opponent: &LadderOpponent| {
        let found = installed.iter().find(|found| found.opponent == opponent);
        let path = found.map_or("not installed", |found| &found.path);
        format!("{:16} {:5.0}  {path}", opponent.name, opponent.elo)
    };
    output::lines(LADDER.iter().map(line))?;
    Ok(Answer::Yes)
}
