//! Growth of a native file: counts its records by the headers of its blocks while it is written.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::header::Header;
use super::walk::{ExpectedGame, Walker};
use crate::{DataError, Fault, GameList};

/// A file that may be growing. Each look reads only the headers of blocks that were not seen, and
/// of the last one: [`Writer::save`](crate::Writer::save) rewrites it in place.
#[derive(Clone, Debug)]
pub struct FileGrowth {
    path: PathBuf,
    header: Header,
    /// Where the next look begins: the last block that was seen.
    at: u64,
    bytes: u64,
    /// What was counted before `at`.
    settled: Amounts,
    /// What was counted before and after `at`.
    all: Amounts,
}

#[derive(Clone, Copy, Debug, Default)]
struct Amounts {
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
            settled: Amounts::default(),
            all: Amounts::default(),
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
        let mut all = self.settled;
        let mut last_end = None;
        while let Some(found) = walker.skim()? {
            // What comes before this block does not change any more.
            (self.at, self.settled) = (found.offset, all);
            all.records += u64::from(found.header.records);
            all.highest_game = all.highest_game.max(Some(found.header.highest));
            last_end = Some(found.end());
        }
        let damage = walker.damage.iter().filter(|damage| damage.fault != Fault::TornTail);
        for offset in damage.map(|damage| damage.offset) {
            all.damaged += 1;
            self.settled.damaged += u64::from(offset < self.at);
        }
        // Only the last block of the file is rewritten, and this look has not come to it.
        if end < length {
            (self.at, self.settled) = (last_end.unwrap_or(end), all);
        }
        self.all = all;
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
        self.all.records
    }

    /// The highest game number so far. Files of data generation number their games from 1.
    pub fn highest_game(&self) -> Option<u32> {
        self.all.highest_game
    }

    /// Damaged places so far.
    pub fn damaged(&self) -> u64 {
        self.all.damaged
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
        // The last block is rewritten in place, and grows.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.data");
        let mut writer = Writer::create(&path, "a test").unwrap();
        let mut random = games::Random::new(5);
        writer.save().unwrap();
        let mut growth = FileGrowth::open(&path, &games).unwrap();
        for count in 1..=4000_u32 {
            let mut position = ConnectFour::start();
            for _ in 0..6 {
                position.play(*random.pick(&position.legal_moves()).unwrap());
            }
            writer.write(&Record { game: count, ..Record::new(position) }).unwrap();
            if count % 97 == 0 {
                writer.save().unwrap();
                growth.look(1 << 20).unwrap();
                assert_eq!((growth.records(), growth.damaged()), (count.into(), 0));
            }
        }
        // Half a block at the end is neither counted nor skipped.
        writer.checkpoint().unwrap();
        let whole = std::fs::read(&path).unwrap();
        writer.write(&record).unwrap();
        writer.finish().unwrap();
        let longer = std::fs::read(&path).unwrap();
        std::fs::write(&path, &longer[..whole.len() + 20]).unwrap();
        growth.look(1 << 20).unwrap();
        assert_eq!((growth.records(), growth.damaged()), (4000, 0));
        std::fs::write(&path, &longer).unwrap();
        growth.look(1 << 20).unwrap();
        assert_eq!((growth.records(), growth.damaged()), (4001, 0));
        // Rubbish is damage, and its end is found.
        let rubbish = vec![7; 100_000];
        std::fs::write(&path, [&longer[..], &rubbish].concat()).unwrap();
        growth.look(1 << 20).unwrap();
        assert_eq!(growth.records(), 4001);
        std::fs::write(&path, rubbish).unwrap();
        assert!(FileGrowth::open(&path, &games).is_err());
    }
}
