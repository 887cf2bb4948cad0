//! Format errors: why the reading or writing of a whole file ends. Faults of single records are
//! [`Faults`](super::Faults).

use std::io;
use std::path::{Path, PathBuf};

use super::Format;
use crate::DataError;

/// Why a file of records cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The operating system reported an error.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// `read` or `write`.
        action: &'static str,
        /// The error.
        source: io::Error,
    },
    /// A fault of a native file.
    #[error(transparent)]
    Native(#[from] DataError),
    /// The content is of no known format.
    #[error(
        "{}: neither content nor name determines the format; name it ({known})", path.display()
    )]
    Unrecognised {
        /// The file.
        path: PathBuf,
        /// The names of all formats.
        known: String,
    },
    /// The format belongs to another game.
    #[error("{format} holds positions of {holds} only, not of {game}")]
    OtherGame {
        /// The format.
        format: &'static str,
        /// The game that it belongs to.
        holds: &'static str,
        /// The requested game.
        game: &'static str,
    },
    /// There is no writer.
    #[error("{format} can be read but not written; write native, jsonl, text or epd")]
    ReadOnly {
        /// The format.
        format: Format,
    },
    /// A record that the format cannot hold. It was left out.
    #[error("{format} cannot hold a record with {reason}")]
    CannotHold {
        /// The format.
        format: Format,
        /// What is missing or not representable, for example `no score`.
        reason: &'static str,
    },
    /// The receiver of the records stopped.
    #[error("stopped")]
    Stopped,
    /// Records that do not form whole games, for a format that stores only these.
    #[error(
        "viriformat holds whole games, move after move, but ply {found} of game {game} {fault}; \
         write another format, or convert before anything is filtered or shuffled"
    )]
    NotAGame {
        /// The number of the game.
        game: u32,
        /// The ply of the record that does not follow.
        found: u16,
        /// Why it does not.
        fault: String,
    },
}

impl FormatError {
    pub(crate) fn read(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), action: "read", source }
    }

    pub(crate) fn write(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), action: "write", source }
    }
}
