//! Server state: what outlives a change of the game.

use std::sync::Arc;

use super::host::{EvaluationOptions, Host};
use super::options::OptionTable;
use super::output::SharedWriter;
use super::settings::Settings;

/// How a server deals with commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerMode {
    /// Commands come from a GUI: they are carried out during a search, and an error is reported.
    Interactive,
    /// Commands come from a script: each waits for the one before, and an error ends the server.
    Script,
}

/// A network and the file or name that it was read by.
#[derive(Clone, Debug)]
pub(super) struct NamedNetwork<N> {
    pub(super) name: String,
    pub(super) network: N,
}

/// The state of a server: its host, its output, and the values of its options.
pub struct ServerState<H: Host> {
    pub(super) host: Arc<H>,
    pub(super) output: SharedWriter,
    pub(super) mode: ServerMode,
    pub(super) options: OptionTable,
    pub(super) settings: Settings,
    /// `EvalFile`.
    pub(super) network: Option<NamedNetwork<H::Network>>,
    /// `EvalFileLarge`.
    pub(super) large: Option<NamedNetwork<H::Network>>,
}

impl<H: Host> ServerState<H> {
    /// The defaults, for these games.
    pub(super) fn new<'a>(
        host: Arc<H>,
        output: SharedWriter,
        mode: ServerMode,
        games: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let options = OptionTable::new(games);
        let settings = options.defaults();
        Self { host, output, mode, options, settings, network: None, large: None }
    }

    /// The evaluation options.
    pub(super) fn evaluation(&self) -> EvaluationOptions<H::Network> {
        let network = |named: &Option<NamedNetwork<H::Network>>| {
            named.as_ref().map(|named| named.network.clone())
        };
        EvaluationOptions {
            network: network(&self.network),
            large: network(&self.large),
            blend: self.settings.eval_blend,
        }
    }
}
