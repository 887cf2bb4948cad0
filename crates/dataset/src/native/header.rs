//! The beginning of a file: which game, and how it was made.

use std::path::Path;

use super::{MAGIC, VERSION, u32_at};
use crate::DataError;

/// Bytes before the text.
const FIXED: usize = 16;
/// The most bytes of text.
const MAX_TEXT: usize = 1 << 14;
/// The most bytes of a whole header, its checksum included.
pub(super) const MAX: usize = FIXED + MAX_TEXT + 4;

/// What a file says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game that the positions are of.
    pub game: String,
    /// How the file was made, in free text.
    pub made_by: String,
}

/// How the beginning of a file reads.
pub(super) enum Start {
    /// A header, and how many bytes it has.
    Sound(Header, usize),
    /// The magic is there, and the rest is not what the checksum expects.
    Damaged,
    /// Another version, whose checksum is where ours is and is right.
    Version(u32),
    /// Something else.
    Foreign,
}

impl Header {
    /// The bytes of a file's beginning.
    pub(super) fn write(&self, path: &Path) -> Result<Vec<u8>, DataError> {
        let text = format!("game {}\n{}", self.game, self.made_by);
        if text.len() > MAX_TEXT {
            return Err(DataError::Option {
                name: "the text of how the data was made",
                value: format!("{} bytes (for {})", self.made_by.len(), path.display()),
                expected: "at most 16000 bytes",
            });
        }
        let mut bytes = Vec::with_capacity(FIXED + text.len() + 4);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text.as_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Ok(bytes)
    }

    /// Reads the first bytes of a file: [`MAX`] of them, or all that there are.
    pub(super) fn read(bytes: &[u8]) -> Start {
        if !bytes.starts_with(&MAGIC) {
            return Start::Foreign;
        }
        let text = u32_at(bytes, 12).map(|length| length as usize).filter(|&n| n <= MAX_TEXT);
        let Some(end) = text.map(|text| FIXED + text) else { return Start::Damaged };
        let sum = u32_at(bytes, end);
        if sum.is_none() || sum != bytes.get(..end).map(crc32fast::hash) {
            return Start::Damaged;
        }
        match u32_at(bytes, 8) {
            Some(VERSION) => {}
            Some(other) => return Start::Version(other),
            None => return Start::Damaged,
        }
        let text = String::from_utf8_lossy(&bytes[FIXED..end]);
        match text.strip_prefix("game ").and_then(|text| text.split_once('\n')) {
            Some((game, made_by)) => {
                let header = Self { game: game.to_owned(), made_by: made_by.to_owned() };
                Start::Sound(header, end + 4)
            }
            None => Start::Damaged,
        }
    }
}
