//! Coverage, by what positions have in common.

use std::collections::BTreeMap;

use nnue::QUANTILE_LEVELS;

use super::gauges::coverage;
use super::{Fan, LEVELS, MEDIAN};

/// Fewer positions than this prove nothing about a group.
const ENOUGH: usize = 1000;
/// How far the coverage of everything may be from what it should be.
const TOLERANCE: f64 = 0.02;
/// How far that of a group may be.
const GROUP_TOLERANCE: f64 = 0.04;
/// The last |value| of each group but the last, in centipawns.
const VALUES: [i32; 4] = [50, 150, 400, 1000];

/// What the positions of a group have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Nothing.
    All,
    /// The truth is of a search of that depth.
    Depth(usize),
    /// The number of pieces is in this range.
    Pieces(usize, usize),
    /// The median is so far from 0; the last group has no end.
    Value(i32, Option<i32>),
}

impl std::fmt::Display for Group {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Pieces(first, last) => write!(f, "{first}–{last} pieces"),
            Self::Value(first, Some(last)) => write!(f, "|value| {first}–{last}"),
            Self::Value(first, None) => write!(f, "|value| {first} or more"),
        }
    }
}

impl Group {
    /// Everything, each depth, quarters of a full board, and sizes of the median: those that occur.
    pub fn all(fans: &[Fan]) -> Vec<Self> {
        let mut depths: Vec<usize> = fans.iter().map(|fan| fan.depth).collect();
        depths.sort_unstable();
        depths.dedup();
        let most = fans.iter().map(|fan| fan.pieces).max().unwrap_or(0);
        let pieces = (0..4).map(|quarter| {
            Self::Pieces((most * quarter / 4) + usize::from(quarter > 0), most * (quarter + 1) / 4)
        });
        let begins = std::iter::once(0).chain(VALUES.map(|last| last + 1));
        let ends = VALUES.map(Some).into_iter().chain([None]);
        let values = begins.zip(ends).map(|(first, last)| Self::Value(first, last));
        let groups = std::iter::once(Self::All).chain(depths.into_iter().map(Self::Depth));
        let groups = groups.chain(pieces).chain(values);
        groups.filter(|group| fans.iter().any(|fan| group.has(fan))).collect()
    }

    /// Whether a position belongs to it. Asked of uncorrected quantiles.
    pub fn has(&self, fan: &Fan) -> bool {
        let value = fan.quantiles[MEDIAN].abs();
        match *self {
            Self::All => true,
            Self::Depth(depth) => fan.depth == depth,
            Self::Pieces(first, last) => (first..=last).contains(&fan.pieces),
            Self::Value(first, last) => value >= first && last.is_none_or(|last| value <= last),
        }
    }

    fn tolerance(&self) -> f64 {
        if *self == Self::All { TOLERANCE } else { GROUP_TOLERANCE }
    }
}

/// The coverage of one group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coverage {
    /// How many fans there are.
    pub count: usize,
    /// How many positions, as far as fans tell: those with a score of the commonest depth.
    pub positions: usize,
    /// The share of truths below each quantile.
    pub below: [f64; LEVELS],
    /// Whether any of them is farther from its level than it may be, and there are enough positions to say so.
    pub is_off: bool,
}

impl Coverage {
    /// Of the fans of a group.
    pub fn of<'a>(group: Group, fans: impl Iterator<Item = &'a Fan> + Clone) -> Self {
        let count = fans.clone().count();
        let mut by_depth: BTreeMap<usize, usize> = BTreeMap::new();
        for fan in fans.clone() {
            *by_depth.entry(fan.depth).or_default() += 1;
        }
        let positions = by_depth.into_values().max().unwrap_or(0);
        let below = coverage(fans);
        let off = |(below, level): (&f64, f32)| (below - f64::from(level)).abs();
        let farthest = below.iter().zip(QUANTILE_LEVELS).map(off).fold(0.0, f64::max);
        let is_off = positions >= ENOUGH && farthest > group.tolerance();
        Self { count, positions, below, is_off }
    }

    /// The share of truths between the outer quantiles: 0.8, if they are what they say.
    pub fn between(&self) -> f64 {
        self.below[LEVELS - 1] - self.below[0]
    }
}
