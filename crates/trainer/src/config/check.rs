//! Configuration checks: settings alone and together.

use dataset::GameList;
use nnue::Architecture;

use super::{Config, ConfigError, DataOrder};

/// The maximum number of positions of a batch and of a window.
const MAX_POSITIONS: usize = 1 << 23;

impl Config {
    /// Checks everything that needs no file. Returns the architecture.
    pub fn check(&self, games: &GameList) -> Result<Architecture, ConfigError> {
        let architecture = self.architecture(games)?;
        self.check_data(&architecture)?;
        self.check_target()?;
        self.check_schedule()?;
        self.check_rest()?;
        Ok(architecture)
    }

    fn check_data(&self, architecture: &Architecture) -> Result<(), ConfigError> {
        let data = &self.data;
        within("data.batch_size", data.batch_size as f64, 1.0, MAX_POSITIONS as f64)?;
        within("data.window", data.window as f64, 1.0, MAX_POSITIONS as f64)?;
        within("data.threads", data.threads as f64, 0.0, 1024.0)?;
        if !(0.0..1.0).contains(&data.held_out) {
            let fault = format!("is {}; expected a share from 0 to below 1", data.held_out);
            return Err(ConfigError::value("data.held_out", fault));
        }
        let raw = architecture.features.starts_with("raw:");
        match (raw, data.files.is_empty(), data.rows.is_empty()) {
            (true, true, false) => self.check_rows(architecture.inputs),
            (true, _, _) => Err(ConfigError::value(
                "data.rows",
                format!(
                    "the features {} are numbered by you: give examples as [[data.rows]] and no \
                     data.files",
                    architecture.features
                ),
            )),
            (false, false, true) => Ok(()),
            (false, true, _) => Err(ConfigError::value(
                "data.files",
                "is empty; name files of training records, as in files = [\"games/*.data\"]",
            )),
            (false, false, false) => Err(ConfigError::value(
                "data.rows",
                "rows are for features raw:N; remove them, the records are in data.files",
            )),
        }
    }

    fn check_rows(&self, inputs: usize) -> Result<(), ConfigError> {
        for (place, row) in self.data.rows.iter().enumerate() {
            let fail = |name: &str, fault: String| {
                Err(ConfigError::value(&format!("data.rows[{place}].{name}"), fault))
            };
            if row.inputs.len() != inputs {
                let fault = format!("has {} numbers; expected {inputs}", row.inputs.len());
                return fail("inputs", fault);
            }
            if let Some(input) = row.inputs.iter().find(|&&input| input > 1) {
                return fail("inputs", format!("has {input}; expected 0 and 1"));
            }
            if !(0.0..=1.0).contains(&row.target) {
                return fail("target", format!("is {}; expected 0 to 1", row.target));
            }
        }
        Ok(())
    }

    fn check_target(&self) -> Result<(), ConfigError> {
        let target = &self.target;
        within("target.score_scale", f64::from(target.score_scale), 1e-3, 1e6)?;
        if let Some(fault) = target.result_share.fault(0.0, 1.0) {
            return Err(ConfigError::value("target.result_share", fault));
        }
        if let Some(lambda) = target.td_lambda {
            within("target.td_lambda", f64::from(lambda), 0.0, 1.0)?;
            if self.data.order != DataOrder::Sequential && self.data.rows.is_empty() {
                return Err(ConfigError::value(
                    "target.td_lambda",
                    "needs the positions of a game in order: set data.order = \"sequential\"",
                ));
            }
        }
        Ok(())
    }

    fn check_schedule(&self) -> Result<(), ConfigError> {
        let schedule = &self.schedule;
        let max = f64::from(u32::MAX);
        within("schedule.superbatches", schedule.superbatches as f64, 1.0, max)?;
        let batches = schedule.batches_per_superbatch as f64;
        within("schedule.batches_per_superbatch", batches, 1.0, max)?;
        match schedule.rate.fault(0.0, f32::MAX) {
            Some(fault) => Err(ConfigError::value("schedule.rate", fault)),
            None => Ok(()),
        }
    }

    fn check_rest(&self) -> Result<(), ConfigError> {
        let data = &self.data;
        let validated = !data.validation.is_empty() || data.held_out > 0.0;
        let validated = validated && data.rows.is_empty() && self.validation.every > 0;
        if self.validation.patience > 0 && !validated {
            return Err(ConfigError::value(
                "validation.patience",
                "there is no validation for early stopping; set data.validation or data.held_out, \
                 and validation.every",
            ));
        }
        if self.init.network.is_some() && self.init.accumulator_from.is_some() {
            return Err(ConfigError::value(
                "init.accumulator_from",
                "init.network already sets the first layer; remove one of the two",
            ));
        }
        within("output.keep", self.output.keep as f64, 1.0, 1e6)?;
        within("output.checkpoint_every", self.output.checkpoint_every as f64, 1.0, 1e9)
    }
}

fn within(path: &str, value: f64, min: f64, max: f64) -> Result<(), ConfigError> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    Err(ConfigError::value(path, format!("is {value}; expected {min} to {max}")))
}
