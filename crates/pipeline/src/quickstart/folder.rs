//! Quickstart folder: locked while a quickstart runs, with its plan and everything that it makes.

use std::fs;
use std::path::{Path, PathBuf};

use super::plan::QuickstartPlan;
use crate::files::{self, FolderLock};
use crate::{CommandLine, PipelineError};

/// The folder of a quickstart, locked as long as this value lives.
#[derive(Debug)]
pub struct QuickstartFolder {
    path: PathBuf,
    _lock: FolderLock,
}

/// What a folder holds before a quickstart runs in it.
#[derive(Clone, Debug, PartialEq)]
pub enum FolderState {
    /// Nothing.
    Empty,
    /// A file that does not belong to a quickstart.
    Foreign(String),
    /// A quickstart that was stopped.
    Stopped(QuickstartPlan),
    /// A quickstart that is complete.
    Finished(QuickstartPlan),
}

pub(super) const PLAN: &str = "quickstart.toml";

impl QuickstartFolder {
    /// Creates the folder if it does not exist, and locks it.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, PipelineError> {
        let path = path.into();
        let lock = FolderLock::new(&path)?;
        Ok(Self { path, _lock: lock })
    }

    /// What the folder holds.
    pub fn state(&self) -> Result<FolderState, PipelineError> {
        let path = self.file(PLAN);
        if path.exists() {
            let plan = QuickstartPlan::read(&path)?;
            let finished = self.file(REPORT).exists();
            return Ok(if finished {
                FolderState::Finished(plan)
            } else {
                FolderState::Stopped(plan)
            });
        }
        let entries = fs::read_dir(&self.path).map_err(PipelineError::io("read", &self.path))?;
        // A kill can leave a temporary file, whose name begins with a dot.
        let is_ours = |name: &str| name == files::LOCK || name.starts_with('.');
        let mut names =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
        let foreign = names.find(|name| !is_ours(name));
        Ok(foreign.map_or(FolderState::Empty, FolderState::Foreign))
    }

    /// The path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The path of the report.
    pub fn report(&self) -> PathBuf {
        self.file(REPORT)
    }

    /// Writes a file for people to read and change, unless it exists.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), PipelineError> {
        let path = self.file(name);
        if path.exists() { Ok(()) } else { files::replace(&path, text.as_bytes()) }
    }

    /// Writes the plan.
    pub fn write_plan(&self, plan: &QuickstartPlan) -> Result<(), PipelineError> {
        files::replace(&self.file(PLAN), plan.text()?.as_bytes())
    }

    /// The command that resumes the quickstart.
    pub fn resume_command(&self) -> CommandLine {
        CommandLine::new("quickstart").option("out", self.path.display()).flag("resume", true)
    }
}

pub(super) const REPORT: &str = "report.html";
