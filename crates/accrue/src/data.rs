//! Data command: `accrue data` inspects, checks and transforms files of training records in any
//! format.

pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod dedup;
pub(crate) mod filter;
pub(crate) mod info;
mod input;
mod output;
pub(crate) mod shuffle;
pub(crate) mod split;
mod tally;

use clap::Subcommand;

use crate::Answer;
use crate::toolkit::Toolkit;

/// Inspect, check, convert, shuffle, filter and split files of training records
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Formats: native, bulletformat, viriformat, text (FEN | score | result), epd (FEN [result]), jsonl,
pgn (read only). They are detected by content; --from and --to name them. docs/data-formats.md lists
what each one stores.

Every command ends with `in N = out M + dropped D`, with the dropped records by reason.

Examples:
  accrue data info games.pgn
  accrue data convert games.pgn --out games.data
  accrue data filter games.data --in-check --captures --out quiet.data
  accrue data shuffle quiet.data --out train.data --seed 1";

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Args),
    Check(check::Args),
    Convert(convert::Args),
    Shuffle(shuffle::Args),
    Filter(filter::Args),
    Dedup(dedup::Args),
    Split(split::Args),
}

/// Runs the command.
pub(crate) fn run(args: Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    match args.command {
        Command::Info(args) => info::run(&args, toolkit),
        Command::Check(args) => check::run(&args, toolkit),
        Command::Convert(args) => convert::run(&args, toolkit),
        Command::Shuffle(args) => shuffle::run(&args, toolkit),
        Command::Filter(args) => filter::run(&args, toolkit),
        Command::Dedup(args) => dedup::run(&args, toolkit),
        Command::Split(args) => split::run(&args, toolkit),
    }
}
