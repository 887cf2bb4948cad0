//! Errors of a training run.

use std::path::{Path, PathBuf};

use dataset::DataError;

use crate::{CheckpointError, ConfigError, TrainerError};

/// Why a training ends without a result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The network or a step.
    #[error(transparent)]
    Trainer(#[from] TrainerError),
    /// The data.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The loss or a weight is infinite or undefined.
    #[error(
        "training has lost its way: {what} at step {step}, rate {rate}. {}. Try a lower schedule.rate, \
         schedule.warm_up or optimiser.clip_norm", last_good(kept.as_deref())
    )]
    NotFinite {
        /// The step that gave it.
        step: u64,
        /// The rate of that step.
        rate: f32,
        /// What is not a finite number.
        what: String,
        /// The newest checkpoint, from before.
        kept: Option<PathBuf>,
    },
    /// The output folder holds something already.
    #[error("{folder} is not empty; resume its training, or choose another output.folder")]
    NotEmpty {
        /// The folder.
        folder: String,
    },
    /// Another training writes into the folder.
    #[error(
        "another training is writing into {folder}; wait for it or choose another output.folder"
    )]
    InUse {
        /// The folder.
        folder: String,
    },
    /// A checkpoint of another network.
    #[error(
        "{path} holds another network: {found}; the configuration describes {expected}. Train it in another \
         output.folder"
    )]
    OtherNetwork {
        /// The checkpoint.
        path: String,
        /// Its network.
        found: String,
        /// The one of the configuration.
        expected: String,
    },
    /// The system refused.
    #[error("{action} {path}: {error}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// On which file.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
}

fn last_good(kept: Option<&Path>) -> String {
    match kept {
        Some(path) => format!("The last good checkpoint is {}", path.display()),
        None => "There was no checkpoint yet".to_owned(),
    }
}
