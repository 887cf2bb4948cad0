//! Position arguments: the game and the position that a command works on.

use anyhow::{Context, anyhow};
use games::ToolkitGame;

/// The arguments of a position.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionArgs {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "")]
    pub(crate) game: String,

    /// The position as FEN; without it or as `startpos`, the start of the game
    #[arg(long)]
    fen: Option<String>,

    /// A rule of the game as NAME=VALUE; `accrue games` lists them
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
}

impl PositionArgs {
    /// Makes the position.
    pub(crate) fn position<G: ToolkitGame>(&self) -> anyhow::Result<G> {
        let mut position = parse_position::<G>(self.fen.as_deref())?;
        for rule in &self.rules {
            let (name, value) = rule.split_once('=').with_context(|| {
                format!("--rule `{rule}`: expected NAME=VALUE; `accrue games` lists the rules")
            })?;
            position.set(name, value).with_context(|| format!("--rule `{rule}`"))?;
        }
        Ok(position)
    }
}

/// The position of `--fen`, or the start without it.
pub(crate) fn parse_position<G: ToolkitGame>(fen: Option<&str>) -> anyhow::Result<G> {
    let Some(fen) = fen.filter(|&fen| fen != "startpos") else { return Ok(G::start()) };
    G::from_fen(fen).map_err(|error| {
        let example = G::start().to_fen();
        anyhow!("--fen: {error}\nA FEN of {} looks like this: `{example}`", G::NAME)
    })
}
