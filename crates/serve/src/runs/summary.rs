//! Run summary: what the list of runs shows, and whether a run is running.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::files;

/// The kind of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Training,
    Data,
    Match,
    Loop,
    Quickstart,
}

/// Whether a run is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Status {
    Running,
    Finished,
    Stopped,
    Failed,
}

/// How far a run is, as its files show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    /// The files show no end: it is running if they change.
    #[default]
    Open,
    /// It is complete.
    Finished,
    /// It was stopped.
    Stopped,
    /// It ended with an error.
    Failed,
    /// It is running, whether or not its own files change.
    Running,
}

/// What is known of a run after reading its files.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) game: Option<String>,
    /// How far it is, in a few words.
    pub(super) text: String,
    pub(super) progress: Option<f64>,
    pub(super) seconds_left: Option<f64>,
    pub(super) end: End,
    /// How long its files may stay unchanged while it runs, if longer than usual.
    pub(super) silence: Option<Duration>,
    /// The last change of its files.
    pub(super) changed: Option<SystemTime>,
    /// Whether there is more to read, which the next look does.
    pub(super) is_partial: bool,
}

/// How long the files of a run may stay unchanged while it runs.
const SILENCE: Duration = Duration::from_secs(15);

impl Facts {
    /// A run whose files cannot be read.
    pub(super) fn unreadable(fault: &str) -> Self {
        Self { text: format!("cannot be read: {fault}"), end: End::Stopped, ..Self::default() }
    }

    pub(super) fn status(&self, now: SystemTime) -> Status {
        match self.end {
            End::Running => Status::Running,
            End::Finished => Status::Finished,
            End::Stopped => Status::Stopped,
            End::Failed => Status::Failed,
            End::Open => {
                let silence = self.silence.unwrap_or_default().max(SILENCE);
                let is_recent = |time| files::elapsed(time, now) < silence;
                if self.changed.is_some_and(is_recent) { Status::Running } else { Status::Stopped }
            }
        }
    }
}

/// A run in the list of runs.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RunSummary {
    path: String,
    kind: Kind,
    name: String,
    game: Option<String>,
    pub(super) status: Status,
    updated: u64,
    summary: String,
    progress: Option<f64>,
    seconds_left: Option<f64>,
}

impl RunSummary {
    /// The summary of the run at `path`, which a request names `relative`.
    pub(super) fn new(path: &Path, relative: String, kind: Kind, facts: &Facts) -> Self {
        let status = facts.status(SystemTime::now());
        let is_running = status == Status::Running;
        Self {
            name: name(path, kind, &relative),
            path: relative,
            kind,
            game: facts.game.clone(),
            status,
            updated: facts.changed.map_or(0, files::unix_ms),
            summary: facts.text.clone(),
            progress: match status {
                Status::Finished => Some(1.0),
                _ => facts.progress.map(|share| share.clamp(0.0, 1.0)),
            },
            seconds_left: facts.seconds_left.filter(|_| is_running).map(f64::round),
        }
    }
}

/// A name for people: that of the file or folder, with its folder where many have the same.
fn name(path: &Path, kind: Kind, relative: &str) -> String {
    let own = match kind {
        Kind::Data | Kind::Match => path.file_stem(),
        _ => path.file_name(),
    };
    let own = own.unwrap_or_default().to_string_lossy();
    let parent = Path::new(relative).parent().and_then(Path::file_name);
    match parent {
        Some(parent) => format!("{}/{own}", parent.to_string_lossy()),
        None => own.into_owned(),
    }
}
