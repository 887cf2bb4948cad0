//! The file in which a tuning is kept.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use arena::tune::{Progress, Spsa};
use serde::{Deserialize, Serialize};

use crate::files;

/// What the values follow from, by name.
pub(super) type Settings = BTreeMap<String, String>;

/// Far more than the state of all values needs.
const MOST_BYTES: u64 = 1 << 20;
const FORMAT: &str = "accrue tune 1";

/// Where a tuning is kept.
#[derive(Debug)]
pub(super) struct StateFile<'a> {
    path: &'a Path,
    settings: Settings,
}

#[derive(Debug, Serialize, Deserialize)]
struct State {
    format: String,
    settings: Settings,
    /// Iterations that are done.
    iteration: u64,
    /// As text, because not every reader of JSON gives back the last digit of a number.
    values: Vec<(String, String)>,
}

impl<'a> StateFile<'a> {
    pub(super) fn new(path: &'a Path, settings: Settings) -> Self {
        Self { path, settings }
    }

    /// Goes on where the file ends; begins if there is none.
    pub(super) fn resume(&self, spsa: Spsa) -> anyhow::Result<Spsa> {
        if !self.path.exists() {
            return Ok(spsa);
        }
        let shown = self.path.display();
        let state = self.read().with_context(|| format!("cannot go on with {shown}"))?;
        for (name, value) in &self.settings {
            let was = state.settings.get(name).map_or("nothing", String::as_str);
            if was != value {
                bail!(
                    "{shown} is a tuning with other settings: {name} was {was}, and is {value} now; use the same, or \
                     another --state"
                );
            }
        }
        let values = spsa.knobs().iter().zip(&state.values).map(|(knob, (name, value))| {
            let number = value.parse().ok().filter(|_| *name == knob.name);
            number.with_context(|| {
                format!("{shown}: found {name} = {value}, expected a number for {}", knob.name)
            })
        });
        let values = values.collect::<anyhow::Result<Vec<f64>>>()?;
        let progress = Progress { iteration: state.iteration, values };
        spsa.resume(progress).with_context(|| format!("cannot go on with {shown}"))
    }

    fn read(&self) -> anyhow::Result<State> {
        let known = std::fs::metadata(self.path)?;
        if !known.is_file() || known.len() > MOST_BYTES {
            bail!("expected a file of at most {MOST_BYTES} bytes, the state of a tuning");
        }
        let state: State = serde_json::from_slice(&std::fs::read(self.path)?)
            .context("it is not the state of a tuning")?;
        if state.format != FORMAT {
            bail!("its format is `{}`; expected `{FORMAT}`", state.format);
        }
        Ok(state)
    }

    /// Puts the state of now in the place of the file.
    pub(super) fn write(&self, spsa: &Spsa) -> anyhow::Result<()> {
        let Progress { iteration, values } = spsa.progress();
        let names = spsa.knobs().iter().map(|knob| knob.name.clone());
        let state = State {
            format: FORMAT.to_owned(),
            settings: self.settings.clone(),
            iteration: *iteration,
            // Rust prints as many digits as it takes to read the same number again.
            values: names.zip(values.iter().map(f64::to_string)).collect(),
        };
        let mut bytes = serde_json::to_vec_pretty(&state).context("cannot write the state")?;
        bytes.push(b'\n');
        files::replace(self.path, &bytes)
    }
}
