//! The positions that an export is measured on.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use dataset::{Batch, DecodeOptions, GameList, Loader, LoaderOptions};
use nnue::Architecture;
use trainer::export::random_positions;

/// Which positions.
#[derive(Debug, clap::Args)]
pub(super) struct PositionsArgs {
    /// A data file to take positions from, best one that was not trained on; without it, random play
    #[arg(long, value_name = "FILE")]
    data: Option<PathBuf>,

    /// How many positions to compare on
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = positions)]
    positions: usize,

    /// Chooses the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

fn positions(text: &str) -> Result<usize, String> {
    let count = text.parse().ok().filter(|count| (1..=1_000_000).contains(count));
    count.ok_or_else(|| "expected a whole number from 1 to 1000000".into())
}

/// Positions, and where they come from.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) batch: Batch,
    pub(super) from: String,
}

impl PositionsArgs {
    /// The data file, if there is one.
    pub(super) fn data(&self) -> Option<&Path> {
        self.data.as_deref()
    }

    /// How many positions.
    pub(super) fn count(&self) -> usize {
        self.positions
    }

    /// Positions as a network of that architecture reads them.
    pub(super) fn sample(
        &self,
        architecture: &Architecture,
        games: &GameList,
    ) -> anyhow::Result<Sample> {
        let seed = self.seed;
        match &self.data {
            Some(path) => self.of_data(path, architecture, games),
            None if architecture.features.starts_with("raw:") => bail!(
                "the features of `{}` belong to no game, so there is no play to measure on; \
                 export floats with --float",
                architecture.features
            ),
            None => Ok(Sample {
                batch: random_positions(architecture, self.positions, seed, games)?,
                from: format!("random play (seed {seed})"),
            }),
        }
    }

    fn of_data(
        &self,
        path: &Path,
        architecture: &Architecture,
        games: &GameList,
    ) -> anyhow::Result<Sample> {
        let options = LoaderOptions { seed: self.seed, ..LoaderOptions::default() };
        let game = games.feature_set_shape(&architecture.features)?.game.unwrap_or("no game");
        let mut loader = Loader::open(game, &[path.to_owned()], options)
            .with_context(|| format!("--data: the network is for {game}"))?;
        let form = trainer::policy_form(architecture, games);
        let options = DecodeOptions {
            legal_moves: form.is_some(),
            policy_form: form.unwrap_or_default(),
            ..DecodeOptions::default()
        };
        let decoder = games.decoder(&architecture.features, options)?;
        if decoder.views() != architecture.perspectives.count() {
            bail!(
                "feature set `{}` gives {} views of a position, but the network has {}",
                architecture.features,
                decoder.views(),
                architecture.perspectives.count()
            );
        }
        let count = self.positions.min(usize::try_from(loader.records()).unwrap_or(usize::MAX));
        let chunk = loader.next(count)?;
        let mut batch = Batch::new(decoder.views());
        let decoded = decoder.decode(&chunk, 0..count, &mut batch);
        decoded.with_context(|| format!("--data {}", path.display()))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        Ok(Sample { batch, from: format!("{name} (seed {})", self.seed) })
    }
}
