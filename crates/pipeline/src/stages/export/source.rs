//! Source of an export: the floats of a checkpoint or of a network file, and their provenance.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use arena::networks::NetworkSource;
use nnue::{Architecture, FileParameters, FloatParameters};
use trainer::{Checkpoint, CheckpointFolder, Config, restored_learner};

use crate::{Context, PipelineError};

/// A trained network.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) architecture: Architecture,
    pub(super) parameters: FloatParameters,
    /// How it was made, for the file that is written.
    pub(super) provenance: String,
}

impl Source {
    /// Reads a checkpoint, the best one of a folder, or a network file.
    pub(super) fn read(path: &Path, context: &Context<'_>) -> Result<Self, PipelineError> {
        let path = if path.is_dir() { best_checkpoint(path)? } else { path.to_owned() };
        if is_checkpoint(&path)? {
            Self::from_checkpoint(&path, context)
        } else {
            Self::from_network(&path, context)
        }
    }

    fn from_checkpoint(path: &Path, context: &Context<'_>) -> Result<Self, PipelineError> {
        let checkpoint = Checkpoint::read(path)?;
        let learner = restored_learner(&checkpoint, context.games)
            .map_err(|error| PipelineError::from(error).cannot("restore", path))?;
        Ok(Self {
            architecture: learner.architecture().clone(),
            parameters: learner.parameters(),
            provenance: provenance(&checkpoint)?,
        })
    }

    fn from_network(path: &Path, context: &Context<'_>) -> Result<Self, PipelineError> {
        let file = context.networks.read_file(&NetworkSource::new(path))?;
        let FileParameters::Float(parameters) = file.parameters() else {
            return Err(PipelineError::AlreadyQuantised { path: path.to_owned() });
        };
        let parameters = parameters.clone();
        let architecture = file.architecture().clone();
        Ok(Self { architecture, parameters, provenance: file.provenance().to_owned() })
    }
}

/// The best checkpoint of a folder, or the newest if there was no validation.
fn best_checkpoint(path: &Path) -> Result<PathBuf, PipelineError> {
    let folder = CheckpointFolder::new(path);
    let best = folder.best();
    if best.is_file() {
        return Ok(best);
    }
    let latest = folder.latest()?;
    let missing = || PipelineError::NoCheckpoint { folder: path.to_owned() };
    latest.map(|latest| latest.path).ok_or_else(missing)
}

fn is_checkpoint(path: &Path) -> Result<bool, PipelineError> {
    let file = File::open(path).map_err(PipelineError::io("open", path))?;
    let mut start = Vec::new();
    file.take(64).read_to_end(&mut start).map_err(PipelineError::io("read", path))?;
    Ok(Checkpoint::is_begun_by(&start))
}

/// The steps of the training and its configuration. Of files only the names are kept: folders of
/// the machine that trained are private.
fn provenance(checkpoint: &Checkpoint) -> Result<String, PipelineError> {
    let progress = checkpoint.progress();
    let mut lines = vec![
        format!("trained by accrue {}", env!("CARGO_PKG_VERSION")),
        format!("{} steps, {} positions", progress.step, progress.positions),
    ];
    if let Some(best) = progress.best {
        lines.push(format!("best validation loss {:.6}, at step {}", best.loss, best.step));
    }
    let mut config = Config::parse(checkpoint.config(), &[])?;
    let files = config.data.files.iter_mut().chain(&mut config.data.validation);
    let init = config.init.network.iter_mut().chain(&mut config.init.accumulator_from);
    for file in files.chain(init) {
        *file = file_name(file);
    }
    config.output.folder = None;
    lines.push(String::new());
    lines.push(config.to_table().to_string());
    Ok(lines.join("\n"))
}

fn file_name(path: &str) -> String {
    Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned()
}
