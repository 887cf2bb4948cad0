//! Training results: the summary of a run, its network in floats, curves and report.

use std::path::{Path, PathBuf};
use std::time::Instant;

use dataset::GameList;
use nnue::NetworkFile;
use report::Picture;
use report::neurons::NeuronSelection;
use report::training::{TrainingReport, curves};
use serde::Serialize;
use trainer::{CheckpointFolder, Run, TrainingOutcome};

use crate::stages::neurons::neuron_boards;
use crate::stages::training_log::TrainingLog;
use crate::{PipelineError, files};

const FLOAT: &str = "float.accrue";
const REPORT: &str = "report.html";

/// The result of a training.
#[derive(Clone, Debug, Serialize)]
pub struct TrainingSummary {
    /// How it ended.
    #[serde(skip)]
    pub outcome: TrainingOutcome,
    /// The same as text: `finished`, `stopped early` or `stopped`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The network.
    pub architecture: String,
    /// The number of its parameters.
    pub parameters: usize,
    /// The number of threads.
    pub threads: usize,
    /// The number of steps that are done.
    pub step: u64,
    /// The number of all steps.
    pub steps: u64,
    /// The number of positions of these steps.
    pub positions: u64,
    /// The duration of this run.
    pub seconds: f64,
    /// The best validation loss.
    pub best_validation: Option<f64>,
    /// The step of the best validation loss.
    pub best_step: Option<u64>,
    /// The newest checkpoint.
    pub checkpoint: String,
    /// The folder of all files.
    pub folder: String,
}

impl TrainingSummary {
    pub(super) fn new(run: &Run, outcome: TrainingOutcome, folder: &Path, began: Instant) -> Self {
        let progress = run.progress();
        let architecture = run.learner().architecture();
        Self {
            outcome,
            kind: match outcome {
                TrainingOutcome::Finished => "finished",
                TrainingOutcome::StoppedEarly => "stopped early",
                TrainingOutcome::Stopped => "stopped",
            },
            architecture: architecture.to_string(),
            parameters: architecture.parameters(),
            threads: run.learner().threads(),
            step: progress.step,
            steps: run.config().steps(),
            positions: progress.positions,
            seconds: began.elapsed().as_secs_f64(),
            best_validation: progress.best.map(|best| best.loss),
            best_step: progress.best.map(|best| best.step),
            checkpoint: CheckpointFolder::new(folder).file(progress.step).display().to_string(),
            folder: folder.display().to_string(),
        }
    }

    /// Whether it was stopped before its end.
    pub fn is_stopped(&self) -> bool {
        self.outcome == TrainingOutcome::Stopped
    }

    /// The trained network, in floats.
    pub fn float_network(&self) -> PathBuf {
        Path::new(&self.folder).join(FLOAT)
    }

    /// The report. It exists unless `output.report` is false.
    pub fn report(&self) -> PathBuf {
        Path::new(&self.folder).join(REPORT)
    }
}

/// Writes the results of a finished training: the network, curves and a report.
pub(super) fn write(
    run: &Run,
    folder: &Path,
    summary: &TrainingSummary,
    log: &TrainingLog,
    games: &GameList,
) -> Result<(), PipelineError> {
    let learner = run.learner();
    let version = env!("CARGO_PKG_VERSION");
    let (steps, positions) = (summary.step, summary.positions);
    let provenance = format!("trained by accrue {version}: {steps} steps, {positions} positions");
    let path = folder.join(FLOAT);
    let network =
        NetworkFile::new(learner.architecture().clone(), learner.parameters(), provenance, None)
            .map_err(|error| PipelineError::from(error).cannot("write", &path))?;
    files::replace(&path, &network.write())?;
    if !run.config().output.report {
        return Ok(());
    }
    let superbatches = log.superbatches()?;
    let curves = Picture::stack(&curves(&superbatches)).standalone();
    files::replace(&folder.join("curves.svg"), curves.as_bytes())?;
    let page = TrainingReport {
        architecture: summary.architecture.clone(),
        ended: summary.kind.to_owned(),
        parameters: summary.parameters,
        step: summary.step,
        steps: summary.steps,
        positions: summary.positions,
        threads: summary.threads,
        best_validation: summary.best_validation.zip(summary.best_step),
        head_losses: log.last_head_losses()?,
        superbatches,
        neurons: neurons(run, games),
        config: run.config().to_commented_toml(),
    };
    files::replace(&folder.join(REPORT), page.html().as_bytes())
}

/// The weights of some neurons; none where the features have no places on a board.
fn neurons(run: &Run, games: &GameList) -> Option<Picture> {
    let architecture = run.learner().architecture();
    let weights = run.learner().parameters().feature_weights;
    let selection = NeuronSelection::default();
    let boards = neuron_boards(architecture, &weights, &selection, games).ok()?;
    Some(boards.picture("network", &architecture.to_string()))
}
