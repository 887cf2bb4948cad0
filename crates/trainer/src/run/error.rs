//! Errors of a training run.

use std::path::{Path, PathBuf};

use dataset::DataError;

use crate::{CheckpointError, ConfigError, TrainerError};

/// Why a training fails.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An error of the configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// An error of the network or a step.
    #[error(transparent)]
    Trainer(#[from] TrainerError),
    /// An error of the data.
    #[error(transparent)]
    Data(#[from] DataError),
    /// An error of a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The loss or a weight is infinite or undefined.
    #[error(
        "training has diverged: {what} at step {step}, rate {rate}. {}. Try a lower \
         schedule.rate, schedule.warm_up or optimiser.clip_norm", last_good(kept.as_deref())
    )]
    NotFinite {
        /// The step.
        step: u64,
        /// The rate of that step.
        rate: f32,
        /// What is not finite.
        what: String,
        /// The newest checkpoint, from before.
        kept: Option<PathBuf>,
    },
    /// The output folder is not empty.
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
        "{path} holds another network: {found}; the configuration describes {expected}. Train it in \
         another output.folder"
    )]
    OtherNetwork {
        /// The checkpoint.
        path: String,
        /// Its network.
        found: String,
        /// The network of the configuration.
        expected: String,
    },
    /// The operating system reported an error.
    #[error("{action} {path}: {error}")]
    Io {
        /// The action.
        action: &'static str,
        /// The file.
        path: String,
        /// The error.
        error: std::io::Error,
    },
}

fn last_good(kept: Option<&Path>) -> String {
    match kept {
        Some(path) => format!("The last good checkpoint is {}", path.display()),
        None => "There was no checkpoint yet".to_owned(),
    }
}
