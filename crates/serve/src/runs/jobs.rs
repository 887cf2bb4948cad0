//! Quickstarts that this server runs, each on a thread of its own.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use pipeline::quickstart::{FolderState, QuickstartFolder, QuickstartPlan};

use super::files;
use crate::app::App;
use crate::error::ApiError;
use crate::game::ServedGame;

/// How many quickstarts run at the same time: they share the processors with each other and with
/// every analysis.
const MAX_RUNNING: usize = 2;
/// How many quickstarts that ended are remembered, with their errors.
const MAX_ENDED: usize = 32;
/// How long a quickstart may take.
const MINUTES: std::ops::RangeInclusive<f64> = 0.01..=1440.0;
/// The longest name of a new folder.
const MAX_NAME: usize = 64;

/// The quickstarts of this server.
#[derive(Debug, Default)]
pub(super) struct Jobs(Mutex<Vec<Job>>);

#[derive(Debug)]
struct Job {
    path: PathBuf,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What a job and its thread share.
#[derive(Debug, Default)]
struct Shared {
    stop: AtomicBool,
    view: Mutex<JobView>,
}

/// What is known of a job.
#[derive(Clone, Debug, Default)]
pub(super) struct JobView {
    /// The stage that was announced last.
    pub(super) stage: Option<String>,
    /// How it ended; `None` while it runs.
    pub(super) end: Option<JobEnd>,
}

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum JobEnd {
    Finished,
    Stopped,
    Failed(String),
}

/// A quickstart to run.
pub struct QuickstartStart {
    /// Its folder, locked.
    pub(super) folder: QuickstartFolder,
    /// Its plan, or what a plan is made of.
    pub(super) plan: PlanSource,
}

/// Where the plan of a quickstart comes from.
pub(super) enum PlanSource {
    Saved(QuickstartPlan),
    Measured { minutes: f64, threads: usize },
}

impl Jobs {
    /// Starts a quickstart in a new folder.
    pub(super) fn begin(
        &self,
        app: &App,
        game: &str,
        name: &str,
        minutes: f64,
        threads: Option<usize>,
    ) -> Result<PathBuf, ApiError> {
        let game = app.game(game)?;
        if !MINUTES.contains(&minutes) {
            let message = format!("minutes is {minutes}: expected 0.01 to 1440");
            return Err(ApiError::bad_request("bad_minutes", message));
        }
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.unwrap_or(all);
        if !(1..=all).contains(&threads) {
            let message = format!("threads is {threads}: expected 1 to {all}");
            return Err(ApiError::bad_request("bad_threads", message));
        }
        let path = app.root.new_path(checked_name(name)?)?;
        if fs::symlink_metadata(&path).is_ok() {
            let message = format!("`{name}` exists already; choose another name");
            return Err(ApiError::bad_request("exists", message));
        }
        self.start(game, &path, |folder| {
            let plan = PlanSource::Measured { minutes, threads };
            match folder.state().map_err(|error| refused(&error))? {
                FolderState::Empty => Ok(QuickstartStart { folder, plan }),
                _ => Err(ApiError::bad_request("exists", format!("`{name}` is not empty"))),
            }
        })
    }

    /// Resumes a quickstart that was stopped.
    pub(super) fn resume(&self, app: &App, relative: &str) -> Result<PathBuf, ApiError> {
        let path = app.root.resolve(relative)?;
        if path == app.root.path() || !files::is_file(&path.join("quickstart.toml")) {
            let message = format!("`{relative}` holds no quickstart");
            return Err(ApiError::bad_request("no_quickstart", message));
        }
        check_links(&path, 0)?;
        let plan = QuickstartPlan::of_folder(&path).map_err(|error| refused(&error))?;
        if plan.version != QuickstartPlan::VERSION {
            let message = format!(
                "version {} started it, and this is {}; start again in another folder",
                plan.version,
                QuickstartPlan::VERSION
            );
            return Err(ApiError::bad_request("other_version", message));
        }
        let game = app.game(&plan.game)?;
        let plan = PlanSource::Saved(plan);
        self.start(game, &path, |folder| Ok(QuickstartStart { folder, plan }))
    }

