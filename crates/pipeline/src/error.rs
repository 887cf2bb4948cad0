//! Pipeline errors: which stage, file or field is wrong, and why.

use std::io;
use std::path::{Path, PathBuf};

/// Why a stage cannot be carried out.
#[derive(Debug, thiserror::Error)]
pub enum PipelineError {
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {}: {error}", path.display())]
    Io {
        /// What was tried: `read`, `write`, `create the folder`.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// Something that is not a regular file is in the place of a file to write.
    #[error("cannot write {}: it exists and is not a regular file", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A folder whose name cannot be part of the spec of an engine.
    #[error(
        "the folder {} cannot be named in a match: expected a name in UTF-8 without a comma",
        path.display()
    )]
    FolderName {
        /// The folder.
        path: PathBuf,
    },
    /// Another process uses a folder.
    #[error("another process is using {}", path.display())]
    FolderBusy {
        /// The folder.
        path: PathBuf,
    },
    /// The contents of a file are wrong.
    #[error("{}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Box<PipelineError>,
    },
    /// A setting has a value that it cannot have.
    #[error("{field}: {fault}")]
    Field {
        /// The setting.
        field: String,
        /// What is wrong and what was expected.
        fault: String,
    },
    /// A group of settings is wrong.
    #[error("{field}")]
    InField {
        /// The group.
        field: String,
        /// What is wrong.
        source: Box<PipelineError>,
    },
    /// A file that the program wrote itself cannot be read back.
    #[error("{} is damaged: {fault}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: String,
    },
    /// A configuration is not TOML, or has an unknown setting.
    #[error("{0}")]
    Syntax(String),
    /// Anything else, as a sentence.
    #[error("{0}")]
    Refused(String),
    /// A network cannot be loaded.
    #[error(transparent)]
    Network(#[from] arena::networks::NetworkLoadError),
    /// A checksum cannot be computed.
    #[error(transparent)]
    Checksum(#[from] arena::ChecksumError),
    /// Data cannot be generated.
    #[error(transparent)]
    Datagen(#[from] arena::datagen::DatagenError),
    /// A file of samples cannot be used.
    #[error(transparent)]
    Samples(#[from] arena::fit::SampleError),
    /// Openings cannot be read.
    #[error(transparent)]
    Openings(#[from] arena::OpeningsError),
    /// The transposition tables do not fit into memory.
    #[error(transparent)]
    Memory(#[from] arena::TableMemoryError),
    /// A match cannot be played.
    #[error(transparent)]
    Contest(#[from] arena::contest::ContestError),
    /// An engine of a match cannot be made.
    #[error(transparent)]
    Entrant(#[from] arena::tournament::EntrantError),
    /// The hypotheses of a sequential test are wrong.
    #[error(transparent)]
    Sprt(#[from] arena::SprtError),
    /// The configuration of a training is wrong.
    #[error(transparent)]
    Config(#[from] trainer::ConfigError),
    /// Something cannot be done with a file whose contents are readable.
    #[error("cannot {action} {}", path.display())]
    Cannot {
        /// What was tried: `export`, `restore`, `draw`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: Box<PipelineError>,
    },
    /// There is no game of a name.
    #[error(transparent)]
    Game(#[from] dataset::UnknownGame),
    /// There is no feature set of a name.
    #[error(transparent)]
    FeatureSet(#[from] games::FeatureSetError),
    /// A feature set of one perspective that does not give the side to move.
    #[error("feature set `{features}` has one perspective and no feature for the side to move")]
    NoSideToMove {
        /// The feature set.
        features: String,
    },
    /// A game has no linear evaluation of material.
    #[error(transparent)]
    Linear(#[from] search::LinearError),
    /// A network file cannot be made of these parameters.
    #[error(transparent)]
    NetworkFile(#[from] nnue::NetworkError),
    /// A training cannot be started, or fails.
    #[error(transparent)]
    Training(#[from] trainer::RunError),
    /// A checkpoint cannot be read.
    #[error(transparent)]
    Checkpoint(#[from] trainer::CheckpointError),
    /// A folder without checkpoints.
    #[error("{} holds no checkpoint; name the folder of a training, or a file", folder.display())]
    NoCheckpoint {
        /// The folder.
        folder: PathBuf,
    },
    /// A network cannot be quantised, or the result is too far from its floats.
    #[error(transparent)]
    Export(#[from] trainer::export::ExportError),
    /// A network to export that is quantised already.
    #[error(
        "{} holds integers already: engines read it as it is\nAn export starts from floats, \
         because rounding twice loses accuracy", path.display()
    )]
    AlreadyQuantised {
        /// The network file.
        path: PathBuf,
    },
    /// A network whose features belong to no game, so that no play measures its error.
    #[error("the features of `{features}` belong to no game, so there is no play to measure on")]
    NoRandomPlay {
        /// The feature set.
        features: String,
    },
    /// Data that is not for a network.
    #[error("the network is for {game}")]
    DataOfNetwork {
        /// The game of the network.
        game: String,
        /// What the data is instead.
        source: dataset::DataError,
    },
    /// Training data cannot be read.
    #[error(transparent)]
    Data(#[from] dataset::DataError),
    /// A file of training records cannot be read.
    #[error(transparent)]
    Format(#[from] dataset::formats::FormatError),
    /// A network cannot be calibrated.
    #[error(transparent)]
    Calibration(#[from] arena::calibration::CalibrationError),
    /// A network without quantiles, for which there is no score model either.
    #[error("{} has no quantiles, only scores", network.display())]
    NothingToCalibrate {
        /// The network.
        network: PathBuf,
        /// Why there is no score model.
        source: arena::calibration::ScoreFitError,
    },
    /// Neurons cannot be drawn.
    #[error(transparent)]
    Neurons(#[from] report::neurons::NeuronError),
}

impl PipelineError {
    /// For `map_err` of an input or output operation on a file or folder.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |error| Self::Io { action, path, error }
    }

    /// A setting with a wrong value.
    pub fn field(field: impl Into<String>, fault: impl Into<String>) -> Self {
        Self::Field { field: field.into(), fault: fault.into() }
    }

    /// Adds the group of settings that the error is about.
    pub fn in_field(field: impl Into<String>, error: impl Into<Self>) -> Self {
        Self::InField { field: field.into(), source: Box::new(error.into()) }
    }

    /// A file that the program wrote itself and cannot read back.
    pub fn damaged(path: &Path, fault: &impl ToString) -> Self {
        Self::Damaged { path: path.to_owned(), fault: fault.to_string().trim().to_owned() }
    }

    /// A text that is not TOML, or has an unknown setting.
    pub fn syntax(error: &toml::de::Error) -> Self {
        Self::Syntax(error.to_string().trim().to_owned())
    }

    /// Adds the file that the error is about.
    #[must_use]
    pub fn in_file(self, path: &Path) -> Self {
        Self::InFile { path: path.to_owned(), source: Box::new(self) }
    }

    /// Adds what cannot be done with a file.
    #[must_use]
    pub fn cannot(self, action: &'static str, path: &Path) -> Self {
        Self::Cannot { action, path: path.to_owned(), source: Box::new(self) }
    }
}
