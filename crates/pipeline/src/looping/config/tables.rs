//! Tables of a loop's configuration: what each step reads, with its defaults.

use arena::datagen::DatagenOptions;
use serde::{Deserialize, Serialize};
use toml::Table;
use trainer::export::ErrorBound;

use super::super::settings::{
    CalibrateSettings, ExportBound, ExportSettings, GenerateOptions, KeptPositions, ScoreLimit,
};
use crate::stages::FitSearch;

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

impl LoopCalibration {
    /// The options of the data generation.
    pub(in crate::looping) fn data_options(
        &self,
        seed: u64,
        random_plies: usize,
    ) -> DatagenOptions {
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
