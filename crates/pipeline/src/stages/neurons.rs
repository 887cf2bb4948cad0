//! Neuron pictures: the weights of accumulator neurons on the board of a network's game.

use std::path::Path;

use dataset::GameList;
use nnue::{Architecture, FileParameters, NetworkFile};
use report::Picture;
use report::neurons::{FirstLayer, NeuronBoards, NeuronSelection};

use crate::PipelineError;

/// Neurons of a network: `weights` are those of its first layer, `[feature][neuron]`.
pub fn neuron_boards(
    architecture: &Architecture,
    weights: &[f32],
    selection: &NeuronSelection,
    games: &GameList,
) -> Result<NeuronBoards, PipelineError> {
    let shape = games.feature_set_shape(&architecture.features)?;
    let Some(game) = games.of_features(&shape.name) else {
        return Err(PipelineError::Refused(format!(
            "the features of `{}` belong to no game, so there is no board",
            shape.name
        )));
    };
    if shape.size != architecture.inputs {
        return Err(PipelineError::Refused(format!(
            "it has {} inputs, but `{}` has {}",
            architecture.inputs, shape.name, shape.size
        )));
    }
    let (places, geometry) = (game.feature_places(&shape.name)?, game.geometry());
    let width = architecture.accumulator.width;
    let layer = FirstLayer { geometry: &geometry, places: &places, weights, width };
    Ok(NeuronBoards::new(&layer, selection)?)
}

/// Neurons of the network in a file, and their picture.
pub fn draw_network(
    path: &Path,
    file: &NetworkFile,
    selection: &NeuronSelection,
    games: &GameList,
) -> Result<(NeuronBoards, Picture), PipelineError> {
    let one = f32::from(file.architecture().scales.accumulator);
    let weights: Vec<f32> = match file.parameters() {
        FileParameters::Float(parameters) => parameters.feature_weights.clone(),
        FileParameters::Integer(parameters) => {
            parameters.feature_weights.iter().map(|&weight| f32::from(weight) / one).collect()
        }
    };
    let boards = neuron_boards(file.architecture(), &weights, selection, games)
        .map_err(|error| error.cannot("draw", path))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let picture = boards.picture(&name, &file.architecture().to_string());
    Ok((boards, picture))
}
