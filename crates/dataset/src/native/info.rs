//! File info: the contents of a native file of any game.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::header::Header;
use super::walk::{ExpectedGame, Walker};
use crate::{Damage, DataError, GameList};

/// The contents of a native file, found by reading all blocks and checking their checksums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// The file.
    pub path: PathBuf,
    /// The game of the positions.
    pub game: String,
    /// The origin of the file, as free text.
    pub made_by: String,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The number of sound blocks.
    pub blocks: u64,
    /// The number of their records.
    pub records: u64,
    /// The highest game number; `None` if there are no records.
    pub highest_game: Option<u32>,
    /// The damage.
    pub damage: Vec<Damage>,
}

impl FileInfo {
    /// Reads a file of one of `games`.
    pub fn open(path: impl AsRef<Path>, games: &GameList) -> Result<Self, DataError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(DataError::io(path, "open"))?;
        let bytes = file.metadata().map_err(DataError::io(path, "read"))?.len();
        let (mut walker, Header { game, made_by }) =
            Walker::new(file, path, ExpectedGame::OneOf(&games.names()))?;
        let (mut blocks, mut records, mut highest_game) = (0, 0, None);
        let mut content = Vec::new();
        while let Some(found) = walker.next(&mut content)? {
            blocks += 1;
            records += u64::from(found.header.records);
            highest_game = highest_game.max(Some(found.header.highest));
        }
        let (path, damage) = (path.to_owned(), walker.damage);
        Ok(Self { path, game, made_by, bytes, blocks, records, highest_game, damage })
    }
}
