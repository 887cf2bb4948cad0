//! Checkpoint folder: the last few checkpoints and the best one.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{Checkpoint, CheckpointError};

/// The file name of a checkpoint while it is written.
const UNFINISHED: &str = "checkpoint.tmp";
/// The second name of the best checkpoint.
const BEST: &str = "best.ckpt";

/// A folder with checkpoints.
#[derive(Clone, Debug)]
pub struct CheckpointFolder {
    path: PathBuf,
}

/// A checkpoint that was found.
#[derive(Debug)]
pub struct FoundCheckpoint {
    /// The checkpoint.
    pub checkpoint: Checkpoint,
    /// Its file.
    pub path: PathBuf,
    /// The errors of newer ones.
    pub damaged: Vec<CheckpointError>,
}

impl CheckpointFolder {
    /// The folder at this path.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The file of the checkpoint after this number of steps.
    pub fn file(&self, step: u64) -> PathBuf {
        self.path.join(format!("checkpoint-{step:09}.ckpt"))
    }

    /// The file of the best checkpoint, if there is one.
    pub fn best(&self) -> PathBuf {
        self.path.join(BEST)
    }

    /// The steps of all checkpoints, the newest first.
    pub fn steps(&self) -> Result<Vec<u64>, CheckpointError> {
        let entries = match fs::read_dir(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| io_error("cannot read", &self.path, error))?,
        };
        let mut steps: Vec<u64> = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| io_error("cannot read", &self.path, error))?;
            let name = entry.file_name();
            let number: Option<u64> = name.to_str().and_then(|name| {
                name.strip_prefix("checkpoint-")?.strip_suffix(".ckpt")?.parse().ok()
            });
            steps.extend(number);
        }
        steps.sort_unstable_by(|a, b| b.cmp(a));
        Ok(steps)
    }

    /// The newest intact checkpoint.
    pub fn latest(&self) -> Result<Option<FoundCheckpoint>, CheckpointError> {
        let mut damaged = Vec::new();
        for step in self.steps()? {
            let path = self.file(step);
            match Checkpoint::read(&path) {
                Ok(checkpoint) => return Ok(Some(FoundCheckpoint { checkpoint, path, damaged })),
                Err(error) => damaged.push(error),
            }
        }
        match damaged.into_iter().next() {
            Some(error) => Err(error),
            None => Ok(None),
        }
    }

    /// Renames checkpoints that are newer than the one after `step`: damaged ones, or ones that
    /// training will overwrite.
    pub fn set_aside_after(&self, step: u64) -> Result<(), CheckpointError> {
        for newer in self.steps()?.into_iter().filter(|&newer| newer > step) {
            let path = self.file(newer);
            fs::rename(&path, path.with_extension("ckpt.damaged"))
                .map_err(|error| io_error("cannot rename", &path, error))?;
        }
        Ok(())
    }

    /// Writes a checkpoint to a temporary file, syncs it and renames it. On any error, existing
    /// checkpoints stay unchanged.
    pub fn save(
        &self,
        step: u64,
        write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, CheckpointError> {
        let (unfinished, path) = (self.path.join(UNFINISHED), self.file(step));
        let written =
            write_synced(&unfinished, write).and_then(|()| fs::rename(&unfinished, &path));
        if let Err(error) = written {
            // An incomplete checkpoint only occupies the missing space.
            let _ = fs::remove_file(&unfinished);
            return Err(io_error("cannot write", &path, error));
        }
        self.sync();
        Ok(path)
    }

    /// Gives the checkpoint after `step` the name of the best.
    pub fn name_best(&self, step: u64) -> Result<(), CheckpointError> {
        let (from, unfinished, best) = (self.file(step), self.path.join(UNFINISHED), self.best());
        let _ = fs::remove_file(&unfinished);
        // Without support for hard links, copy it.
        let named = fs::hard_link(&from, &unfinished)
            .or_else(|_| {
                fs::copy(&from, &unfinished)?;
                File::open(&unfinished)?.sync_all()
            })
            .and_then(|()| fs::rename(&unfinished, &best));
        named.map_err(|error| io_error("cannot write", &best, error))?;
        self.sync();
        Ok(())
    }

    /// Removes all but the newest `keep`.
    pub fn prune(&self, keep: usize) -> Result<(), CheckpointError> {
        for step in self.steps()?.into_iter().skip(keep.max(1)) {
            let path = self.file(step);
            fs::remove_file(&path).map_err(|error| io_error("cannot remove", &path, error))?;
        }
        Ok(())
    }

    /// Syncs the folder, so that names reach the disk too, where the system supports it.
    fn sync(&self) {
        if let Ok(folder) = File::open(&self.path) {
            let _ = folder.sync_all();
        }
    }
}

fn write_synced(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    write(&mut file)?;
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.sync_all()
}

fn io_error(action: &'static str, path: &Path, error: io::Error) -> CheckpointError {
    CheckpointError::Io { action, path: path.display().to_string(), error }
}
