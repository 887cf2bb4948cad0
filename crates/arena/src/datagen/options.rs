//! Data generation options.

use std::fmt;
use std::str::FromStr;

use dataset::Filter;

use super::DatagenError;
use crate::{Adjudication, DrawRule, SearchLimits, WinRule};

/// One of several runs that share the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The index, from 0.
    pub index: u32,
    /// The number of shards.
    pub count: u32,
}

impl Shard {
    /// All of the work.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// The share of `total` of this shard: the first shards get one more if it does not divide
    /// evenly.
    pub fn share(self, total: u64) -> u64 {
        let (index, count) = (u64::from(self.index), u64::from(self.count));
        total / count + u64::from(index < total % count)
    }

    /// The number, over all shards, of game `game` of this shard. No two shards have a number in
    /// common.
    pub fn global(self, game: u64) -> u64 {
        game * u64::from(self.count) + u64::from(self.index)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl FromStr for Shard {
    type Err = DatagenError;

    fn from_str(text: &str) -> Result<Self, DatagenError> {
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        numbers
            .filter(|&(index, count)| index < count)
            .map(|(index, count)| Self { index, count })
            .ok_or_else(|| DatagenError::Option {
                name: "the shard",
                value: format!("`{text}`"),
                expected: "I/N with I from 0 to N-1, such as 0/8",
            })
    }
}

/// The options of data generation.
#[derive(Clone, Debug, PartialEq)]
pub struct DatagenOptions {
    /// The number of positions of all shards together.
    pub positions: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The part of the work.
    pub shard: Shard,
    /// The limits of each search. Limits that depend on the clock are refused.
    pub limits: SearchLimits,
    /// The number of random moves before the engine plays. A random half of the games has one more.
    pub random_plies: usize,
    /// The maximum absolute score of an opening in centipawns, by the first search of the engine.
    pub max_opening_score: Option<i32>,
    /// The games that end by adjudication.
    pub adjudication: Adjudication,
    /// The positions that are not written.
    pub filter: Filter,
    /// The maximum number of positions of a game, chosen at random; 0 for all.
    pub per_game: usize,
    /// The share of positions that come from search trees instead of games; below 1.
    pub tree_share: f64,
    /// The depths whose scores are written too, ascending. None by default, because they are
    /// expensive.
    pub depths: Vec<u8>,
}

impl Default for DatagenOptions {
    fn default() -> Self {
        Self {
            positions: 1_000_000,
            seed: 1,
            shard: Shard::WHOLE,
            limits: Self::soft(5000),
            random_plies: 8,
            max_opening_score: Some(400),
            adjudication: Adjudication {
                win: Some(WinRule { moves: 3, score: 2000, both: true }),
                draw: Some(DrawRule { after: 40, moves: 8, score: 8 }),
                max_plies: Some(500),
            },
            filter: Filter { in_check: true, captures: true, mates: true, ..Filter::default() },
            per_game: 0,
            tree_share: 0.0,
            depths: Vec::new(),
        }
    }
}

/// The hard node limit as a multiple of the soft limit.
const HARD: u64 = 20;

impl DatagenOptions {
    /// A soft limit: no iteration starts after that many nodes. An iteration that explodes is
    /// stopped by a hard limit.
    pub fn soft(nodes: u64) -> SearchLimits {
        let hard = nodes.saturating_mul(HARD);
        SearchLimits { soft_nodes: Some(nodes), nodes: Some(hard), ..SearchLimits::default() }
    }

    /// Refuses invalid options.
    pub fn check(&self) -> Result<(), DatagenError> {
        let refuse =
            |name, value: String, expected| Err(DatagenError::Option { name, value, expected });
        let SearchLimits { depth, nodes, soft_nodes, movetime, time } = self.limits;
        if self.positions == 0 {
            return refuse("the number of positions", "0".into(), "at least 1");
        }
        if movetime.is_some() || time.is_some() {
            let expected = "depth, nodes or soft nodes: limits by the clock are not reproducible";
            return refuse("the limit of a search", "a time".into(), expected);
        }
        let limits = [depth.map(|depth| depth as u64), nodes, soft_nodes];
        if limits.iter().all(Option::is_none) || limits.contains(&Some(0)) {
            return refuse("the limit of a search", "none, or 0".into(), "at least 1 node or ply");
        }
        if self.random_plies > MAX_RANDOM_PLIES {
            let value = self.random_plies.to_string();
            return refuse("the number of random plies", value, "at most 200");
        }
        self.check_trees(nodes.into_iter().chain(soft_nodes).min())?;
        let ascending = self.depths.is_sorted_by(|a, b| a < b);
        if !ascending || self.depths.first() == Some(&0) || self.depths.len() > MAX_DEPTHS {
            let value = format!("{:?}", self.depths);
            return refuse("the depths", value, "up to 32 of them, ascending, from 1 to 200");
        }
        if self.depths.last().is_some_and(|&depth| depth > MAX_DEPTH) {
            return refuse("the depths", format!("{:?}", self.depths), "none above 200");
        }
        Ok(())
    }

    /// Searches that are too small sample no positions.
    fn check_trees(&self, nodes: Option<u64>) -> Result<(), DatagenError> {
        let share = self.tree_share;
        if !(0.0..=MAX_TREE_SHARE).contains(&share) {
            let expected = "a number from 0 to 0.9";
            return Err(DatagenError::Option {
                name: "the share from search trees",
                value: share.to_string(),
                expected,
            });
        }
        if share > 0.0 && nodes.is_some_and(|nodes| nodes < 2 * search::SAMPLE_EVERY) {
            return Err(DatagenError::Option {
                name: "the limit of a search",
                value: format!("{} positions", nodes.unwrap_or(0)),
                expected: "at least 512 for positions from search trees",
            });
        }
        Ok(())
    }

    /// Everything that determines the content of the file, by name. Excludes the number of threads.
    pub fn identity(&self) -> Vec<(&'static str, String)> {
        let Self { positions, seed, shard, limits, random_plies, .. } = self;
        let or_none = |value: Option<String>| value.unwrap_or_else(|| "none".to_owned());
        let number = |value: Option<u64>| or_none(value.map(|value| value.to_string()));
        let Adjudication { win, draw, max_plies } = self.adjudication;
        let win = win.map(|WinRule { moves, score, both }| {
            let who = if both { "both" } else { "the loser" };
            format!("{score} for {moves} moves of {who}")
        });
        let draw = draw.map(|DrawRule { after, moves, score }| {
            format!("{score} for {moves} moves after {after}")
        });
        let Filter { in_check, captures, mates, .. } = self.filter;
        let skipped = [(in_check, "check"), (captures, "captures"), (mates, "mates")];
        let skipped: Vec<_> = skipped.iter().filter(|pair| pair.0).map(|pair| pair.1).collect();
        let depths: Vec<_> = self.depths.iter().map(u8::to_string).collect();
        vec![
            ("positions", positions.to_string()),
            ("seed", seed.to_string()),
            ("shard", shard.to_string()),
            ("depth", number(limits.depth.map(|depth| depth as u64))),
            ("nodes", number(limits.nodes)),
            ("soft-nodes", number(limits.soft_nodes)),
            ("random-plies", random_plies.to_string()),
            ("max-opening-score", or_none(self.max_opening_score.map(|score| score.to_string()))),
            ("win", or_none(win)),
            ("draw", or_none(draw)),
            ("max-plies", number(max_plies.map(|plies| plies as u64))),
            ("skips", if skipped.is_empty() { "nothing".into() } else { skipped.join(" ") }),
            ("per-game", self.per_game.to_string()),
            ("tree-share", self.tree_share.to_string()),
            ("depths", if depths.is_empty() { "none".into() } else { depths.join(",") }),
        ]
    }
}

/// The maximum share from search trees, which are only searched while games are played.
const MAX_TREE_SHARE: f64 = 0.9;
/// The maximum number of random moves; random games are shorter.
const MAX_RANDOM_PLIES: usize = 200;
/// The maximum depth for `--depths`: it fits a record, and takes longer than practical.
const MAX_DEPTH: u8 = 200;
/// The maximum number of depths: a record has 255 bytes.
const MAX_DEPTHS: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_share_everything_and_nothing_twice() {
        for (total, count) in [(10, 3), (7, 7), (2, 5), (1_000_003, 64)] {
            let shards = (0..count).map(|index| Shard { index, count });
            assert_eq!(shards.clone().map(|shard| shard.share(total)).sum::<u64>(), total);
            let mut games: Vec<_> =
                shards.flat_map(|shard| (0..5).map(move |game| shard.global(game))).collect();
            games.sort_unstable();
            assert!(games.into_iter().eq(0..5 * u64::from(count)));
        }
    }

    #[test]
    fn shards_are_read_and_written() {
        assert_eq!("3/8".parse::<Shard>().unwrap(), Shard { index: 3, count: 8 });
        assert_eq!(Shard { index: 3, count: 8 }.to_string(), "3/8");
        for wrong in ["", "1", "8/8", "-1/8", "0/0", "1/2/3", "a/b", "1 / 2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let with = |change: fn(&mut DatagenOptions)| {
            let mut options = DatagenOptions::default();
            change(&mut options);
            options.check()
        };
        assert!(with(|_| {}).is_ok());
        assert!(with(|options| options.positions = 0).is_err());
        assert!(with(|options| options.limits = SearchLimits::default()).is_err());
        assert!(with(|options| options.limits = DatagenOptions::soft(0)).is_err());
        assert!(with(|options| options.limits.movetime = Some(std::time::Duration::ZERO)).is_err());
        assert!(with(|options| options.random_plies = 1000).is_err());
        assert!(with(|options| options.tree_share = 0.5).is_ok());
        assert!(with(|options| options.tree_share = 1.0).is_err());
        assert!(with(|options| options.tree_share = f64::NAN).is_err());
        let small = |options: &mut DatagenOptions| {
            (options.tree_share, options.limits) = (0.5, DatagenOptions::soft(300));
        };
        assert!(with(small).is_err());
        assert!(with(|options| options.depths = vec![4, 8, 12]).is_ok());
        assert!(with(|options| options.depths = vec![8, 4]).is_err());
        assert!(with(|options| options.depths = vec![0, 4]).is_err());
        assert!(with(|options| options.depths = vec![201]).is_err());
    }
}
