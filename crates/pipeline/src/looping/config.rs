//! Loop configuration: one TOML file for data generation, training, gate, calibration and fit.

mod tables;

use std::path::{Path, PathBuf};

use arena::datagen::DatagenOptions;
use arena::networks::NetworkSource;
use dataset::GameList;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::settings::KeptPositions;
use crate::PipelineError;
use crate::stages::GenerateData;
pub use tables::{Gate, Generate, Heads, LoopCalibration, LoopFit, Training};

/// All settings. Those of the network and of what it learns are the tables of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoopConfig {
    /// The name of the game.
    pub game: String,
    /// `random`, `material` or a network file, relative to the configuration.
    #[serde(default = "random")]
    pub start: String,
    /// The folder, relative to the configuration; by default its name without `.toml`.
    pub folder: Option<String>,
    /// The seed of all random numbers.
    #[serde(default = "one")]
    pub seed: u64,
    /// The number of threads; 0 for all processors.
    #[serde(default)]
    pub threads: usize,
    /// The niceness of the process, 0 to 19.
    #[serde(default)]
    pub nice: i32,
    /// The pause between generations in seconds.
    #[serde(default)]
    pub pause: f64,
    /// The number of generations to stop after; 0 for never.
    #[serde(default)]
    pub generations: u64,
    /// Data generation.
    #[serde(default)]
    pub generate: Generate,
    /// Training.
    #[serde(default)]
    pub training: Training,
    /// The match that decides on a promotion.
    #[serde(default)]
    pub gate: Gate,
    /// Heads that only promoted networks learn.
    pub heads: Option<Heads>,
    /// Calibration of promoted networks.
    pub calibrate: Option<LoopCalibration>,
    /// Fit of the search to promoted networks.
    pub fit: Option<LoopFit>,
    /// The table `network` of the training.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub network: Table,
    /// The table `target` of the training.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub target: Table,
    /// The table `loss` of the training.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub loss: Table,
    /// The table `optimiser` of the training.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub optimiser: Table,
    /// The table `clip` of the training.
    #[serde(default, skip_serializing_if = "Table::is_empty")]
    pub clip: Table,
}

fn random() -> String {
    "random".into()
}

fn one() -> u64 {
    1
}

impl LoopConfig {
    /// The default settings of a game.
    pub fn new(game: impl Into<String>) -> Self {
        Self {
            game: game.into(),
            start: random(),
            folder: None,
            seed: 1,
            threads: 0,
            nice: 0,
            pause: 0.0,
            generations: 0,
            generate: Generate::default(),
            training: Training::default(),
            gate: Gate::default(),
            heads: None,
            calibrate: None,
            fit: None,
            network: Table::new(),
            target: Table::new(),
            loss: Table::new(),
            optimiser: Table::new(),
            clip: Table::new(),
        }
    }

    /// Reads and checks a file.
    pub fn read(path: &Path, games: &GameList) -> Result<Self, PipelineError> {
        let text = std::fs::read_to_string(path).map_err(PipelineError::io("read", path))?;
        Self::parse(&text, games).map_err(|error| error.in_file(path))
    }

    /// Reads and checks a text.
    pub fn parse(text: &str, games: &GameList) -> Result<Self, PipelineError> {
        let config: Self = toml::from_str(text).map_err(|error| PipelineError::syntax(&error))?;
        config.check(games)?;
        Ok(config)
    }

    /// The settings as text.
    pub fn to_toml(&self) -> Result<String, PipelineError> {
        toml::to_string(self)
            .map_err(|error| PipelineError::field("the configuration", error.to_string()))
    }

    fn check(&self, games: &GameList) -> Result<(), PipelineError> {
        let Self { game, generate, training, gate, nice, pause, .. } = self;
        let refuse = |field: &str, fault: String| Err(PipelineError::field(field, fault));
        games.find(game).map_err(|error| PipelineError::field("game", error.to_string()))?;
        for (field, value) in [
            ("generate.positions", generate.positions),
            ("generate.first", generate.positions_of(1)),
            ("generate.window", generate.window),
            ("training.epochs", training.epochs),
            ("training.batch_size", training.batch_size),
            ("fit.count", self.fit.as_ref().map_or(1, |fit| fit.count)),
            ("fit.soft_nodes", self.fit.as_ref().map_or(1, |fit| fit.soft_nodes)),
            ("heads.epochs", self.heads.as_ref().map_or(1, |heads| heads.epochs)),
        ] {
            if value == 0 {
                return refuse(field, "is 0; expected 1 or more".to_owned());
            }
        }
        if gate.games == 0 || !gate.games.is_multiple_of(2) {
            return refuse(
                "gate.games",
                format!("{} is not an even number, 2 or more", gate.games),
            );
        }
        if !(0..=19).contains(nice) {
            return refuse("nice", format!("is {nice}; expected 0 to 19"));
        }
        if !(0.0..=1e9).contains(pause) {
            return refuse("pause", format!("is {pause}; expected seconds, 0 or more"));
        }
        let data = self.data(NetworkSource::new("NET"), "FILE".into(), generate.positions, 1, 1);
        data.options.check().map_err(|error| PipelineError::in_field("generate", error))?;
        training.export_options.check()?;
        self.check_calibration()?;
        if let Some(heads) = &self.heads {
            let config = self.heads_config(heads, &[], 0, 1);
            config.map_err(|error| PipelineError::in_field("heads", error))?;
        }
        let features = self.train_config(None, &[], 0, 1)?.architecture(games)?.features.clone();
        if features.split('.').next() != Some(game) {
            return refuse("network.features", format!("`{features}` is not of the game {game}"));
        }
        Ok(())
    }

    fn check_calibration(&self) -> Result<(), PipelineError> {
        let Some(calibrate) = &self.calibrate else { return Ok(()) };
        if calibrate.positions == 0 || calibrate.depths.is_empty() {
            let fault = "`positions` cannot be 0, `depths` cannot be empty";
            return Err(PipelineError::field("calibrate", fault));
        }
        let options = calibrate.data_options(1, 8);
        options.check().map_err(|error| PipelineError::in_field("calibrate", error))?;
        let loss = self.heads.as_ref().map_or(&self.loss, |heads| &heads.loss);
        if !loss.contains_key("quantiles") {
            let fault = "the network has no quantiles to calibrate; loss.quantiles adds them";
            return Err(PipelineError::field("calibrate", fault));
        }
        Ok(())
    }

    /// The stage that plays the games of a generation.
    pub(super) fn data(
        &self,
        net: NetworkSource,
        out: PathBuf,
        positions: u64,
        seed: u64,
        threads: usize,
    ) -> GenerateData {
        let Generate { soft_nodes, random_plies, max_opening_score, hash, keep, options, .. } =
            &self.generate;
        options.apply(GenerateData {
            net: Some(net),
            hash_mib: *hash,
            threads: Some(threads),
            options: DatagenOptions {
                positions,
                seed,
                limits: DatagenOptions::soft(*soft_nodes),
                random_plies: *random_plies,
                max_opening_score: max_opening_score.0,
                filter: KeptPositions::filter(keep),
                ..DatagenOptions::default()
            },
            ..GenerateData::new(&self.game, out)
        })
    }

    /// The folder of the loop.
    pub fn folder(&self, path: &Path) -> PathBuf {
        let base = path.parent().unwrap_or(Path::new(""));
        match &self.folder {
            Some(folder) => base.join(folder),
            None => base.join(path.file_stem().unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests;
