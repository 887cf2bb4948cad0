//! Block index: the offsets of the blocks of all files.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use crate::native::walk::{ExpectedGame, Found, Walker};
use crate::{Damage, DataError};

/// A block of one of the files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) file: u32,
    pub(super) found: Found,
}

/// The blocks of all files.
#[derive(Debug)]
pub(super) struct Index {
    pub(super) game: String,
    pub(super) files: Arc<Vec<PathBuf>>,
    pub(super) blocks: Vec<Block>,
    /// The number of records by the block headers.
    pub(super) records: u64,
}

impl Index {
    /// Reads the headers of all blocks, and records damage.
    pub(super) fn open(game: &str, files: &[PathBuf]) -> Result<(Self, Vec<Damage>), DataError> {
        let (mut blocks, mut damage, mut records) = (Vec::new(), Vec::new(), 0);
        for (file, path) in (0..).zip(files) {
            let source = File::open(path).map_err(DataError::io(path, "open"))?;
            let (mut walker, _) = Walker::new(source, path, ExpectedGame::Only(game))?;
            while let Some(found) = walker.skim()? {
                records += u64::from(found.header.records);
                blocks.push(Block { file, found });
            }
            damage.append(&mut walker.damage);
        }
        let (game, files) = (game.to_owned(), Arc::new(files.to_vec()));
        Ok((Self { game, files, blocks, records }, damage))
    }
}
