//! Loop configuration: one TOML file for data generation, training, gate, calibration and fit.

use std::path::{Path, PathBuf};

use arena::datagen::DatagenOptions;
use arena::networks::NetworkSource;
use dataset::GameList;
use serde::{Deserialize, Serialize};
use toml::Table;
use trainer::export::ErrorBound;

use super::settings::{
    CalibrateSettings, ExportBound, ExportSettings, GenerateOptions, KeptPositions, ScoreLimit,
};
use crate::PipelineError;
use crate::stages::{FitSearch, GenerateData};

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

/// Data generation of a loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Generate {
    /// The number of positions of a generation.
    pub positions: u64,
    /// The number of positions of the first generation; each has twice as many as the one before,
    /// up to `positions`.
    pub first: Option<u64>,
    /// The soft node limit of each search.
    pub soft_nodes: u64,
    /// The number of random plies at the start of a game.
    pub random_plies: usize,
    /// Openings with a larger score are skipped.
    pub max_opening_score: ScoreLimit,
    /// The number of generations whose games a network learns from.
    pub window: u64,
    /// The size of each transposition table in MiB.
    pub hash: usize,
    /// Positions that are written although they are filtered out by default.
    pub keep: Vec<KeptPositions>,
    /// Other options of `accrue datagen`, by their names.
    pub options: GenerateOptions,
}

/// Training of a loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Training {
    /// Data files that every network learns from too, relative to the configuration.
    pub files: Vec<String>,
    /// Whether a network starts from the weights of the best so far instead of random ones.
    pub from_best: bool,
    /// The number of epochs.
    pub epochs: u64,
    /// The batch size.
    pub batch_size: u64,
    /// The share of games that are held out.
    pub held_out: f64,
    /// The initial learning rate.
    pub rate: f64,
    /// The maximum error of the export in centipawns, as `"MEAN,MAX"`.
    pub export_bound: ExportBound,
    /// Other options of `accrue export`, by their names.
    pub export_options: ExportSettings,
}

/// Heads that a promoted network learns while its accumulator is frozen, so that they do not
/// compete with the value for it: quantiles and policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Heads {
    /// The number of epochs.
    pub epochs: u64,
    /// The losses of all heads, that of the value included.
    pub loss: Table,
}

/// Calibration of promoted networks, on positions of new games searched to several depths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoopCalibration {
    /// The number of positions.
    pub positions: u64,
    /// The depths of the searches.
    pub depths: Vec<u8>,
    /// The soft node limit of the searches of the games.
    pub soft_nodes: u64,
    /// The maximum number of positions of a game; those of one game have similar errors.
    pub per_game: usize,
    /// Other options of `accrue calibrate`, by their names.
    pub options: CalibrateSettings,
}

/// Fit of the search to promoted networks, from samples of their own searches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LoopFit {
    /// The number of samples of each kind.
    pub count: u64,
    /// The soft node limit of the searches that are sampled.
    pub soft_nodes: u64,
}

/// The match against the best network so far.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Gate {
    /// The lower hypothesis of the SPRT.
    pub elo0: f64,
    /// The upper hypothesis of the SPRT.
    pub elo1: f64,
    /// The error probability of the first kind.
    pub alpha: f64,
    /// The error probability of the second kind.
    pub beta: f64,
    /// The maximum number of games.
    pub games: u64,
    /// The soft node limit of each search.
    pub soft_nodes: u64,
    /// The number of random plies at the start of a game.
    pub random_plies: usize,
}

impl Generate {
    /// The number of positions of a generation. Games of an untrained network are soon outdated, so
    /// the first generations need few.
    pub fn positions_of(&self, generation: u64) -> u64 {
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
            max_opening_score: ScoreLimit(Some(400)),
            window: 8,
            hash: 4,
            keep: Vec::new(),
            options: GenerateOptions::default(),
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
            export_bound: ExportBound(ErrorBound { mean: 15.0, max: 200.0 }),
            export_options: ExportSettings::default(),
        }
    }
}

impl Default for LoopCalibration {
    fn default() -> Self {
        Self {
            positions: 10_000,
            depths: vec![1, 2, 3, 4, 5, 6, 7, 8],
            soft_nodes: 600,
            per_game: 24,
            options: CalibrateSettings::default(),
        }
    }
}

