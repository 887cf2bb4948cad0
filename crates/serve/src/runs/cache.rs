//! Cache of runs: one look at the files for all pages.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::files::Stamp;
use super::reader::{RunReader, Scene, is_composite, reader};
use super::scan::{Found, scan};
use super::summary::{Facts, Kind, RunSummary};
use crate::app::App;
use crate::error::ApiError;

/// The shortest time between two looks at the files.
const EVERY: Duration = Duration::from_millis(500);
/// How long all looks of a scan together may take; the rest is left for the next.
const SCAN_TIME: Duration = Duration::from_millis(400);
/// How many readers are kept: those that were used last.
const MAX_READERS: usize = 32;
/// How many views are kept.
const MAX_VIEWS: usize = 64;

/// What is known of all runs.
#[derive(Default)]
pub(super) struct Cache {
    looked: Option<Instant>,
    runs: Vec<Found>,
    facts: HashMap<PathBuf, Facts>,
    stamps: HashMap<PathBuf, Stamp>,
    readers: HashMap<PathBuf, Kept>,
    list: Option<Arc<str>>,
    views: HashMap<PathBuf, (Instant, Arc<str>)>,
}

/// A reader, and when it was used.
struct Kept {
    reader: Box<dyn RunReader>,
    used: Instant,
}

impl Cache {
    /// The message `{runs, root}`.
    pub(super) fn list(&mut self, app: &App) -> Result<Arc<str>, ApiError> {
        self.refresh(app);
        if let Some(list) = &self.list {
            return Ok(Arc::clone(list));
        }
        let runs: Vec<_> = self.runs.iter().map(|found| self.summary(app, found)).collect();
        let root = app.root.path().display().to_string();
        let list = text(&json!({ "runs": runs, "root": root }))?;
        self.list = Some(Arc::clone(&list));
        Ok(list)
    }

    /// The view of a run.
    pub(super) fn view(&mut self, app: &App, relative: &str) -> Result<Arc<str>, ApiError> {
        self.refresh(app);
        let found = self.find(app, relative)?;
        if let Some((made, view)) = self.views.get(&found.path)
            && made.elapsed() < EVERY
        {
            return Ok(Arc::clone(view));
        }
        let mut view = self.with_reader(app, &found, |reader, scene| Ok(reader.view(scene)))?;
        let summary = serde_json::to_value(self.summary(app, &found));
        let summary = summary.map_err(|error| ApiError::internal(error.to_string()))?;
        if let (Value::Object(view), Value::Object(summary)) = (&mut view, summary) {
            view.extend(summary);
        }
        let view = text(&view)?;
        if self.views.len() >= MAX_VIEWS {
            self.views.retain(|_, (made, _)| made.elapsed() < EVERY);
        }
        if self.views.len() < MAX_VIEWS {
            self.views.insert(found.path, (Instant::now(), Arc::clone(&view)));
        }
        Ok(view)
    }

    /// A finished game of a match.
    pub(super) fn game(
        &mut self,
        app: &App,
        relative: &str,
        number: u64,
    ) -> Result<Value, ApiError> {
        self.refresh(app);
        let found = self.find(app, relative)?;
        self.with_reader(app, &found, |reader, scene| match reader.as_match() {
            Some(reader) => reader.game(scene, number),
            None => Err(ApiError::bad_request("not_a_match", "this run is not a match")),
        })
    }

    /// The run that a request names.
    fn find(&self, app: &App, relative: &str) -> Result<Found, ApiError> {
        let missing =
            || ApiError::not_found("no_such_run", format!("there is no run `{relative}`"));
        let path = app.root.new_path(relative)?;
        self.runs.iter().find(|found| found.path == path).cloned().ok_or_else(missing)
    }

    fn summary(&self, app: &App, found: &Found) -> RunSummary {
        let unread = Facts { text: "not read yet".to_owned(), ..Facts::default() };
        let facts = self.facts.get(&found.path).unwrap_or(&unread);
        RunSummary::new(&found.path, app.root.relative(&found.path), found.kind, facts)
    }

