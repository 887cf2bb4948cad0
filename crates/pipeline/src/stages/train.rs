//! Training: trains a network as a configuration file describes, with log, curves and report.

mod results;

use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use trainer::{
    Begin, Config, Run, Started, StepReport, SuperbatchReport, TrainingEvent, TrainingOutcome,
};

use super::training_log::TrainingLog;
use crate::{CommandLine, Context, PipelineError};

pub use results::TrainingSummary;

/// Trains a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainNetwork {
    /// The configuration, in TOML.
    pub config: PathBuf,
    /// Settings that replace those of the configuration, as `section.key=value`.
    pub overrides: Vec<String>,
    /// The number of threads, if it replaces that of the configuration.
    pub threads: Option<usize>,
    /// Whether to resume from the newest checkpoint of the output folder.
    pub resume: bool,
}

/// Something that happens in a training.
#[derive(Debug)]
pub enum TrainEvent<'a> {
    /// The training starts or resumes.
    Started(TrainingStart),
    /// A step is done.
    Step(&'a StepReport<'a>),
    /// A superbatch is done.
    Superbatch {
        /// Its losses.
        report: &'a SuperbatchReport<'a>,
        /// Its line of the log: a JSON object.
        line: &'a str,
    },
    /// A checkpoint is written.
    Checkpoint {
        /// The number of steps.
        step: u64,
        /// The file.
        path: &'a Path,
    },
    /// Something that a person should know.
    Warning(&'a str),
}

/// A training before its first step.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingStart {
    /// The network.
    pub architecture: String,
    /// The folder of its files.
    pub folder: PathBuf,
    /// The number of steps that are done: 0 unless it resumes.
    pub step: u64,
    /// The number of all steps.
    pub steps: u64,
    /// The best validation loss so far.
    pub best_validation: Option<f64>,
}

impl TrainNetwork {
    /// The equivalent command line.
    pub fn command(&self) -> CommandLine {
        let command = CommandLine::new("train").file(&self.config).flag("resume", self.resume);
        let set = |command: CommandLine, setting: &String| command.option("set", setting);
        self.overrides.iter().fold(command, set).maybe("threads", self.threads)
    }

    /// Trains until the end, or until the program stops or `observe` returns `Break`; the training
    /// then writes a checkpoint. The output folder gets the log and checkpoints, and at the end
    /// `float.accrue`, `curves.svg` and `report.html`.
    pub fn run(
        &self,
        context: &Context<'_>,
        observe: &mut dyn FnMut(TrainEvent<'_>) -> ControlFlow<()>,
    ) -> Result<TrainingSummary, PipelineError> {
        let in_file = |error: PipelineError| error.in_file(&self.config);
        let mut overrides = self.overrides.clone();
        overrides.extend(self.threads.map(|threads| format!("data.threads={threads}")));
        let config = Config::read(&self.config, &overrides);
        let config = config.map_err(|error| in_file(error.into()))?;
        let (base, folder) = folders(&self.config, &config);
        let begin = Begin { base, folder: folder.clone(), resume: self.resume };
        let started = Run::start(config, &begin, context.games);
        let Started { mut run, resumed, warnings } =
            started.map_err(|error| in_file(error.into()))?;

        let stop = AtomicBool::new(context.is_stopped());
        let mut report = |event: TrainEvent<'_>| {
            if observe(event).is_break() || context.is_stopped() {
                stop.store(true, Ordering::Relaxed);
            }
        };
        report(TrainEvent::Started(TrainingStart::new(&run, &folder)));
        for warning in &warnings {
            report(TrainEvent::Warning(warning));
        }
        let resumed_at = resumed.as_ref().map(|_| run.progress().step);
        let mut log = TrainingLog::open(&folder, resumed_at, &run)?;
        let began = Instant::now();
        let mut failure = None;
        let outcome = run.drive(&stop, &mut |event| match event {
            TrainingEvent::Step(step) => report(TrainEvent::Step(step)),
            TrainingEvent::Superbatch(superbatch) => match log.superbatch(superbatch) {
                Ok(line) => report(TrainEvent::Superbatch { report: superbatch, line: &line }),
                // The training itself is intact: it ends with a checkpoint.
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    failure.get_or_insert(error);
                }
            },
            TrainingEvent::Checkpoint { step, path } => {
                report(TrainEvent::Checkpoint { step: *step, path });
            }
            TrainingEvent::Warning(warning) => report(TrainEvent::Warning(warning)),
        });
        let outcome = outcome.map_err(|error| in_file(error.into()))?;
        if let Some(error) = failure {
            return Err(error);
        }
        let summary = TrainingSummary::new(&run, outcome, &folder, began);
        if outcome != TrainingOutcome::Stopped {
            results::write(&run, &folder, &summary, &log, context.games)?;
        }
        log.end(summary.step, summary.kind)?;
        Ok(summary)
    }
}

impl TrainingStart {
    fn new(run: &Run, folder: &Path) -> Self {
        Self {
            architecture: run.learner().architecture().to_string(),
            folder: folder.to_owned(),
            step: run.progress().step,
            steps: run.config().steps(),
            best_validation: run.progress().best.map(|best| best.loss),
        }
    }
}

/// The folder that paths of a configuration are relative to, and the output folder.
fn folders(path: &Path, config: &Config) -> (PathBuf, PathBuf) {
    let base = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let folder = match &config.output.folder {
        Some(folder) => base.join(folder),
        None => base.join(path.file_stem().unwrap_or_default()),
    };
    (base, without_parents(&folder))
}

/// The same path without `name/..` in it, for people to read. Where such a name is a link, the path
/// stays as it is.
fn without_parents(path: &Path) -> PathBuf {
    let mut shorter = PathBuf::new();
    for part in path.components() {
        let up = part == Component::ParentDir;
        if up && matches!(shorter.components().next_back(), Some(Component::Normal(_))) {
            if shorter.is_symlink() {
                return path.to_owned();
            }
            shorter.pop();
        } else if part != Component::CurDir {
            shorter.push(part);
        }
    }
    if shorter.as_os_str().is_empty() { PathBuf::from(".") } else { shorter }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_readable() {
        for (path, expected) in [
            ("examples/../runs/1_xor", "runs/1_xor"),
            ("../runs", "../runs"),
            ("a/b/../../c", "c"),
            ("/a/../b", "/b"),
            ("./a/./b", "a/b"),
            ("a/..", "."),
        ] {
            assert_eq!(without_parents(Path::new(path)), Path::new(expected), "{path}");
        }
    }

    #[test]
    fn the_command_line_has_the_settings_that_are_not_the_default() {
        let mut train = TrainNetwork {
            config: "a b.toml".into(),
            overrides: Vec::new(),
            threads: None,
            resume: false,
        };
        assert_eq!(train.command().to_string(), "accrue train 'a b.toml'");
        train.overrides = vec!["schedule.rate=0.1".into(), "output.report=false".into()];
        (train.threads, train.resume) = (Some(2), true);
        assert_eq!(
            train.command().to_string(),
            "accrue train 'a b.toml' --resume --set schedule.rate=0.1 --set output.report=false \
             --threads 2"
        );
    }
}
