//! What is exported: floats, and where they come from.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use nnue::{Architecture, FileParameters, FloatParameters};
use trainer::{Checkpoint, CheckpointFolder, Config, restored_learner};

use crate::network::ForeignArgs;
use crate::toolkit::Toolkit;

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
    pub(super) fn read(path: &Path, toolkit: &Toolkit) -> anyhow::Result<Self> {
        let path = if path.is_dir() { best_of(path)? } else { path.to_owned() };
        if is_checkpoint(&path)? {
            Self::of_checkpoint(&path, toolkit)
        } else {
            Self::of_network(&path, toolkit)
        }
    }

    fn of_checkpoint(path: &Path, toolkit: &Toolkit) -> anyhow::Result<Self> {
        let checkpoint = Checkpoint::read(path)?;
        let learner = restored_learner(&checkpoint, toolkit.games())
            .with_context(|| format!("cannot restore {}", path.display()))?;
        Ok(Self {
            architecture: learner.architecture().clone(),
            parameters: learner.parameters(),
            provenance: provenance(&checkpoint)?,
        })
    }

    fn of_network(path: &Path, toolkit: &Toolkit) -> anyhow::Result<Self> {
        let file = ForeignArgs::default().read_file(path, toolkit)?;
        let FileParameters::Float(parameters) = file.parameters() else {
            bail!(
                "{} holds integers already: engines read it as it is\nExport takes floats, because integers \
                 cannot be rounded twice without harm",
                path.display()
            );
        };
        let parameters = parameters.clone();
        let architecture = file.architecture().clone();
        Ok(Self { architecture, parameters, provenance: file.provenance().to_owned() })
    }
}

/// The best checkpoint of a folder, or the newest where none was found best.
fn best_of(path: &Path) -> anyhow::Result<PathBuf> {
    let folder = CheckpointFolder::new(path);
    let best = folder.best();
    if best.is_file() {
        return Ok(best);
    }
    let latest = folder.latest()?.with_context(|| {
        format!("{} holds no checkpoint; give the folder of a training, or a file", path.display())
    })?;
    Ok(latest.path)
}

fn is_checkpoint(path: &Path) -> anyhow::Result<bool> {
    let shown = path.display();
    let file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let mut begin = Vec::new();
    file.take(64).read_to_end(&mut begin).with_context(|| format!("cannot read {shown}"))?;
    Ok(Checkpoint::is_begun_by(&begin))
}

/// How far training came, and its configuration. Of files only the names are told: where they lay on somebody's disk
/// is nobody else's business.
fn provenance(checkpoint: &Checkpoint) -> anyhow::Result<String> {
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
        *file = name_of(file);
    }
    config.output.folder = None;
    lines.push(String::new());
    lines.push(config.to_table().to_string());
    Ok(lines.join("\n"))
}

fn name_of(path: &str) -> String {
    Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned()
}
