//! Growth of a native file: counts its records by the headers of its blocks while it is written.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::header::Header;
use super::walk::{ExpectedGame, Walker};
use crate::{DataError, Fault, GameList};

/// A file that may be growing. Each look reads only the headers of blocks that were not seen.
#[derive(Clone, Debug)]
pub struct FileGrowth {
    path: PathBuf,
    header: Header,
    /// The end of the last block that was seen.
    at: u64,
    bytes: u64,
    records: u64,
    highest_game: Option<u32>,
    damaged: u64,
}

impl FileGrowth {
    /// Reads the header of a file of one of `games`.
    pub fn open(path: impl AsRef<Path>, games: &GameList) -> Result<Self, DataError> {
        let path = path.as_ref();
        let source = Limited::open(path, 0, MAX_HEADER_SEARCH)?;
        let (walker, header) = Walker::new(source, path, ExpectedGame::OneOf(&games.names()))?;
        Ok(Self {
            path: path.to_owned(),
            header,
            at: walker.offset(),
            bytes: 0,
            records: 0,
            highest_game: None,
            damaged: 0,
        })
    }

    /// Counts the blocks that were appended, in at most `max_bytes` of the file. Returns whether
    /// there is more. The caller opens a file again that has become shorter.
    pub fn look(&mut self, max_bytes: u64) -> Result<bool, DataError> {
        let max_bytes = max_bytes.max(MIN_LOOK);
        let source = Limited::open(&self.path, self.at, max_bytes)?;
        let (end, length) = (source.end, source.length);
        self.bytes = length;
        let mut walker = Walker::at(source, &self.path, &self.header.game, self.at)?;
        while let Some(found) = walker.skim()? {
            self.at = found.end();
            self.records += u64::from(found.header.records);
            self.highest_game = self.highest_game.max(Some(found.header.highest));
        }
        let torn = walker.damage.iter().filter(|damage| damage.fault == Fault::TornTail);
        let torn = torn.map(|damage| damage.offset).next_back();
        self.damaged += walker.damage.len() as u64 - u64::from(torn.is_some());
        // An incomplete block may be complete at the next look.
        self.at = torn.unwrap_or(end).max(self.at);
        Ok(end < length)
    }

    /// The header of the file.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The size of the file at the last look.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Records so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The highest game number so far. Files of data generation number their games from 1.
    pub fn highest_game(&self) -> Option<u32> {
        self.highest_game
    }

    /// Damaged places so far.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }
}

/// How much of a file is searched for a block if its header is damaged.
const MAX_HEADER_SEARCH: u64 = 1 << 20;
/// A look sees at least one whole block.
const MIN_LOOK: u64 = 4 << 20;

/// A file that seems to end early, so that damage is not searched to its real end.
struct Limited {
    file: File,
    end: u64,
    length: u64,
}

impl Limited {
    fn open(path: &Path, from: u64, max_bytes: u64) -> Result<Self, DataError> {
        let file = File::open(path).map_err(DataError::io(path, "open"))?;
        let length = file.metadata().map_err(DataError::io(path, "read"))?.len();
        Ok(Self { file, end: length.min(from.saturating_add(max_bytes)), length })
    }
}

impl Read for Limited {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.file.read(bytes)
    }
}

impl Seek for Limited {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match to {
            SeekFrom::End(0) => self.file.seek(SeekFrom::Start(self.end)),
            to => self.file.seek(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::connect_four::ConnectFour;

    use super::*;
    use crate::{Record, Writer};

    #[test]
    fn a_growing_file_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.data");
        let games = GameList::new().with::<ConnectFour>();
        let mut writer = Writer::create(&path, "a test").unwrap();
        let record = Record::new(ConnectFour::start());
        writer.save().unwrap();
        let mut growth = FileGrowth::open(&path, &games).unwrap();
        assert_eq!(growth.header().made_by, "a test");
        for count in 1..=3 {
            writer.write(&Record { game: count, ..record.clone() }).unwrap();
            writer.save().unwrap();
            assert!(!growth.look(1 << 20).unwrap());
            assert_eq!((growth.records(), growth.highest_game()), (count.into(), Some(count)));
        }
        // Half a block at the end is neither counted nor skipped.
        let whole = std::fs::read(&path).unwrap();
        writer.write(&record).unwrap();
        writer.finish().unwrap();
        let longer = std::fs::read(&path).unwrap();
        std::fs::write(&path, &longer[..whole.len() + 20]).unwrap();
        growth.look(1 << 20).unwrap();
        assert_eq!((growth.records(), growth.damaged()), (3, 0));
        std::fs::write(&path, &longer).unwrap();
        growth.look(1 << 20).unwrap();
        assert_eq!((growth.records(), growth.damaged()), (4, 0));
        // Rubbish is damage, and its end is found.
        std::fs::write(&path, [&longer[..], &[7; 100_000]].concat()).unwrap();
        growth.look(1 << 20).unwrap();
        assert_eq!(growth.records(), 4);
        std::fs::write(&path, [7; 100_000]).unwrap();
        assert!(FileGrowth::open(&path, &games).is_err());
    }
}