impl Default for LoopFit {
    fn default() -> Self {
        Self { count: FitSearch::COUNT, soft_nodes: FitSearch::SOFT_NODES }
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

impl LoopCalibration {
    /// The options of the data generation.
    pub(super) fn data_options(&self, seed: u64, random_plies: usize) -> DatagenOptions {
        DatagenOptions {
            positions: self.positions,
            seed,
            limits: DatagenOptions::soft(self.soft_nodes),
            random_plies,
            filter: KeptPositions::filter(&[KeptPositions::All]),
            per_game: self.per_game,
            tree_share: 0.5,
            depths: self.depths.clone(),
            ..DatagenOptions::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::connect_four::ConnectFour;

    use super::*;

    fn parse(text: &str) -> Result<LoopConfig, PipelineError> {
        LoopConfig::parse(text, &GameList::new().with::<Chess>().with::<ConnectFour>())
    }

    #[test]
    fn generations_grow_to_their_size() {
        let generate: Generate = toml::from_str("positions = 1000\nfirst = 300").unwrap();
        assert_eq!(
            [1, 2, 3, 70].map(|number| generate.positions_of(number)),
            [300, 600, 1000, 1000]
        );
        let generate: Generate = toml::from_str("positions = 1000").unwrap();
        assert_eq!(generate.positions_of(1), 1000);
    }

    #[test]
    fn options_of_commands_are_passed_on() {
        let text = "game = \"chess\"\n[generate]\nkeep = [\"captures\"]\nmax_opening_score = \"none\"\n\
            [generate.options]\nmode = \"auto\"\nwin-score = \"none\"\ndraw-after = 30\n\
            max-plies = 220\n\
            [training]\nexport_bound = \"20,200\"\nexport_options = { hidden-shift = 7 }";
        let config = parse(text).unwrap();
        let data = config.data(NetworkSource::new("n.accrue"), "g.data".into(), 5000, 3, 2);
        assert_eq!(
            data.command().to_string(),
            "accrue datagen --game chess --net n.accrue --out g.data --positions 5000 \
             --soft-nodes 400 --mode auto --max-opening-score none --win-score none --draw-after 30 \
             --max-plies 220 --keep captures --hash 4 --seed 3 --threads 2"
        );
        assert_eq!(parse(&config.to_toml().unwrap()).unwrap(), config);
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
            ("game = \"chess\"\n[generate]\nwindow = 0".to_owned(), "generate.window"),
            ("game = \"chess\"\n[generate]\nkeep = [\"mate\"]".to_owned(), "mate"),
            ("game = \"chess\"\n[generate.options]\nwin-scor = 3".to_owned(), "win-scor"),
            ("game = \"chess\"\n[generate.options]\nwin-score = \"x\"".to_owned(), "centipawns"),
            ("game = \"chess\"\n[generate.options]\nmode = \"x\"".to_owned(), "a search mode"),
            ("game = \"chess\"\n[generate.options]\npositions = 3".to_owned(), "positions"),
            ("game = \"chess\"\n[generate.options]\ntree-share = 0.1".to_owned(), "at least 512"),
            ("game = \"chess\"\n[training]\nexport_bound = \"x\"".to_owned(), "centipawns"),
            ("game = \"chess\"\n[training.export_options]\nbound = \"x\"".to_owned(), "bound"),
            (
                "game = \"chess\"\n[training.export_options]\nhidden-shift = 17".to_owned(),
                "0 to 16",
            ),
            ("game = \"chess\"\n[calibrate]\npositions = 5".to_owned(), "loss.quantiles"),
            (
                "game = \"chess\"\n[calibrate]\nsoft_nodes = 50\n[loss.quantiles]\n".to_owned(),
                "at least 512",
            ),
            ("game = \"chess\"\n[fit]\ncount = 0".to_owned(), "fit.count"),
            ("game = \"chess\"\n[fit]\nsoft_nodes = 0".to_owned(), "fit.soft_nodes"),
            ("game = \"chess\"\n[fit]\nsoft-nodes = 9".to_owned(), "soft-nodes"),
            ("game = \"chess\"\n[fit]\ncount = \"many\"".to_owned(), "count"),
            ("game = \"chess\"\n[heads]\nepochs = 0\nloss = {}".to_owned(), "heads.epochs"),
            ("game = \"chess\"\n[heads]\nepochs = 1\nloss = { polici = {} }".to_owned(), "polici"),
        ] {
            let error = parse(&text).unwrap_err();
            let mut fault = error.to_string();
            let mut source = std::error::Error::source(&error);
            while let Some(cause) = source {
                fault = format!("{fault}: {cause}");
                source = cause.source();
            }
            assert!(fault.contains(part), "{text}: {fault}");
        }
    }
}
