//! Start network command: `accrue net start` writes a network that is not trained.

use std::path::PathBuf;

use games::ToolkitGame;
use nnue::NetworkFile;
use pipeline::stages::{material_network, random_network};

use crate::toolkit::{GameEntry, Toolkit};

/// Write a network that is not trained: material evaluation, or random weights
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct StartArgs {
    /// The game whose material evaluation becomes the network
    #[arg(long, value_name = "GAME", default_value = "")]
    game: String,

    /// Random weights instead, for the network of this configuration of a training
    #[arg(long, value_name = "CONFIG.toml", conflicts_with = "game")]
    random: Option<PathBuf>,

    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

const AFTER_HELP: &str = "\
The material evaluation of the search as a network file: piece values and a small bonus near the
centre of the board, rounded to a centipawn or two per piece. `accrue quickstart` starts with it.
Random weights follow from init.seed; `accrue loop` can start with them.

Examples:
  accrue net start --game hexchess --out start.accrue
  accrue net start --random examples/4_hexchess.toml --out random.accrue";

pub(super) fn run(args: &StartArgs, toolkit: &Toolkit) -> anyhow::Result<()> {
    let file = match &args.random {
        Some(config) => random_network(config, toolkit.games())?,
        None => toolkit.find(&args.game)?.material_network(toolkit, Material)?,
    };
    super::write(&args.out, &file)
}

/// Makes the material network of a game.
pub(crate) struct Material;

impl Material {
    #[expect(clippy::unused_self, reason = "jobs are values with a method")]
    pub(crate) fn run<G: ToolkitGame>(
        self,
        _game: &GameEntry<G>,
        _toolkit: &Toolkit,
    ) -> anyhow::Result<NetworkFile> {
        Ok(material_network::<G>()?)
    }
}
