//! Why data could not be generated.

use std::path::PathBuf;

/// Why data could not be generated. What is in the file stays usable, and running again goes on from there.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The file could not be read or written.
    #[error(transparent)]
    Data(#[from] dataset::DataError),
    /// The file system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: std::io::Error,
    },
    /// A file of that name was made in another way.
    #[error(
        "{}: exists, and was made differently: {difference}; give the same options, another name, or remove it",
        path.display()
    )]
    Different {
        /// The file.
        path: PathBuf,
        /// What differs first.
        difference: String,
    },
    /// Somebody else is writing the file.
    #[error("{}: another process is writing it; give each one a shard of its own", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// Options that make no sense.
    #[error("{name} cannot be {value}; expected {expected}")]
    Option {
        /// The option.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it may be.
        expected: &'static str,
    },
    /// Games do not give any positions.
    #[error(
        "{games} games in a row gave no position to write; are the openings over or unbalanced, or is everything filtered out?"
    )]
    Barren {
        /// How many.
        games: u64,
    },
}
