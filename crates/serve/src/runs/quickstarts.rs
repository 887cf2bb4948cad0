//! Quickstarts: stages and the runs that belong to them, whoever started them.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use pipeline::quickstart::{PlannedStage, QuickstartPlan};
use serde_json::{Value, json};

use super::files;
use super::jobs::{JobEnd, JobView};
use super::reader::{RunReader, Scene};
use super::summary::{End, Facts, Kind, Status};

/// A quickstart.
#[derive(Debug, Default)]
pub(super) struct QuickstartReader {
    plan: Option<QuickstartPlan>,
    stages: Vec<PlannedStage>,
    /// Why the stages are unknown.
    fault: Option<String>,
    job: Option<JobView>,
    is_finished: bool,
    is_running: bool,
}

/// The file whose presence makes a folder that of a quickstart.
const PLAN: &str = "quickstart.toml";
/// What a quickstart does before it has a plan.
const MEASURING: &str = "measuring how fast this machine plays";

impl RunReader for QuickstartReader {
    fn files(&self, path: &Path) -> Vec<PathBuf> {
        let networks = ["net.accrue", "exported.accrue", "start.accrue"];
        let files = ["quickstart.toml", "report.html", "lock"];
        networks.into_iter().chain(files).map(|name| path.join(name)).collect()
    }

    fn look(&mut self, scene: &Scene<'_>) -> Result<Facts, String> {
        self.job = scene.app.runs.job(scene.path);
        self.read(scene)?;
        self.is_finished = files::is_file(&scene.path.join("report.html"));
        let (mut child_runs, mut changed) = (false, None);
        for facts in scene.children().filter_map(|child| scene.facts.get(&child.path)) {
            child_runs |= facts.status(SystemTime::now()) == Status::Running;
            changed = changed.max(facts.changed);
        }
        let end = match self.job.as_ref().map(|job| &job.end) {
            Some(None) => End::Running,
            Some(Some(JobEnd::Failed(_))) => End::Failed,
            _ if self.is_finished => End::Finished,
            Some(Some(JobEnd::Stopped)) => End::Stopped,
            _ if child_runs => End::Running,
            _ => End::Open,
        };
        let mut facts = Facts {
            game: self.plan.as_ref().map(|plan| plan.game.clone()),
            end,
            changed: changed.max(super::files::Stamp::of(&self.files(scene.path)).changed()),
            ..Facts::default()
        };
        self.is_running = facts.status(SystemTime::now()) == Status::Running;
        facts.text = self.text();
        facts.progress = self.progress(scene);
        let minutes = self.plan.as_ref().map(|plan| plan.minutes);
        let left = minutes.zip(facts.progress);
        facts.seconds_left = left.map(|(minutes, done)| 60.0 * minutes * (1.0 - done));
        Ok(facts)
    }

    fn view(&mut self, scene: &Scene<'_>) -> Value {
        let current = self.current();
        let stages = self.stages.iter().enumerate().map(|(index, stage)| {
            let status = match () {
                () if self.is_done(stage) => "done",
                () if self.is_running && current == Some(index) => "running",
                () => "waiting",
            };
            let PlannedStage { title, command, .. } = stage;
            json!({ "title": title, "command": command.to_string(), "status": status })
        });
        let children = scene.children().map(|child| scene.app.root.relative(&child.path));
        let failure = match self.job.as_ref().and_then(|job| job.end.as_ref()) {
            Some(JobEnd::Failed(error)) => Some(error.clone()),
            _ => self.fault.clone(),
        };
        json!({
            "minutes": self.plan.as_ref().map(|plan| plan.minutes),
            "stage": self.stage(),
            "stages": stages.collect::<Vec<_>>(),
            "children": children.collect::<Vec<_>>(),
            "can_stop": self.job.as_ref().is_some_and(|job| job.end.is_none()),
            "can_resume": !self.is_running && !self.is_finished && self.plan.is_some(),
            "has_report": self.is_finished,
            "error": failure,
        })
    }
}

