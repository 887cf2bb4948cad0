//! Run reader: what is kept of a run between two looks at its files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use dataset::GameList;
use serde_json::Value;

use super::data::DataReader;
use super::loops::LoopReader;
use super::matches::MatchReader;
use super::quickstarts::QuickstartReader;
use super::scan::Found;
use super::summary::{Facts, Kind};
use super::training::TrainingReader;
use crate::app::App;

/// Where a reader is.
pub(super) struct Scene<'a> {
    pub(super) app: &'a App,
    /// The file or folder of the run.
    pub(super) path: &'a Path,
    /// The runs of the last scan, and what is known of them.
    pub(super) runs: &'a [Found],
    pub(super) facts: &'a HashMap<PathBuf, Facts>,
}

impl Scene<'_> {
    pub(super) fn games(&self) -> &GameList {
        self.app.networks.games()
    }

    /// The runs inside the folder of this one.
    pub(super) fn children(&self) -> impl Iterator<Item = &Found> {
        let inside = |found: &&Found| found.path != self.path && found.path.starts_with(self.path);
        self.runs.iter().filter(inside)
    }
}

/// Reads a run. It keeps what need not be read again.
pub(super) trait RunReader: Send {
    /// The files whose change makes another look necessary.
    fn files(&self, path: &Path) -> Vec<PathBuf>;

    /// Reads what changed. The time of the last change is filled in by the caller, unless the
    /// reader knows a later one. An error is a sentence for people.
    fn look(&mut self, scene: &Scene<'_>) -> Result<Facts, String>;

    /// The fields of the view that belong to this kind of run, after a look.
    fn view(&mut self, scene: &Scene<'_>) -> Value;

    /// The reader of a match.
    fn as_match(&mut self) -> Option<&mut MatchReader> {
        None
    }
}

/// Whether a run consists of other runs, so that it changes when they do.
pub(super) fn is_composite(kind: Kind) -> bool {
    matches!(kind, Kind::Loop | Kind::Quickstart)
}

/// A reader that has read nothing.
pub(super) fn reader(kind: Kind) -> Box<dyn RunReader> {
    match kind {
        Kind::Training => Box::<TrainingReader>::default(),
        Kind::Data => Box::<DataReader>::default(),
        Kind::Match => Box::<MatchReader>::default(),
        Kind::Loop => Box::<LoopReader>::default(),
        Kind::Quickstart => Box::<QuickstartReader>::default(),
    }
}
