//! Data errors: why a data file cannot be used, and the damage in one.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why data could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The operating system reported an error.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The action, for example `read`.
        action: &'static str,
        /// The error.
        source: std::io::Error,
    },
    /// A file that would be overwritten.
    #[error("{}: exists already; append to it, remove it or choose another name", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// Not a native data file at all.
    #[error("{}: not an accrue data file: {fault}", path.display())]
    NotData {
        /// The file.
        path: PathBuf,
        /// What was found and what was expected.
        fault: String,
    },
    /// Written by a later version.
    #[error("{}: data of version {found}; this program reads version {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The version that can be read.
        expected: u32,
    },
    /// Positions of another game.
    #[error("{}: holds positions of {found}; expected {expected}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The game in the file.
        found: String,
        /// The expected game.
        expected: String,
    },
    /// A record that the file cannot hold.
    #[error("{}: record {record} cannot be written: {fault}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The number of the record, from 0.
        record: u64,
        /// What is wrong with it.
        fault: String,
    },
    /// A record that is invalid although its checksum is correct.
    #[error(
        "{}: a record of the block at byte {block}: {fault}; \
         `accrue data check` checks all records",
        path.display()
    )]
    Record {
        /// The file.
        path: PathBuf,
        /// The offset of the block.
        block: u64,
        /// What was expected.
        fault: &'static str,
    },
    /// A place outside the data.
    #[error("the data has no place {place:?}; use the files and options that it was recorded with")]
    Place {
        /// The place.
        place: crate::Place,
    },
    /// There are no records.
    #[error("no records {part}: {fault}")]
    Empty {
        /// The part of the data, for example `for training`.
        part: &'static str,
        /// The reason, and what to do.
        fault: String,
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
    /// An unusable feature set.
    #[error(transparent)]
    Features(#[from] games::FeatureSetError),
}

impl DataError {
    /// An error that names the file and the action.
    pub(crate) fn io(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, action, source }
    }
}

/// A part of a file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub path: PathBuf,
    /// The offset of the damaged part.
    pub offset: u64,
    /// The number of lost bytes.
    pub bytes: u64,
    /// The number of lost records, if the header of the block is readable.
    pub records: Option<u64>,
    /// What is wrong.
    pub fault: Fault,
}

/// The kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The header of the file: only the text about its origin is lost.
    Header,
    /// The file ends within a block.
    TornTail,
    /// Bytes that are not a block.
    NoBlock,
    /// The records of a block do not match its checksum.
    Checksum,
    /// The checksum is correct, but the bytes are not valid records.
    Record,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Header => "the header does not match its checksum",
            Self::TornTail => "the file ends within a block",
            Self::NoBlock => "no block at the expected offset",
            Self::Checksum => "a block does not match its checksum",
            Self::Record => "a block has an invalid record",
        })
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, offset, bytes, records, fault } = self;
        write!(f, "{}: byte {offset}: {fault}; {bytes} bytes lost", path.display())?;
        match records {
            Some(records) => write!(f, ", {records} records"),
            None => f.write_str(", an unknown number of records"),
        }
    }
}
