//! Data generation arguments: the options of `accrue datagen`, and the stage that they describe.

use std::path::PathBuf;

use arena::datagen::{DatagenOptions, Shard};
use arena::{Adjudication, DrawRule, SearchLimits, WinRule};
use clap::ValueEnum;
use pipeline::looping::{KeptPositions, ScoreLimit};
use pipeline::stages::GenerateData;
use search::{SampleKind, SearchMode};

use crate::network::EngineNetworkArgs;

/// Generate training data: an engine plays itself and writes positions with scores and results
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "chess")]
    pub(super) game: String,

    /// The file to write, in the native format; a file that exists is resumed
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,

    /// How many positions to write, all shards together
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    positions: u64,

    /// The seed of all random numbers
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// The part of the work to do, and the number of parts; the first part is 0
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    /// Threads, each playing its own games; all processors by default. They do not change the data
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<usize>,

    #[command(flatten)]
    pub(super) network: EngineNetworkArgs,

    /// Start no further iteration after so many nodes [default: 5000 if there is no other limit]
    #[arg(long, value_name = "N", help_heading = "Search")]
    soft_nodes: Option<u64>,

    /// The maximum number of nodes for each move [default: 20 times the soft limit]
    #[arg(long, value_name = "N", help_heading = "Search")]
    nodes: Option<u64>,

    /// The maximum depth in plies
    #[arg(long, value_name = "PLIES", help_heading = "Search")]
    depth: Option<usize>,

    /// The search mode: classical, learned, seed, or auto (as the engine plays)
    #[arg(long, value_name = "MODE", default_value_t = SearchMode::Classical, help_heading = "Search")]
    mode: SearchMode,

    /// The size of each thread's transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = GenerateData::DEFAULT_HASH, help_heading = "Search")]
    pub(super) hash: usize,

    /// A book of openings: a FEN on each line, or PGN
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    pub(super) openings: Option<PathBuf>,

    /// Random moves before the engine plays, or one more [default: 8; after --openings 4]
    #[arg(long, value_name = "N", help_heading = "Openings")]
    random_plies: Option<usize>,

    /// Skip openings whose score is further from 0 than this; `none` skips none
    #[arg(long, value_name = "CP", default_value = "400", help_heading = "Openings")]
    max_opening_score: ScoreLimit,

    /// A side that is so far ahead wins; `none` plays all games to their end
    #[arg(long, value_name = "CP", default_value = "2000", help_heading = "Adjudication")]
    win_score: ScoreLimit,

    /// For how many moves of both sides
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Adjudication")]
    win_moves: usize,

    /// A game whose scores are this close to 0 is drawn; `none` plays all games to their end
    #[arg(long, value_name = "CP", default_value = "8", help_heading = "Adjudication")]
    draw_score: ScoreLimit,

    /// For how many moves of both sides
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Adjudication")]
    draw_moves: usize,

    /// The first move at which a game can be adjudicated as drawn
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Adjudication")]
    draw_after: usize,

    /// The maximum number of plies; longer games are drawn
    #[arg(long, value_name = "N", default_value_t = 500, help_heading = "Adjudication")]
    max_plies: usize,

    /// Write positions that are filtered out by default
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "Output")]
    keep: Vec<Keep>,

    /// The maximum number of positions of a game, chosen at random; 0 for all
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Output")]
    per_game: usize,

    /// The share of positions to sample from search trees instead of games, up to 0.9
    #[arg(long, value_name = "X", default_value_t = 0.0, help_heading = "Output")]
    tree_share: f64,

    /// Write the scores of searches of these depths too, as in 4,8,12
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "Output")]
    depths: Vec<u8>,

    /// Write samples of the searches instead of positions, as CSV: cut-nodes, late-moves or rfp-nodes;
    /// then --positions is the number of samples
    #[arg(long, value_name = "KIND", help_heading = "Output")]
    pub(super) sample: Option<SampleKind>,

    /// Take one in so many of these [default: 8 cut nodes, 256 late moves, 64 RFP nodes]
    #[arg(long, value_name = "N", requires = "sample", help_heading = "Output", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) sample_every: Option<u64>,

    /// Print one JSON object at the end instead of text
    #[arg(long)]
    pub(super) json: bool,
}

