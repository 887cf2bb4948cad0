//! Runs: trainings, data files, matches, loops and quickstarts below the root folder.
//!
//! Everything is read from the files that the command line writes too, so a page that is opened
//! late shows the same as one that was open all the time. All pages share one look at the files,
//! at most twice a second, and files that did not change are not read again.

mod cache;
mod data;
mod files;
mod html_report;
mod jobs;
mod loops;
mod matches;
mod quickstarts;
mod rate;
mod reader;
mod replay;
mod requests;
mod scan;
mod served;
mod summary;
#[cfg(test)]
mod tests;
mod training;

use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::app::App;
use crate::error::ApiError;
use cache::Cache;
use jobs::{JobView, Jobs};
pub(crate) use requests::routes;
pub(crate) use served::GameRuns;

/// What is known of the runs below the root.
#[derive(Default)]
pub(crate) struct Runs {
    cache: Mutex<Cache>,
    jobs: Jobs,
}

impl std::fmt::Debug for Runs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Runs").field("jobs", &self.jobs).finish_non_exhaustive()
    }
}

impl Runs {
    /// The message `{runs, root}` as JSON. Reads files, at most twice a second for all pages.
    pub(crate) fn list_json(&self, app: &App) -> Result<Arc<str>, ApiError> {
        self.cache().list(app)
    }

    /// The `RunView` of a run as JSON. Reads files, at most twice a second for all pages.
    pub(crate) fn view_json(&self, app: &App, path: &str) -> Result<Arc<str>, ApiError> {
        self.cache().view(app, path)
    }

    /// A finished game of a match; games are numbered from 1.
    fn game(&self, app: &App, path: &str, number: u64) -> Result<Value, ApiError> {
        self.cache().game(app, path, number)
    }

    /// Stops the quickstarts that this server runs, and waits for them.
    pub(crate) fn shut_down(&self) {
        self.jobs.shut_down();
    }

    /// The quickstart in a folder, if this server runs it or ran it.
    fn job(&self, path: &Path) -> Option<JobView> {
        self.jobs.view(path)
    }

    fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An error with its causes, as one sentence.
fn sentence(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
