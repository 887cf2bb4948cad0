//! Status writer: a thread that replaces the status of a match while it is played.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::MatchStatus;
use crate::tournament::LiveGames;

/// The shortest time between two writes.
const EVERY: Duration = Duration::from_millis(500);
/// The longest time between two writes: those who watch see that the match is alive.
const AT_LEAST: Duration = Duration::from_secs(5);

/// Writes the status of a match until it is told to end.
#[derive(Debug)]
pub(crate) struct StatusWriter {
    path: PathBuf,
    /// The contents, without games in progress.
    status: MatchStatus,
    ended: Mutex<bool>,
    wake: Condvar,
}

impl StatusWriter {
    pub(crate) fn new(journal: &Path, status: MatchStatus) -> Self {
        let path = MatchStatus::path(journal);
        Self { path, status, ended: Mutex::new(false), wake: Condvar::new() }
    }

    /// Writes until [`end`](StatusWriter::end) is called.
    pub(crate) fn run(&self, live: &LiveGames) {
        let (mut written, mut last) = (None, Instant::now());
        loop {
            if written != Some(live.changes()) || last.elapsed() >= AT_LEAST {
                let (changes, games) = live.snapshot();
                self.write(&MatchStatus { live: games, ..self.status.clone() });
                (written, last) = (Some(changes), Instant::now());
            }
            let ended = self.ended.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self.wake.wait_timeout_while(ended, EVERY, |ended| !*ended);
            if *waited.unwrap_or_else(PoisonError::into_inner).0 {
                return;
            }
        }
    }

    /// Ends [`run`](StatusWriter::run), on another thread, when the result is dropped.
    pub(crate) fn end_on_drop(&self) -> EndOnDrop<'_> {
        EndOnDrop(self)
    }

    /// Writes the status at the end.
    pub(crate) fn finish(self, end: impl FnOnce(MatchStatus) -> MatchStatus) {
        self.write(&end(self.status.clone()));
    }

    /// Whoever watches waits for the next status if this one cannot be written.
    fn write(&self, status: &MatchStatus) {
        let _ = replace(&self.path, status);
    }
}

/// Ends the thread of a [`StatusWriter`], also if the match panics.
pub(crate) struct EndOnDrop<'a>(&'a StatusWriter);

impl Drop for EndOnDrop<'_> {
    fn drop(&mut self) {
        *self.0.ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.0.wake.notify_all();
    }
}

/// Replaces the file as a whole. It is not synced: after a crash of the machine, nobody is playing.
fn replace(path: &Path, status: &MatchStatus) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let placed =
        fs::write(&beside, serde_json::to_vec(status)?).and_then(|()| fs::rename(&beside, path));
    if placed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    placed
}
