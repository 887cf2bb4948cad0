//! Random positions of a network's game, to measure a quantisation on if there is no data.

use dataset::{Batch, GameList, RandomPlay};
use nnue::Architecture;

use super::ExportError;

/// Positions of random play as batches for the network's feature set. The same seed gives the same
/// positions.
pub fn random_positions(
    architecture: &Architecture,
    count: usize,
    seed: u64,
    games: &GameList,
) -> Result<Batch, ExportError> {
    let name = &architecture.features;
    let set = games.feature_set_shape(name)?.size;
    if set != architecture.inputs {
        let (name, network) = (name.clone(), architecture.inputs);
        return Err(ExportError::Inputs { name, set, network });
    }
    let policy = crate::policy_form(architecture, games);
    Ok(games.random_positions(name, RandomPlay { count, seed, policy })?)
}
