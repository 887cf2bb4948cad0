//! Records that are in memory together.

/// Records of a few blocks, filtered, mixed, and moved to where they are read one after the other.
#[derive(Debug, Default)]
pub(super) struct Window {
    /// The records in their order, each behind its length.
    pub(super) bytes: Vec<u8>,
    pub(super) entries: Vec<Entry>,
    /// The blocks that they come from.
    pub(super) blocks: Vec<Origin>,
}

/// A record of a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// Where it begins in the bytes.
    pub(super) start: u32,
    /// Which of the window's blocks it comes from.
    pub(super) block: u32,
}

/// A block that records of a window come from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// Which file, by its place in the index.
    pub(super) file: u32,
    /// Where the block begins.
    pub(super) offset: u64,
    /// What its game numbers count from.
    pub(super) base: u32,
}

impl Window {
    /// How many records there are.
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
