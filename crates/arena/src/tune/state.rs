//! Tuning state: the file content from which a run resumes.

use std::collections::BTreeMap;

use search::Params;
use serde::{Deserialize, Serialize};

use super::{Spsa, SpsaError, SpsaProgress};

const FORMAT: &str = "accrue tune 1";

/// Everything that the values of a tuning depend on, by name.
pub type TuningSettings = BTreeMap<String, String>;

/// The state of a tuning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TuningState {
    format: String,
    settings: TuningSettings,
    /// The number of finished iterations.
    iteration: u64,
    /// As text, because not every JSON reader preserves the last digit of a number.
    values: Vec<(String, String)>,
}

/// Why a tuning cannot be resumed.
#[derive(Debug, thiserror::Error)]
pub enum TuningStateError {
    /// The text is not a state.
    #[error("it is not the state of a tuning: {0}")]
    Json(#[from] serde_json::Error),
    /// The state has another format.
    #[error("its format is `{found}`; expected `{FORMAT}`")]
    Format {
        /// The format.
        found: String,
    },
    /// A parameter has another name now.
    #[error("the search parameter `{old}` is now called `{new}`; rename it in the state")]
    Renamed {
        /// The name in the state.
        old: String,
        /// Its name now.
        new: &'static str,
    },
    /// The tuning has other settings.
    #[error("it is a tuning with other settings: {name} was {was}, and is {now} now")]
    Settings {
        /// The setting.
        name: String,
        /// Its value in the state.
        was: String,
        /// Its value now.
        now: String,
    },
    /// A value is not that of the expected parameter.
    #[error("found {name} = {value}, expected a number for {expected}")]
    Value {
        /// The parameter in the state.
        name: String,
        /// Its value.
        value: String,
        /// The parameter that is tuned.
        expected: String,
    },
    /// The values do not fit.
    #[error(transparent)]
    Spsa(#[from] SpsaError),
}

impl TuningState {
    /// The current state of a tuning.
    pub fn new(spsa: &Spsa, settings: TuningSettings) -> Self {
        let SpsaProgress { iteration, values } = spsa.progress();
        let names = spsa.params().iter().map(|param| param.name.clone());
        Self {
            format: FORMAT.to_owned(),
            settings,
            iteration: *iteration,
            // `f64::to_string` prints enough digits to read the same number again.
            values: names.zip(values.iter().map(f64::to_string)).collect(),
        }
    }

    /// Reads a state.
    pub fn from_json(json: &[u8]) -> Result<Self, TuningStateError> {
        let state: Self = serde_json::from_slice(json)?;
        if state.format != FORMAT {
            return Err(TuningStateError::Format { found: state.format });
        }
        Ok(state)
    }

    /// The state as JSON.
    pub fn to_json(&self) -> Result<Vec<u8>, TuningStateError> {
        let mut json = serde_json::to_vec_pretty(self)?;
        json.push(b'\n');
        Ok(json)
    }

    /// Resumes a tuning, which must have the same settings.
    pub fn resume(&self, spsa: Spsa, settings: &TuningSettings) -> Result<Spsa, TuningStateError> {
        for (old, _) in &self.values {
            if let Some(new) = Params::renamed(old) {
                return Err(TuningStateError::Renamed { old: old.clone(), new });
            }
        }
        for (name, now) in settings {
            let was = self.settings.get(name).map_or("nothing", String::as_str);
            if was != now {
                let (name, was, now) = (name.clone(), was.to_owned(), now.clone());
                return Err(TuningStateError::Settings { name, was, now });
            }
        }
        let values = spsa.params().iter().zip(&self.values).map(|(param, (name, value))| {
            let number = value.parse().ok().filter(|_| *name == param.name);
            number.ok_or_else(|| TuningStateError::Value {
                name: name.clone(),
                value: value.clone(),
                expected: param.name.clone(),
            })
        });
        let values = values.collect::<Result<Vec<f64>, _>>()?;
        Ok(spsa.resume(SpsaProgress { iteration: self.iteration, values })?)
    }
}
