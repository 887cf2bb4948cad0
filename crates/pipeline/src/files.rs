//! Atomic file replacement: a crash leaves either the old file or the new one.

use std::fs::{self, File, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::PipelineError;

/// Writes `bytes` to a file beside `path`, syncs it and puts it in the place of `path`.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), PipelineError> {
    let target = target_of(path)?;
    let folder = folder_of(&target);
    let mut builder = tempfile::Builder::new();
    // Temporary files are private; the result gets the permissions of the user's umask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).map_err(PipelineError::io("write into", folder))?;
    file.write_all(bytes).map_err(PipelineError::io("write", path))?;
    file.as_file().sync_all().map_err(PipelineError::io("write", path))?;
    let placed = file.persist(&target).map_err(|error| error.error);
    placed.map_err(PipelineError::io("replace", path))?;
    sync_folder(folder);
    Ok(())
}

/// Reads a text of a limited size.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String, PipelineError> {
    let file = File::open(path).map_err(PipelineError::io("read", path))?;
    let mut text = String::new();
    let read = file.take(max_bytes + 1).read_to_string(&mut text);
    read.map_err(PipelineError::io("read", path))?;
    if text.len() as u64 > max_bytes {
        let fault = format!("it is larger than {max_bytes} bytes");
        return Err(PipelineError::damaged(path, &fault));
    }
    Ok(text)
}

/// A file that is being written beside its target.
///
/// It is in a hidden folder of its own, with room for other temporary files. The folder is removed
/// if the file is not placed; only a kill leaves it behind.
#[derive(Debug)]
pub struct Beside {
    scratch: tempfile::TempDir,
    target: PathBuf,
}

impl Beside {
    /// Makes the folder. Nothing has been written yet.
    pub fn new(path: &Path) -> Result<Self, PipelineError> {
        let target = target_of(path)?;
        let folder = folder_of(&target);
        let scratch = tempfile::Builder::new().prefix(".accrue-").tempdir_in(folder);
        let scratch = scratch.map_err(PipelineError::io("write into", folder))?;
        Ok(Self { scratch, target })
    }

    /// Where to write the file. Nothing is there yet.
    pub fn path(&self) -> PathBuf {
        self.scratch.path().join("new")
    }

    /// The folder, for what else is temporary.
    pub fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Puts the file, which is complete and on the disk, in its place.
    pub fn place(self) -> Result<(), PipelineError> {
        let renamed = fs::rename(self.path(), &self.target);
        renamed.map_err(PipelineError::io("replace", &self.target))?;
        sync_folder(folder_of(&self.target));
        Ok(())
    }
}

/// The name of the lock file of a folder.
pub const LOCK: &str = "lock";

/// A folder that no other process locks as long as this value lives.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Creates the folder if it does not exist, and locks it.
    ///
    /// The names of its files appear in specs of engines, which are words divided by commas.
    pub fn new(folder: &Path) -> Result<Self, PipelineError> {
        if folder.to_str().is_none_or(|text| text.contains(',')) {
            return Err(PipelineError::FolderName { path: folder.to_owned() });
        }
        fs::create_dir_all(folder).map_err(PipelineError::io("create the folder", folder))?;
        let file = File::create(folder.join(LOCK));
        let file = file.map_err(PipelineError::io("write into", folder))?;
        // File systems without locks return other errors; there the lock has no effect.
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Err(PipelineError::FolderBusy { path: folder.to_owned() });
        }
        Ok(Self { _file: file })
    }
}

/// The file that a path means, if it can be replaced.
fn target_of(path: &Path) -> Result<PathBuf, PipelineError> {
    // What a link leads to is replaced, not the link: /dev/stdout is one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // A folder cannot be replaced; a device could be, which would be worse.
    if fs::metadata(&target).is_ok_and(|existing| !existing.is_file()) {
        return Err(PipelineError::NotAFile { path: path.to_owned() });
    }
    Ok(target)
}

fn folder_of(target: &Path) -> &Path {
    match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A rename must reach the disk too, where folders can be synced.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
