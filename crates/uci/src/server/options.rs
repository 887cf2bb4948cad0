//! Options of the server: their declarations, and the settings that `setoption` makes of their
//! values.

use search::{MAX_HASH_MIB, MAX_MULTI_PV, MAX_THREADS, SearchMode};

use super::error::CommandError;
use super::settings::{Setting, Settings};
use crate::text::{
    OptionKind, OptionLine, OptionValueError, escape, read_button, read_check, read_combo,
    read_spin, read_text,
};

/// The value of `EvalFile` that stands for the default network of the game.
pub(super) const INTERNAL: &str = "<internal>";
/// The value of `EvalFileLarge` that stands for no second network.
pub(super) const NONE: &str = "<none>";
/// The largest `Move Overhead`, in milliseconds.
const MAX_OVERHEAD: i64 = 5000;

/// The kind of an option, and the setting that it makes of a value.
enum Kind {
    Check {
        default: bool,
        make: fn(bool) -> Setting,
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
        make: fn(i64) -> Setting,
    },
    /// The first value is the default.
    Combo {
        values: Vec<String>,
        make: fn(&str) -> Setting,
    },
    Text {
        default: &'static str,
        make: fn(String) -> Setting,
    },
    Button(Setting),
}

impl Kind {
    fn combo<'a>(values: impl IntoIterator<Item = &'a str>, make: fn(&str) -> Setting) -> Self {
        Self::Combo { values: values.into_iter().map(str::to_owned).collect(), make }
    }

    fn declared(&self) -> OptionKind {
        match self {
            &Self::Check { default, .. } => OptionKind::Check { default },
            &Self::Spin { default, min, max, .. } => OptionKind::Spin { default, min, max },
            Self::Combo { values, .. } => OptionKind::Combo {
                default: values.first().cloned().unwrap_or_default(),
                values: values.clone(),
            },
            Self::Text { default, .. } => OptionKind::Text { default: (*default).to_owned() },
            Self::Button(_) => OptionKind::Button,
        }
    }

    fn read(&self, value: Option<&str>) -> Result<Setting, OptionValueError> {
        match self {
            Self::Check { make, .. } => read_check(value).map(make),
            Self::Spin { min, max, make, .. } => read_spin(value, *min, *max).map(make),
            Self::Combo { values, make } => read_combo(value, values).map(make),
            Self::Text { default, make } => Ok(make(read_text(value, default).to_owned())),
            Self::Button(setting) => read_button(value).map(|()| setting.clone()),
        }
    }

    fn default(&self) -> Setting {
        match self {
            Self::Check { default, make } => make(*default),
            Self::Spin { default, make, .. } => make(*default),
            Self::Combo { values, make } => make(values.first().map_or("", String::as_str)),
            Self::Text { default, make } => make((*default).to_owned()),
            Self::Button(setting) => setting.clone(),
        }
    }
}

/// A search parameter that is one of several words.
fn word(name: &'static str, word: &str) -> Setting {
    Setting::Param(name, word.to_owned())
}

fn mode(word: &str) -> Setting {
    Setting::Mode(word.parse().unwrap_or(SearchMode::Auto))
}

