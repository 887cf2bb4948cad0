//! The configuration of a loop.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use games::ToolkitGame;
use serde::Deserialize;
use toml::Table;

use crate::step::Step;
use crate::{calibrate, datagen, export};
use dataset::GameList;

/// All settings. Those of the network and of what it learns are the tables of a training.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LoopConfig {
    pub(super) game: String,
    /// `random`, `material` or a network file, relative to the configuration.
    #[serde(default = "random")]
    pub(super) start: String,
    /// Relative to the configuration; its name without .toml if unset.
    folder: Option<String>,
    #[serde(default = "one")]
    pub(super) seed: u64,
    /// 0 for all processors.
    #[serde(default)]
    pub(super) threads: usize,
    #[serde(default)]
    pub(super) nice: i32,
    /// Seconds between generations.
    #[serde(default)]
    pub(super) pause: f64,
    /// When to stop; 0 for never.
    #[serde(default)]
    pub(super) generations: u64,
    #[serde(default)]
    pub(super) generate: Generate,
    #[serde(default)]
    pub(super) training: Training,
    #[serde(default)]
    pub(super) gate: Gate,
    pub(super) heads: Option<Heads>,
    pub(super) calibrate: Option<Calibrate>,
    #[serde(default)]
    pub(super) network: Table,
    #[serde(default)]
    pub(super) target: Table,
    #[serde(default)]
    pub(super) loss: Table,
    #[serde(default)]
    pub(super) optimiser: Table,
    #[serde(default)]
    pub(super) clip: Table,
}

/// How games are played.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Generate {
    pub(super) positions: u64,
    /// What the first generation has; each has twice as many as the last, up to `positions`.
    first: Option<u64>,
    pub(super) soft_nodes: u64,
    pub(super) random_plies: usize,
    pub(super) max_opening_score: String,
    /// Of how many generations a network learns.
    pub(super) window: u64,
    /// In MiB.
    pub(super) hash: usize,
    /// Which positions are written that are left out otherwise.
    pub(super) keep: Vec<String>,
    /// Other options of `accrue datagen`, by their names.
    pub(super) options: Table,
}

/// How networks learn.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Training {
    /// Games from elsewhere that every network learns from too, relative to the configuration: those that the one it
    /// began with learnt from, for example.
    pub(super) files: Vec<String>,
    /// Whether a network begins with the weights of the best so far instead of random ones.
    pub(super) from_best: bool,
    /// How often each position is seen.
    pub(super) epochs: u64,
    pub(super) batch_size: u64,
    pub(super) held_out: f64,
    pub(super) rate: f64,
    /// The largest error of the export, in centipawns: on average, and at most.
    pub(super) export_bound: String,
    /// Other options of `accrue export`, by their names.
    pub(super) export_options: Table,
}

/// What a network that was promoted learns besides, its first layer kept as it is: quantiles and policy, which would
/// have taken that layer from the value.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Heads {
    /// How often each position is seen.
    pub(super) epochs: u64,
    /// The losses of all heads, the value among them.
    pub(super) loss: Table,
}

/// How the quantiles of a network that was promoted are corrected: by positions of new games, searched to several depths.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Calibrate {
    pub(super) positions: u64,
    pub(super) depths: Vec<u8>,
    pub(super) soft_nodes: u64,
    /// How many positions of a game at most: those of one game err alike.
    pub(super) per_game: u64,
    /// Other options of `accrue calibrate`, by their names.
    pub(super) options: Table,
}

/// What a network must show to be promoted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Gate {
    pub(super) elo0: f64,
    pub(super) elo1: f64,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    /// The most games.
    pub(super) games: u64,
    pub(super) soft_nodes: u64,
    pub(super) random_plies: usize,
}

impl Generate {
    /// How many positions a generation plays. Games without knowledge are soon outdated: few of them are enough to begin with.
    pub(super) fn positions_of(&self, generation: u64) -> u64 {
        let doubled = |first: u64| {
            let doublings = generation.saturating_sub(1).min(63);
            first.saturating_mul(1 << doublings)
        };
        self.first.map_or(self.positions, |first| doubled(first).min(self.positions))
    }
}

