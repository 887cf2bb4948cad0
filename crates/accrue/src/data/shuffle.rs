//! Shuffle command: `accrue data shuffle` puts records into a random order.

use std::path::PathBuf;

use dataset::ShuffleOptions;
use games::ToolkitGame;

use super::input::{Input, InputArgs};
use super::output::{FormatArgs, Output};
use super::tally::Tally;
use crate::Answer;
use crate::toolkit::{GameEntry, Toolkit};
use dataset::Record;
use dataset::formats::FormatError;

/// Put any number of records into a random order
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

    /// The same seed, memory and records give the same order
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// The memory in MiB; the rest goes through temporary files beside the output
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
Records keep the number of their game, so that `split` and validation by game still work.

Examples:
  accrue data shuffle games.data --out train.data --seed 1
  accrue data shuffle *.vf --out train.bf --memory 4096";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    args.input.game(toolkit)?.data_shuffle(toolkit, Run(args))
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
        let mut input: Input<G> = args.input.open("shuffle", game, toolkit)?;
        let done = format!("shuffle --seed {} --memory {}", args.seed, args.memory);
        let mut output =
            Output::create(&args.out, &args.format, &args.input, &done, game, toolkit)?;
        let options = ShuffleOptions {
            seed: args.seed,
            memory: args.memory as usize * (1 << 20),
            scratch: output.scratch().to_owned(),
        };
        let mut failed = None;
        let mut emit = |record: &Record<G>| {
            output.write(record, &mut tally).map_err(|error| {
                failed = Some(error);
                FormatError::Stopped
            })
        };
        let shuffled = dataset::shuffle(&mut input, &options, &mut emit);
        if let Some(error) = failed {
            return Err(error);
        }
        shuffled?;
        tally.add_faults(&input);
        tally.require_records(&input)?;
        output.place(&mut tally)?;
        tally.report("shuffle", args.json)?;
        Ok(Answer::Yes)
    }
}
