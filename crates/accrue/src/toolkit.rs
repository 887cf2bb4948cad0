//! Toolkit: the games of a program as a value, and every command over them.
//!
//! [`Toolkit`] is a list of [`GameEntry`] values. A command that learns its game at run time finds
//! the entry by name and makes one virtual call; everything behind that call is compiled for the
//! game's type.

use std::ffi::OsString;
use std::fmt::Debug;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arena::networks::{BuiltInNetwork, NetworkLoader};
use dataset::formats::{FormatInfo, Formats, GameFormat};
use dataset::{GameList, UnknownGame};
use games::ToolkitGame;
use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use nnue::ScoreModel;
use pipeline::quickstart::Recipe;

use crate::jobs::AnyGame;

/// The score model of games that have none.
pub(crate) const SCORE_MODEL: ScoreModel = ScoreModel::DEFAULT;

/// A game with what belongs to it beside its rules: networks, file formats, a quickstart recipe,
/// a score model.
#[derive(Debug)]
pub struct GameEntry<G> {
    pub(crate) formats: Vec<GameFormat<G>>,
    pub(crate) networks: Vec<BuiltInNetwork>,
    pub(crate) recipe: Recipe,
    pub(crate) score_model: ScoreModel,
}

impl<G: ToolkitGame> GameEntry<G> {
    /// The game alone.
    pub fn new() -> Self {
        Self {
            formats: Vec::new(),
            networks: Vec::new(),
            recipe: Recipe::default_for::<G>(),
            score_model: SCORE_MODEL,
        }
    }

    /// Adds a format of training records.
    #[must_use]
    pub fn with_format(mut self, format: GameFormat<G>) -> Self {
        self.formats.push(format);
        self
    }

    /// Adds a network file that is part of the program. The first is the game's default network.
    #[must_use]
    pub fn with_network(mut self, name: &'static str, bytes: &'static [u8]) -> Self {
        self.networks.push(BuiltInNetwork { game: G::NAME, name, bytes });
        self
    }

    /// Replaces the recipe of `quickstart`.
    #[must_use]
    pub fn with_recipe(mut self, recipe: Recipe) -> Self {
        self.recipe = recipe;
        self
    }

    /// Replaces the score model of networks that have none of their own: the unit in which they are
    /// searched, and the centipawns that UCI displays.
    #[must_use]
    pub fn with_score_model(mut self, score_model: ScoreModel) -> Self {
        self.score_model = score_model;
        self
    }
}

impl<G: ToolkitGame> Default for GameEntry<G> {
    fn default() -> Self {
        Self::new()
    }
}

/// The games of a program, and its commands over them.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     accrue::Toolkit::new().with_builtin_games().main()
/// }
/// ```
#[derive(Clone, Debug, Default)]
pub struct Toolkit {
    entries: Vec<Arc<dyn AnyGame>>,
    list: GameList,
    networks: NetworkLoader,
    formats: Vec<&'static FormatInfo>,
}

impl Toolkit {
    /// A toolkit without games.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds chess, Gliński's hexagonal chess and connect four, with their networks.
    #[must_use]
    pub fn with_builtin_games(self) -> Self {
        let chess = dataset::formats::chess_formats();
        let chess = chess.into_iter().fold(GameEntry::<Chess>::new(), GameEntry::with_format);
        self.with(crate::networks::chess(chess).with_recipe(Recipe::CHESS))
            .with(
                crate::networks::hexchess(GameEntry::<Hexchess>::new())
                    .with_recipe(Recipe::HEXCHESS),
            )
            .with(GameEntry::<ConnectFour>::new().with_recipe(Recipe::CONNECT_FOUR))
    }

    /// Adds a game.
    #[must_use]
    pub fn with_game<G: ToolkitGame>(self) -> Self {
        self.with(GameEntry::<G>::new())
    }

    /// Adds a game with what belongs to it. A game of the same name is replaced.
    #[must_use]
    pub fn with<G: ToolkitGame>(mut self, entry: GameEntry<G>) -> Self {
        self.entries.retain(|other| other.name() != G::NAME);
        self.entries.push(Arc::new(entry));
        self.list = self.entries.iter().map(|entry| entry.data()).collect();
        let evalfile = crate::networks::evalfile(&self.names());
        let networks = self.entries.iter().flat_map(|entry| entry.networks().to_vec());
        let networks = evalfile.into_iter().chain(networks).collect();
        let loader = NetworkLoader::new(self.list.clone(), networks);
        self.networks = self.entries.iter().fold(loader, |loader, entry| {
            loader.with_score_model(entry.name(), entry.score_model().clone())
        });
        self.formats = self.entries.iter().flat_map(|entry| entry.formats()).collect();
        self
    }

    /// Runs the program: reads the command line, carries it out, returns the exit code.
    pub fn main(self) -> ExitCode {
        self.run(std::env::args_os())
    }

    /// Runs the program with these arguments, the program's name first.
    pub fn run(&self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> ExitCode {
        crate::cli::main(arguments.into_iter().map(Into::into).collect(), self)
    }

    /// Refuses a toolkit that no command line can name the games of.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        if self.entries.is_empty() {
            anyhow::bail!(
                "the toolkit has no games; add one by `with_game` or `with_builtin_games`"
            );
        }
        for name in self.names() {
            let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            if name.is_empty() || !name.chars().all(plain) {
                anyhow::bail!(
                    "`{name}` cannot be the name of a game: expected lower-case letters, digits and _"
                );
            }
        }
        Ok(())
    }

    /// The games, for libraries.
    pub(crate) fn games(&self) -> &GameList {
        &self.list
    }

    /// The games, for commands.
    pub(crate) fn entries(&self) -> &[Arc<dyn AnyGame>] {
        &self.entries
    }

    /// The names of the games.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.list.names()
    }

    /// The game of that name.
    pub(crate) fn find(&self, name: &str) -> Result<&dyn AnyGame, UnknownGame> {
        self.list.find(name)?;
        let entry = self.entries.iter().find(|entry| entry.name() == name);
        Ok(&**entry.expect("the list of games has the names of the entries"))
    }

    /// The game of a command that names none: the first.
    pub(crate) fn default_game(&self) -> &'static str {
        self.entries.first().map_or("", |entry| entry.name())
    }

    /// The loader of networks, with those that are part of the program.
    pub(crate) fn networks(&self) -> &NetworkLoader {
        &self.networks
    }

    /// What stages of a pipeline use of the program.
    pub(crate) fn context<'a>(
        &'a self,
        score_model: &'a ScoreModel,
        stop: &'a AtomicBool,
    ) -> pipeline::Context<'a> {
        pipeline::Context { games: self.games(), networks: self.networks(), score_model, stop }
    }

    /// The formats of training records.
    pub(crate) fn formats(&self) -> Formats {
        Formats::new(self.formats.iter().copied())
    }
}
