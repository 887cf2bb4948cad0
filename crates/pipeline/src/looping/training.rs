//! Trainings of a loop: the configurations of the value's training and of the heads'.

use std::fs;
use std::path::Path;

use dataset::{FileInfo, GameList};
use toml::{Table, Value};
use trainer::{
    Config, DataSettings, InitSettings, OutputSettings, ParameterSchedule, ScheduleSettings,
    first_learner,
};

use super::config::{Heads, LoopConfig, Training};
use super::folder::generation_name;
use super::generation::Generation;
use crate::{Context, PipelineError, files};

/// The configurations of the trainings, in the folder of their generation.
pub(super) const VALUE_CONFIG: &str = "train.toml";
pub(super) const HEADS_CONFIG: &str = "heads.toml";

impl LoopConfig {
    /// The configuration of a training on these files, which have about so many positions together,
    /// from the weights of a network or from random ones.
    pub(super) fn train_config(
        &self,
        from: Option<String>,
        files: &[String],
        positions: u64,
        seed: u64,
    ) -> Result<Config, PipelineError> {
        let init = InitSettings { network: from, ..InitSettings::default() };
        let epochs = self.training.epochs;
        self.configure(&self.loss, init, "training", files, epochs, positions, seed)
    }

    /// The configuration of the training of further heads on the accumulator of the first training.
    pub(super) fn heads_config(
        &self,
        heads: &Heads,
        files: &[String],
        positions: u64,
        seed: u64,
    ) -> Result<Config, PipelineError> {
        let init = InitSettings {
            // What passed the gate: the last weights of the training may be others.
            network: Some("net.accrue".to_owned()),
            freeze: vec!["accumulator".to_owned()],
            ..InitSettings::default()
        };
        self.configure(&heads.loss, init, "heads", files, heads.epochs, positions, seed)
    }

    #[expect(clippy::too_many_arguments, reason = "what the two trainings differ by")]
    fn configure(
        &self,
        loss: &Table,
        init: InitSettings,
        folder: &str,
        files: &[String],
        epochs: u64,
        positions: u64,
        seed: u64,
    ) -> Result<Config, PipelineError> {
        let Training { batch_size, held_out, rate, .. } = self.training;
        let learned = (positions as f64 * (1.0 - held_out)) as u64;
        let mut table = Table::new();
        let sections = [
            ("network", &self.network),
            ("target", &self.target),
            ("loss", loss),
            ("optimiser", &self.optimiser),
            ("clip", &self.clip),
        ];
        for (name, section) in sections.into_iter().filter(|(_, section)| !section.is_empty()) {
            table.insert(name.into(), Value::Table(section.clone()));
        }
        Ok(Config {
            data: DataSettings {
                files: files.to_vec(),
                held_out: held_out as f32,
                batch_size: batch_size as usize,
                ..DataSettings::default()
            },
            // TOML has no integers above this.
            init: InitSettings { seed: seed & (u64::MAX >> 1), ..init },
            schedule: ScheduleSettings {
                superbatches: epochs,
                batches_per_superbatch: (learned / batch_size).max(1),
                rate: ParameterSchedule::Cosine { from: rate as f32, to: (rate / 50.0) as f32 },
                ..ScheduleSettings::default()
            },
            output: OutputSettings {
                folder: Some(folder.to_owned()),
                keep: 1,
                ..OutputSettings::default()
            },
            ..Config::from_table(&table)?
        })
    }

    /// The data files of the configuration, and the number of their positions.
    pub(super) fn other_data(
        &self,
        config_path: &Path,
        games: &GameList,
    ) -> Result<(Vec<String>, u64), PipelineError> {
        let base = config_path.parent().unwrap_or(Path::new(""));
        let (mut files, mut positions) = (Vec::new(), 0);
        for file in &self.training.files {
            let path = base.join(file);
            let refuse = |fault: String| PipelineError::field("training.files", fault);
            let found = fs::canonicalize(&path)
                .map_err(|error| refuse(format!("cannot read {}: {error}", path.display())))?;
            let info = FileInfo::open(&found, games).map_err(|error| refuse(error.to_string()))?;
            if info.game != self.game {
                let (path, game) = (path.display(), &self.game);
                return Err(refuse(format!("{path} is of the game {}, not {game}", info.game)));
            }
            positions += info.records;
            let found = found.into_os_string().into_string();
            files.push(found.map_err(|path| refuse(format!("{} is not UTF-8", path.display())))?);
        }
        Ok((files, positions))
    }
}

impl Generation<'_> {
    /// Writes the configurations of the trainings: on the games of the last generations, this one
    /// included.
    pub(super) fn write_configs(&self, context: &Context<'_>) -> Result<(), PipelineError> {
        let path = self.file(VALUE_CONFIG);
        if path.is_file() {
            return Ok(());
        }
        let generate = &self.config.generate;
        let first = self.number.saturating_sub(generate.window - 1).max(1);
        let (mut files, mut positions) = self.config.other_data(self.config_path, context.games)?;
        for number in first..=self.number {
            positions += generate.positions_of(number);
            files.push(match number {
                _ if number == self.number => "games.data".to_owned(),
                _ => format!("../{}/games.data", generation_name(number)),
            });
        }
        if let Some(heads) = &self.config.heads {
            let config = self.config.heads_config(heads, &files, positions, self.seed())?;
            let text = config.to_table().to_string();
            files::replace(&self.file(HEADS_CONFIG), text.as_bytes())?;
        }
        let best = self.config.training.from_best.then(|| self.best_from_here());
        let config = self.config.train_config(best, &files, positions, self.seed())?;
        // A network that does not fit is refused now, not after hours of games.
        first_learner(&config, &self.file(""), context.games)
            .map_err(|error| PipelineError::field("training.from_best", error.to_string()))?;
        files::replace(&path, config.to_table().to_string().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "game = \"connect_four\"\n[generate]\npositions = 10000\n\
        [training]\nbatch_size = 100\nheld_out = 0.0\n\
        [network]\nfeatures = \"connect_four.cells\"\naccumulator = 32\n\
        [target]\nresult_share = 1.0";

    #[test]
    fn trainings_grow_with_the_window() {
        let config: LoopConfig = toml::from_str(TEXT).unwrap();
        let files = ["a.data".to_owned(), "b.data".to_owned()];
        let training = config.train_config(None, &files, 20_000, 7).unwrap();
        assert_eq!(training.schedule.batches_per_superbatch, 200);
        assert_eq!((training.network.accumulator, training.init.seed), (32, 7));
        assert_eq!(training.data.files, files);
        assert_eq!(Config::parse(&training.to_table().to_string(), &[]).unwrap(), training);
    }

    #[test]
    fn heads_are_trained_beside_the_value_on_a_frozen_accumulator() {
        let heads = "[heads]\nepochs = 2\nloss = { value = {}, policy = { weight = 0.1 } }";
        let config: LoopConfig = toml::from_str(&format!("{TEXT}\n{heads}")).unwrap();
        let training = config.heads_config(config.heads.as_ref().unwrap(), &[], 500, 7).unwrap();
        assert_eq!(training.init.network.as_deref(), Some("net.accrue"));
        assert_eq!(training.init.freeze, ["accumulator"]);
        assert_eq!(
            (training.schedule.superbatches, training.output.folder.as_deref()),
            (2, Some("heads"))
        );
        assert!(training.loss.policy.is_some() && training.loss.quantiles.is_none());
        assert!(config.train_config(None, &[], 500, 7).unwrap().loss.policy.is_none());
    }
}