const AFTER_HELP: &str = "\
The same options give the same file, byte for byte, whatever the number of threads and however
often the run was killed and resumed. FILE.manifest.json, written at the end, has counts, checksum
and options. Ctrl-C (or SIGTERM) saves everything and stops; the same command resumes.

Positions in check, positions whose best move is a capture or promotion, and mate scores are
filtered out: a static evaluation cannot learn them. docs/04-data.md has the details, also for job
arrays.

Exit codes: 0 done, 2 bad input, 130 or 143 stopped by a signal.

Examples:
  accrue datagen --out games.data --positions 1000000
  accrue datagen --game hexchess --out hex.data --positions 200000 --soft-nodes 2000 --net hex.accrue
  accrue datagen --out part-$I.data --positions 100000000 --shard $I/64 --seed 7
  accrue datagen --out deep.data --positions 50000 --depths 4,8,12 --per-game 10 --tree-share 0.5
  accrue datagen --out learned.data --positions 1000000 --mode auto
  accrue datagen --out book.data --positions 1000000 --openings book.epd
  accrue datagen --out late.csv --sample late-moves --positions 20000 --mode auto";

/// Positions that are filtered out by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Keep {
    /// In check
    Check,
    /// The best move captures or promotes
    Captures,
    /// The score is a mate score
    Mates,
    /// All of these
    All,
}

impl From<Keep> for KeptPositions {
    fn from(keep: Keep) -> Self {
        match keep {
            Keep::Check => Self::Check,
            Keep::Captures => Self::Captures,
            Keep::Mates => Self::Mates,
            Keep::All => Self::All,
        }
    }
}

impl Args {
    /// The stage that the arguments describe.
    pub(crate) fn stage(&self) -> GenerateData {
        GenerateData {
            game: self.game.clone(),
            net: self.network.source(),
            out: self.out.clone(),
            openings: self.openings.clone(),
            mode: self.mode,
            hash_mib: self.hash,
            threads: self.threads,
            options: self.options(),
        }
    }

    fn options(&self) -> DatagenOptions {
        let kept: Vec<_> = self.keep.iter().copied().map(KeptPositions::from).collect();
        let default_plies = match self.openings {
            Some(_) => GenerateData::RANDOM_PLIES_AFTER_BOOK,
            None => DatagenOptions::default().random_plies,
        };
        let mut depths = self.depths.clone();
        depths.sort_unstable();
        depths.dedup();
        DatagenOptions {
            positions: self.positions,
            seed: self.seed,
            shard: self.shard,
            limits: self.search_limits(),
            random_plies: self.random_plies.unwrap_or(default_plies),
            max_opening_score: self.max_opening_score.0,
            adjudication: self.adjudication(),
            filter: KeptPositions::filter(&kept),
            per_game: self.per_game,
            tree_share: self.tree_share,
            depths,
        }
    }

    fn search_limits(&self) -> SearchLimits {
        let Self { soft_nodes, nodes, depth, .. } = *self;
        let limits = match (soft_nodes, nodes.is_some() || depth.is_some()) {
            (Some(soft), _) => DatagenOptions::soft(soft),
            (None, false) => DatagenOptions::default().limits,
            (None, true) => SearchLimits::default(),
        };
        SearchLimits { nodes: nodes.or(limits.nodes), depth, ..limits }
    }

    fn adjudication(&self) -> Adjudication {
        let win = |score| WinRule { moves: self.win_moves, score, both: true };
        let draw = |score| DrawRule { after: self.draw_after, moves: self.draw_moves, score };
        Adjudication {
            win: self.win_score.0.map(win),
            draw: self.draw_score.0.map(draw),
            max_plies: Some(self.max_plies),
        }
    }
}
