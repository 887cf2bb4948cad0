//! Dedup command: `accrue data dedup` keeps one record of every position.

use std::path::PathBuf;

use dataset::formats::RecordSource;
use dataset::{DropReason, Filter, RepeatFinder};
use games::ToolkitGame;

use super::filter::find_repeats;
use super::input::{Input, InputArgs};
use super::output::{FormatArgs, Output};
use super::tally::Tally;
use crate::Answer;
use crate::toolkit::{GameEntry, Toolkit};

/// Keep the first record of every position
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

    /// The memory in MiB, besides one bit a record; the rest goes through temporary files beside
    /// the output
    #[arg(
        long,
        value_name = "MIB",
        default_value_t = 512,
        value_parser = clap::value_parser!(u32).range(1..=1_048_576)
    )]
    memory: u32,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Positions are equal if pieces, side to move and possible moves are, by a hash of 64 bits. The input
is read twice. Records stay in order.

Examples:
  accrue data dedup games.data --out once.data
  accrue data dedup a.data b.data --out both.data --memory 4096";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    args.input.game(toolkit)?.data_dedup(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let mut output =
            Output::create(&args.out, &args.format, &args.input, "dedup", game, toolkit)?;
        let finder = RepeatFinder::new(args.memory as usize * (1 << 20), output.scratch());
        let mut repeats =
            find_repeats::<G>(&args.input, &Filter::default(), finder, game, toolkit)?;
        let mut tally = Tally::new();
        let mut input: Input<G> = args.input.open("dedup", game, toolkit)?;
        while let Some(record) = input.next()? {
            if repeats.next_is_repeat() {
                tally.drop(DropReason::Duplicates.name());
            } else {
                output.write(&record, &mut tally)?;
            }
        }
        tally.add_faults(&input);
        tally.require_records(&input)?;
        output.place(&mut tally)?;
        tally.report("dedup", args.json)?;
        Ok(Answer::Yes)
    }
}
