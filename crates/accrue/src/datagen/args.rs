//! The options of `accrue datagen`.

use std::path::PathBuf;

use arena::datagen::{DatagenOptions, Shard};
use arena::{Adjudication, DrawRule, SearchLimits, WinRule};
use clap::ValueEnum;
use dataset::Filter;

use crate::network::EngineNetworkArgs;

/// Let an engine play itself and write down what it thought: training data
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "chess")]
    pub(super) game: String,

    /// The file to write, in the native format; one that is there already is gone on with
    #[arg(long, value_name = "FILE")]
    pub(super) out: PathBuf,

    /// How many positions to write, all shards together
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    positions: u64,

    /// What all random numbers follow from
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    seed: u64,

    /// Which part of the work to do, of how many; the first part is 0
    #[arg(long, value_name = "I/N", default_value_t = Shard::WHOLE)]
    shard: Shard,

    /// Threads, each playing games of its own; all processors by default. They do not change the data
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<usize>,

    #[command(flatten)]
    pub(super) network: EngineNetworkArgs,

    /// Begin no further depth after that many positions [default: 5000 if there is no other limit]
    #[arg(long, value_name = "N", help_heading = "Search")]
    soft_nodes: Option<u64>,

    /// Look at that many positions for each move, no more [default: 20 times the soft limit]
    #[arg(long, value_name = "N", help_heading = "Search")]
    nodes: Option<u64>,

    /// Look that many plies ahead
    #[arg(long, value_name = "PLIES", help_heading = "Search")]
    depth: Option<usize>,

    /// The size of each thread's table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 8, help_heading = "Search")]
    pub(super) hash: usize,

    /// Begin with the positions of this file, a FEN on each line, or with its games if it is PGN
    #[arg(long, value_name = "FILE", help_heading = "Openings")]
    pub(super) openings: Option<PathBuf>,

    /// Random moves before the engine plays, or one more [default: 8; after --openings 4]
    #[arg(long, value_name = "N", help_heading = "Openings")]
    random_plies: Option<usize>,

    /// Take no opening whose score is further from 0 than this; `none` takes all
    #[arg(long, value_name = "CP", default_value = "400", value_parser = or_none, help_heading = "Openings")]
    max_opening_score: Limit,

    /// A side that is so far ahead has won; `none` plays all games to their end
    #[arg(long, value_name = "CP", default_value = "2000", value_parser = or_none, help_heading = "Adjudication")]
    win_score: Limit,

    /// For how many moves of both sides
    #[arg(long, value_name = "N", default_value_t = 3, help_heading = "Adjudication")]
    win_moves: usize,

    /// A game whose scores are so near to 0 is drawn; `none` plays all games to their end
    #[arg(long, value_name = "CP", default_value = "8", value_parser = or_none, help_heading = "Adjudication")]
    draw_score: Limit,

    /// For how many moves of both sides
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Adjudication")]
    draw_moves: usize,

    /// But not before this move
    #[arg(long, value_name = "N", default_value_t = 40, help_heading = "Adjudication")]
    draw_after: usize,

    /// Games of so many plies are drawn
    #[arg(long, value_name = "N", default_value_t = 500, help_heading = "Adjudication")]
    max_plies: usize,

    /// Write such positions too, which are left out otherwise
    #[arg(long, value_name = "WHAT", value_delimiter = ',', help_heading = "What is written")]
    keep: Vec<Keep>,

    /// Write at most so many positions of a game, chosen at random; 0 writes all
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "What is written")]
    per_game: usize,

    /// The share of positions to take not from games but from inside their searches, up to 0.9
    #[arg(long, value_name = "X", default_value_t = 0.0, help_heading = "What is written")]
    tree_share: f64,

    /// Write the scores of these depths too, each position searched afresh, as in 4,8,12
    #[arg(long, value_name = "LIST", value_delimiter = ',', help_heading = "What is written")]
    depths: Vec<u8>,

    /// Print one JSON object at the end instead of text
    #[arg(long)]
    pub(super) json: bool,
}

const AFTER_HELP: &str = "\
The same options give the same file, byte for byte, whatever the number of threads and however often the run was killed
and begun again. FILE.manifest.json, written at the end, has counts, checksum and options. Ctrl-C (or SIGTERM) saves
everything and stops; the same command goes on from there, and says so if there is nothing left to do.

Left out are positions in check, those whose best move captures or promotes, and scores that announce a mate: nothing
that a network can learn to value at a glance. docs/04-data.md tells more, also about job arrays.

Exit codes: as always, and 130 or 143 if a signal stopped it.

Examples:
  accrue datagen --out games.data --positions 1000000
  accrue datagen --game hexchess --out hex.data --positions 200000 --soft-nodes 2000 --net hex.accrue
  accrue datagen --out part-$I.data --positions 100000000 --shard $I/64 --seed 7
  accrue datagen --out deep.data --positions 50000 --depths 4,8,12 --per-game 10 --tree-share 0.5
  accrue datagen --out book.data --positions 1000000 --openings book.epd";

/// Positions that are left out unless asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Keep {
    /// In check
    Check,
    /// The best move captures or promotes
    Captures,
    /// The score announces a mate
    Mates,
    /// All of these
    All,
}

/// A limit in centipawns, or none.
#[derive(Clone, Copy, Debug)]
struct Limit(Option<i32>);

fn or_none(text: &str) -> Result<Limit, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    let number = text.parse().ok().filter(|&number: &i32| number >= 0);
    number.map(|number| Limit(Some(number))).ok_or_else(|| "expected centipawns or `none`".into())
}

impl Args {
    /// What the arena is to do.
    pub(crate) fn options(&self) -> DatagenOptions {
        let keeps = |what| self.keep.iter().any(|&keep| keep == what || keep == Keep::All);
        let mut depths = self.depths.clone();
        depths.sort_unstable();
        depths.dedup();
        DatagenOptions {
            positions: self.positions,
            seed: self.seed,
            shard: self.shard,
            limits: self.limits(),
            random_plies: self.random_plies.unwrap_or(if self.openings.is_some() { 4 } else { 8 }),
            max_opening_score: self.max_opening_score.0,
            adjudication: self.adjudication(),
            filter: Filter {
                in_check: !keeps(Keep::Check),
                captures: !keeps(Keep::Captures),
                mates: !keeps(Keep::Mates),
                ..Filter::default()
            },
            per_game: self.per_game,
            tree_share: self.tree_share,
            depths,
        }
    }

    fn limits(&self) -> SearchLimits {
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
