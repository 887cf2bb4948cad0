//! Settings of the server: the values of its options.

use search::{EngineOptions, Params, SearchMode};

/// One option, set to a value that it accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Hash(usize),
    Threads(usize),
    MultiPv(usize),
    Ponder,
    Chess960(bool),
    ShowWdl(bool),
    Variant(String),
    EvalFile(String),
    EvalFileLarge(String),
    EvalBlend(u64),
    Mode(SearchMode),
    /// A search parameter, by its name.
    Param(&'static str, String),
    MoveOverhead(u64),
    ClearHash,
}

/// The values of all options.
#[derive(Clone, Debug, Default)]
pub(super) struct Settings {
    pub(super) engine: EngineOptions,
    pub(super) params: Params,
    pub(super) chess960: bool,
    pub(super) show_wdl: bool,
    pub(super) variant: String,
    /// How much of the evaluation is the network's, in percent.
    pub(super) eval_blend: u64,
    /// Whether to report what each `setoption` did.
    pub(super) debug: bool,
}

impl Settings {
    /// Stores a setting, if it is one to be stored here.
    pub(super) fn apply(&mut self, setting: &Setting) {
        match setting {
            Setting::Hash(mib) => self.engine.hash_mib = *mib,
            Setting::Threads(threads) => self.engine.threads = *threads,
            Setting::MultiPv(lines) => self.engine.multi_pv = *lines,
            Setting::Chess960(on) => self.chess960 = *on,
            Setting::ShowWdl(on) => self.show_wdl = *on,
            Setting::Variant(game) => self.variant.clone_from(game),
            Setting::EvalBlend(percent) => self.eval_blend = *percent,
            Setting::Mode(mode) => self.engine.mode = *mode,
            Setting::Param(name, value) => {
                let set = self.params.parse(name, value);
                debug_assert_eq!(
                    set,
                    Ok(()),
                    "the options have the names and values of parameters"
                );
            }
            Setting::MoveOverhead(millis) => self.engine.move_overhead = *millis,
            // The engine ponders when `go` has it ponder; networks and the table are not stored
            // here.
            Setting::Ponder
            | Setting::EvalFile(_)
            | Setting::EvalFileLarge(_)
            | Setting::ClearHash => {}
        }
    }
}
