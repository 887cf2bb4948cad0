//! Errors of reading and building networks.

use alloc::string::String;
use core::fmt;

use crate::ArchitectureError;

/// Why a network could not be read or built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkError {
    /// The file is not of any known kind.
    UnknownFormat(String),
    /// The file ends too early, or goes on too long.
    Length {
        /// What was being read.
        what: String,
        /// The bytes that it takes.
        expected: u64,
        /// The bytes that there are.
        found: u64,
    },
    /// A field holds something that it cannot.
    Field {
        /// The name of the field.
        field: &'static str,
        /// What it holds.
        found: String,
        /// What it may hold.
        expected: String,
    },
    /// The content does not match the checksum: the file was damaged.
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the content.
        computed: u32,
    },
    /// The description of the network makes no sense.
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
    /// An error about a field.
    pub(crate) fn field(
        field: &'static str,
        found: impl fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::Field { field, found: alloc::format!("{found}"), expected: expected.into() }
    }

    /// An error if `found` values are not as many as `expected`.
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
