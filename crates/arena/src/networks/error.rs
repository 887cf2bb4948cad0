//! Errors of network loading: which file it is, what it has and what was expected.

use games::FeatureSetError;
use nnue::{ArchitectureError, NetworkError};
use search::{EngineError, InputsError};

use super::loader::{ForeignFormat, MAX_NETWORK_BYTES};

/// Why a network cannot be read or played with.
#[derive(Debug, thiserror::Error)]
pub enum NetworkLoadError {
    /// There is neither such a file nor such a built-in network.
    #[error(
        "cannot open {file}, which is not one of the built-in networks either ({built_in}): {error}"
    )]
    Open {
        /// The file.
        file: String,
        /// The names of the built-in networks.
        built_in: String,
        /// Why it cannot be opened.
        error: std::io::Error,
    },
    /// The file cannot be read.
    #[error("cannot read {file}: {error}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        error: std::io::Error,
    },
    /// A folder, a pipe, which would block, or a device, which may never end.
    #[error("{file} is not a file; expected the file of a network")]
    NotAFile {
        /// The path.
        file: String,
    },
    /// Longer than any network.
    #[error("{file} has {bytes} bytes; a network has at most {MAX_NETWORK_BYTES}")]
    TooLong {
        /// The file.
        file: String,
        /// The length of the file.
        bytes: u64,
    },
    /// The bytes are not a network.
    #[error("{file}: {error}")]
    Format {
        /// The file.
        file: String,
        /// What is wrong with them.
        error: NetworkError,
    },
    /// The file is not a matrix in JSON, though it begins like one.
    #[error("{file}, read as weights in JSON: {error}")]
    Json {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: NetworkError,
    },
    /// The architecture that was given for the file cannot be parsed.
    #[error("architecture `{text}`: {error}")]
    Architecture {
        /// The architecture.
        text: String,
        /// What is wrong with it.
        error: ArchitectureError,
    },
    /// An architecture was given for a file that states its own.
    #[error("{file} states its own architecture; it needs none from elsewhere")]
    ArchitectureStated {
        /// The file.
        file: String,
    },
    /// The feature set that was given for the file is not one of the known games.
    #[error("the feature set for {file}: {error}")]
    Features {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: FeatureSetError,
    },
    /// The file does not name its feature set, and none was given.
    #[error("{file} does not name its feature set{inputs}; name one of {known}")]
    FeaturesUnnamed {
        /// The file.
        file: String,
        /// The number of inputs as text, if it is known.
        inputs: String,
        /// The names of the feature sets that exist.
        known: String,
    },
    /// The weights do not have a column for each feature of the set.
    #[error(
        "{file}: ft.weight has {inputs} columns, but feature set `{features}` has {size} features; \
         name another feature set"
    )]
    Columns {
        /// The file.
        file: String,
        /// The columns.
        inputs: usize,
        /// The feature set.
        features: String,
        /// The number of its features.
        size: usize,
    },
    /// A network that can be evaluated but not written as one of accrue's.
    #[error(
        "{file} is a network of {format}, which has an arithmetic of its own and cannot be written \
         as one of accrue's"
    )]
    Foreign {
        /// The file.
        file: String,
        /// The program that the format belongs to.
        format: ForeignFormat,
    },
    /// The network cannot read the positions of the game.
    #[error("{file} does not fit {game}: {error}")]
    Inputs {
        /// The file.
        file: String,
        /// The game.
        game: &'static str,
        /// Why not.
        error: InputsError,
    },
    /// The larger of two networks needs a calibration.
    #[error("{file} is not calibrated; expected a calibrated network as the larger of two")]
    LargeNotCalibrated {
        /// The file of the larger network.
        file: String,
    },
    /// The material evaluation of a game cannot be built.
    #[error("the material evaluation of {game}: {error}")]
    Material {
        /// The game.
        game: &'static str,
        /// Why not.
        error: FeatureSetError,
    },
    /// The options of an engine are refused.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
