//! Chunks: consecutive records of a loader.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::window::{Origin, Window};
use crate::DataError;

/// Encoded records, which any number of threads can decode.
///
/// It shares the windows of the loader, and keeps them in memory.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Windows and ranges of their records, in order.
    pieces: Vec<(Arc<Window>, Range<usize>)>,
    length: usize,
    /// The loader's files, for messages.
    files: Arc<Vec<PathBuf>>,
}

/// An encoded record and its origin.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'a> {
    /// The bytes, without the length.
    pub(crate) bytes: &'a [u8],
    /// The base of its game number.
    pub(crate) base: u32,
    /// The index of its file.
    pub(crate) file: u32,
    /// The offset of its block in the file.
    pub(crate) block: u64,
}

impl Chunk {
    /// The number of records.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether the chunk is empty.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// An empty chunk of these files.
    pub(super) fn new(files: &Arc<Vec<PathBuf>>) -> Self {
        Self { files: Arc::clone(files), ..Self::default() }
    }

    pub(super) fn push(&mut self, window: Arc<Window>, range: Range<usize>) {
        self.length += range.len();
        self.pieces.push((window, range));
    }

    /// The error for an invalid record.
    pub(crate) fn refuse(&self, raw: Raw<'_>, fault: &'static str) -> DataError {
        let path = self.files.get(raw.file as usize).cloned().unwrap_or_default();
        DataError::Record { path, block: raw.block, fault }
    }

    /// The records of a range, in order. Fewer if the range exceeds the chunk.
    pub(crate) fn records(&self, range: Range<usize>) -> impl Iterator<Item = Raw<'_>> {
        let mut first = 0;
        self.pieces.iter().flat_map(move |(window, piece)| {
            let inside =
                |place: usize| piece.start + place.clamp(first, first + piece.len()) - first;
            let numbers = inside(range.start)..inside(range.end);
            first += piece.len();
            numbers.map(move |number| {
                let Origin { file, offset, base } =
                    window.blocks[window.entries[number].block as usize];
                Raw { bytes: window.record(number), base, file, block: offset }
            })
        })
    }
}
