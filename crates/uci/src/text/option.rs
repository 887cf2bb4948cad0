//! `option`: the line by which an engine declares an option, and the values that the option
//! accepts.

use std::fmt::{self, Display};

use super::error::OptionValueError;
use super::words::{after_word, escape, joined, number, split_at_word};

/// An option of an engine.
///
/// ```
/// use uci::text::{OptionKind, OptionLine};
///
/// let line = "option name Hash type spin default 16 min 1 max 1024";
/// let option = OptionLine::parse(line).expect("an option");
/// let kind = OptionKind::Spin { default: 16, min: 1, max: 1024 };
/// assert_eq!((option.name.as_str(), option.kind.as_ref()), ("Hash", Some(&kind)));
/// assert_eq!(option.to_string(), line);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionLine {
    /// The name, which may have spaces.
    pub name: String,
    /// The kind of its values; `None` if the engine does not declare it as UCI wants.
    pub kind: Option<OptionKind>,
}

/// The kind of values that an option has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// On or off.
    Check {
        /// The value unless it is set.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value unless it is set.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value unless it is set.
        default: String,
        /// All values.
        values: Vec<String>,
    },
    /// Any text.
    Text {
        /// The value unless it is set.
        default: String,
    },
    /// Something to be done, without a value.
    Button,
}

/// The word for a text that is empty.
const EMPTY: &str = "<empty>";

impl OptionLine {
    /// Parses a line that begins with `option`; `None` if it has no name.
    pub fn parse(line: &str) -> Option<Self> {
        let rest = after_word(after_word(line, "option")?, "name")?;
        let (name, kind) = match split_at_word(rest, "type") {
            Some((name, kind)) => (name, OptionKind::parse(kind)),
            None => (rest, None),
        };
        let name = joined(name);
        (!name.is_empty()).then_some(Self { name, kind })
    }
}

impl OptionKind {
    /// Parses what follows `type`.
    fn parse(text: &str) -> Option<Self> {
        let kind = text.split_ascii_whitespace().next()?;
        let rest = after_word(text, kind)?;
        let parts = parts(rest);
        let part = |word| {
            let part = parts.iter().find(|(known, _)| *known == word);
            part.map(|(_, value)| value.as_str())
        };
        let number = |word| part(word)?.parse().ok();
        match kind {
            "check" => part("default")?.parse().ok().map(|default| Self::Check { default }),
            "spin" => Some(Self::Spin {
                default: number("default")?,
                min: number("min")?,
                max: number("max")?,
            }),
            "combo" => {
                let values = parts.iter().filter(|(word, _)| *word == "var");
                let values = values.map(|(_, value)| value.clone()).collect();
                Some(Self::Combo { default: part("default")?.to_owned(), values })
            }
            "string" => {
                let default = after_word(rest, "default").unwrap_or_default().trim_ascii();
                let default = if default == EMPTY { "" } else { default };
                Some(Self::Text { default: default.to_owned() })
            }
            "button" => Some(Self::Button),
            _ => None,
        }
    }
}

/// Parses the value of a check.
pub(crate) fn read_check(value: Option<&str>) -> Result<bool, OptionValueError> {
    let value = present(value, || "`true` or `false`".to_owned())?;
    let parsed = value.to_ascii_lowercase().parse();
    parsed.map_err(|_| OptionValueError::Check { found: escape(value) })
}

/// Parses the value of a spin.
pub(crate) fn read_spin(value: Option<&str>, min: i64, max: i64) -> Result<i64, OptionValueError> {
    let value = present(value, || "a whole number".to_owned())?;
    Ok(number(value, min.into(), max.into())? as i64)
}

/// Parses the value of a combo; gives it as `values` spells it.
pub(crate) fn read_combo<'a>(
    value: Option<&str>,
    values: &'a [String],
) -> Result<&'a str, OptionValueError> {
    let expected = || values.join(", ");
    let value = present(value, || format!("one of {}", expected()))?;
    let known = values.iter().find(|known| known.eq_ignore_ascii_case(value));
    known
        .map(String::as_str)
        .ok_or_else(|| OptionValueError::Combo { found: escape(value), expected: expected() })
}

/// Parses the value of a text; `default` if there is none.
pub(crate) fn read_text<'a>(value: Option<&'a str>, default: &'a str) -> &'a str {
    value.filter(|&value| value != EMPTY).unwrap_or(default)
}

/// Parses the value of a button, which has none.
pub(crate) fn read_button(value: Option<&str>) -> Result<(), OptionValueError> {
    if value.is_some() { Err(OptionValueError::Button) } else { Ok(()) }
}

fn present(
    value: Option<&str>,
    expected: impl FnOnce() -> String,
) -> Result<&str, OptionValueError> {
    value.ok_or_else(|| OptionValueError::Missing { expected: expected() })
}

/// The keywords of a declaration, each with the words that follow it.
fn parts(text: &str) -> Vec<(&str, String)> {
    let mut parts: Vec<(&str, String)> = Vec::new();
    for word in text.split_ascii_whitespace() {
        match parts.last_mut() {
            _ if ["default", "min", "max", "var"].contains(&word) => {
                parts.push((word, String::new()));
            }
            Some((_, value)) if value.is_empty() => word.clone_into(value),
            Some((_, value)) => {
                value.push(' ');
                value.push_str(word);
            }
            None => {}
        }
    }
    parts
}

impl Display for OptionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {}", self.name)?;
        self.kind.as_ref().map_or(Ok(()), |kind| write!(f, " type {kind}"))
    }
}

impl Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check { default } => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            Self::Combo { default, values } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            Self::Text { default } => {
                write!(f, "string default {}", if default.is_empty() { EMPTY } else { default })
            }
            Self::Button => f.write_str("button"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_of_engines_are_read() {
        for line in [
            "option name Clear Hash type button",
            "option name Ponder type check default false",
            "option name Contempt type spin default -3 min -100 max 100",
            "option name Style type combo default Very Solid var Very Solid var Risky",
            "option name Book File type string default <empty>",
            "option name Nullmove",
        ] {
            assert_eq!(OptionLine::parse(line).unwrap().to_string(), line);
        }
        let odd = OptionLine::parse("option name  Hash  type spin").unwrap();
        assert_eq!((odd.name.as_str(), odd.kind), ("Hash", None));
        assert_eq!(OptionLine::parse("option name type button"), None);
        assert_eq!(OptionLine::parse("id name x"), None);
    }

    #[test]
    fn values_are_read_by_kind() {
        assert_eq!(read_spin(Some("-5"), -5, 9), Ok(-5));
        assert!(read_spin(Some("10"), -5, 9).is_err());
        assert_eq!(read_check(Some("True")), Ok(true));
        assert!(read_check(Some("yes")).is_err());
        let values = ["chess".to_owned(), "hexchess".to_owned()];
        assert_eq!(read_combo(Some("HexChess"), &values), Ok("hexchess"));
        let error = read_combo(Some("go"), &values).unwrap_err().to_string();
        assert_eq!(error, "`go` is not one of chess, hexchess");
        for value in [None, Some("<empty>")] {
            assert_eq!(read_text(value, "<none>"), "<none>");
        }
        assert_eq!(read_button(Some("x")), Err(OptionValueError::Button));
        for error in [
            read_spin(None, 1, 2).map(drop),
            read_check(None).map(drop),
            read_combo(None, &values).map(drop),
        ] {
            assert!(error.unwrap_err().to_string().contains("value is missing"));
        }
    }
}