impl QuickstartReader {
    fn read(&mut self, scene: &Scene<'_>) -> Result<(), String> {
        if !files::is_file(&scene.path.join(PLAN)) {
            // A quickstart of this server that has no plan yet.
            let missing = format!("it has no {PLAN}");
            return if self.job.is_some() { Ok(()) } else { Err(missing) };
        }
        let plan = QuickstartPlan::of_folder(scene.path).map_err(|error| error.to_string())?;
        (self.stages, self.fault) = match scene.app.game(&plan.game) {
            Ok(game) => (game.quickstart_stages(&plan, scene.path), None),
            Err(error) => (Vec::new(), Some(error.message)),
        };
        self.plan = Some(plan);
        Ok(())
    }

    fn is_done(&self, stage: &PlannedStage) -> bool {
        self.is_finished || stage.is_done
    }

    /// The stage that is being carried out, or would be next.
    fn current(&self) -> Option<usize> {
        self.stages.iter().position(|stage| !self.is_done(stage))
    }

    fn stage(&self) -> String {
        let announced = self.job.as_ref().filter(|job| job.end.is_none());
        let announced = announced.and_then(|job| job.stage.clone());
        let planned = self.current().map(|index| self.stages[index].title.clone());
        match (&self.plan, self.is_finished) {
            (_, true) => "finished".to_owned(),
            (None, false) => MEASURING.to_owned(),
            (Some(_), false) => announced.or(planned).unwrap_or_else(|| "the report".to_owned()),
        }
    }

    fn text(&self) -> String {
        let minutes = match &self.plan {
            Some(plan) => format!("{} minutes, {} positions", plan.minutes, plan.positions),
            None => String::new(),
        };
        match (self.is_finished, minutes.is_empty()) {
            (_, true) => self.stage(),
            (true, false) => minutes,
            (false, false) => format!("{}; {minutes}", self.stage()),
        }
    }

    /// By the stages and the runs that belong to them.
    fn progress(&self, scene: &Scene<'_>) -> Option<f64> {
        if self.stages.is_empty() {
            return None;
        }
        let shares = self.stages.iter().enumerate().map(|(index, stage)| {
            let share = stage_share(stage, self.matches_before(self.stages.len()));
            let part = match () {
                () if self.is_done(stage) => 1.0,
                () if self.current() == Some(index) => self.part_of(index, scene).unwrap_or(0.0),
                () => 0.0,
            };
            share * part
        });
        Some(shares.sum())
    }

    /// How many matches come before a stage.
    fn matches_before(&self, index: usize) -> usize {
        self.stages[..index].iter().filter(|stage| command(stage) == "match").count()
    }

    /// How much of a stage is done, by the run that belongs to it.
    fn part_of(&self, index: usize, scene: &Scene<'_>) -> Option<f64> {
        let (kind, name) = match (command(&self.stages[index]), self.matches_before(index)) {
            ("datagen", _) => (Kind::Data, "games.data"),
            ("train", _) => (Kind::Training, "training"),
            ("match", 0) => (Kind::Match, "match.journal"),
            ("match", _) => (Kind::Match, "random.journal"),
            _ => return None,
        };
        let path = scene.path.join(name);
        let child = scene.children().find(|child| child.kind == kind && child.path == path)?;
        Some(scene.facts.get(&child.path)?.progress?.clamp(0.0, 1.0))
    }
}

/// The command of a stage.
fn command(stage: &PlannedStage) -> &str {
    stage.command.words().first().map_or("", String::as_str)
}

/// The share of a stage in the time of a quickstart with so many matches.
fn stage_share(stage: &PlannedStage, matches: usize) -> f64 {
    match command(stage) {
        "datagen" => 0.52,
        "train" => 0.16,
        "fit" => 0.05,
        "match" => 0.24 / matches.max(1) as f64,
        _ => 0.015,
    }
}
