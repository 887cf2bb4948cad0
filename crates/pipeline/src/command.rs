//! Command line: the equivalent of a stage as text, for people to read and run.

use std::fmt::{self, Display};
use std::path::Path;

/// A command line of accrue, without the program's name.
///
/// ```
/// use pipeline::CommandLine;
///
/// let command = CommandLine::new("net start").option("game", "chess").word("it's");
/// assert_eq!(command.to_string(), r"accrue net start --game chess 'it'\''s'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine(Vec<String>);

impl CommandLine {
    /// A command: words divided by spaces.
    pub fn new(command: &str) -> Self {
        Self(command.split_whitespace().map(str::to_owned).collect())
    }

    /// Adds a word, whatever it contains.
    #[must_use]
    pub fn word(mut self, word: impl Display) -> Self {
        self.0.push(word.to_string());
        self
    }

    /// Adds a file.
    #[must_use]
    pub fn file(self, path: &Path) -> Self {
        self.word(path.display())
    }

    /// Adds an option without a value if `condition` holds.
    #[must_use]
    pub fn flag(self, name: &str, condition: bool) -> Self {
        if condition { self.word(format_args!("--{name}")) } else { self }
    }

    /// Adds an option and its value.
    #[must_use]
    pub fn option(self, name: &str, value: impl Display) -> Self {
        self.word(format_args!("--{name}")).word(value)
    }

    /// Adds an option if there is a value.
    #[must_use]
    pub fn maybe(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.option(name, value),
            None => self,
        }
    }

    /// Adds an option if its value is not the default.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "values are numbers and short texts")]
    pub fn unless_default<T: Display + PartialEq>(self, name: &str, value: T, default: T) -> Self {
        if value == default { self } else { self.option(name, value) }
    }

    /// The words, without the program's name.
    pub fn words(&self) -> &[String] {
        &self.0
    }
}

/// As it can be typed: words that a shell would split or expand are quoted.
impl Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("accrue")?;
        for word in &self.0 {
            let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+%@".contains(c);
            if !word.is_empty() && word.chars().all(plain) {
                write!(f, " {word}")?;
            } else {
                write!(f, " '{}'", word.replace('\'', "'\\''"))?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_split_are_quoted() {
        let command = CommandLine::new("net start").option("game", "chess").word("it's a b");
        assert_eq!(command.word("").to_string(), r"accrue net start --game chess 'it'\''s a b' ''");
    }

    #[test]
    fn defaults_and_absent_values_are_left_out() {
        let command = CommandLine::new("datagen")
            .unless_default("seed", 1, 1)
            .unless_default("hash", 2, 8)
            .maybe("depth", None::<u8>)
            .flag("json", false)
            .flag("resume", true);
        assert_eq!(command.to_string(), "accrue datagen --hash 2 --resume");
    }
}
