//! Reliability: the score that an evaluation expects beside the score that games end with.

use crate::Picture;
use crate::chart::{Axis, Chart, Point, Series, Tone};

/// Positions with similar expected scores.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ReliabilityBin {
    /// How many positions.
    pub positions: u64,
    /// The mean expected score of the side to move, from 0 to 1.
    pub expected: f64,
    /// The mean score of its games, from 0 to 1.
    pub score: f64,
}

/// How many parts the expected score is divided into.
const BINS: usize = 10;
/// Bins with fewer positions are mostly chance and are left out.
const MIN_POSITIONS: u64 = 20;

/// Sums of positions, by expected score in tenths.
///
/// ```
/// use report::quickstart::ReliabilityBins;
///
/// let mut bins = ReliabilityBins::default();
/// bins.add(0.72, 1.0);
/// bins.add(0.78, 0.5);
/// let bins = bins.means();
/// assert_eq!((bins[7].positions, bins[7].expected, bins[7].score), (2, 0.75, 0.75));
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReliabilityBins([ReliabilityBin; BINS]);

impl ReliabilityBins {
    /// Counts a position by the score that was expected, and the score of its game.
    pub fn add(&mut self, expected: f64, score: f64) {
        let bin = &mut self.0[((expected * BINS as f64) as usize).min(BINS - 1)];
        bin.positions += 1;
        bin.expected += expected;
        bin.score += score;
    }

    /// The mean of each bin.
    pub fn means(&self) -> Vec<ReliabilityBin> {
        let mean = |bin: &ReliabilityBin| {
            let count = bin.positions.max(1) as f64;
            ReliabilityBin { expected: bin.expected / count, score: bin.score / count, ..*bin }
        };
        self.0.iter().map(mean).collect()
    }
}

/// The chart of expected and actual scores.
pub fn reliability_chart(bins: &[ReliabilityBin]) -> Picture {
    let bins = || bins.iter().filter(|bin| bin.positions >= MIN_POSITIONS);
    let most = bins().map(|bin| bin.positions).max().unwrap_or(1) as f64;
    let dot = |bin: &ReliabilityBin| {
        let ReliabilityBin { positions, expected, score } = *bin;
        let radius = 3.0 + 7.0 * (positions as f64 / most).sqrt();
        let (percent, expected_percent) = (100.0 * score, 100.0 * expected);
        Point::new(expected, score).radius(radius as f32).tooltip(format!(
            "{positions} positions: expected {expected_percent:.1} %, scored {percent:.1} %"
        ))
    };
    let diagonal = [Point::new(0.0, 0.0), Point::new(1.0, 1.0)];
    let (x, y) = (Axis::new("expected score").percent(), Axis::new("mean score").percent());
    Chart::new("Expected and actual score", x, y)
        .series(Series::reference("reliable", Tone::Gray, diagonal))
        .series(Series::dots("positions", Tone::Blue, bins().map(dot)))
        .size(480.0, 440.0)
        .picture()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_with_enough_positions_are_drawn() {
        let full = ReliabilityBin { positions: 100, expected: 0.25, score: 0.5 };
        let few = ReliabilityBin { positions: 3, expected: 1.0, score: 1.0 };
        let svg = reliability_chart(&[full, few]).standalone();
        // One of them is that of the legend.
        assert_eq!(svg.matches("class=\"dot\"").count(), 2);
        assert!(svg.contains("100 positions: expected 25.0 %, scored 50.0 %"), "{svg}");
    }

    #[test]
    fn any_expectation_has_a_bin() {
        let mut bins = ReliabilityBins::default();
        for expected in [0.0, 0.05, 1.0, 1.5, f64::NAN] {
            bins.add(expected, 1.0);
        }
        let counts: Vec<u64> = bins.means().iter().map(|bin| bin.positions).collect();
        assert_eq!((counts[0], counts[9]), (3, 2));
    }
}
