//! Features command: `accrue features` lists the active features of a position.

use anyhow::{anyhow, bail};
use games::{Color, FeatureIndex, ToolkitGame, sorted_active};
use serde::Serialize;

use crate::Answer;
use crate::output;
use crate::position::PositionArgs;
use crate::toolkit::{GameEntry, Toolkit};

/// List the features of a position, from the perspective of each player
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,

    /// The feature set; `accrue games` lists them
    #[arg(long, value_name = "NAME")]
    set: String,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Prints two lines, `white: …` and `black: …`, with the indices in ascending order.

Examples:
  accrue features --set chess.piece-square
  accrue features --game connect_four --set connect_four.cells --fen '7/7/7/7/7/3X3 b'";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    toolkit.find(&args.position.game)?.features(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

/// The result with `--json`.
#[derive(Serialize)]
struct Report {
    game: &'static str,
    fen: String,
    set: String,
    size: usize,
    white: Vec<FeatureIndex>,
    black: Vec<FeatureIndex>,
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        _toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        if args.set.starts_with("raw:") {
            bail!(
                "--set `{}`: the features of a raw set are numbered by the writer of the data, not by \
                 a game, so a position has none; choose one of: {}",
                args.set,
                G::feature_set_names().join(", ")
            );
        }
        let set = G::feature_set(&args.set).map_err(|error| anyhow!("--set: {error}"))?;
        let position: G = args.position.position()?;
        let [white, black] =
            Color::BOTH.map(|perspective| sorted_active(&*set, &position, perspective));
        if args.json {
            output::json(&Report {
                game: G::NAME,
                fen: position.to_fen(),
                set: set.name(),
                size: set.size(),
                white,
                black,
            })?;
        } else {
            output::lines([line("white", &white), line("black", &black)])?;
        }
        Ok(Answer::Yes)
    }
}

fn line(perspective: &str, features: &[FeatureIndex]) -> String {
    features.iter().fold(format!("{perspective}:"), |line, index| format!("{line} {index}"))
}
