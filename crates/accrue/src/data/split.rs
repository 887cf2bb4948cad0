//! Split command: `accrue data split` holds out whole games for validation.

use std::path::PathBuf;

use anyhow::bail;
use dataset::formats::RecordSource;
use dataset::is_held_out;
use games::ToolkitGame;

use super::input::{Input, InputArgs};
use super::output::{FormatArgs, Output};
use super::tally::Tally;
use crate::Answer;
use crate::toolkit::{GameEntry, Toolkit};

/// Hold out a share of the games for validation
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// The file for training
    #[arg(long, value_name = "FILE")]
    train: PathBuf,

    /// The file for validation
    #[arg(long, value_name = "FILE")]
    validation: PathBuf,

    #[command(flatten)]
    format: FormatArgs,

    /// The share of games for validation, between 0 and 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.02)]
    share: f64,

    /// The same seed holds out the same games
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
All positions of a game go to the same file: similar positions in both files would hide overfitting.
In formats that do not number games (bulletformat, text, epd) a game starts wherever the move number
does not increase.

Examples:
  accrue data split games.data --train train.data --validation valid.data
  accrue data split games.pgn --train train.data --validation valid.data --share 0.05 --seed 3";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    if !(args.share > 0.0 && args.share < 1.0) {
        bail!("--share {}: expected a number between 0 and 1, such as 0.02", args.share);
    }
    if args.train == args.validation {
        bail!("--train and --validation name the same file, {}", args.train.display());
    }
    args.input.game(toolkit)?.data_split(toolkit, Run(args))
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
        let mut input: Input<G> = args.input.open("split", game, toolkit)?;
        let done =
            |part: &str| format!("split --share {} --seed {}, {part}", args.share, args.seed);
        let create = |path, part| {
            Output::create(path, &args.format, &args.input, &done(part), game, toolkit)
        };
        let mut train = create(&args.train, "train")?;
        let mut validation = create(&args.validation, "validation")?;
        let mut seen = [false; 2];
        while let Some(record) = input.next()? {
            let held_out = is_held_out(record.game, args.share, args.seed);
            seen[usize::from(held_out)] = true;
            let output = if held_out { &mut validation } else { &mut train };
            output.write(&record, &mut tally)?;
        }
        tally.add_faults(&input);
        tally.require_records(&input)?;
        if seen != [true; 2] {
            let empty = if seen[0] { "validation" } else { "train" };
            bail!(
                "no game for --{empty}: there are too few games, or the format does not number them; \
                 use more games, another --share or another --seed"
            );
        }
        // Rename both only when both are complete.
        let files = [train.settle()?, validation.settle()?];
        for file in files {
            file.place(&mut tally)?;
        }
        tally.report("split", args.json)?;
        Ok(Answer::Yes)
    }
}
