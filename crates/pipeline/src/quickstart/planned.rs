//! Planned stages: what a quickstart does and which of it is done, as its files show.

use std::path::Path;

use super::fit::NETWORK;
use super::folder::{PLAN, REPORT};
use super::plan::{QuickstartPlan, Stages};
use super::recipe::Recipe;
use super::titles;
use crate::stages::is_match_over;
use crate::{CommandLine, PipelineError};

/// A stage of a quickstart, for those who look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStage {
    /// What it does; the same that the runner announces.
    pub title: String,
    /// The equivalent command line.
    pub command: CommandLine,
    /// Whether its results are there.
    pub is_done: bool,
}

impl QuickstartPlan {
    /// The plan of the quickstart in a folder, which may be running.
    pub fn of_folder(folder: &Path) -> Result<Self, PipelineError> {
        Self::read(&folder.join(PLAN))
    }

    /// The stages in their order.
    pub fn planned(&self, folder: &Path, recipe: &Recipe) -> Vec<PlannedStage> {
        let Stages { start, data, train, export, fit, matches } = self.stages(folder, recipe);
        let has = |name: &str| folder.join(name).is_file();
        let has_net = has(NETWORK);
        let is_exported = has_net || export.out.is_file();
        let stages = [
            (titles::START, start.command(), start.out.is_file()),
            (titles::DATA, data.command(), is_exported || has("games.data.manifest.json")),
            (titles::TRAIN, train.command(), is_exported || has("training/float.accrue")),
            (titles::EXPORT, export.command(), is_exported),
        ];
        let fit = fit.map(|stage| (titles::FIT, stage.command(), has_net));
        let matches = matches.into_iter().map(|(title, stage)| {
            let is_over = has(REPORT) || stage.journal.as_deref().is_some_and(is_match_over);
            (title, stage.command(), is_over)
        });
        let planned = |(title, command, is_done): (&str, _, _)| PlannedStage {
            title: title.to_owned(),
            command,
            is_done,
        };
        stages.into_iter().chain(fit).chain(matches).map(planned).collect()
    }
}
