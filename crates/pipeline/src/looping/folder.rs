//! Loop folder: a subfolder per generation, and the state.

use std::path::{Path, PathBuf};

use crate::PipelineError;
use crate::files::FolderLock;

/// The folder of a loop.
#[derive(Debug)]
pub struct LoopFolder {
    path: PathBuf,
    /// Only a loop that runs locks its folder.
    _lock: Option<FolderLock>,
}

impl LoopFolder {
    /// Creates the folder if it does not exist, and locks it.
    pub fn open(path: PathBuf) -> Result<Self, PipelineError> {
        let lock = FolderLock::new(&path)?;
        Ok(Self { path, _lock: Some(lock) })
    }

    /// A folder to read from. `None` if it holds no loop.
    pub fn existing(path: PathBuf) -> Option<Self> {
        let folder = Self { path, _lock: None };
        folder.generation(0).is_dir().then_some(folder)
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The folder of a generation. Generation 0 is the network that the loop started from.
    pub fn generation(&self, number: u64) -> PathBuf {
        self.path.join(generation_name(number))
    }

    /// The network of a generation.
    pub fn network(&self, number: u64) -> PathBuf {
        self.generation(number).join("net.accrue")
    }
}

/// The name of the folder of a generation.
pub(super) fn generation_name(generation: u64) -> String {
    format!("gen-{generation:04}")
}
