//! Initial weights: from network files and checkpoints.

use std::fmt::Display;
use std::fs;
use std::path::Path;

use dataset::GameList;
use nnue::{Architecture, FileParameters, FloatParameters, NetworkFile, StockfishFile};

use super::transfer::Donor;
use super::{RunError, restored_learner};
use crate::export::floats_of;
use crate::{Checkpoint, Config, ConfigError, Learner};

/// The accumulator scale of Stockfish's networks.
const STOCKFISH_ONE: f32 = 127.0;

/// Replaces random weights by those of the files in the configuration.
pub(super) fn initialise(
    learner: &mut Learner,
    config: &Config,
    base: &Path,
    games: &GameList,
) -> Result<(), RunError> {
    if let Some(name) = &config.init.network {
        let path = base.join(name);
        let (architecture, weights) = read_weights(&path, games)?;
        let donor = Donor { architecture: &architecture, parameters: &weights };
        let mut parameters = learner.parameters();
        donor
            .put_into(learner.architecture(), &mut parameters)
            .map_err(|fault| wrong("init.network", &path, fault))?;
        learner.set_parameters(&parameters)?;
    }
    if let Some(name) = &config.init.accumulator_from {
        let (weights, bias) = read_accumulator(&base.join(name), learner.architecture())?;
        learner.set_accumulator(&weights, &bias)?;
    }
    Ok(())
}

fn read(setting: &str, path: &Path) -> Result<Vec<u8>, ConfigError> {
    fs::read(path).map_err(|error| {
        ConfigError::value(setting, format!("cannot read {}: {error}", path.display()))
    })
}

fn wrong(setting: &str, path: &Path, fault: impl Display) -> ConfigError {
    ConfigError::value(setting, format!("{}: {fault}", path.display()))
}

/// The weights of a network file or of a checkpoint, in floats.
fn read_weights(
    path: &Path,
    games: &GameList,
) -> Result<(Architecture, FloatParameters), RunError> {
    let setting = "init.network";
    let bytes = read(setting, path)?;
    match NetworkFile::read(&bytes) {
        Ok(file) => Ok((file.architecture().clone(), floats(&file))),
        Err(error) => {
            let checkpoint =
                Checkpoint::from_bytes(bytes).map_err(|_| wrong(setting, path, error))?;
            let learner = restored_learner(&checkpoint, games)?;
            Ok((learner.architecture().clone(), learner.parameters()))
        }
    }
}

fn floats(file: &NetworkFile) -> FloatParameters {
    match file.parameters() {
        FileParameters::Float(parameters) => parameters.clone(),
        FileParameters::Integer(parameters) => floats_of(file.architecture(), parameters),
    }
}

/// The first layer of a network file: its first neurons, at the scale of 1.0.
fn read_accumulator(
    path: &Path,
    architecture: &Architecture,
) -> Result<(Vec<f32>, Vec<f32>), ConfigError> {
    let setting = "init.accumulator_from";
    let bytes = read(setting, path)?;
    let wrong = |fault: String| wrong(setting, path, fault);
    let (features, one, weights, bias) = if let Ok(file) = StockfishFile::read(&bytes) {
        let floats =
            |values: &[i16]| values.iter().map(|&value| f32::from(value)).collect::<Vec<_>>();
        ("chess.halfka-hm".to_owned(), STOCKFISH_ONE, floats(file.weights()), floats(file.bias()))
    } else {
        let file = NetworkFile::read(&bytes).map_err(|error| wrong(error.to_string()))?;
        let FloatParameters { feature_weights, feature_bias, .. } = floats(&file);
        (file.architecture().features.clone(), 1.0, feature_weights, feature_bias)
    };
    if features != architecture.features {
        let fault =
            format!("has the features {features}; the network has {}", architecture.features);
        return Err(wrong(fault));
    }
    let (width, wanted) = (bias.len(), architecture.accumulator.width);
    if width < wanted {
        return Err(wrong(format!("is {width} wide; the network needs {wanted}")));
    }
    let scaled = |values: &[f32]| values.iter().map(|value| value / one).collect::<Vec<_>>();
    let rows = weights.chunks_exact(width);
    Ok((rows.flat_map(|row| scaled(&row[..wanted])).collect(), scaled(&bias[..wanted])))
}
