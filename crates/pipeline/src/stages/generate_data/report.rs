//! Report of a data generation: the contents of the file and the speed.

use arena::datagen::DatagenReport;
use serde::Serialize;

use super::GenerateData;

/// What a data generation did, and what is in its file.
#[derive(Clone, Debug, Serialize)]
pub struct DataReport {
    /// `finished`, `finished before` or `stopped`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// The file.
    pub file: String,
    /// The name of the game.
    pub game: String,
    /// The seed.
    pub seed: u64,
    /// The shard, as in `0/8`.
    pub shard: String,
    /// The number of positions that the file is to have.
    pub wanted: u64,
    /// What is in the file.
    #[serde(flatten)]
    pub contents: DataCounts,
    /// The number of positions that this run added.
    pub positions_now: u64,
    /// The number of threads.
    pub threads: usize,
    /// The time of this run.
    pub seconds: f64,
    /// The speed in positions.
    pub positions_per_second: f64,
    /// The speed in nodes.
    pub nodes_per_second: f64,
    /// The share of the threads' time that was spent in searches.
    pub search_share: f64,
}

/// What is in a data file.
#[derive(Clone, Debug, Serialize)]
pub struct DataCounts {
    /// Positions.
    pub positions: u64,
    /// Positions that were sampled from search trees.
    pub positions_from_trees: u64,
    /// Games.
    pub games: u64,
    /// Games won by White.
    pub white_wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games won by Black.
    pub black_wins: u64,
}

impl DataReport {
    pub(super) fn new(stage: &GenerateData, threads: usize, report: &DatagenReport) -> Self {
        let DatagenReport { contents, before, complete, nodes, search_share, time } = *report;
        let options = &stage.options;
        let seconds = time.as_secs_f64().max(1e-9);
        let positions_now = contents.positions - before.positions;
        let [white_wins, draws, black_wins] = contents.results;
        Self {
            kind: match (complete, positions_now) {
                (true, 0) => "finished before",
                (true, _) => "finished",
                (false, _) => "stopped",
            },
            file: stage.out.display().to_string(),
            game: stage.game.clone(),
            seed: options.seed,
            shard: options.shard.to_string(),
            wanted: options.shard.share(options.positions),
            contents: DataCounts {
                positions: contents.positions,
                positions_from_trees: contents.from_trees,
                games: contents.games,
                white_wins,
                draws,
                black_wins,
            },
            positions_now,
            threads,
            seconds,
            positions_per_second: positions_now as f64 / seconds,
            nodes_per_second: nodes as f64 / seconds,
            search_share,
        }
    }

    /// Whether the file has all its positions.
    pub fn is_complete(&self) -> bool {
        self.kind != "stopped"
    }
}
