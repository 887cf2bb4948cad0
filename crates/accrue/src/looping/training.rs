//! The trainings of a loop.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use dataset::{FileInfo, GameList};
use toml::{Table, Value};
use trainer::{Config, first_learner};

use super::config::{Heads, LoopConfig, Training};
use super::generation::Generation;
use super::place::folder_name;
use pipeline::files;

/// The configurations of the trainings, in the folder of their generation.
pub(super) const SETTINGS_OF_VALUE: &str = "train.toml";
pub(super) const SETTINGS_OF_HEADS: &str = "heads.toml";

impl LoopConfig {
    /// The configuration of a training on these files, which have about so many positions together, from the weights
    /// of a network or from random ones.
    pub(super) fn train(
        &self,
        from: Option<String>,
        files: &[String],
        positions: u64,
        seed: u64,
    ) -> anyhow::Result<Config> {
        let epochs = self.training.epochs;
        let init = from.map(|network| ("network".to_owned(), Value::String(network)));
        let init = init.into_iter().collect();
        self.configure("training", &self.loss, epochs, &init, files, positions, seed)
    }

    /// The same for what that training's network learns besides.
    pub(super) fn train_heads(
        &self,
        heads: &Heads,
        files: &[String],
        positions: u64,
        seed: u64,
    ) -> anyhow::Result<Config> {
        let init = toml::toml! {
            network = "training/float.accrue"
            freeze = ["accumulator"]
        };
        self.configure("heads", &heads.loss, heads.epochs, &init, files, positions, seed)
    }

    /// Games from elsewhere, and how many positions they have.
    pub(super) fn other_games(
        &self,
        config_path: &Path,
        games: &GameList,
    ) -> anyhow::Result<(Vec<String>, u64)> {
        let base = config_path.parent().unwrap_or(Path::new(""));
        let (mut files, mut positions) = (Vec::new(), 0);
        for file in &self.training.files {
            let path = base.join(file);
            let place = fs::canonicalize(&path);
            let place =
                place.with_context(|| format!("training.files: cannot read {}", path.display()))?;
            let info = FileInfo::open(&place, games).context("training.files")?;
            if info.game != self.game {
                let (path, game) = (path.display(), &self.game);
                bail!("training.files: {path} is of the game {}, not {game}", info.game);
            }
            positions += info.records;
            let place = place.into_os_string().into_string();
            files
                .push(place.map_err(|place| {
                    anyhow!("training.files: {} is not UTF-8", place.display())
                })?);
        }
        Ok((files, positions))
    }

    #[expect(clippy::too_many_arguments, reason = "what the two trainings differ by")]
    fn configure(
        &self,
        folder: &str,
        loss: &Table,
        epochs: u64,
        init: &Table,
        files: &[String],
        positions: u64,
        seed: u64,
    ) -> anyhow::Result<Config> {
        let Training { batch_size, held_out, rate, .. } = self.training;
        let learnt = (positions as f64 * (1.0 - held_out)) as u64;
        let mut table = Table::new();
        let parts = [
            ("network", &self.network),
            ("target", &self.target),
            ("loss", loss),
            ("optimiser", &self.optimiser),
            ("clip", &self.clip),
        ];
        for (name, part) in parts.into_iter().filter(|(_, part)| !part.is_empty()) {
            table.insert(name.into(), Value::Table(part.clone()));
        }
        let files: Vec<_> = files.iter().map(|file| format!("{file:?}")).collect();
        let rest: Table = format!(
            "data = {{ files = [{}], held_out = {held_out:?}, batch_size = {batch_size} }}
             output = {{ folder = {folder:?}, keep = 1 }}
             [init]
             seed = {}
             {init}
             [schedule]
             superbatches = {epochs}
             batches_per_superbatch = {}
             rate = {{ kind = \"cosine\", from = {rate:?}, to = {:?} }}",
            files.join(", "),
            seed & (u64::MAX >> 1),
            (learnt / batch_size).max(1),
            rate / 50.0,
        )
        .parse()
        .context("the settings of the training")?;
        table.extend(rest);
        Ok(Config::parse(&table.to_string(), &[])?)
    }
}

impl Generation<'_> {
    /// Writes the configurations of the trainings: the games of the last generations, this one's included.
    pub(super) fn write_training(&self) -> anyhow::Result<()> {
        let path = self.file(SETTINGS_OF_VALUE);
        if path.is_file() {
            return Ok(());
        }
        let generate = &self.config.generate;
        let first = self.number.saturating_sub(generate.window - 1).max(1);
        let (mut files, mut positions) =
            self.config.other_games(self.config_path, self.toolkit.games())?;
        for number in first..=self.number {
            positions += generate.positions_of(number);
            files.push(match number {
                _ if number == self.number => "games.data".to_owned(),
                _ => format!("../{}/games.data", folder_name(number)),
            });
        }
        if let Some(heads) = &self.config.heads {
            let config = self.config.train_heads(heads, &files, positions, self.seed())?;
            files::replace(
                &self.file(SETTINGS_OF_HEADS),
                config.to_table().to_string().as_bytes(),
            )?;
        }
        let best = self.config.training.from_best.then(|| self.best_from_here());
        let config = self.config.train(best, &files, positions, self.seed())?;
        // Not after hours of games.
        first_learner(&config, &self.file(""), self.toolkit.games())
            .context("training.from_best")?;
        Ok(files::replace(&path, config.to_table().to_string().as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "game = \"connect_four\"\n[generate]\npositions = 10000\n[training]\nbatch_size = 100\nheld_out = 0.0\n\
        [network]\nfeatures = \"connect_four.cells\"\naccumulator = 32\n[target]\nresult_share = 1.0";

    #[test]
    fn trainings_grow_with_the_window() {
        let config: LoopConfig = toml::from_str(TEXT).unwrap();
        let files = ["a.data".to_owned(), "b.data".to_owned()];
        let training = config.train(None, &files, 20_000, 7).unwrap();
        assert_eq!(training.schedule.batches_per_superbatch, 200);
        assert_eq!((training.network.accumulator, training.init.seed), (32, 7));
        assert_eq!(training.data.files, files);
    }

    #[test]
    fn heads_are_learnt_beside_the_value_on_its_first_layer() {
        let heads = "[heads]\nepochs = 2\nloss = { value = {}, policy = { weight = 0.1 } }";
        let config: LoopConfig = toml::from_str(&format!("{TEXT}\n{heads}")).unwrap();
        let training = config.train_heads(config.heads.as_ref().unwrap(), &[], 500, 7).unwrap();
        assert_eq!(training.init.network.as_deref(), Some("training/float.accrue"));
        assert_eq!(training.init.freeze, ["accumulator"]);
        assert_eq!(
            (training.schedule.superbatches, training.output.folder.as_deref()),
            (2, Some("heads"))
        );
        assert!(training.loss.policy.is_some() && training.loss.quantiles.is_none());
        assert!(config.train(None, &[], 500, 7).unwrap().loss.policy.is_none());
    }
}
