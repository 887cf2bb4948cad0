//! Native writer: writes a file block by block.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use games::ToolkitGame;

use super::block::{BlockHeader, FULL, HEADER, Records};
use super::header::Header;
use super::walk::{ExpectedGame, Walker};
use super::{game_id, record};
use crate::{Damage, DataError, Record};

/// The amounts that a writer has written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Records.
    pub records: u64,
    /// Blocks.
    pub blocks: u64,
    /// Bytes of the whole file, including earlier content.
    pub bytes: u64,
}

/// Writes records to a native file. The same records give the same bytes.
///
/// Records are collected into blocks. [`checkpoint`](Writer::checkpoint) closes a block early and
/// syncs it to the disk, [`finish`](Writer::finish) does so at the end; records written since are
/// lost if the writer is dropped. [`save`](Writer::save) syncs everything without closing a block,
/// and [`reopen`](Writer::reopen) continues within one. If writing a block fails, the file is
/// truncated to the end of the last one and the records are kept: the call can be repeated.
pub struct Writer<G> {
    file: File,
    path: PathBuf,
    /// The current block, after room for its header.
    block: Vec<u8>,
    /// The number of records in it.
    pending: u32,
    /// The game of its first record, and the highest game.
    base: u32,
    highest: u32,
    next_game: u32,
    counts: Counts,
    damage: Vec<Damage>,
    game: PhantomData<G>,
}

impl<G: ToolkitGame> Writer<G> {
    /// Creates a file. `made_by` describes the origin of the data, as free text.
    pub fn create(path: impl AsRef<Path>, made_by: &str) -> Result<Self, DataError> {
        let path = path.as_ref();
        let header = Header { game: G::NAME.to_owned(), made_by: made_by.to_owned() };
        let header = header.write(path)?;
        let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(
            |error| match error.kind() {
                ErrorKind::AlreadyExists => DataError::Exists { path: path.to_owned() },
                _ => DataError::io(path, "create")(error),
            },
        )?;
        file.write_all(&header).map_err(DataError::io(path, "write"))?;
        Ok(Self::new(file, path, header.len() as u64, 0, Vec::new()))
    }

