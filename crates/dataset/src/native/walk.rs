//! Block walker: visits the blocks of a file and skips damage.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::block::{BlockHeader, HEADER};
use super::header::{self, Header, Start};
use super::{MARKER, game_id};
use crate::{Damage, DataError, Fault};

/// A block and its offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The offset.
    pub(crate) offset: u64,
    pub(crate) header: BlockHeader,
}

impl Found {
    /// The end of the block.
    pub(crate) fn end(&self) -> u64 {
        self.offset + self.header.size()
    }
}

/// The expected game of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ExpectedGame<'a> {
    /// This game; another is an error.
    Only(&'a str),
    /// Any. If the header is damaged, the blocks identify which of these games it is.
    OneOf(&'a [&'a str]),
}

/// Visits the blocks of a file and records damage.
pub(crate) struct Walker<R> {
    source: R,
    path: PathBuf,
    /// The size of the file when it was opened.
    length: u64,
    /// The expected offset of the next block.
    at: u64,
    /// The identifier of the game in block headers.
    game: u32,
    pub(crate) damage: Vec<Damage>,
}

impl<R: Read + Seek> Walker<R> {
    /// Reads the header. `path` is for messages.
    ///
    /// A damaged header costs only its text: blocks identify their game too.
    pub(crate) fn new(
        mut source: R,
        path: &Path,
        expected: ExpectedGame<'_>,
    ) -> Result<(Self, Header), DataError> {
        let io = |error| DataError::io(path, "read")(error);
        let length = source.seek(SeekFrom::End(0)).map_err(io)?;
        source.rewind().map_err(io)?;
        let mut bytes = Vec::new();
        source.by_ref().take(header::MAX as u64).read_to_end(&mut bytes).map_err(io)?;
        let path = path.to_owned();
        let mut walker = Self { source, path, length, at: 0, game: 0, damage: Vec::new() };
        let (known, only) = match &expected {
            ExpectedGame::Only(game) => (std::slice::from_ref(game), Some(*game)),
            ExpectedGame::OneOf(games) => (*games, None),
        };
        let header = match Header::read(&bytes) {
            Start::Sound(header, end) => {
                walker.at = end as u64;
                header
            }
            Start::Version(found) => {
                let path = walker.path;
                return Err(DataError::Version { path, found, expected: super::VERSION });
            }
            Start::Damaged => walker.start_without_header(length, known)?,
            // A flipped bit may be in the magic, but a foreign file is not searched to its end.
            Start::Foreign => {
                walker.start_without_header(length.min(2 * header::MAX as u64), known)?
            }
        };
        if let Some(expected) = only.filter(|&game| game != header.game) {
            let (path, expected) = (walker.path, expected.to_owned());
            return Err(DataError::Game { path, found: header.game, expected });
        }
        walker.game = game_id(&header.game);
        Ok((walker, header))
    }

    /// Continues at the end of a block. `path` is for messages.
    pub(crate) fn at(mut source: R, path: &Path, game: &str, at: u64) -> Result<Self, DataError> {
        let length = source.seek(SeekFrom::End(0)).map_err(DataError::io(path, "read"))?;
        let (path, game) = (path.to_owned(), game_id(game));
        Ok(Self { source, path, length, at, game, damage: Vec::new() })
    }

    /// Finds the first block, and identifies the game by it.
    fn start_without_header(&mut self, end: u64, known: &[&str]) -> Result<Header, DataError> {
        let found = self.find(0, end, None)?;
        let game =
            found.and_then(|found| known.iter().find(|&&game| game_id(game) == found.header.game));
        let (Some(found), Some(&game)) = (found, game) else {
            let fault =
                "its first bytes are not the header of one, or it is cut off within the header";
            return Err(DataError::NotData { path: self.path.clone(), fault: fault.to_owned() });
        };
        self.at = found.offset;
        self.lose(0, Fault::Header, Some(0));
        Ok(Header { game: game.to_owned(), made_by: String::new() })
    }

