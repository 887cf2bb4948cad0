//! Weights to start from.

use std::fs;
use std::path::Path;

use nnue::{Architecture, FileParameters, NetworkFile, StockfishFile};

use super::{RunError, restored_learner};
use crate::{Checkpoint, Config, ConfigError, Learner};

/// Accumulator values that are 1.0 in Stockfish's networks.
const STOCKFISH_ONE: f32 = 127.0;

/// Replaces random weights by those that the configuration names.
pub(super) fn initialise(
    learner: &mut Learner,
    config: &Config,
    base: &Path,
) -> Result<(), RunError> {
    if let Some(name) = &config.init.network {
        let path = base.join(name);
        let parameters = read_weights(&path, learner.architecture())?;
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

/// Float weights of a network file or of a checkpoint.
fn read_weights(
    path: &Path,
    architecture: &Architecture,
) -> Result<nnue::FloatParameters, RunError> {
    let setting = "init.network";
    let wrong = |fault: String| ConfigError::value(setting, format!("{}: {fault}", path.display()));
    let bytes = read(setting, path)?;
    let (found, parameters) = match NetworkFile::read(&bytes) {
        Ok(file) => match file.parameters() {
            FileParameters::Float(parameters) => (file.architecture().clone(), parameters.clone()),
            FileParameters::Integer(_) => {
                let fault = "is quantised; start from a checkpoint or from the float network";
                return Err(wrong(fault.to_owned()).into());
            }
        },
        Err(error) => {
            let checkpoint = Checkpoint::from_bytes(bytes).map_err(|_| wrong(error.to_string()))?;
            let learner = restored_learner(&checkpoint)?;
            (learner.architecture().clone(), learner.parameters())
        }
    };
    if found == *architecture {
        return Ok(parameters);
    }
    Err(wrong(format!("is the network {found}; the configuration describes {architecture}")).into())
}

/// The first layer of a network file: its first neurons, in units of 1.0.
fn read_accumulator(
    path: &Path,
    architecture: &Architecture,
) -> Result<(Vec<f32>, Vec<f32>), ConfigError> {
    let setting = "init.accumulator_from";
    let bytes = read(setting, path)?;
    let wrong = |fault: String| ConfigError::value(setting, format!("{}: {fault}", path.display()));
    let (features, one, weights, bias) = if let Ok(file) = StockfishFile::read(&bytes) {
        let floats =
            |values: &[i16]| values.iter().map(|&value| f32::from(value)).collect::<Vec<_>>();
        ("chess.halfka-hm".to_owned(), STOCKFISH_ONE, floats(file.weights()), floats(file.bias()))
    } else {
        let file = NetworkFile::read(&bytes).map_err(|error| wrong(error.to_string()))?;
        let features = file.architecture().features.clone();
        match file.parameters() {
            FileParameters::Float(parameters) => {
                (features, 1.0, parameters.feature_weights.clone(), parameters.feature_bias.clone())
            }
            FileParameters::Integer(parameters) => {
                let floats =
                    |values: &[i16]| values.iter().map(|&value| f32::from(value)).collect();
                let one = f32::from(file.architecture().scales.accumulator);
                (
                    features,
                    one,
                    floats(&parameters.feature_weights),
                    floats(&parameters.feature_bias),
                )
            }
        }
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
