//! Native format as a record source and sink. Lossless.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::rc::Rc;

use games::ToolkitGame;

use super::{Faults, Format, FormatError, RecordSink, RecordSource};
use crate::{DataError, Reader, Record, Writer};

/// Reads a native file. The unit that is skipped is a block, or a record of a sound block.
pub(super) struct Source<G> {
    reader: Reader<G, Counted>,
    place: Rc<Cell<u64>>,
    /// The number of damages of the reader that are in `faults`.
    reported: usize,
    faults: Faults,
}

impl<G: ToolkitGame> Source<G> {
    pub(super) fn open(path: &Path) -> Result<Self, FormatError> {
        let file = File::open(path).map_err(|source| FormatError::read(path, source))?;
        let place = Rc::new(Cell::new(0));
        let counted = Counted { file, place: Rc::clone(&place) };
        let reader = Reader::new(counted, path)?;
        Ok(Self { reader, place, reported: 0, faults: Faults::new("part") })
    }
}

impl<G: ToolkitGame> RecordSource<G> for Source<G> {
    fn next(&mut self) -> Result<Option<Record<G>>, FormatError> {
        let record = self.reader.next()?;
        for damage in &self.reader.damage()[self.reported..] {
            let lost = damage.records.map_or_else(
                || "an unknown number of records".to_owned(),
                |records| format!("{records} record{}", if records == 1 { "" } else { "s" }),
            );
            let place = format!("byte {}", damage.offset);
            let reason = format!("{}; {} bytes lost, {lost}", damage.fault, damage.bytes);
            self.faults.add(place, reason);
        }
        self.reported = self.reader.damage().len();
        Ok(record)
    }

    fn bytes_read(&self) -> u64 {
        self.place.get()
    }

    fn faults(&self) -> &Faults {
        &self.faults
    }
}

/// A file that counts the bytes that have been read.
struct Counted {
    file: File,
    place: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.place.set(self.place.get() + read as u64);
        Ok(read)
    }
}

impl Seek for Counted {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = self.file.seek(to)?;
        self.place.set(place);
        Ok(place)
    }
}

/// Writes a native file.
pub(super) struct Sink<G>(Writer<G>);

impl<G: ToolkitGame> Sink<G> {
    pub(super) fn create(path: &Path, made_by: &str) -> Result<Self, FormatError> {
        Ok(Self(Writer::create(path, made_by)?))
    }
}

impl<G: ToolkitGame> RecordSink<G> for Sink<G> {
    fn write(&mut self, record: &Record<G>) -> Result<(), FormatError> {
        match self.0.write(record) {
            // Sources return legal moves and ascending depths, so the record is too long.
            Err(DataError::Unwritable { .. }) => Err(FormatError::CannotHold {
                format: Format::Native,
                reason: "more depths than fit into 255 bytes",
            }),
            written => Ok(written?),
        }
    }

    fn finish(self: Box<Self>) -> Result<(), FormatError> {
        self.0.finish()?;
        Ok(())
    }
}
