//! Configuration reader: TOML and overrides from the command line.

use std::fs;
use std::path::Path;

use nnue::Architecture;
use serde::Deserialize;
use toml::{Table, Value};

use super::schema::{join, nearest, unknown_key};
use super::{Config, ConfigError};

/// The maximum size of a configuration, which includes the rows of raw data.
const MAX_BYTES: u64 = 1 << 26;

impl Config {
    /// Reads a file, then applies `overrides` (`section.key=value`).
    pub fn read(file: &Path, overrides: &[String]) -> Result<Self, ConfigError> {
        let unreadable = |error| ConfigError::Unreadable(format!("{}: {error}", file.display()));
        let bytes = fs::metadata(file).map_err(unreadable)?.len();
        if bytes > MAX_BYTES {
            let fault = format!("{} has {bytes} bytes; at most {MAX_BYTES}", file.display());
            return Err(ConfigError::Unreadable(fault));
        }
        Self::parse(&fs::read_to_string(file).map_err(unreadable)?, overrides)
    }

    /// Parses a text, then applies `overrides`.
    pub fn parse(text: &str, overrides: &[String]) -> Result<Self, ConfigError> {
        let syntax = |error: toml::de::Error| ConfigError::Syntax(error.to_string());
        let mut table: Table = text.parse().map_err(syntax)?;
        for one in overrides {
            set(&mut table, one)?;
        }
        Self::from_table(&table)
    }

    /// Reads a table that has the sections of a configuration file.
    pub fn from_table(table: &Table) -> Result<Self, ConfigError> {
        if let Some(path) = unknown_key(table, Self::FIELDS, "") {
            let nearest = nearest(&path, Self::FIELDS);
            return Err(ConfigError::Unknown { path, nearest });
        }
        check_architecture_alone(table)?;
        let mut config = read_table(table)?;
        config.fill_losses()?;
        Ok(config)
    }

    /// Without any loss, sets the default loss of each head of the network.
    fn fill_losses(&mut self) -> Result<(), ConfigError> {
        if !self.loss.is_empty() {
            return Ok(());
        }
        match &self.network.architecture {
            Some(line) => self.loss.set_usual(&parse_line(line)?.heads),
            None => self.loss.value = Some(crate::ValueObjective::default()),
        }
        Ok(())
    }
}

pub(super) fn parse_line(line: &str) -> Result<Architecture, ConfigError> {
    line.parse().map_err(|error| {
        let fault = format!("`{line}`: {error}");
        ConfigError::value("network.architecture", fault)
    })
}

/// Refuses the one-line architecture together with its parts: they could contradict each other.
fn check_architecture_alone(table: &Table) -> Result<(), ConfigError> {
    let Some(network) = table.get("network").and_then(Value::as_table) else { return Ok(()) };
    if !network.contains_key("architecture") {
        return Ok(());
    }
    let free = ["architecture", "factorise"];
    match network.keys().find(|key| !free.contains(&key.as_str())) {
        None => Ok(()),
        Some(key) => Err(ConfigError::value(
            &join("network", key),
            "network.architecture already sets this; remove one of the two",
        )),
    }
}

/// Applies `section.key=value`. The value is TOML or, failing that, a text.
fn set(table: &mut Table, assignment: &str) -> Result<(), ConfigError> {
    let wrong = || ConfigError::Override(assignment.to_owned());
    let (path, value) = assignment.split_once('=').ok_or_else(wrong)?;
    let (path, value) = (path.trim(), value.trim());
    let parsed = format!("value = {value}").parse::<Table>().ok();
    // A line feed could inject other settings; only one value is used.
    let parsed =
        parsed.filter(|table| table.len() == 1).and_then(|mut table| table.remove("value"));
    let value = parsed.unwrap_or_else(|| Value::String(value.to_owned()));
    let mut keys: Vec<&str> = path.split('.').collect();
    let last = keys.pop().filter(|_| !path.split('.').any(str::is_empty)).ok_or_else(wrong)?;
    let mut inner = table;
    for key in keys {
        let entry = inner.entry(key).or_insert_with(|| Value::Table(Table::new()));
        // A table replaces a plain value: the command line has precedence.
        if !entry.is_table() {
            *entry = Value::Table(Table::new());
        }
        let Value::Table(next) = entry else { return Err(wrong()) };
        inner = next;
    }
    inner.insert(last.to_owned(), value);
    Ok(())
}

/// The configuration of a table whose keys are known. An error names the setting.
fn read_table(table: &Table) -> Result<Config, ConfigError> {
    Config::deserialize(Value::Table(table.clone())).map_err(|error| {
        let path = culprit(table, &[]).unwrap_or_default();
        ConfigError::Value { path, fault: tidy(&error) }
    })
}

/// The setting that cannot be read even if it is the only one.
fn culprit(table: &Table, above: &[&str]) -> Option<String> {
    for (key, value) in table {
        let mut path = above.to_vec();
        path.push(key);
        let alone = path.iter().rev().fold(value.clone(), |value, &key| {
            Value::Table(Table::from_iter([(key.to_owned(), value)]))
        });
        if Config::deserialize(alone).is_err() {
            let deeper = value.as_table().filter(|_| above.is_empty());
            let deeper = deeper.and_then(|inner| culprit(inner, &path));
            return deeper.or_else(|| Some(path.join(".")));
        }
    }
    None
}

/// The message without the location, which the caller adds.
fn tidy(error: &toml::de::Error) -> String {
    error.message().trim_end().to_owned()
}