    /// Looks at all files, unless that was done a moment ago.
    fn refresh(&mut self, app: &App) {
        if self.looked.is_some_and(|looked| looked.elapsed() < EVERY) {
            return;
        }
        self.runs = scan(app.root.path());
        // A quickstart has no files before it has a plan.
        for path in app.runs.jobs.paths() {
            if path.is_dir() && !self.runs.iter().any(|found| found.path == path) {
                self.runs.push(Found { path, kind: Kind::Quickstart });
            }
        }
        let known: HashSet<&PathBuf> = self.runs.iter().map(|found| &found.path).collect();
        self.facts.retain(|path, _| known.contains(path));
        self.stamps.retain(|path, _| known.contains(path));
        self.readers.retain(|path, _| known.contains(path));
        self.views.retain(|path, _| known.contains(path));
        let start = Instant::now();
        let mut runs = self.runs.clone();
        // Runs that consist of others come after them: a quickstart may hold a loop.
        runs.sort_by_key(|found| match found.kind {
            Kind::Quickstart => 2,
            Kind::Loop => 1,
            _ => 0,
        });
        for found in &runs {
            if is_composite(found.kind) || start.elapsed() < SCAN_TIME {
                self.look(app, found, false);
            }
        }
        self.forget_readers();
        self.list = None;
        self.looked = Some(Instant::now());
    }

    /// Reads a run whose files changed; with `always`, any.
    fn look(&mut self, app: &App, found: &Found, always: bool) {
        let mut kept = self
            .readers
            .remove(&found.path)
            .unwrap_or_else(|| Kept { reader: reader(found.kind), used: Instant::now() });
        let stamp = Stamp::of(&kept.reader.files(&found.path));
        let is_known = self.stamps.get(&found.path) == Some(&stamp);
        if always || !is_known || is_composite(found.kind) {
            let facts = kept.reader.look(&self.scene(app, &found.path));
            let mut facts = facts.unwrap_or_else(|fault| Facts::unreadable(&fault));
            facts.changed = facts.changed.max(stamp.changed());
            if !facts.is_partial {
                self.stamps.insert(found.path.clone(), stamp);
            }
            self.facts.insert(found.path.clone(), facts);
            kept.used = Instant::now();
        }
        self.readers.insert(found.path.clone(), kept);
    }

    /// Calls a reader that has read its run.
    fn with_reader<T>(
        &mut self,
        app: &App,
        found: &Found,
        call: impl FnOnce(&mut dyn RunReader, &Scene<'_>) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        // A reader that was forgotten has to read again.
        let is_fresh = !self.readers.contains_key(&found.path);
        self.look(app, found, is_fresh);
        let Some(mut kept) = self.readers.remove(&found.path) else {
            return Err(ApiError::internal("the run was forgotten"));
        };
        let result = call(&mut *kept.reader, &self.scene(app, &found.path));
        kept.used = Instant::now();
        self.readers.insert(found.path.clone(), kept);
        result
    }

    fn scene<'a>(&'a self, app: &'a App, path: &'a Path) -> Scene<'a> {
        Scene { app, path, runs: &self.runs, facts: &self.facts }
    }

    /// Drops readers that were not used for longest.
    fn forget_readers(&mut self) {
        let excess = self.readers.len().saturating_sub(MAX_READERS);
        if excess > 0 {
            let mut used: Vec<_> =
                self.readers.iter().map(|(path, kept)| (kept.used, path.clone())).collect();
            used.sort_unstable();
            for (_, path) in used.into_iter().take(excess) {
                self.readers.remove(&path);
            }
        }
    }
}

fn text(value: &Value) -> Result<Arc<str>, ApiError> {
    let text = serde_json::to_string(value);
    text.map(Arc::from).map_err(|error| ApiError::internal(error.to_string()))
}
