//! Convert command: `accrue data convert` converts between formats.

use std::path::PathBuf;

use dataset::formats::RecordSource;
use games::ToolkitGame;

use super::input::{Input, InputArgs};
use super::output::{FormatArgs, Output};
use super::tally::Tally;
use crate::Answer;
use crate::toolkit::{GameEntry, Toolkit};

/// Convert files to another format, or join them
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    format: FormatArgs,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Games of several files are numbered consecutively. Records that the new format cannot hold are
dropped and counted.

Examples:
  accrue data convert a.pgn b.pgn --out games.data
  accrue data convert games.data --out games.vf
  accrue data convert bullet.bin --from bulletformat --out positions.jsonl";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    args.input.game(toolkit)?.data_convert(toolkit, Run(args))
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
        let mut input: Input<G> = args.input.open("convert", game, toolkit)?;
        let mut output =
            Output::create(&args.out, &args.format, &args.input, "convert", game, toolkit)?;
        while let Some(record) = input.next()? {
            output.write(&record, &mut tally)?;
        }
        tally.add_faults(&input);
        tally.require_records(&input)?;
        output.place(&mut tally)?;
        tally.report("convert", args.json)?;
        Ok(Answer::Yes)
    }
}