impl Default for Generate {
    fn default() -> Self {
        Self {
            positions: 200_000,
            first: None,
            soft_nodes: 400,
            random_plies: 8,
            max_opening_score: "400".into(),
            window: 8,
            hash: 4,
            keep: Vec::new(),
            options: Table::new(),
        }
    }
}

impl Default for Training {
    fn default() -> Self {
        Self {
            files: Vec::new(),
            from_best: false,
            epochs: 12,
            batch_size: 4096,
            held_out: 0.05,
            rate: 0.002,
            export_bound: "15,200".into(),
            export_options: Table::new(),
        }
    }
}

impl Calibrate {
    /// What makes the positions.
    pub(super) fn games(&self) -> Step {
        let depths: Vec<_> = self.depths.iter().map(u8::to_string).collect();
        Step::new("datagen --tree-share 0.5 --keep all")
            .option("per-game", self.per_game)
            .option("positions", self.positions)
            .option("depths", depths.join(","))
            .option("soft-nodes", self.soft_nodes)
    }
}

impl Default for Calibrate {
    fn default() -> Self {
        Self {
            positions: 10_000,
            depths: vec![1, 2, 3, 4, 5, 6, 7, 8],
            soft_nodes: 600,
            per_game: 24,
            options: Table::new(),
        }
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self {
            elo0: 0.0,
            elo1: 20.0,
            alpha: 0.05,
            beta: 0.05,
            games: 1000,
            soft_nodes: 400,
            random_plies: 8,
        }
    }
}

fn random() -> String {
    "random".into()
}

fn one() -> u64 {
    1
}

impl LoopConfig {
    /// Reads and checks a file.
    pub(super) fn read(path: &Path, games: &GameList) -> anyhow::Result<Self> {
        let shown = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {shown}"))?;
        let config: Self = toml::from_str(&text).with_context(|| format!("{shown}"))?;
        config.check(games).with_context(|| format!("{shown}"))?;
        Ok(config)
    }

    fn check(&self, games: &GameList) -> anyhow::Result<()> {
        let Self { game, generate, training, gate, nice, pause, .. } = self;
        games.find(game).context("game")?;
        if [generate.positions, generate.window, generate.positions_of(1)].contains(&0) {
            bail!("generate: `positions`, `first` and `window` cannot be 0");
        }
        if training.epochs == 0 || training.batch_size == 0 {
            bail!("training: `epochs` and `batch_size` cannot be 0");
        }
        if gate.games == 0 || !gate.games.is_multiple_of(2) {
            bail!("gate.games: {} is not an even number, 2 or more", gate.games);
        }
        if !(0..=19).contains(nice) {
            bail!("nice: expected 0 to 19, not {nice}");
        }
        if !(0.0..=1e9).contains(pause) {
            bail!("pause: expected seconds, 0 or more, not {pause}");
        }
        self.check_options()?;
        if let Some(heads) = &self.heads {
            if heads.epochs == 0 {
                bail!("heads.epochs cannot be 0");
            }
            self.train_heads(heads, &[], 0, 1).context("heads")?;
        }
        let features = self.train(None, &[], 0, 1)?.architecture(games)?.features.clone();
        if features.split('.').next() != Some(game) {
            bail!("network.features: `{features}` is not of the game {game}");
        }
        Ok(())
    }

    /// Asks the commands whether they know the options that are only passed on.
    fn check_options(&self) -> anyhow::Result<()> {
        let games = self.games("NET", "FILE", self.generate.positions, 1, 1);
        games.args::<datagen::Args>()?.options().check().context("generate")?;
        let export = Step::new("export FOLDER --out FILE --data FILE --bound 1,1")
            .options(&self.training.export_options);
        export.args::<export::Args>().context("training.export_options")?;
        if let Some(calibrate) = &self.calibrate {
            let step = Step::new("calibrate NET --data FILE").options(&calibrate.options);
            step.args::<calibrate::Args>().context("calibrate.options")?;
            if calibrate.positions == 0 || calibrate.depths.is_empty() {
                bail!("calibrate: `positions` cannot be 0, `depths` cannot be empty");
            }
            let games = calibrate.games().option("out", "FILE");
            games.args::<datagen::Args>()?.options().check().context("calibrate")?;
            let loss = self.heads.as_ref().map_or(&self.loss, |heads| &heads.loss);
            if !loss.contains_key("quantiles") {
                bail!(
                    "calibrate: the network has no quantiles to correct; loss.quantiles adds them"
                );
            }
        }
        Ok(())
    }

