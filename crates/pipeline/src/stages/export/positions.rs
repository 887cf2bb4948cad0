//! Positions that the error of an export is measured on: of a data file or of random play.

use std::path::Path;

use dataset::{Batch, DecodeOptions, GameList, Loader, LoaderOptions};
use nnue::Architecture;
use trainer::export::random_positions;

use super::ExportNetwork;
use crate::PipelineError;

/// Positions, and where they come from.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) batch: Batch,
    pub(super) from: String,
}

impl ExportNetwork {
    /// Positions as the inputs of a network of that architecture.
    pub(super) fn sample(
        &self,
        architecture: &Architecture,
        games: &GameList,
    ) -> Result<Sample, PipelineError> {
        let seed = self.seed;
        match &self.data {
            Some(path) => self.sample_data(path, architecture, games),
            None if architecture.features.starts_with("raw:") => {
                Err(PipelineError::NoRandomPlay { features: architecture.features.clone() })
            }
            None => Ok(Sample {
                batch: random_positions(architecture, self.positions, seed, games)?,
                from: format!("random play (seed {seed})"),
            }),
        }
    }

    fn sample_data(
        &self,
        path: &Path,
        architecture: &Architecture,
        games: &GameList,
    ) -> Result<Sample, PipelineError> {
        let options = LoaderOptions { seed: self.seed, ..LoaderOptions::default() };
        let game = games.feature_set_shape(&architecture.features)?.game.unwrap_or("no game");
        let mut loader = Loader::open(game, &[path.to_owned()], options)
            .map_err(|source| PipelineError::DataOfNetwork { game: game.to_owned(), source })?;
        let form = trainer::policy_form(architecture, games);
        let options = DecodeOptions {
            legal_moves: form.is_some(),
            policy_form: form.unwrap_or_default(),
            ..DecodeOptions::default()
        };
        let decoder = games.decoder(&architecture.features, options)?;
        if decoder.perspectives() != architecture.perspectives.count() {
            return Err(PipelineError::Refused(format!(
                "feature set `{}` has {} perspectives, but the network has {}",
                architecture.features,
                decoder.perspectives(),
                architecture.perspectives.count()
            )));
        }
        let count = self.positions.min(usize::try_from(loader.records()).unwrap_or(usize::MAX));
        let chunk = loader.next(count)?;
        let mut batch = Batch::new(decoder.perspectives());
        let decoded = decoder.decode(&chunk, 0..count, &mut batch);
        decoded.map_err(|error| PipelineError::from(error).in_file(path))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Sample { batch, from: format!("{name} (seed {})", self.seed) })
    }
}
