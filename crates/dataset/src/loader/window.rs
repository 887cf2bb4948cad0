//! Windows: records that are in memory together.

/// Records of a few blocks, filtered, shuffled, and stored in reading order.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// The records in order, each preceded by its length.
    pub(super) bytes: Vec<u8>,
    pub(super) entries: Vec<Entry>,
    /// The blocks of the records.
    pub(super) blocks: Vec<Origin>,
}

/// A record of a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The offset in the bytes.
    pub(super) start: u32,
    /// The index of its block in the window.
    pub(super) block: u32,
}

/// A block with records in a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The index of the file.
    pub(super) file: u32,
    /// The offset of the block.
    pub(super) offset: u64,
    /// The base of its game numbers.
    pub(super) base: u32,
}

impl Window {
    /// The number of records.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// A record without its length.
    #[inline]
    pub(super) fn record(&self, number: usize) -> &[u8] {
        record_at(&self.bytes, self.entries[number])
    }

    /// Replaces the bytes by those of the entries, in the order of the entries.
    pub(super) fn gather(&mut self, raw: &[u8]) {
        self.bytes.clear();
        self.bytes.reserve_exact(raw.len());
        for entry in &mut self.entries {
            let start = entry.start as usize;
            let end = start + 1 + usize::from(raw[start]);
            entry.start = self.bytes.len() as u32;
            self.bytes.extend_from_slice(&raw[start..end]);
        }
    }
}

/// A record of a sound block, without its length.
#[inline]
pub(super) fn record_at(bytes: &[u8], entry: Entry) -> &[u8] {
    let start = entry.start as usize;
    &bytes[start + 1..start + 1 + usize::from(bytes[start])]
}
