//! `accrue ladder`: how strong an engine is beside programs whose strength is known.

mod opponents;

use std::time::Duration;

use anyhow::{Context, bail};
use arena::tournament::{Schedule, Shape, Tournament};
use arena::{Anchor, TimeControl};
use games::Game;
use games::chess::Chess;

use crate::matches::contest::{Contest, Files, Telling};
use crate::matches::spec::Spec;
use crate::matches::{AdjudicationArgs, FileArgs, LimitArgs, StartArgs, entrants, identity};
use crate::{Answer, output};
use opponents::{Found, OPPONENTS, found};

/// Rate an engine of chess by a gauntlet of programs whose rating is known
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The engine, as for `accrue match`
    #[arg(value_name = "ENGINE", default_value = "name=accrue")]
    engine: String,

    /// Which opponents, by name, with commas between them; without it, all that are installed and not too weak or too
    /// strong to tell much
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    engines: Vec<String>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    start: StartArgs,

    #[command(flatten)]
    adjudication: AdjudicationArgs,

    /// Games with each opponent, an even number
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,

    /// Games that are played at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    #[command(flatten)]
    files: FileArgs,

    /// List the opponents, what they are rated and whether they are installed, and play nothing
    #[arg(long)]
    list: bool,

    /// Print one JSON object for each game and one at the end
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
The opponents are packages of Debian; scripts/ladder installs them. Their ratings were measured at 4 s + 0.04 s on one
thread, on the scale of CCRL Blitz, and are good to about 100. The error that is told is that of the games alone.

Examples:
  accrue ladder --list
  accrue ladder net=new.accrue --games 40 --concurrency 2
  accrue ladder --engines gnuchess,toga2 --pgn ladder.pgn";

/// The control at which the opponents were rated.
const DEFAULT_TIME: TimeControl =
    TimeControl { base: Duration::from_secs(4), increment: Duration::from_millis(40), moves: None };

/// Runs the command.
pub(crate) fn run(args: &Args) -> anyhow::Result<Answer> {
    let found = found();
    if args.list {
        return list(&found);
    }
    if args.start.game != Chess::NAME {
        bail!("the opponents of the ladder play chess, not {}", args.start.game);
    }
    if args.games == 0 || !args.games.is_multiple_of(2) {
        bail!("--games {}: expected an even number, 2 or more", args.games);
    }
    let opponents = choose(&args.engines, &found)?;
    let mut specs = vec![Spec::parse(&args.engine)?];
    for opponent in &opponents {
        specs.push(Spec::parse(&opponent.spec()).context("an opponent of the ladder")?);
    }
    let entrants = entrants::entrants::<Chess>(&specs, args.limits.pace(DEFAULT_TIME))?;
    let tournament = Tournament {
        schedule: Schedule::new(Shape::Gauntlet, entrants.len(), args.games / 2),
        entrants,
        openings: args.start.openings()?,
        adjudication: args.adjudication.rules(),
        time_margin: args.limits.margin(),
        concurrency: args.concurrency,
    };
    let rating = |(player, found): (usize, &&Found)| Anchor { player, elo: found.opponent.elo };
    let identity = identity::identity(
        Chess::NAME,
        Shape::Gauntlet,
        &specs,
        &args.limits,
        &args.start,
        &args.adjudication,
    )?;
    let contest = Contest {
        tournament: &tournament,
        sprt: None,
        anchors: (1..).zip(&opponents).map(rating).collect(),
        files: Files::new(&args.files, identity)?,
        report_every: 2 * opponents.len() as u64,
        telling: if args.json { Telling::Json } else { Telling::Everything },
    };
    Ok(contest.play(&mut |_, _| {})?.answer)
}

/// The opponents that are asked for, or else those that are usual and installed.
fn choose<'a>(names: &[String], found: &'a [Found]) -> anyhow::Result<Vec<&'a Found>> {
    if names.is_empty() {
        let usual: Vec<_> = found.iter().filter(|found| found.opponent.usual).collect();
        if usual.is_empty() {
            bail!("no opponent is installed: run scripts/ladder, or install one of {}", known());
        }
        return Ok(usual);
    }
    let choose = |name: &String| {
        if let Some(found) = found.iter().find(|found| found.opponent.name == name) {
            return Ok(found);
        }
        match OPPONENTS.iter().find(|opponent| opponent.name == name) {
            Some(opponent) => bail!(
                "{name} is not installed: {} is neither in PATH nor in /usr/games",
                opponent.command
            ),
            None => bail!("no opponent is called `{name}`; known: {}", known()),
        }
    };
    names.iter().map(choose).collect()
}

fn known() -> String {
    let names: Vec<_> = OPPONENTS.iter().map(|opponent| opponent.name).collect();
    names.join(", ")
}

fn list(found: &[Found]) -> anyhow::Result<Answer> {
    let line = |opponent: &opponents::Opponent| {
        let place = found.iter().find(|found| found.opponent == opponent);
        let place = place.map_or("not installed", |found| &found.path);
        format!("{:16} {:5.0}  {place}", opponent.name, opponent.elo)
    };
    output::lines(OPPONENTS.iter().map(line))?;
    Ok(Answer::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_can_be_chosen() {
        let found: Vec<_> = OPPONENTS[..2]
            .iter()
            .map(|opponent| Found { opponent, path: format!("/x/{}", opponent.command) })
            .collect();
        let names = |names: &[&str]| -> anyhow::Result<Vec<&str>> {
            let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
            Ok(choose(&names, &found)?.iter().map(|found| found.opponent.name).collect())
        };
        assert_eq!(names(&[OPPONENTS[1].name]).unwrap(), [OPPONENTS[1].name]);
        let missing = names(&[OPPONENTS[3].name]).unwrap_err().to_string();
        assert!(missing.contains("is not installed"), "{missing}");
        let unknown = names(&["deep-thought"]).unwrap_err().to_string();
        assert!(unknown.contains("known: ") && unknown.contains("gnuchess"), "{unknown}");
        assert!(choose(&[], &[]).is_err());
    }

    #[test]
    fn every_opponent_is_an_engine() {
        for opponent in &OPPONENTS {
            let spec = Found { opponent, path: "/usr/games/x".into() }.spec();
            assert_eq!(Spec::parse(&spec).unwrap().name, opponent.name);
        }
    }
}
