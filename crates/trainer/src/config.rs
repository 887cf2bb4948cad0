//! Configuration: all settings of a training in one TOML file.
//!
//! Every setting has a default. The name, the description and the default of a setting are in one
//! place, `config/sections.rs`; [`Config::to_commented_toml`] prints them.

use serde::{Deserialize, Serialize};

use crate::{LossSettings, Objective, OptimiserSettings};

mod check;
mod documented;
mod network;
mod print;
mod read;
mod schema;
mod section;
mod sections;
#[cfg(test)]
mod tests;
mod values;

pub use network::policy_form;
pub use schema::{Field, Kind};
pub(crate) use section::section;
pub use sections::{
    ClipSettings, DataSettings, InitSettings, NetworkSettings, OutputSettings, ScheduleSettings,
    TargetSettings, ValidationSettings,
};
pub use values::{BucketSettings, DataOrder, HiddenLayer, Limit, Row};

/// The settings of a training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// The network.
    pub network: NetworkSettings,
    /// The training data.
    pub data: DataSettings,
    /// The target of the value head.
    pub target: TargetSettings,
    /// The losses.
    pub loss: LossSettings,
    /// The optimiser.
    pub optimiser: OptimiserSettings,
    /// The length of the training, and the learning rate.
    pub schedule: ScheduleSettings,
    /// The initial weights.
    pub init: InitSettings,
    /// Limits of the weights.
    pub clip: ClipSettings,
    /// Validation on held-out games.
    pub validation: ValidationSettings,
    /// The output files.
    pub output: OutputSettings,
}

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration: {0}")]
    Unreadable(String),
    /// It is not TOML.
    #[error("the configuration is not TOML: {0}")]
    Syntax(String),
    /// There is no such setting.
    #[error("there is no setting `{path}`{}", suggestion(nearest.as_deref()))]
    Unknown {
        /// The setting as written.
        path: String,
        /// The setting that was probably meant.
        nearest: Option<String>,
    },
    /// A setting has an invalid value.
    #[error("{path}: {fault}")]
    Value {
        /// The setting.
        path: String,
        /// What is wrong and what was expected.
        fault: String,
    },
    /// `section.key=value` was expected on the command line.
    #[error("`{0}` sets nothing; expected section.key=value, as in schedule.superbatches=10")]
    Override(String),
}

impl ConfigError {
    pub(crate) fn value(path: &str, fault: impl Into<String>) -> Self {
        Self::Value { path: path.to_owned(), fault: fault.into() }
    }
}

fn suggestion(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => "; `accrue train --print-config` lists all".to_owned(),
    }
}

impl Config {
    /// The names and descriptions of all settings.
    pub const FIELDS: &'static [Field] = &[
        table("network", NetworkSettings::ABOUT, NetworkSettings::FIELDS),
        table("data", DataSettings::ABOUT, DataSettings::FIELDS),
        table("target", TargetSettings::ABOUT, TargetSettings::FIELDS),
        table("loss", LossSettings::ABOUT, LossSettings::FIELDS),
        table("optimiser", OPTIMISER, documented::OPTIMISER),
        table("schedule", ScheduleSettings::ABOUT, ScheduleSettings::FIELDS),
        table("init", InitSettings::ABOUT, InitSettings::FIELDS),
        table("clip", ClipSettings::ABOUT, ClipSettings::FIELDS),
        table("validation", ValidationSettings::ABOUT, ValidationSettings::FIELDS),
        table("output", OutputSettings::ABOUT, OutputSettings::FIELDS),
    ];

    /// The losses of all heads.
    pub fn objective(&self) -> Objective {
        self.loss.objective(self.target.score_scale)
    }

    /// The total number of steps.
    pub fn steps(&self) -> u64 {
        self.schedule.superbatches.saturating_mul(self.schedule.batches_per_superbatch)
    }
}

const fn table(
    name: &'static str,
    about: &'static [&'static str],
    fields: &'static [Field],
) -> Field {
    Field { name, about, kind: Kind::Table(fields) }
}

const OPTIMISER: &[&str] = &["The optimiser. The learning rate is in [schedule]."];
