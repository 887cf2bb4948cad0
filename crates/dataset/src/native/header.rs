//! File header: the game and the origin of a file.

use std::path::Path;

use super::{MAGIC, VERSION, u32_at};
use crate::DataError;

/// The size of the fields before the text.
const FIXED: usize = 16;
/// The maximum size of the text.
const MAX_TEXT: usize = 1 << 14;
/// The maximum size of a header, including its checksum.
pub(super) const MAX: usize = FIXED + MAX_TEXT + 4;

/// The header of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game of the positions.
    pub game: String,
    /// The origin of the file, as free text.
    pub made_by: String,
}

/// The kinds of file start.
pub(super) enum Start {
    /// A header, and its size.
    Sound(Header, usize),
    /// The magic is correct, the checksum is not.
    Damaged,
    /// Another version, with a correct checksum at the same place.
    Version(u32),
    /// Not a native file.
    Foreign,
}

impl Header {
    /// The bytes of the header.
    pub(super) fn write(&self, path: &Path) -> Result<Vec<u8>, DataError> {
        let text = format!("game {}\n{}", self.game, self.made_by);
        if text.len() > MAX_TEXT {
            return Err(DataError::Option {
                name: "the origin text",
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

    /// Reads the first bytes of a file: [`MAX`] of them, or all.
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
