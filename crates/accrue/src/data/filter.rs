//! Filter command: `accrue data filter` drops records, and counts the reasons.

use std::path::PathBuf;

use anyhow::bail;
use dataset::formats::RecordSource;
use dataset::{DropReason, Filter, RepeatFinder, Repeats};
use games::ToolkitGame;

use super::input::{Input, InputArgs};
use super::output::{FormatArgs, Output};
use super::tally::Tally;
use crate::Answer;
use crate::toolkit::{GameEntry, Toolkit};

/// Drop records: in check, captures, mates, by ply, score, pieces; duplicates
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    format: FormatArgs,

    /// Drop positions in check
    #[arg(long)]
    in_check: bool,

    /// Drop positions whose best move is noisy: a capture or a promotion
    #[arg(long)]
    captures: bool,

    /// Drop mate scores (30000 or more)
    #[arg(long)]
    mates: bool,

    /// Drop records without score
    #[arg(long)]
    unscored: bool,

    /// Drop records without result
    #[arg(long)]
    no_result: bool,

    /// Drop scores farther from 0 than this, in centipawns; mates are exempt
    #[arg(long, value_name = "CP")]
    max_score: Option<u16>,

    /// Drop plies below this
    #[arg(long, value_name = "PLY")]
    min_ply: Option<u16>,

    /// Drop plies above this
    #[arg(long, value_name = "PLY")]
    max_ply: Option<u16>,

    /// Drop positions with fewer pieces, kings and pawns included
    #[arg(long, value_name = "N")]
    min_pieces: Option<usize>,

    /// Drop positions with more pieces
    #[arg(long, value_name = "N")]
    max_pieces: Option<usize>,

    /// Drop positions that were kept before; reads the input twice
    #[arg(long)]
    duplicates: bool,

    /// The memory for --duplicates in MiB, besides one bit a record
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
Each option drops some records. A record counts under the first reason that applies.

Examples:
  accrue data filter games.data --in-check --captures --mates --out quiet.data
  accrue data filter games.data --min-ply 16 --max-score 3000 --duplicates --out train.data";

impl Args {
    fn filter(&self) -> Filter {
        Filter {
            in_check: self.in_check,
            captures: self.captures,
            mates: self.mates,
            unscored: self.unscored,
            no_result: self.no_result,
            max_score: self.max_score,
            min_ply: self.min_ply,
            max_ply: self.max_ply,
            min_pieces: self.min_pieces,
            max_pieces: self.max_pieces,
        }
    }
}

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    if args.filter() == Filter::default() && !args.duplicates {
        bail!("nothing to drop; expected an option such as --in-check (see --help)");
    }
    args.input.game(toolkit)?.data_filter(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let filter = args.filter();
        let done = format!("filter {filter:?}, duplicates: {}", args.duplicates);
        let mut output =
            Output::create(&args.out, &args.format, &args.input, &done, game, toolkit)?;
        let mut repeats = None;
        if args.duplicates {
            let finder = RepeatFinder::new(args.memory as usize * (1 << 20), output.scratch());
            repeats = Some(find_repeats::<G>(&args.input, &filter, finder, game, toolkit)?);
        }
        let mut tally = Tally::new();
        let mut input: Input<G> = args.input.open("filter", game, toolkit)?;
        while let Some(record) = input.next()? {
            let reason = filter.reason(&record).or_else(|| {
                let again = repeats.as_mut().is_some_and(Repeats::next_is_repeat);
                again.then_some(DropReason::Duplicates)
            });
            match reason {
                Some(reason) => tally.drop(reason.name()),
                None => output.write(&record, &mut tally)?,
            }
        }
        tally.add_faults(&input);
        tally.require_records(&input)?;
        output.place(&mut tally)?;
        tally.report("filter", args.json)?;
        Ok(Answer::Yes)
    }
}

/// Which of the records that pass the filter are duplicates.
pub(super) fn find_repeats<G: ToolkitGame>(
    input: &InputArgs,
    filter: &Filter,
    mut finder: RepeatFinder,
    game: &GameEntry<G>,
    toolkit: &Toolkit,
) -> anyhow::Result<Repeats> {
    let mut input: Input<G> = input.open("find duplicates", game, toolkit)?;
    while let Some(record) = input.next()? {
        if filter.reason(&record).is_none() {
            finder.add(record.position.hash())?;
        }
    }
    Ok(finder.finish()?)
}
