//! Cache of networks: files that were read, until they change or others need the room.

use std::collections::HashMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::SystemTime;

use arena::networks::{LoadedNetwork, NetworkLoadError, NetworkSource};

use super::list::NetworkSummary;
use crate::app::App;
use crate::error::ApiError;

/// The largest network file that the server reads.
pub(super) const MAX_BYTES: u64 = 256 << 20;
/// Networks that are kept in memory.
const NETWORKS: usize = 16;
/// The bytes of their files together. A network takes about as much memory as its file.
const TOTAL_BYTES: u64 = 512 << 20;
/// Files whose summaries are kept.
const SUMMARIES: usize = 1000;

/// The version of a file: another length or time means another content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    pub(super) bytes: u64,
    modified: Option<SystemTime>,
}

impl FileStamp {
    /// The stamp of a regular file.
    pub(super) fn of(metadata: &Metadata) -> Option<Self> {
        let stamp = Self { bytes: metadata.len(), modified: metadata.modified().ok() };
        metadata.is_file().then_some(stamp)
    }
}

/// What a cached network was read from. Built-in networks have no stamp.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    path: PathBuf,
    stamp: Option<FileStamp>,
}

/// Networks that were read. The least recently used are dropped.
#[derive(Debug, Default)]
pub(crate) struct NetworkCache {
    /// The most recently used last.
    loaded: Mutex<Vec<(Key, Arc<LoadedNetwork>)>>,
    /// Held while a file is read, so that many pages do not read the same file at the same time.
    reading: Mutex<()>,
    summaries: Mutex<HashMap<PathBuf, (FileStamp, NetworkSummary)>>,
    /// Held by a measurement of speed or reliability.
    measuring: Mutex<()>,
}

impl NetworkCache {
    /// The built-in network of that name.
    pub(super) fn built_in(&self, app: &App, name: &str) -> Result<Arc<LoadedNetwork>, ApiError> {
        let key = Key { path: name.into(), stamp: None };
        self.get(key, || {
            let loaded = app.networks.load(&NetworkSource::new(name));
            loaded.map_err(|error| load_error(app, &error))
        })
    }

    /// The network in a file below the root.
    pub(super) fn file(
        &self,
        app: &App,
        relative: &str,
        path: &Path,
    ) -> Result<Arc<LoadedNetwork>, ApiError> {
        let bad = |message| Err(ApiError::bad_request("bad_network", message));
        let Some(stamp) = path.metadata().ok().as_ref().and_then(FileStamp::of) else {
            return bad(format!("{relative} is not a file; expected the file of a network"));
        };
        if stamp.bytes > MAX_BYTES {
            return bad(format!(
                "{relative} has {} bytes; the page reads networks of at most {MAX_BYTES}",
                stamp.bytes
            ));
        }
        self.get(Key { path: path.to_owned(), stamp: Some(stamp) }, || {
            let loaded = app.networks.load(&NetworkSource::new(path));
            let loaded = loaded.map_err(|error| load_error(app, &error))?;
            // Messages name the file as the page does.
            Ok(LoadedNetwork::new(relative, Arc::clone(loaded.network())))
        })
    }

    /// The right to measure. Only one measurement runs at a time: two would slow each other down.
    pub(super) fn measure(&self) -> Result<MutexGuard<'_, ()>, ApiError> {
        match self.measuring.try_lock() {
            Ok(guard) => Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(ApiError::busy("another measurement is running; try again in some seconds"))
            }
        }
    }

    /// The summary of a file, if it has not changed since it was kept.
    pub(super) fn summary(&self, path: &Path, stamp: FileStamp) -> Option<NetworkSummary> {
        let summaries = lock(&self.summaries);
        let (kept, summary) = summaries.get(path)?;
        (*kept == stamp).then(|| summary.clone())
    }

    /// Keeps the summary of a file.
    pub(super) fn keep_summary(&self, path: PathBuf, stamp: FileStamp, summary: NetworkSummary) {
        let mut summaries = lock(&self.summaries);
        if summaries.len() >= SUMMARIES {
            summaries.clear();
        }
        summaries.insert(path, (stamp, summary));
    }

    fn get(
        &self,
        key: Key,
        read: impl FnOnce() -> Result<LoadedNetwork, ApiError>,
    ) -> Result<Arc<LoadedNetwork>, ApiError> {
        if let Some(network) = self.take(&key) {
            return Ok(network);
        }
        let _reading = lock(&self.reading);
        if let Some(network) = self.take(&key) {
            return Ok(network);
        }
        let network = Arc::new(read()?);
        let mut loaded = lock(&self.loaded);
        // A file that changed is never asked for again in its former version.
        loaded.retain(|(old, _)| old.path != key.path);
        loaded.push((key, Arc::clone(&network)));
        let bytes = |key: &Key| key.stamp.map_or(0, |stamp| stamp.bytes);
        while loaded.len() > NETWORKS
            || loaded.len() > 1
                && loaded.iter().map(|(key, _)| bytes(key)).sum::<u64>() > TOTAL_BYTES
        {
            loaded.remove(0);
        }
        Ok(network)
    }

    /// The network of that key, which becomes the most recently used.
    fn take(&self, key: &Key) -> Option<Arc<LoadedNetwork>> {
        let mut loaded = lock(&self.loaded);
        let place = loaded.iter().position(|(kept, _)| kept == key)?;
        let entry = loaded.remove(place);
        let network = Arc::clone(&entry.1);
        loaded.push(entry);
        Some(network)
    }
}

/// What guards a value here is whole between statements, so a panic elsewhere does not harm it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn load_error(app: &App, error: &NetworkLoadError) -> ApiError {
    // The page knows paths below the root only.
    let root = format!("{}{}", app.root.path().display(), std::path::MAIN_SEPARATOR);
    ApiError::bad_request("bad_network", error.to_string().replace(&root, ""))
}
