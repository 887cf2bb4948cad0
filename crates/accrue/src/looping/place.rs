//! Where the files of a loop are.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::config::LoopConfig;

/// The folder of a loop.
#[derive(Debug)]
pub(super) struct Place {
    folder: PathBuf,
    /// Keeps a second loop out, for those who write.
    _lock: Option<File>,
}

impl Place {
    /// Makes the folder, and keeps others out of it.
    pub(super) fn open(config_path: &Path, config: &LoopConfig) -> anyhow::Result<Self> {
        let folder = config.folder(config_path);
        let shown = folder.display();
        if folder.to_str().is_none_or(|text| text.contains(',')) {
            bail!(
                "folder {shown}: a name with a comma, or that is not UTF-8, cannot be named in a match"
            );
        }
        fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {shown}"))?;
        let lock = File::create(folder.join("lock"));
        let lock = lock.with_context(|| format!("cannot write into {shown}"))?;
        // Some file systems know no locks; their errors are not ours.
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            bail!("another loop is at work in {shown}");
        }
        Ok(Self { folder, _lock: Some(lock) })
    }

    /// A folder to look at.
    pub(super) fn look(folder: PathBuf) -> Self {
        Self { folder, _lock: None }
    }

    /// A file in it.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// The folder of a generation. The one of number 0 holds the network that it all began with.
    pub(super) fn generation(&self, number: u64) -> PathBuf {
        self.folder.join(folder_name(number))
    }

    /// The network of a generation.
    pub(super) fn network(&self, number: u64) -> PathBuf {
        self.generation(number).join("net.accrue")
    }
}

/// What the folder of a generation is called.
pub(super) fn folder_name(generation: u64) -> String {
    format!("gen-{generation:04}")
}