    /// The next sound block. Its records are read into `records`.
    pub(crate) fn next(&mut self, records: &mut Vec<u8>) -> Result<Option<Found>, DataError> {
        self.step(|walker, found| {
            records.clear();
            walker.read_records(found, records)?;
            Ok(found.header.fault(records))
        })
    }

    /// The next block by its header alone, without checking its records.
    pub(crate) fn skim(&mut self) -> Result<Option<Found>, DataError> {
        self.step(|_, _| Ok(None))
    }

    /// The expected offset of the next block: the end of the last one, unless there was damage.
    pub(crate) fn offset(&self) -> u64 {
        self.at
    }

    /// Appends the records of a block.
    pub(crate) fn read_records(
        &mut self,
        found: &Found,
        records: &mut Vec<u8>,
    ) -> Result<(), DataError> {
        self.read_at(found.offset + HEADER as u64, found.header.length as usize, records)
    }

    fn step(
        &mut self,
        mut check: impl FnMut(&mut Self, &Found) -> Result<Option<Fault>, DataError>,
    ) -> Result<Option<Found>, DataError> {
        while self.at < self.length {
            let start = self.at;
            let header = self.header_at(start)?;
            let fault = match header {
                None if self.length - start < HEADER as u64 => Fault::TornTail,
                None => Fault::NoBlock,
                Some(header) if header.size() > self.length - start => Fault::TornTail,
                Some(header) => {
                    let found = Found { offset: start, header };
                    let Some(fault) = check(self, &found)? else {
                        self.at = found.end();
                        return Ok(Some(found));
                    };
                    fault
                }
            };
            // Search from within the claimed length of the block: if it was torn, the next one
            // begins earlier.
            let next = self.find(start + 1, self.length, Some(self.game))?;
            self.at = next.map_or(self.length, |found| found.offset);
            self.lose(start, fault, header.map(|header| header.records.into()));
        }
        Ok(None)
    }

    /// Records that a block found by its header alone is not sound.
    pub(crate) fn lose_block(&mut self, found: &Found, fault: Fault) {
        let (path, bytes) = (self.path.clone(), found.header.size());
        let records = Some(found.header.records.into());
        self.damage.push(Damage { path, offset: found.offset, bytes, records, fault });
    }

    /// Records that everything from `offset` to here is lost.
    fn lose(&mut self, offset: u64, fault: Fault, records: Option<u64>) {
        let (path, bytes) = (self.path.clone(), self.at - offset);
        self.damage.push(Damage { path, offset, bytes, records, fault });
    }

    fn header_at(&mut self, offset: u64) -> Result<Option<BlockHeader>, DataError> {
        if self.length - offset < HEADER as u64 {
            return Ok(None);
        }
        let mut bytes = Vec::with_capacity(HEADER);
        self.read_at(offset, HEADER, &mut bytes)?;
        Ok(BlockHeader::read(&bytes).filter(|header| header.game == self.game))
    }

    /// The first block header from `from` on, of this game or of any.
    fn find(&mut self, from: u64, end: u64, game: Option<u32>) -> Result<Option<Found>, DataError> {
        const PIECE: u64 = 1 << 16;
        let mut piece = Vec::new();
        let mut start = from;
        while start + HEADER as u64 <= end {
            piece.clear();
            self.read_at(start, PIECE.min(end - start) as usize, &mut piece)?;
            for place in 0..=piece.len() - HEADER {
                if piece[place] != MARKER[0] {
                    continue;
                }
                let header = BlockHeader::read(&piece[place..]);
                let header = header.filter(|header| game.is_none_or(|game| game == header.game));
                if let Some(header) = header {
                    return Ok(Some(Found { offset: start + place as u64, header }));
                }
            }
            // The last offsets were not searched: a header there would be incomplete.
            start += (piece.len() - HEADER + 1) as u64;
        }
        Ok(None)
    }

    fn read_at(&mut self, offset: u64, count: usize, bytes: &mut Vec<u8>) -> Result<(), DataError> {
        let start = bytes.len();
        bytes.resize(start + count, 0);
        self.source
            .seek(SeekFrom::Start(offset))
            .and_then(|_| self.source.read_exact(&mut bytes[start..]))
            .map_err(DataError::io(&self.path, "read"))
    }
}
