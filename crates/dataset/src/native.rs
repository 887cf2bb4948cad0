//! Native data file: records of one game in blocks with checksums, so that damage costs one block.
//!
//! `docs/data-file.md` describes every byte.

pub(crate) mod block;
mod growth;
mod header;
mod info;
mod reader;
pub(crate) mod record;
mod varint;
pub(crate) mod walk;
mod writer;

pub use growth::FileGrowth;
pub use header::Header;
pub use info::FileInfo;
pub use reader::Reader;
pub use writer::{Counts, Writer};

/// The first bytes of a file: a byte that is not text, a name, and a line feed that conversion of
/// line ends changes.
const MAGIC: [u8; 8] = *b"\x89accdat\n";
/// The first bytes of a block.
const MARKER: [u8; 8] = *b"\xB1\x0C\xACC\rue\n";
/// The version that is written and read.
const VERSION: u32 = 1;

/// Whether these first bytes of a file are of this format, even if the header is damaged.
pub(crate) fn is_native(start: &[u8]) -> bool {
    start.starts_with(&MAGIC) || start.windows(MARKER.len()).any(|window| window == MARKER)
}

/// The identifier of a game in block headers.
pub(crate) fn game_id(name: &str) -> u32 {
    crc32fast::hash(name.as_bytes())
}

/// The little-endian number at an offset.
fn u32_at(bytes: &[u8], offset: usize) -> Option<u32> {
    let field = bytes.get(offset..offset.checked_add(4)?)?;
    Some(u32::from_le_bytes(field.try_into().ok()?))
}
