//! What ends the reading or writing of a whole file. Faults of single records are [`Faults`](super::Faults).

use std::io;
use std::path::{Path, PathBuf};

use super::Format;
use crate::DataError;

/// Why a file of records cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FormatError {
    /// The operating system refused.
    #[error("cannot {action} {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// `read` or `write`.
        action: &'static str,
        /// What it said.
        source: io::Error,
    },
    /// A fault of a native file.
    #[error(transparent)]
    Native(#[from] DataError),
    /// The content is of no format that is known.
    #[error(
        "{}: neither content nor name say which format this is; name it ({known})", path.display()
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
        /// The game that was asked for.
        game: &'static str,
    },
    /// There is no writer.
    #[error("{format} can be read but not written; write native, jsonl, text or epd")]
    ReadOnly {
        /// The format.
        format: Format,
    },
    /// One record has no place in this format. It was left out.
    #[error("{format} cannot hold a record with {reason}")]
    CannotHold {
        /// The format.
        format: Format,
        /// What is missing or too fine for it, for example `no score`.
        reason: &'static str,
    },
    /// Whoever took the records wants no more.
    #[error("stopped")]
    Stopped,
    /// Records that do not form whole games, for a format that holds nothing else.
    #[error(
        "viriformat holds whole games, move after move, but ply {found} of game {game} {fault}; \
         write another format, or convert before anything is filtered or shuffled"
    )]
    NotAGame {
        /// The number of the game.
        game: u32,
        /// The ply of the record that does not fit.
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
