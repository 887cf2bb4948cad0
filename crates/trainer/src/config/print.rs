//! Commented configuration: prints all settings with their descriptions.

use std::fmt::Write;

use toml::{Table, Value};

use super::schema::{Field, Kind};
use super::{Config, HiddenLayer, Row};

impl Config {
    /// All settings with their descriptions. Unset ones are commented out. Parsing the text gives
    /// the same configuration.
    pub fn to_commented_toml(&self) -> String {
        let (values, examples) = (self.to_table(), self.example().to_table());
        let mut text = String::new();
        for field in Self::FIELDS {
            let inner = |table: &Table| table.get(field.name).and_then(Value::as_table).cloned();
            let values = inner(&values).unwrap_or_default();
            let examples = inner(&examples).unwrap_or_default();
            section(&mut text, field, field.name, Some(&values), &examples);
        }
        text.trim_start().to_owned()
    }

    /// All settings that are set, as a table.
    pub fn to_table(&self) -> Table {
        // Every type can be a TOML value; a number that cannot leaves an empty table.
        let mut table = Table::try_from(self).unwrap_or_default();
        table.iter_mut().for_each(|(_, value)| shorten(value));
        table
    }

    /// The same with an example for every unset setting.
    fn example(&self) -> Self {
        let mut example = self.clone();
        let network = &mut example.network;
        let line = "chess.piece-square (768→256)×2→1 screlu";
        network.architecture.get_or_insert_with(|| line.into());
        if network.hidden.is_empty() {
            network.hidden.push(HiddenLayer { width: 32, activation: None });
        }
        if example.data.rows.is_empty() {
            example.data.rows.push(Row { inputs: vec![0, 1], target: 1.0 });
        }
        example.target.td_lambda.get_or_insert(0.7);
        example.loss = example.loss.with_all();
        example.optimiser.sparse.get_or_insert(true);
        example.init.network.get_or_insert_with(|| "start.accrue".into());
        example.init.accumulator_from.get_or_insert_with(|| "nn.nnue".into());
        example.init.freeze_until.get_or_insert(10);
        example.output.folder.get_or_insert_with(|| "runs/first".into());
        example
    }
}

/// Single precision in the fewest digits that read back: 0.9, not 0.8999999761581421.
fn shorten(value: &mut Value) {
    match value {
        Value::Float(number) if f64::from(*number as f32).to_bits() == number.to_bits() => {
            *number = (*number as f32).to_string().parse().unwrap_or(*number);
        }
        Value::Array(values) => values.iter_mut().for_each(shorten),
        Value::Table(table) => table.iter_mut().for_each(|(_, value)| shorten(value)),
        _ => {}
    }
}

/// A table with its heading; as a comment if it is unset.
fn section(text: &mut String, field: &Field, path: &str, values: Option<&Table>, examples: &Table) {
    text.push('\n');
    about(text, field);
    let inner = field.inner();
    let headed = inner.iter().any(|field| !matches!(field.kind, Kind::Table(_)));
    if headed {
        let mark = if values.is_some() { "" } else { "# " };
        let _ = writeln!(text, "{mark}[{path}]");
    }
    // The one-line architecture replaces its parts.
    let whole = values.is_some_and(|table| path == "network" && table.contains_key("architecture"));
    for field in inner {
        let value = values.and_then(|table| table.get(field.name));
        let example = examples.get(field.name);
        if matches!(field.kind, Kind::Table(_)) {
            let example = example.and_then(Value::as_table).cloned().unwrap_or_default();
            let path = format!("{path}.{}", field.name);
            section(text, field, &path, value.and_then(Value::as_table), &example);
            continue;
        }
        about(text, field);
        let hidden = whole && !["architecture", "factorise"].contains(&field.name);
        match (value, example) {
            (Some(value), _) if !hidden => {
                let _ = writeln!(text, "{} = {}", field.name, inline(value));
            }
            (Some(value), _) | (None, Some(value)) => {
                let _ = writeln!(text, "# {} = {}", field.name, inline(value));
            }
            (None, None) => {}
        }
    }
}

fn about(text: &mut String, field: &Field) {
    for line in field.about {
        let _ = writeln!(text, "# {}", line.trim());
    }
    if let Kind::Inline(parts) = field.kind {
        for part in parts {
            let _ = writeln!(text, "#   {}: {}", part.name, part.about.join(" "));
        }
    }
}

/// A value on one line.
fn inline(value: &Value) -> String {
    match value {
        Value::Float(number) => float(*number),
        Value::Array(list) => {
            format!("[{}]", list.iter().map(inline).collect::<Vec<_>>().join(", "))
        }
        Value::Table(table) => {
            let parts = table.iter().map(|(key, value)| format!("{key} = {}", inline(value)));
            format!("{{ {} }}", parts.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// The shortest text. All settings are single precision; further digits are meaningless.
fn float(number: f64) -> String {
    let single = number as f32;
    if f64::from(single).to_bits() == number.to_bits() {
        format!("{single:?}")
    } else {
        format!("{number:?}")
    }
}