/// The options of a server.
pub(super) struct OptionTable(Vec<(&'static str, Kind)>);

impl OptionTable {
    /// The options of a server for these games, the first of which it begins with.
    pub(super) fn new<'a>(games: impl IntoIterator<Item = &'a str>) -> Self {
        let check = |default, make| Kind::Check { default, make };
        let spin = |default, min, max, make| Kind::Spin { default, min, max, make };
        let text = |default, make| Kind::Text { default, make };
        Self(vec![
            ("Hash", spin(16, 1, MAX_HASH_MIB as i64, |mib| Setting::Hash(mib as usize))),
            ("Clear Hash", Kind::Button(Setting::ClearHash)),
            ("Threads", spin(1, 1, MAX_THREADS as i64, |n| Setting::Threads(n as usize))),
            ("MultiPV", spin(1, 1, MAX_MULTI_PV as i64, |n| Setting::MultiPv(n as usize))),
            ("Ponder", check(false, |_| Setting::Ponder)),
            ("Move Overhead", spin(10, 0, MAX_OVERHEAD, |ms| Setting::MoveOverhead(ms as u64))),
            ("EvalFile", text(INTERNAL, Setting::EvalFile)),
            ("EvalFileLarge", text(NONE, Setting::EvalFileLarge)),
            ("EvalBlend", spin(100, 0, 100, |percent| Setting::EvalBlend(percent as u64))),
            ("SearchMode", Kind::combo(["auto", "classical", "learned", "seed"], mode)),
            (
                "LearnedOrdering",
                Kind::combo(["both", "learned", "classical"], |source| {
                    word("learned_ordering", source)
                }),
            ),
            (
                "LearnedReductions",
                Kind::combo(["both", "learned", "classical"], |source| {
                    word("learned_reductions", source)
                }),
            ),
            (
                "LearnedCutoffs",
                Kind::combo(["classical", "learned", "both"], |source| {
                    word("learned_cutoffs", source)
                }),
            ),
            (
                "LearnedVerification",
                check(true, |on| {
                    word("learned_verification", if on { "null-move" } else { "off" })
                }),
            ),
            (
                "LearnedGate",
                Kind::combo(["decision", "width", "never"], |gate| word("learned_gate", gate)),
            ),
            (
                "LearnedGateWidth",
                spin(100, 0, 2000, |width| word("learned_gate_width", &width.to_string())),
            ),
            ("UCI_Variant", Kind::combo(games, |game| Setting::Variant(game.to_owned()))),
            ("UCI_Chess960", check(false, Setting::Chess960)),
            ("UCI_ShowWDL", check(false, Setting::ShowWdl)),
        ])
    }

    /// The declarations that `uci` prints.
    pub(super) fn lines(&self) -> impl Iterator<Item = OptionLine> {
        let option = |(name, kind): &(&str, Kind)| OptionLine {
            name: (*name).to_owned(),
            kind: Some(kind.declared()),
        };
        self.0.iter().map(option)
    }

    /// The setting of a `setoption`. Upper and lower case of names do not matter.
    pub(super) fn read(&self, name: &str, value: Option<&str>) -> Result<Setting, CommandError> {
        let option = self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let Some((name, kind)) = option else {
            let known: Vec<_> = self.0.iter().map(|(name, _)| *name).collect();
            let (name, known) = (escape(name), known.join(", "));
            return Err(CommandError::UnknownOption { name, known });
        };
        kind.read(value).map_err(|fault| CommandError::OptionValue { name, fault })
    }

    /// The defaults of all options.
    pub(super) fn defaults(&self) -> Settings {
        let mut settings = Settings::default();
        for (_, kind) in &self.0 {
            settings.apply(&kind.default());
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> OptionTable {
        OptionTable::new(["chess", "hexchess"])
    }

    #[test]
    fn values_are_read_by_kind() {
        let read = |name: &str, value| table().read(name, value).unwrap();
        assert_eq!(read("hash", Some("64")), Setting::Hash(64));
        assert_eq!(read("PONDER", Some("True")), Setting::Ponder);
        assert_eq!(read("uci_variant", Some("HexChess")), Setting::Variant("hexchess".into()));
        assert_eq!(read("Clear Hash", None), Setting::ClearHash);
        assert_eq!(read("EvalFile", Some("a b.nnue")), Setting::EvalFile("a b.nnue".into()));
        assert_eq!(read("EvalFile", None), Setting::EvalFile(INTERNAL.into()));
        assert_eq!(read("EvalFile", Some("<empty>")), Setting::EvalFile(INTERNAL.into()));
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
            let fault = table().read(name, value).unwrap_err().to_string();
            assert!(parts.iter().all(|part| fault.contains(part)), "{fault}");
        }
    }

    #[test]
    fn options_are_declared_with_defaults_that_they_accept() {
        let table = table();
        assert_eq!(table.defaults().variant, "chess");
        for (line, (name, kind)) in table.lines().zip(&table.0) {
            let line = line.to_string();
            assert!(line.starts_with(&format!("option name {name} type ")), "{line}");
            let default = line.split_once(" default ").map(|(_, rest)| rest);
            let Some(default) = default else { continue };
            let value = default.split(' ').next();
            assert_eq!(table.read(name, value).unwrap(), kind.default(), "{line}");
        }
    }
}
