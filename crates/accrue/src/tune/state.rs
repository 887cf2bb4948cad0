//! Tuning state file: the file from which a run resumes.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use arena::tune::{Spsa, TuningSettings, TuningState, TuningStateError};
use pipeline::files;

/// The maximum size of a state file: far more than all values need.
const MAX_BYTES: u64 = 1 << 20;

/// The state file of a tuning.
#[derive(Debug)]
pub(super) struct StateFile<'a> {
    path: &'a Path,
    settings: TuningSettings,
}

impl<'a> StateFile<'a> {
    pub(super) fn new(path: &'a Path, settings: TuningSettings) -> Self {
        Self { path, settings }
    }

    /// Resumes from the file; starts from the beginning if it does not exist.
    pub(super) fn resume(&self, spsa: Spsa) -> anyhow::Result<Spsa> {
        if !self.path.exists() {
            return Ok(spsa);
        }
        let shown = self.path.display();
        let state = self.read().with_context(|| format!("cannot resume {shown}"))?;
        state.resume(spsa, &self.settings).map_err(|error| match error {
            TuningStateError::Renamed { .. } | TuningStateError::Settings { .. } => {
                anyhow!("{shown}: {error}; or use another --state")
            }
            error => anyhow!("cannot resume {shown}: {error}"),
        })
    }

    fn read(&self) -> anyhow::Result<TuningState> {
        let metadata = std::fs::metadata(self.path)?;
        if !metadata.is_file() || metadata.len() > MAX_BYTES {
            bail!("expected a file of at most {MAX_BYTES} bytes, the state of a tuning");
        }
        Ok(TuningState::from_json(&std::fs::read(self.path)?)?)
    }

    /// Replaces the file by the current state.
    pub(super) fn write(&self, spsa: &Spsa) -> anyhow::Result<()> {
        let state = TuningState::new(spsa, self.settings.clone());
        Ok(files::replace(self.path, &state.to_json()?)?)
    }
}
