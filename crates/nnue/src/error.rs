//! Errors of reading and building networks.

use alloc::string::String;
use core::fmt;

use crate::ArchitectureError;

/// An error of reading or building a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The file format is unknown.
    UnknownFormat(String),
    /// The file is too short or too long.
    Length {
        /// The part that was being read.
        what: String,
        /// The expected number of bytes.
        expected: u64,
        /// The number of bytes found.
        found: u64,
    },
    /// A field holds an invalid value.
    Field {
        /// The name of the field.
        field: &'static str,
        /// The value found.
        found: String,
        /// The values allowed.
        expected: String,
    },
    /// The content does not match the checksum: the file is damaged.
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the content.
        computed: u32,
    },
    /// The description of the network is invalid.
    Architecture(ArchitectureError),
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownFormat(hint) => write!(f, "not a network file: {hint}"),
            Self::Length { what, expected, found } => {
                write!(f, "{what} takes {expected} bytes, but there are {found}")
            }
            Self::Field { field, found, expected } => {
                write!(f, "{field} is {found}; expected {expected}")
            }
            Self::Checksum { stored, computed } => write!(
                f,
                "the checksum in the file is {stored:08x}, but its content gives {computed:08x}: \
                 the file is damaged; fetch or export it again"
            ),
            Self::Architecture(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for NetworkError {}

impl From<ArchitectureError> for NetworkError {
    fn from(error: ArchitectureError) -> Self {
        Self::Architecture(error)
    }
}

impl NetworkError {
    /// Creates an error about a field.
    pub(crate) fn field(
        field: &'static str,
        found: impl fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::Field { field, found: alloc::format!("{found}"), expected: expected.into() }
    }

    /// Returns an error unless there are `expected` values.
    pub(crate) fn check_count(
        field: &'static str,
        found: usize,
        expected: usize,
    ) -> Result<(), Self> {
        if found == expected {
            return Ok(());
        }
        let expected = alloc::format!("{expected} values for this architecture");
        Err(Self::field(field, alloc::format!("{found} values long"), expected))
    }
}
