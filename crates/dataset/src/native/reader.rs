//! Native reader: reads a file sequentially.

use std::fs::File;
use std::io::{Read, Seek};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use games::ToolkitGame;

use super::header::Header;
use super::record;
use super::varint::take_byte;
use super::walk::{ExpectedGame, Found, Walker};
use crate::{Damage, DataError, Fault, Record};

/// Reads the records of a native file in order.
///
/// Damaged parts are skipped and recorded: see [`damage`](Reader::damage) at the end.
pub struct Reader<G, R = File> {
    walker: Walker<R>,
    path: PathBuf,
    header: Header,
    /// The current block.
    block: Option<Found>,
    records: Vec<u8>,
    /// The offset of the next record in `records`.
    place: usize,
    game: PhantomData<G>,
}

impl<G: ToolkitGame> Reader<G> {
    /// Opens a file of the game `G`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DataError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(DataError::io(path, "open"))?;
        Self::new(file, path)
    }
}

impl<G: ToolkitGame, R: Read + Seek> Reader<G, R> {
    /// Reads from anything; `path` is for messages.
    pub fn new(source: R, path: impl AsRef<Path>) -> Result<Self, DataError> {
        let path = path.as_ref().to_owned();
        let (walker, header) = Walker::new(source, &path, ExpectedGame::Only(G::NAME))?;
        let (records, game) = (Vec::new(), PhantomData);
        Ok(Self { walker, path, header, block: None, records, place: 0, game })
    }

    /// The header of the file. If it was damaged, its text is empty.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The damage found so far.
    pub fn damage(&self) -> &[Damage] {
        &self.walker.damage
    }

    /// The next record; `None` at the end. An error means that the file cannot be read at all.
    #[expect(clippy::should_implement_trait, reason = "an iterator could not return damage")]
    pub fn next(&mut self) -> Result<Option<Record<G>>, DataError> {
        loop {
            let Some(block) = self.block else {
                self.place = 0;
                self.block = self.walker.next(&mut self.records)?;
                if self.block.is_none() {
                    return Ok(None);
                }
                continue;
            };
            let mut rest = &self.records[self.place..];
            let Some(length) = take_byte(&mut rest) else {
                self.block = None;
                continue;
            };
            self.place += 1 + usize::from(length);
            let bytes = rest.get(..length.into()).unwrap_or_default();
            let parts = record::read::<G>(bytes, block.header.base);
            match parts.and_then(record::Parts::into_record) {
                Ok(record) => return Ok(Some(record)),
                Err(_) => self.walker.damage.push(Damage {
                    path: self.path.clone(),
                    offset: block.offset,
                    bytes: 1 + u64::from(length),
                    records: Some(1),
                    fault: Fault::Record,
                }),
            }
        }
    }
}
