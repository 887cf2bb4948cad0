//! The arguments that name a game and a position of it.

use anyhow::{Context, anyhow};
use games::Game;
use games::registry::{GAMES, GameVisitor, with_game};

/// Which position.
#[derive(Debug, clap::Args)]
pub(crate) struct PositionArgs {
    /// The game
    #[arg(long, value_name = "GAME", default_value = GAMES[0], value_parser = GAMES)]
    pub(crate) game: String,

    /// The position, as FEN; without it or as `startpos`, the start of the game
    #[arg(long)]
    fen: Option<String>,

    /// A rule that is played in more than one way, as NAME=VALUE; `accrue games` lists them
    #[arg(long = "rule", value_name = "NAME=VALUE")]
    rules: Vec<String>,
}

impl PositionArgs {
    /// Makes the position.
    pub(crate) fn position<G: Game>(&self) -> anyhow::Result<G> {
        let mut position = parse_position::<G>(self.fen.as_deref())?;
        for rule in &self.rules {
            let (name, value) = rule.split_once('=').with_context(|| {
                format!("--rule `{rule}`: expected NAME=VALUE; `accrue games` lists the rules")
            })?;
            position.set(name, value).with_context(|| format!("--rule `{rule}`"))?;
        }
        Ok(position)
    }

    /// Calls `visitor` with the game.
    pub(crate) fn with_game<V>(&self, visitor: V) -> anyhow::Result<()>
    where
        V: GameVisitor<Output = anyhow::Result<()>>,
    {
        with_game(&self.game, visitor)?
    }
}

/// The position that `--fen` names, or the start without it.
pub(crate) fn parse_position<G: Game>(fen: Option<&str>) -> anyhow::Result<G> {
    let Some(fen) = fen.filter(|&fen| fen != "startpos") else { return Ok(G::start()) };
    G::from_fen(fen).map_err(|error| {
        let example = G::start().to_fen();
        anyhow!("--fen: {error}\nA FEN of {} looks like this: `{example}`", G::NAME)
    })
}
