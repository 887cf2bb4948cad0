//! UCI server: it reads commands, searches on a thread of its own, and writes what it finds.
//!
//! [`Server`] plays the games that it is given; `UCI_Variant` changes between them. Everything that
//! depends on the program around it (networks, a name, a bench) comes from a [`Host`], and from a
//! [`GameHost`] for each game.
//!
//! The thread that reads never searches, so every command is answered at once. A command that
//! cannot be understood or carried out is answered with an `info string` that names what is wrong
//! and what was expected; everything else stays as it was.

mod board;
mod engine;
mod error;
mod host;
mod input;
mod options;
mod output;
mod perft;
mod report;
mod session;
mod settings;
mod state;
mod tasks;
#[cfg(test)]
mod tests;
mod worker;

use std::fmt;
use std::io::BufRead;
use std::marker::PhantomData;
use std::sync::Arc;

use games::ToolkitGame;

pub use error::{CommandError, SetupError, UciError};
pub use host::{
    BenchRequest, EngineIdentity, EvaluationOptions, GameHost, Host, HostError, OpeningsJob,
};
pub use output::SharedWriter;
use session::Session;
pub use state::{ServerMode, ServerState};

/// Why a session of one game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionEnd {
    /// There are no more commands.
    Quit,
    /// `UCI_Variant` chose another game.
    Variant,
}

/// A game that a server can play. [`Variant`] is one for every [`ToolkitGame`].
pub trait VariantServer<H: Host> {
    /// The value of `UCI_Variant`.
    fn name(&self) -> &'static str;

    /// The FEN of the start of the game.
    fn start_fen(&self) -> String;

    /// Carries out commands about this game, until there are no more or another game is chosen.
    fn serve(
        &self,
        state: &mut ServerState<H>,
        input: &mut dyn BufRead,
    ) -> Result<SessionEnd, UciError>;
}

/// The game `G` of a server.
pub struct Variant<G>(PhantomData<fn() -> G>);

impl<G> Variant<G> {
    /// The game.
    pub const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<G> Default for Variant<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: ToolkitGame> fmt::Debug for Variant<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Variant").field(&G::NAME).finish()
    }
}

impl<G: ToolkitGame, H: GameHost<G>> VariantServer<H> for Variant<G> {
    fn name(&self) -> &'static str {
        G::NAME
    }

    fn start_fen(&self) -> String {
        G::start().to_fen()
    }

    fn serve(
        &self,
        state: &mut ServerState<H>,
        input: &mut dyn BufRead,
    ) -> Result<SessionEnd, UciError> {
        Session::<G, H>::new(state)?.run(input)
    }
}

/// An engine that speaks UCI.
///
/// ```
/// use games::{ToolkitGame, chess::Chess, connect_four::ConnectFour};
/// use uci::server::{GameHost, Host, EngineIdentity, Server, ServerMode};
///
/// struct Plain;
///
/// impl Host for Plain {
///     type Network = ();
///     fn identity(&self) -> EngineIdentity {
///         EngineIdentity { name: "Plain 1.0".into(), author: "me".into() }
///     }
/// }
///
/// impl<G: ToolkitGame> GameHost<G> for Plain {}
///
/// let server = Server::new(Plain).with_game::<Chess>().with_game::<ConnectFour>();
/// // A program passes `std::io::stdin().lock()` and `ServerMode::Interactive`.
/// let mut commands = "position startpos moves e2e4\ngo depth 3\n".as_bytes();
/// server.run(&mut commands, std::io::stdout(), ServerMode::Script)?;
/// # Ok::<(), uci::server::UciError>(())
/// ```
pub struct Server<H: Host> {
    host: Arc<H>,
    games: Vec<Box<dyn VariantServer<H>>>,
}

impl<H: Host> fmt::Debug for Server<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let games: Vec<_> = self.games.iter().map(|game| game.name()).collect();
        f.debug_struct("Server").field("games", &games).finish_non_exhaustive()
    }
}

impl<H: Host> Server<H> {
    /// A server without games.
    pub fn new(host: H) -> Self {
        Self { host: Arc::new(host), games: Vec::new() }
    }

    /// Adds a game. The first is the one that the server begins with.
    #[must_use]
    pub fn with_game<G: ToolkitGame>(self) -> Self
    where
        H: GameHost<G>,
    {
        self.with_variant(Box::new(Variant::<G>::new()))
    }

    /// Adds a game whose type is not known here; see [`with_game`](Server::with_game).
    #[must_use]
    pub fn with_variant(mut self, game: Box<dyn VariantServer<H>>) -> Self {
        self.games.push(game);
        self
    }

    /// Carries out the commands of `input` until it ends or `quit` comes, and writes to `output`.
    pub fn run(
        &self,
        input: &mut dyn BufRead,
        output: impl std::io::Write + Send + 'static,
        mode: ServerMode,
    ) -> Result<(), UciError> {
        let output = SharedWriter::new(output);
        let names = self.games.iter().map(|game| game.name());
        let host = Arc::clone(&self.host);
        let mut state = ServerState::new(host, output.clone(), mode, names);
        loop {
            match self.game(&state)?.serve(&mut state, input)? {
                SessionEnd::Quit => return Ok(()),
                SessionEnd::Variant => {
                    let game = self.game(&state)?;
                    let (name, start) = (game.name(), game.start_fen());
                    output.inform(format_args!("variant {name} startpos {start}"));
                }
            }
        }
    }

    /// The game that `UCI_Variant` is set to.
    fn game(&self, state: &ServerState<H>) -> Result<&dyn VariantServer<H>, UciError> {
        let mut games = self.games.iter().map(|game| &**game);
        games.find(|game| game.name() == state.settings.variant).ok_or(UciError::NoGames)
    }
}
