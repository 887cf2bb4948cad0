//! Files of runs: what changed, without following links and without taking locks.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What is known of files without reading them: equal stamps mean unchanged files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    files: Vec<Option<(u64, SystemTime)>>,
}

impl Stamp {
    /// The stamp of files that may not exist.
    pub(super) fn of(files: &[PathBuf]) -> Self {
        let stamp = |path: &PathBuf| {
            let known = regular(path)?;
            Some((known.len(), known.modified().ok()?))
        };
        Self { files: files.iter().map(stamp).collect() }
    }

    /// The time of the last change.
    pub(super) fn changed(&self) -> Option<SystemTime> {
        self.files.iter().flatten().map(|(_, time)| *time).max()
    }
}

/// The metadata of a regular file. A link is none: it could lead out of the root folder.
pub(super) fn regular(path: &Path) -> Option<Metadata> {
    fs::symlink_metadata(path).ok().filter(Metadata::is_file)
}

/// Whether this is a regular file.
pub(super) fn is_file(path: &Path) -> bool {
    regular(path).is_some()
}

/// Whether this is a folder, not a link to one.
pub(super) fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|known| known.is_dir())
}

/// When a file was written last.
pub(super) fn modified(path: &Path) -> Option<SystemTime> {
    regular(path)?.modified().ok()
}

/// A file beside another, with something added to its name.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// Milliseconds since 1970.
pub(super) fn unix_ms(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The time since then. A time slightly in the future is now: clocks of file servers differ.
pub(super) fn elapsed(time: SystemTime, now: SystemTime) -> Duration {
    const SKEW: Duration = Duration::from_mins(1);
    match now.duration_since(time) {
        Ok(elapsed) => elapsed,
        Err(ahead) if ahead.duration() < SKEW => Duration::ZERO,
        Err(_) => Duration::MAX,
    }
}
