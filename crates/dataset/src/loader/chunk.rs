//! What a loader hands out.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use super::window::{Origin, Window};
use crate::DataError;

/// Records as they are in the file, to be decoded by as many threads as there are.
///
/// It shares the loader's windows, and keeps them in memory as long as it lives.
#[derive(Clone, Debug, Default)]
pub struct Chunk {
    /// Windows and which of their records, in order.
    pieces: Vec<(Arc<Window>, Range<usize>)>,
    length: usize,
    /// The loader's files, for messages.
    files: Arc<Vec<PathBuf>>,
}

/// A record, and where it comes from.
#[derive(Clone, Copy)]
pub(crate) struct Raw<'a> {
    /// Without its length.
    pub(crate) bytes: &'a [u8],
    /// What its game number counts from.
    pub(crate) base: u32,
    /// Which file, by its place among the loader's.
    pub(crate) file: u32,
    /// Where its block begins in the file.
    pub(crate) block: u64,
}

impl Chunk {
    /// How many records there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// No records of these files.
    pub(super) fn new(files: &Arc<Vec<PathBuf>>) -> Self {
        Self { files: Arc::clone(files), ..Self::default() }
    }

    pub(super) fn push(&mut self, window: Arc<Window>, range: Range<usize>) {
        self.length += range.len();
        self.pieces.push((window, range));
    }

    /// The error for a record that is none.
    pub(crate) fn refuse(&self, raw: Raw<'_>, fault: &'static str) -> DataError {
        let path = self.files.get(raw.file as usize).cloned().unwrap_or_default();
        DataError::Record { path, block: raw.block, fault }
    }

    /// The records of a range, in order. Fewer if the range is not within the chunk.
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
