//! Data generation errors.

use std::path::PathBuf;

/// Why data generation failed. The content of the file stays usable, and the next run resumes it.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    /// The file could not be read or written.
    #[error(transparent)]
    Data(#[from] dataset::DataError),
    /// The operating system reported an error.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The action, for example `write`.
        action: &'static str,
        /// The error.
        source: std::io::Error,
    },
    /// A file of that name was made with other options.
    #[error(
        "{}: exists, but was made with other options: {difference}; use the same options, \
         use another name, or remove it",
        path.display()
    )]
    Different {
        /// The file.
        path: PathBuf,
        /// The first difference.
        difference: String,
    },
    /// Another process is writing the file.
    #[error("{}: another process is writing it; give each one a shard of its own", path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
    /// An invalid option.
    #[error("{name} cannot be {value}; expected {expected}")]
    Option {
        /// The option.
        name: &'static str,
        /// Its value.
        value: String,
        /// The expected value.
        expected: &'static str,
    },
    /// Games give no positions.
    #[error(
        "{games} games in a row gave no position to write; expected openings that are neither over \
         nor unbalanced, and a filter that keeps positions"
    )]
    Barren {
        /// The number of games.
        games: u64,
    },
}
