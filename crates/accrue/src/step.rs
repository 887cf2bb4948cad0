//! Commands of this program that other commands carry out: the words that are shown are the words that are obeyed.

use std::fmt::{self, Display};
use std::path::Path;

use anyhow::Context;

use toml::{Table, Value};

use crate::toolkit::Toolkit;
use crate::{Answer, calibrate, datagen, export, net, train};

/// A command line of this program, without the program's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step(Vec<String>);

impl Step {
    /// A command; words with a space between them.
    pub(crate) fn new(command: &str) -> Self {
        Self(command.split_whitespace().map(str::to_owned).collect())
    }

    /// Adds a word, whatever is in it.
    #[must_use]
    pub(crate) fn word(mut self, word: impl Display) -> Self {
        self.0.push(word.to_string());
        self
    }

    /// Adds a file.
    #[must_use]
    pub(crate) fn file(self, path: &Path) -> Self {
        self.word(path.display())
    }

    /// Adds an option and its value.
    #[must_use]
    pub(crate) fn option(self, name: &str, value: impl Display) -> Self {
        self.word(format_args!("--{name}")).word(value)
    }

    /// Adds options by a table of their names and values; `true` stands for an option without a value.
    #[must_use]
    pub(crate) fn options(self, table: &Table) -> Self {
        table.iter().fold(self, |step, (name, value)| match value {
            Value::Boolean(true) => step.word(format_args!("--{name}")),
            Value::String(text) => step.option(name, text),
            other => step.option(name, other),
        })
    }

    /// The arguments as the command itself reads them.
    pub(crate) fn args<A: clap::Args>(&self) -> anyhow::Result<A> {
        let command = A::augment_args(clap::Command::new("accrue"));
        let read =
            command.try_get_matches_from(&self.0).and_then(|words| A::from_arg_matches(&words));
        read.with_context(|| format!("cannot carry out `{self}`"))
    }

    /// Carries it out. Matches are played by [`matches::play`](crate::matches::play), which tells more.
    pub(crate) fn run(&self, toolkit: &Toolkit) -> anyhow::Result<Answer> {
        let run = || match self.0.first().map(String::as_str) {
            Some("datagen") => datagen::run(&self.args()?, toolkit),
            Some("train") => train::run(&self.args()?, toolkit),
            Some("export") => export::run(&self.args()?, toolkit).map(|()| Answer::Yes),
            Some("calibrate") => calibrate::run(&self.args()?, toolkit),
            Some("net") => net::run(self.args()?, toolkit).map(|()| Answer::Yes),
            other => anyhow::bail!("{other:?} is no command that can be a step"),
        };
        run().with_context(|| format!("this step failed: {self}"))
    }
}

/// As it can be typed: what a shell would take apart is quoted.
impl Display for Step {
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
    fn what_a_shell_would_take_apart_is_quoted() {
        let step = Step::new("net start").option("game", "chess").word("it's a b").word("");
        assert_eq!(step.to_string(), r"accrue net start --game chess 'it'\''s a b' ''");
    }

    #[test]
    fn options_can_come_as_a_table() {
        let table = "win-score = 800\nkeep = \"check,mates\"\njson = true".parse().unwrap();
        let step = Step::new("datagen").options(&table);
        assert_eq!(step.to_string(), "accrue datagen --json --keep check,mates --win-score 800");
    }

    #[test]
    fn mistakes_name_the_command() {
        let fault = Step::new("datagen --wrong").run(&Toolkit::new()).unwrap_err();
        assert!(format!("{fault:#}").contains("datagen --wrong"), "{fault:#}");
    }
}
