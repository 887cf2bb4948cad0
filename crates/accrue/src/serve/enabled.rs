//! The page, in a program that has it.

use std::process::{Command, Stdio};
use std::sync::Arc;

use games::ToolkitGame;
use serve::{GameServer, ServeOptions, ServedGame, Server};

use super::Args;
use crate::signals::Signals;
use crate::toolkit::{GameEntry, Toolkit};
use crate::{Answer, output};

/// A game of the page.
pub(crate) type Served = Arc<dyn ServedGame>;

/// Makes a game of the page from a game of the toolkit.
pub(crate) struct MakeGame;

impl MakeGame {
    #[expect(clippy::unused_self, reason = "jobs are values with a method")]
    pub(crate) fn run<G: ToolkitGame>(self, game: &GameEntry<G>, toolkit: &Toolkit) -> Served {
        let (recipe, model) = (game.recipe.clone(), game.score_model.clone());
        Arc::new(GameServer::<G>::new(toolkit.networks().clone(), recipe, model))
    }
}

/// Serves the page until a signal comes.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    let games = toolkit.entries().iter().map(|game| game.served_game(toolkit, MakeGame));
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let options = ServeOptions {
        host: args.host.clone(),
        port: args.port,
        root: args.root.clone(),
        threads: args.threads.unwrap_or_else(all),
        token: None,
    };
    let signals = Signals::listen()?;
    let server = Server::bind(options, games.collect(), toolkit.networks().clone())?;
    let url = server.url();
    let root = server.root().display().to_string();
    output::lines([format!("serving {root} at {url}"), "Ctrl-C ends it".to_owned()])?;
    if server.address().ip().is_unspecified() {
        output::lines(["other machines use the address of this one in its place"])?;
    }
    if args.open && !opened(&url) {
        output::lines(["no browser could be started: open the address yourself"])?;
    }
    server.run(signals.stop())?;
    Ok(Answer::Yes)
}

/// Opens the page in the default browser of the system.
fn opened(url: &str) -> bool {
    let (program, arguments): (_, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(url).stdin(Stdio::null());
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}
