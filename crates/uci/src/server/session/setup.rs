//! Session setup: `setoption`, and the changes of the engine that follow from it.

use games::ToolkitGame;

use super::{Session, history};
use crate::server::SessionEnd;
use crate::server::engine;
use crate::server::error::CommandError;
use crate::server::host::GameHost;
use crate::server::options::{INTERNAL, NONE};
use crate::server::settings::Setting;
use crate::server::state::NamedNetwork;

impl<G: ToolkitGame, H: GameHost<G>> Session<'_, G, H> {
    pub(super) fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Option<SessionEnd>, CommandError> {
        let setting = self.state.options.read(name, value)?;
        let mut end = None;
        match &setting {
            Setting::Variant(game) if game == G::NAME => {}
            Setting::Variant(_) => {
                self.must_be_idle("option UCI_Variant")?;
                end = Some(SessionEnd::Variant);
            }
            Setting::EvalFile(file) => {
                let current = self.state.network.as_ref();
                self.state.network = self.read_network("EvalFile", file, current, INTERNAL)?;
                self.pending.evaluator = true;
            }
            Setting::EvalFileLarge(file) => {
                let current = self.state.large.as_ref();
                self.state.large = self.read_network("EvalFileLarge", file, current, NONE)?;
                self.pending.evaluator = true;
            }
            Setting::EvalBlend(_) => self.pending.evaluator = true,
            Setting::ClearHash => self.pending.new_game = true,
            _ => self.pending.options = true,
        }
        self.state.settings.apply(&setting);
        if let Setting::Chess960(on) = setting {
            // The same game; only castling is written differently from now on.
            self.history = history(&self.position, on)?;
        }
        if self.state.settings.debug {
            self.inform(format_args!("option {name} is now {}", value.unwrap_or("pressed")));
        }
        if end.is_none() {
            self.settle_or_report(&format!("option {name}"));
        }
        Ok(end)
    }

    /// The network of a file; `None` for one of the values that stand for none.
    fn read_network(
        &self,
        option: &'static str,
        file: &str,
        current: Option<&NamedNetwork<H::Network>>,
        default: &str,
    ) -> Result<Option<NamedNetwork<H::Network>>, CommandError> {
        if file == INTERNAL || file == NONE {
            return Ok(None);
        }
        let host = &self.state.host;
        let read = host.read_network(file).and_then(|network| {
            host.check_network(&network)?;
            Ok(network)
        });
        let network = read.map_err(|fault| {
            let current = current.map_or(default, |named| &named.name).to_owned();
            CommandError::Network { option, fault, current }
        })?;
        self.inform(format_args!("{option} {file}: {}", host.describe_network(&network)));
        Ok(Some(NamedNetwork { name: file.to_owned(), network }))
    }

    /// Makes the pending changes, or reports that they wait for the end of the search.
    pub(super) fn settle_or_report(&mut self, what: &str) {
        if self.worker.is_busy() {
            let later = "a search is running; this applies when it has ended";
            self.inform(format_args!("{what}: {later}"));
        } else {
            self.settle();
        }
    }

    /// Makes the pending changes, unless a task is running.
    pub(super) fn settle(&mut self) {
        if self.worker.is_busy() {
            return;
        }
        let pending = std::mem::take(&mut self.pending);
        let state = &mut *self.state;
        let settled = self.worker.with_engine(|engine| {
            if let Some(engine) = engine {
                return engine::change(engine, pending, state);
            }
            *engine = Some(engine::make(state)?);
            Ok(())
        });
        if pending.evaluator {
            self.model = self.state.host.score_model(&self.state.evaluation());
        }
        if let Err(error) = settled {
            self.inform(error);
        }
    }
}
