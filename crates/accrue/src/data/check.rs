//! Check command: `accrue data check` reads everything and reports damage.

use dataset::formats::RecordSource;
use games::ToolkitGame;

use super::input::{Input, InputArgs};
use super::tally::Tally;
use crate::Answer;
use crate::toolkit::{GameEntry, Toolkit};

/// Read everything and report damage
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Checks checksums, positions, legality of moves and syntax of lines. Sound records count as `out`.
Exit code 0 if all records are sound, 1 if not.

Examples:
  accrue data check train.data
  accrue data check games.pgn --json";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    args.input.game(toolkit)?.data_check(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let mut tally = Tally::new();
        let mut input: Input<G> = args.input.open("check", game, toolkit)?;
        while let Some(record) = input.next()? {
            // Readers return only legal moves; check them again by the rules, independently of the
            // reader.
            if record.best_move.is_some_and(|mv| !record.position.is_legal(mv)) {
                tally.drop("illegal moves");
            } else {
                tally.out += 1;
            }
        }
        tally.add_faults(&input);
        tally.report("check", args.json)?;
        Ok(if tally.dropped() == 0 { Answer::Yes } else { Answer::No })
    }
}
