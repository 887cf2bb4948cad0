//! What can be wrong with data files, and what was lost in one.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why data could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What was tried, for example `read`.
        action: &'static str,
        /// Why it failed.
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
        /// The game that was asked for.
        expected: String,
    },
    /// A record that the file cannot hold.
    #[error("{}: record {record} cannot be written: {fault}", path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// Which record, counted from 0 over this file's writer.
        record: u64,
        /// What is wrong with it.
        fault: String,
    },
    /// A record whose checksum is right and whose content is not.
    #[error("{}: a record of the block at byte {block}: {fault}; `accrue data check` looks at all", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Where the block begins.
        block: u64,
        /// What was expected.
        fault: &'static str,
    },
    /// A place that is not in the data.
    #[error(
        "there is no place {place:?} in the data; have files or options changed since it was noted?"
    )]
    Place {
        /// The place.
        place: crate::Place,
    },
    /// There is nothing to read.
    #[error("no records {part}: {fault}")]
    Empty {
        /// In which part of the data, for example `for training`.
        part: &'static str,
        /// Why, and what to do.
        fault: String,
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
    /// A feature set that positions cannot be turned into.
    #[error(transparent)]
    Features(#[from] games::FeatureSetError),
}

impl DataError {
    /// Names the file and what was tried.
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
    /// Where the damaged part begins.
    pub offset: u64,
    /// How many bytes are lost.
    pub bytes: u64,
    /// How many records are lost, where the block's header can still say so.
    pub records: Option<u64>,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The file's own header: nothing but the text of who made the file is lost.
    Header,
    /// The file ends within a block.
    TornTail,
    /// Bytes that are no block.
    NoBlock,
    /// The records of a block do not match its checksum.
    Checksum,
    /// The checksum is right, but the bytes are no records.
    Record,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Header => "the header does not match its checksum",
            Self::TornTail => "the file ends within a block",
            Self::NoBlock => "no block where one should begin",
            Self::Checksum => "a block does not match its checksum",
            Self::Record => "a block holds what is no record",
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
