//! What can be set, its bounds, and what it is set to.

use anyhow::{Context, bail};
use games::registry::GAMES;
use search::{EngineOptions, MOST_HASH_MIB, MOST_MULTI_PV, MOST_THREADS, Params, SearchMode};

use super::go::number;
use super::input::shown;

/// The value of `EvalFile` that stands for what the program has in itself.
pub(super) const INTERNAL: &str = "<internal>";
/// The value of `EvalFileLarge` that stands for no second network.
pub(super) const NONE: &str = "<none>";

/// One option, set to a value that it can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Hash(u64),
    Threads(u64),
    MultiPv(u64),
    Ponder(bool),
    Chess960(bool),
    ShowWdl(bool),
    Variant(&'static str),
    EvalFile(String),
    EvalFileLarge(String),
    EvalBlend(u64),
    Mode(&'static str),
    /// A number of the search, by its name.
    Param(&'static str, i32),
    MoveOverhead(u64),
    ClearHash,
}

/// What kind of values an option has, and what it makes of one.
enum Kind {
    Check {
        default: bool,
        make: fn(bool) -> Setting,
    },
    Spin {
        default: u64,
        least: u64,
        most: u64,
        make: fn(u64) -> Setting,
    },
    /// The first is the default.
    Combo {
        values: &'static [&'static str],
        make: fn(&'static str) -> Setting,
    },
    Text {
        default: &'static str,
        make: fn(String) -> Setting,
    },
    Button(Setting),
}

const MODES: [&str; 4] = ["auto", "classical", "learned", "seed"];
/// When the large network is asked, by the number that the search knows it by.
const GATES: [&str; 3] = ["never", "decision", "width"];
/// Milliseconds that a move may take on its way.
const MOST_OVERHEAD: u64 = 5000;

/// Whose rules a part of the learned search follows, by the number that the search knows it by.
const PARTS: [&str; 3] = ["classical", "learned", "both"];

/// A part of the learned search, as the first of these is the default.
const fn part(make: fn(&'static str) -> Setting) -> Kind {
    Kind::Combo { values: &["both", "learned", "classical"], make }
}

/// The same, where the rules were found to be better.
const fn ruled_part(make: fn(&'static str) -> Setting) -> Kind {
    Kind::Combo { values: &["classical", "learned", "both"], make }
}

/// A number of the search that is one of several words.
fn word(name: &'static str, words: [&str; 3], word: &str) -> Setting {
    let number = words.iter().position(|known| *known == word).unwrap_or_default();
    Setting::Param(name, number as i32)
}

static OPTIONS: [(&str, Kind); 19] = [
    ("Hash", Kind::Spin { default: 16, least: 1, most: MOST_HASH_MIB as u64, make: Setting::Hash }),
    ("Clear Hash", Kind::Button(Setting::ClearHash)),
    (
        "Threads",
        Kind::Spin { default: 1, least: 1, most: MOST_THREADS as u64, make: Setting::Threads },
    ),
    (
        "MultiPV",
        Kind::Spin { default: 1, least: 1, most: MOST_MULTI_PV as u64, make: Setting::MultiPv },
    ),
    ("Ponder", Kind::Check { default: false, make: Setting::Ponder }),
    (
        "Move Overhead",
        Kind::Spin { default: 10, least: 0, most: MOST_OVERHEAD, make: Setting::MoveOverhead },
    ),
    ("EvalFile", Kind::Text { default: INTERNAL, make: Setting::EvalFile }),
    ("EvalFileLarge", Kind::Text { default: NONE, make: Setting::EvalFileLarge }),
    ("EvalBlend", Kind::Spin { default: 100, least: 0, most: 100, make: Setting::EvalBlend }),
    ("SearchMode", Kind::Combo { values: &MODES, make: Setting::Mode }),
    ("LearnedOrdering", part(|part| word("learned_ordering", PARTS, part))),
    ("LearnedReductions", part(|part| word("learned_reductions", PARTS, part))),
    ("LearnedCutoffs", ruled_part(|part| word("learned_cutoffs", PARTS, part))),
    (
        "LearnedVerification",
        Kind::Check { default: true, make: |on| Setting::Param("learned_verify", i32::from(on)) },
    ),
    (
        "LearnedGate",
        Kind::Combo {
            values: &["decision", "width", "never"],
            make: |gate| word("learned_gate", GATES, gate),
        },
    ),
    (
        "LearnedGateWidth",
        Kind::Spin {
            default: 100,
            least: 0,
            most: 2000,
            make: |width| Setting::Param("learned_theta", width as i32),
        },
    ),
    ("UCI_Variant", Kind::Combo { values: &GAMES, make: Setting::Variant }),
    ("UCI_Chess960", Kind::Check { default: false, make: Setting::Chess960 }),
    ("UCI_ShowWDL", Kind::Check { default: false, make: Setting::ShowWdl }),
];

/// What `uci` lists.
pub(super) fn lines() -> Vec<String> {
    OPTIONS
        .iter()
        .map(|(name, kind)| format!("option name {name} type {}", kind.describe()))
        .collect()
}

impl Kind {
    fn describe(&self) -> String {
        match self {
            Self::Check { default, .. } => format!("check default {default}"),
            Self::Spin { default, least, most, .. } => {
                format!("spin default {default} min {least} max {most}")
            }
            Self::Combo { values, .. } => {
                format!("combo default {} var {}", values[0], values.join(" var "))
            }
            Self::Text { default, .. } => format!("string default {default}"),
            Self::Button(_) => "button".to_owned(),
        }
    }

    fn read(&self, value: Option<&str>) -> anyhow::Result<Setting> {
        let missing = |expected: &str| format!("the value is missing; expected {expected}");
        match self {
            Self::Check { make, .. } => {
                let value = value.with_context(|| missing("`true` or `false`"))?;
                match value.to_ascii_lowercase().as_str() {
                    "true" => Ok(make(true)),
                    "false" => Ok(make(false)),
                    _ => bail!("`{}` is neither `true` nor `false`", shown(value)),
                }
            }
            Self::Spin { least, most, make, .. } => {
                let value = value.with_context(|| missing("a whole number"))?;
                number(value, *least, *most).map(make)
            }
            Self::Combo { values, make } => {
                let list = values.join(", ");
                let value = value.with_context(|| missing(&format!("one of {list}")))?;
                let known = values.iter().find(|known| known.eq_ignore_ascii_case(value));
                known
                    .map(|known| make(known))
                    .with_context(|| format!("`{}` is not one of {list}", shown(value)))
            }
            // Some interfaces send `<empty>` for no text.
            Self::Text { default, make } => {
                let value = value.filter(|&value| value != "<empty>");
                Ok(make(value.unwrap_or(default).to_owned()))
            }
            Self::Button(_) if value.is_some() => bail!("it is a button and takes no value"),
            Self::Button(setting) => Ok(setting.clone()),
        }
    }
}

/// Reads what `setoption` says. Names may be in capitals or not.
pub(super) fn read(name: &str, value: Option<&str>) -> anyhow::Result<Setting> {
    let option = OPTIONS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let Some((name, kind)) = option else {
        let known: Vec<_> = OPTIONS.iter().map(|(name, _)| *name).collect();
        bail!("no option is called `{}`; known: {}", shown(name), known.join(", "));
    };
    kind.read(value).with_context(|| format!("option {name}"))
}

/// What everything is set to.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) engine: EngineOptions,
    pub(super) params: Params,
    pub(super) chess960: bool,
    pub(super) show_wdl: bool,
    pub(super) variant: &'static str,
    /// How much of the value is the network's, in percent; the rest is that of the built-in evaluation.
    pub(super) eval_blend: u64,
    /// Whether to tell what each `setoption` did.
    pub(super) debug: bool,
}

impl Settings {
    /// The defaults.
    pub(super) fn new() -> Self {
        let mut settings = Self {
            engine: EngineOptions::default(),
            params: Params::default(),
            chess960: false,
            show_wdl: false,
            variant: GAMES[0],
            eval_blend: 100,
            debug: false,
        };
        for (_, kind) in &OPTIONS {
            settings.apply(&kind.default());
        }
        settings
    }

    /// Remembers a setting, if it is one to be remembered here.
    pub(super) fn apply(&mut self, setting: &Setting) {
        match *setting {
            Setting::Hash(mib) => self.engine.hash_mib = mib as usize,
            Setting::Threads(threads) => self.engine.threads = threads as usize,
            Setting::MultiPv(lines) => self.engine.multi_pv = lines as usize,
            Setting::Chess960(on) => self.chess960 = on,
            Setting::ShowWdl(on) => self.show_wdl = on,
            Setting::Variant(game) => self.variant = game,
            Setting::EvalBlend(percent) => self.eval_blend = percent,
            Setting::Mode(mode) => {
                self.engine.mode = match mode {
                    "learned" => SearchMode::Learned,
                    "seed" => SearchMode::Seed,
                    "classical" => SearchMode::Classical,
                    _ => SearchMode::Auto,
                };
            }
            Setting::Param(name, value) => {
                self.params.set(name, value);
            }
            Setting::MoveOverhead(millis) => self.engine.move_overhead = millis,
            // The engine ponders when it is told to; files and the table are not its settings.
            Setting::Ponder(_)
            | Setting::EvalFile(_)
            | Setting::EvalFileLarge(_)
            | Setting::ClearHash => {}
        }
    }
}

impl Kind {
    fn default(&self) -> Setting {
        match self {
            Self::Check { default, make } => make(*default),
            Self::Spin { default, make, .. } => make(*default),
            Self::Combo { values, make } => make(values[0]),
            Self::Text { default, make } => make((*default).to_owned()),
            Self::Button(setting) => setting.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(name: &str, value: Option<&str>) -> String {
        format!("{:#}", read(name, value).unwrap_err())
    }

    #[test]
    fn values_are_read_by_kind() {
        assert_eq!(read("hash", Some("64")).unwrap(), Setting::Hash(64));
        assert_eq!(read("PONDER", Some("True")).unwrap(), Setting::Ponder(true));
        assert_eq!(read("uci_variant", Some("HexChess")).unwrap(), Setting::Variant("hexchess"));
        assert_eq!(read("Clear Hash", None).unwrap(), Setting::ClearHash);
        assert_eq!(
            read("EvalFile", Some("a b.nnue")).unwrap(),
            Setting::EvalFile("a b.nnue".into())
        );
        assert_eq!(read("EvalFile", None).unwrap(), Setting::EvalFile(INTERNAL.into()));
        assert_eq!(read("EvalFile", Some("<empty>")).unwrap(), Setting::EvalFile(INTERNAL.into()));
    }

    #[test]
    fn wrong_values_name_the_option_and_what_was_expected() {
        for (name, value, parts) in [
            ("Threads", Some("abc"), ["option Threads", "`abc` is not a whole number from 1"]),
            ("Hash", Some("99999999999"), ["option Hash", "whole number from 1 to"]),
            ("Hash", Some("-1"), ["option Hash", "`-1`"]),
            ("Hash", None, ["option Hash", "value is missing"]),
            ("Ponder", Some("yes"), ["option Ponder", "neither `true` nor `false`"]),
            ("UCI_Variant", Some("go"), ["option UCI_Variant", "one of chess, hexchess"]),
            ("Clear Hash", Some("now"), ["option Clear Hash", "takes no value"]),
            ("Contempt", Some("3"), ["`Contempt`", "known: Hash"]),
        ] {
            let fault = fault(name, value);
            assert!(parts.iter().all(|part| fault.contains(part)), "{fault}");
        }
    }

    #[test]
    fn options_are_listed_with_defaults_that_they_accept() {
        for (line, (name, kind)) in lines().iter().zip(&OPTIONS) {
            assert!(line.starts_with(&format!("option name {name} type ")), "{line}");
            let default = line.split_once(" default ").map(|(_, rest)| rest);
            let Some(default) = default else { continue };
            let value = default.split(' ').next();
            assert_eq!(read(name, value).unwrap(), kind.default(), "{line}");
        }
    }
}