    /// What plays the games of a generation.
    pub(super) fn games(
        &self,
        net: impl Display,
        out: impl Display,
        positions: u64,
        seed: u64,
        threads: usize,
    ) -> Step {
        let Generate { soft_nodes, random_plies, max_opening_score, hash, keep, options, .. } =
            &self.generate;
        let step = Step::new("datagen")
            .option("game", &self.game)
            .option("net", net)
            .option("out", out)
            .option("positions", positions)
            .option("soft-nodes", soft_nodes)
            .option("random-plies", random_plies)
            .option("max-opening-score", max_opening_score)
            .option("hash", hash)
            .option("seed", seed)
            .option("threads", threads)
            .options(options);
        if keep.is_empty() { step } else { step.option("keep", keep.join(",")) }
    }

    /// Refuses another game than the one that the loop was begun with.
    pub(super) fn check_game<G: ToolkitGame>(&self, path: &Path) -> anyhow::Result<()> {
        if self.game != G::NAME {
            bail!("{}: the game was {}; it cannot become {}", path.display(), G::NAME, self.game);
        }
        Ok(())
    }

    /// The folder of the loop.
    pub(super) fn folder(&self, path: &Path) -> PathBuf {
        let base = path.parent().unwrap_or(Path::new(""));
        match &self.folder {
            Some(folder) => base.join(folder),
            None => base.join(path.file_stem().unwrap_or_default()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toolkit::Toolkit;

    fn parse(text: &str) -> anyhow::Result<LoopConfig> {
        let config: LoopConfig = toml::from_str(text)?;
        config.check(Toolkit::new().with_builtin_games().games())?;
        Ok(config)
    }

    #[test]
    fn generations_grow_to_their_size() {
        let text = "positions = 1000\nfirst = 300";
        let generate: Generate = toml::from_str(text).unwrap();
        assert_eq!(
            [1, 2, 3, 70].map(|number| generate.positions_of(number)),
            [300, 600, 1000, 1000]
        );
        let generate: Generate = toml::from_str("positions = 1000").unwrap();
        assert_eq!(generate.positions_of(1), 1000);
    }

    #[test]
    fn mistakes_are_named() {
        let network = "[network]\nfeatures = \"connect_four.cells\"";
        for (text, part) in [
            ("game = \"go\"".to_owned(), "no game is called `go`"),
            ("game = \"chess\"\nspeed = 3".to_owned(), "speed"),
            (format!("game = \"chess\"\n{network}"), "not of the game chess"),
            ("game = \"chess\"\n[gate]\ngames = 3".to_owned(), "gate.games"),
            ("game = \"chess\"\nnice = 20".to_owned(), "nice"),
            ("game = \"chess\"\n[network]\nacumulator = 3".to_owned(), "acumulator"),
            ("game = \"chess\"\n[generate]\nwindow = 0".to_owned(), "window"),
            ("game = \"chess\"\n[generate.options]\nwin-scor = 3".to_owned(), "win-scor"),
            ("game = \"chess\"\n[generate.options]\npositions = 3".to_owned(), "--positions"),
            ("game = \"chess\"\n[generate.options]\ntree-share = 0.1".to_owned(), "at least 512"),
            ("game = \"chess\"\n[training.export_options]\nbound = \"x\"".to_owned(), "bound"),
            ("game = \"chess\"\n[calibrate]\npositions = 5".to_owned(), "loss.quantiles"),
            (
                "game = \"chess\"\n[calibrate]\nsoft_nodes = 50\n[loss.quantiles]\n".to_owned(),
                "at least 512",
            ),
            ("game = \"chess\"\n[heads]\nepochs = 0\nloss = {}".to_owned(), "heads.epochs"),
            ("game = \"chess\"\n[heads]\nepochs = 1\nloss = { polici = {} }".to_owned(), "polici"),
        ] {
            let fault = format!("{:#}", parse(&text).unwrap_err());
            assert!(fault.contains(part), "{fault}");
        }
    }
}
