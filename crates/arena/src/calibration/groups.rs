//! Coverage groups: positions by depth, number of pieces and size of the median.

use std::collections::BTreeMap;

use nnue::QUANTILE_LEVELS;

use super::metrics::coverage;
use super::{LEVELS, MEDIAN, QuantileSample};

/// The minimum number of positions for a group to be called off.
const MIN_POSITIONS: usize = 1000;
/// How far the coverage of all positions may be from its level.
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
    /// The target is of a search of that depth.
    Depth(usize),
    /// The number of pieces is in this range.
    Pieces(usize, usize),
    /// The absolute median is in this range; the last group has no end.
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
    pub fn all(samples: &[QuantileSample]) -> Vec<Self> {
        let mut depths: Vec<usize> = samples.iter().map(|sample| sample.depth).collect();
        depths.sort_unstable();
        depths.dedup();
        let max = samples.iter().map(|sample| sample.pieces).max().unwrap_or(0);
        let pieces = (0..4).map(|quarter| {
            Self::Pieces((max * quarter / 4) + usize::from(quarter > 0), max * (quarter + 1) / 4)
        });
        let begins = std::iter::once(0).chain(VALUES.map(|last| last + 1));
        let ends = VALUES.map(Some).into_iter().chain([None]);
        let values = begins.zip(ends).map(|(first, last)| Self::Value(first, last));
        let groups = std::iter::once(Self::All).chain(depths.into_iter().map(Self::Depth));
        let groups = groups.chain(pieces).chain(values);
        groups.filter(|group| samples.iter().any(|sample| group.has(sample))).collect()
    }

    /// Whether the position of a sample with uncalibrated quantiles belongs to it.
    pub fn has(&self, sample: &QuantileSample) -> bool {
        let value = sample.quantiles[MEDIAN].abs();
        match *self {
            Self::All => true,
            Self::Depth(depth) => sample.depth == depth,
            Self::Pieces(first, last) => (first..=last).contains(&sample.pieces),
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
    /// The number of samples.
    pub count: usize,
    /// The number of positions: of samples of the most frequent depth.
    pub positions: usize,
    /// The share of targets below each quantile.
    pub below: [f64; LEVELS],
    /// Whether one of them is farther from its level than it may be, on enough positions.
    pub is_off: bool,
}

impl Coverage {
    /// The coverage of the samples of a group.
    pub fn of<'a>(group: Group, samples: impl Iterator<Item = &'a QuantileSample> + Clone) -> Self {
        let count = samples.clone().count();
        let mut by_depth: BTreeMap<usize, usize> = BTreeMap::new();
        for sample in samples.clone() {
            *by_depth.entry(sample.depth).or_default() += 1;
        }
        let positions = by_depth.into_values().max().unwrap_or(0);
        let below = coverage(samples);
        let off = |(below, level): (&f64, f32)| (below - f64::from(level)).abs();
        let farthest = below.iter().zip(QUANTILE_LEVELS).map(off).fold(0.0, f64::max);
        let is_off = positions >= MIN_POSITIONS && farthest > group.tolerance();
        Self { count, positions, below, is_off }
    }

    /// The share of targets between the outer quantiles; its level is 0.8.
    pub fn between(&self) -> f64 {
        self.below[LEVELS - 1] - self.below[0]
    }
}
