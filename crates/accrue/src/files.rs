//! Writing files so that a crash leaves either the old one or the new one.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// Writes `bytes` to a file beside `path`, syncs it and puts it in the place of `path`.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let shown = path.display();
    let target = target_of(path)?;
    let folder = folder_of(&target);
    let mut builder = tempfile::Builder::new();
    // Temporary files are private; what users asked for is theirs to share, as far as their umask goes.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder
        .tempfile_in(folder)
        .with_context(|| format!("cannot write into {}", folder.display()))?;
    file.write_all(bytes).with_context(|| format!("cannot write {shown}"))?;
    file.as_file().sync_all().with_context(|| format!("cannot write {shown}"))?;
    let placed = file.persist(&target).map_err(|error| error.error);
    placed.with_context(|| format!("cannot put {shown} in place"))?;
    sync_folder(folder);
    Ok(())
}

/// A file that is being written beside the place that it is meant for.
///
/// It lies in a hidden folder of its own, with room for other temporary files. All of it goes if the file is not
/// placed; only a kill leaves the folder.
pub(crate) struct Beside {
    scratch: tempfile::TempDir,
    target: PathBuf,
}

impl Beside {
    /// Makes the folder. Nothing has been written yet.
    pub(crate) fn new(path: &Path) -> anyhow::Result<Self> {
        let target = target_of(path)?;
        let folder = folder_of(&target);
        let scratch = tempfile::Builder::new().prefix(".accrue-").tempdir_in(folder);
        let scratch = scratch.with_context(|| format!("cannot write into {}", folder.display()))?;
        Ok(Self { scratch, target })
    }

    /// Where to write the file. Nothing is there yet.
    pub(crate) fn path(&self) -> PathBuf {
        self.scratch.path().join("new")
    }

    /// The folder, for what else is temporary.
    pub(crate) fn scratch(&self) -> &Path {
        self.scratch.path()
    }

    /// Puts the file, which is complete and on the disk, in its place.
    pub(crate) fn place(self) -> anyhow::Result<()> {
        let shown = self.target.display();
        fs::rename(self.path(), &self.target)
            .with_context(|| format!("cannot put {shown} in place"))?;
        sync_folder(folder_of(&self.target));
        Ok(())
    }
}

/// The file that a path means, if it can be replaced.
fn target_of(path: &Path) -> anyhow::Result<PathBuf> {
    // What a link leads to is replaced, not the link: /dev/stdout is one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // A folder cannot be replaced; a device could be, which would be worse.
    if fs::metadata(&target).is_ok_and(|existing| !existing.is_file()) {
        bail!("cannot write {}: something that is not a file stands there", path.display());
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