    /// Continues at the end of a file. Truncates an incomplete last block, which
    /// [`damage`](Writer::damage) reports.
    pub fn append(path: impl AsRef<Path>) -> Result<Self, DataError> {
        let path = path.as_ref();
        let io = |error| DataError::io(path, "open")(error);
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
        let (mut walker, _) = Walker::new(&mut file, path, ExpectedGame::Only(G::NAME))?;
        let (mut end, mut next_game) = (walker.offset(), 0);
        let (mut last, mut records) = (None, Vec::new());
        while let Some(found) = walker.skim()? {
            if let Some(before) = last.replace(found) {
                // All but the last are followed by other blocks, so they were written completely.
                end = before.end();
            }
            next_game = next_game.max(found.header.highest.saturating_add(1));
        }
        if let Some(last) = last {
            walker.read_records(&last, &mut records)?;
            match last.header.fault(&records) {
                None => end = last.end(),
                Some(fault) => walker.lose_block(&last, fault),
            }
        }
        let damage = walker.damage;
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::Start(end)))
            .map_err(DataError::io(path, "truncate the torn tail"))?;
        Ok(Self::new(file, path, end, next_game, damage))
    }

    /// Continues after the first `keep` records of a file, in the block of the last of them. Later
    /// records are removed. The file ends with the same bytes as if one writer had written it
    /// without interruption.
    ///
    /// The file must start with that many sound records.
    pub fn reopen(path: impl AsRef<Path>, keep: u64) -> Result<Self, DataError> {
        let path = path.as_ref();
        let io = |error| DataError::io(path, "open")(error);
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(io)?;
        let (mut walker, _) = Walker::new(&mut file, path, ExpectedGame::Only(G::NAME))?;
        let mut end = walker.offset();
        let (mut before, mut counts) = (0, Counts::default());
        let (mut records, mut last) = (Vec::new(), None);
        while before < keep {
            let found = walker.next(&mut records)?.filter(|_| walker.damage.is_empty());
            let Some(found) = found else {
                let fault = format!("it has {before} sound records; expected {keep}");
                return Err(DataError::NotData { path: path.to_owned(), fault });
            };
            let count = u64::from(found.header.records);
            if before + count < keep {
                (counts.blocks, end) = (counts.blocks + 1, found.end());
                counts.records += count;
            }
            before += count;
            last = Some(found);
        }
        file.set_len(end)
            .and_then(|()| file.seek(SeekFrom::Start(end)))
            .map_err(DataError::io(path, "truncate the tail"))?;
        let mut writer = Self::new(file, path, end, 0, Vec::new());
        if let Some(found) = last {
            let kept = Records(&records).take((keep - counts.records) as usize);
            writer.base = found.header.base;
            writer.highest = writer.base;
            for record in kept {
                writer.block.extend_from_slice(record);
                writer.pending += 1;
                let game = record::game_of(&record[1..], writer.base).unwrap_or(writer.base);
                writer.highest = writer.highest.max(game);
            }
            writer.next_game = writer.highest.saturating_add(1);
        }
        writer.counts = Counts { bytes: end, ..counts };
        Ok(writer)
    }

    fn new(file: File, path: &Path, bytes: u64, next_game: u32, damage: Vec<Damage>) -> Self {
        Self {
            file,
            path: path.to_owned(),
            block: vec![0; HEADER],
            pending: 0,
            base: 0,
            highest: 0,
            next_game,
            counts: Counts { bytes, ..Counts::default() },
            damage,
            game: PhantomData,
        }
    }

    /// The damage that [`append`](Writer::append) found.
    pub fn damage(&self) -> &[Damage] {
        &self.damage
    }

    /// A game number above all in the file.
    pub fn next_game(&self) -> u32 {
        self.next_game
    }

    /// The amounts so far, without the records of the open block.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Adds a record. A record that cannot be written is refused, and the file stays usable.
    pub fn write(&mut self, record: &Record<G>) -> Result<(), DataError> {
        if self.block.len() >= FULL {
            self.close_block()?;
        }
        if self.pending == 0 {
            (self.base, self.highest) = (record.game, record.game);
        }
        record::write(record, self.base, &mut self.block).map_err(|fault| {
            let record = self.counts.records + u64::from(self.pending);
            DataError::Unwritable { path: self.path.clone(), record, fault }
        })?;
        self.pending += 1;
        self.highest = self.highest.max(record.game);
        self.next_game = self.next_game.max(record.game.saturating_add(1));
        Ok(())
    }

    /// Closes the current block and waits until everything is on the disk.
    pub fn checkpoint(&mut self) -> Result<(), DataError> {
        self.close_block()?;
        self.file.sync_data().map_err(DataError::io(&self.path, "sync"))
    }

    /// Waits until everything is on the disk without closing the current block, which is rewritten
    /// in place later. The file ends with the same bytes as without this call.
    pub fn save(&mut self) -> Result<(), DataError> {
        if self.pending > 0 {
            let end = self.counts.bytes;
            self.write_block()?;
            self.file.seek(SeekFrom::Start(end)).map_err(DataError::io(&self.path, "seek"))?;
        }
        self.file.sync_data().map_err(DataError::io(&self.path, "sync"))
    }

    /// Writes the last block, waits until it is on the disk, and returns the amounts.
    pub fn finish(mut self) -> Result<Counts, DataError> {
        self.close_block()?;
        self.file.sync_all().map_err(DataError::io(&self.path, "sync"))?;
        Ok(self.counts)
    }

    fn close_block(&mut self) -> Result<(), DataError> {
        if self.pending == 0 {
            return Ok(());
        }
        self.write_block()?;
        self.counts.blocks += 1;
        self.counts.records += u64::from(self.pending);
        self.counts.bytes += self.block.len() as u64;
        self.block.truncate(HEADER);
        self.pending = 0;
        Ok(())
    }

    /// Writes the current block after the last closed one.
    fn write_block(&mut self) -> Result<(), DataError> {
        let records = &self.block[HEADER..];
        let header = BlockHeader {
            length: records.len() as u32,
            records: self.pending,
            base: self.base,
            highest: self.highest,
            game: game_id(G::NAME),
            sum: crc32fast::hash(records),
        };
        self.block[..HEADER].copy_from_slice(&header.write());
        if let Err(error) = self.file.write_all(&self.block) {
            // Remove the incomplete block, so that a retry starts clean. If even this fails,
            // readers skip it.
            let end = self.counts.bytes;
            let _ = self.file.set_len(end).and_then(|()| self.file.seek(SeekFrom::Start(end)));
            return Err(DataError::io(&self.path, "write")(error));
        }
        Ok(())
    }
}