    fn start(
        &self,
        game: &Arc<dyn ServedGame>,
        path: &Path,
        prepare: impl FnOnce(QuickstartFolder) -> Result<QuickstartStart, ApiError>,
    ) -> Result<PathBuf, ApiError> {
        let mut jobs = self.lock();
        if jobs.iter().any(|job| job.path == path && job.is_running()) {
            return Err(ApiError::bad_request("running", "it is running already"));
        }
        if jobs.iter().filter(|job| job.is_running()).count() >= MAX_RUNNING {
            let message = format!("{MAX_RUNNING} quickstarts are running; stop one of them first");
            return Err(ApiError::busy(message));
        }
        // The thread of an earlier run in this folder has ended: its lock is free.
        for job in jobs.iter_mut().filter(|job| job.path == path) {
            job.join();
        }
        let folder = QuickstartFolder::open(path).map_err(|error| refused(&error))?;
        let start = prepare(folder)?;
        let shared = Arc::new(Shared::default());
        let (game, theirs) = (Arc::clone(game), Arc::clone(&shared));
        let thread = std::thread::Builder::new()
            .name("quickstart".to_owned())
            .spawn(move || run(&*game, start, &theirs))
            .map_err(|error| ApiError::internal(format!("cannot start a thread: {error}")))?;
        jobs.retain(|job| job.path != path);
        let job = Job { path: path.to_owned(), shared, thread: Some(thread) };
        jobs.push(job);
        if let Some(oldest) = jobs.iter().position(|job| !job.is_running())
            && jobs.len() > MAX_ENDED
        {
            jobs.remove(oldest).join();
        }
        Ok(path.to_owned())
    }

    /// Asks a quickstart of this server to stop.
    pub(super) fn stop(&self, app: &App, relative: &str) -> Result<(), ApiError> {
        let path = app.root.resolve(relative)?;
        let jobs = self.lock();
        let job = jobs.iter().find(|job| job.path == path && job.is_running());
        let Some(job) = job else {
            let message = format!("this server runs no quickstart in `{relative}`");
            return Err(ApiError::bad_request("not_running", message));
        };
        job.shared.stop.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// What is known of the quickstart in a folder, if this server runs it or ran it.
    pub(super) fn view(&self, path: &Path) -> Option<JobView> {
        self.lock().iter().find(|job| job.path == path).map(|job| job.shared.view().clone())
    }

    /// The folders of all jobs.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        self.lock().iter().map(|job| job.path.clone()).collect()
    }

    /// Stops all quickstarts and waits for them.
    pub(super) fn shut_down(&self) {
        let mut jobs = std::mem::take(&mut *self.lock());
        for job in &jobs {
            job.shared.stop.store(true, Ordering::Relaxed);
        }
        jobs.iter_mut().for_each(Job::join);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Job>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Job {
    fn is_running(&self) -> bool {
        self.shared.view().end.is_none()
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn view(&self) -> MutexGuard<'_, JobView> {
        self.view.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The work of a job's thread.
fn run(game: &dyn ServedGame, start: QuickstartStart, shared: &Shared) {
    let announce = |stage: &str| shared.view().stage = Some(stage.to_owned());
    let work = || game.run_quickstart(start, &shared.stop, &announce);
    // A panic must not leave a job that seems to run for ever.
    let end = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(true)) => JobEnd::Finished,
        Ok(Ok(false)) => JobEnd::Stopped,
        Ok(Err(error)) => JobEnd::Failed(error),
        Err(_) => JobEnd::Failed("the quickstart failed unexpectedly".to_owned()),
    };
    shared.view().end = Some(end);
}

fn refused(error: &pipeline::PipelineError) -> ApiError {
    ApiError::bad_request("refused", super::sentence(error))
}

/// A name that is one plain folder on every system and a word of a command line.
fn checked_name(name: &str) -> Result<&str, ApiError> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let is_first = |letter: char| letter.is_ascii_alphanumeric();
    if name.len() <= MAX_NAME && name.starts_with(is_first) && name.chars().all(is_plain) {
        Ok(name)
    } else {
        Err(ApiError::bad_request(
            "bad_name",
            format!(
                "the name must be 1 to {MAX_NAME} letters, digits, `-`, `_` or `.`, the first of \
                 them a letter or digit"
            ),
        ))
    }
}

/// Refuses links in a folder that will be written to: they could lead out of the root.
fn check_links(folder: &Path, depth: usize) -> Result<(), ApiError> {
    const MAX_DEPTH: usize = 4;
    let unreadable = |error: std::io::Error| {
        ApiError::bad_request("refused", format!("cannot read the folder: {error}"))
    };
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let kind = entry.file_type().map_err(unreadable)?;
        if kind.is_symlink() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let message = format!("`{name}` in it is a link; a quickstart writes no linked files");
            return Err(ApiError::bad_request("link", message));
        }
        if kind.is_dir() && depth < MAX_DEPTH {
            check_links(&entry.path(), depth + 1)?;
        }
    }
    Ok(())
}
