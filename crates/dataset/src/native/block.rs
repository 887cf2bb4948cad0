//! Blocks: records with a header and checksums of both.

use super::{MARKER, u32_at};
use crate::Fault;

/// The size of a block header in bytes.
pub(crate) const HEADER: usize = 36;
/// The maximum size of the records of a block, which a reader must be able to hold.
pub(crate) const MAX_BYTES: usize = 1 << 20;
/// The size at which a writer closes a block.
pub(crate) const FULL: usize = 1 << 16;

/// The header of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BlockHeader {
    /// The size of the records in bytes.
    pub(crate) length: u32,
    /// The number of records.
    pub(crate) records: u32,
    /// The base of the game numbers of the records.
    pub(crate) base: u32,
    /// The highest game number.
    pub(crate) highest: u32,
    /// CRC-32 of the game's name.
    pub(crate) game: u32,
    /// CRC-32 of the records.
    pub(crate) sum: u32,
}

impl BlockHeader {
    pub(super) fn write(&self) -> [u8; HEADER] {
        let mut bytes = [0; HEADER];
        bytes[..8].copy_from_slice(&MARKER);
        let fields = [self.length, self.records, self.base, self.highest, self.game, self.sum];
        for (place, field) in bytes[8..32].chunks_exact_mut(4).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        let sum = crc32fast::hash(&bytes[..32]);
        bytes[32..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Reads a header from the front of `bytes`. Returns `None` unless its checksum is correct.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.get(..HEADER)?;
        let field = |number: usize| u32_at(bytes, 8 + 4 * number);
        if bytes[..8] != MARKER || field(6)? != crc32fast::hash(&bytes[..32]) {
            return None;
        }
        let header = Self {
            length: field(0)?,
            records: field(1)?,
            base: field(2)?,
            highest: field(3)?,
            game: field(4)?,
            sum: field(5)?,
        };
        // A record has at least two bytes.
        let sound = header.length as usize <= MAX_BYTES && header.records <= header.length / 2;
        sound.then_some(header)
    }

    /// The size of the block, including its header.
    pub(crate) fn size(&self) -> u64 {
        HEADER as u64 + u64::from(self.length)
    }

    /// The fault of the records of this block, if any.
    pub(crate) fn fault(&self, records: &[u8]) -> Option<Fault> {
        if records.len() != self.length as usize || crc32fast::hash(records) != self.sum {
            return Some(Fault::Checksum);
        }
        let mut rest = records;
        let mut count = 0;
        while let Some((&length, after)) = rest.split_first() {
            let Some(after) = after.get(usize::from(length)..) else { return Some(Fault::Record) };
            rest = after;
            count += 1;
        }
        (count != self.records).then_some(Fault::Record)
    }
}

/// The records of a sound block, each preceded by its length.
pub(crate) struct Records<'a>(pub(crate) &'a [u8]);

impl<'a> Iterator for Records<'a> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let length = 1 + usize::from(*self.0.first()?);
        let (record, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(record)
    }
}
