//! Data statistics: counts over records.

mod win_rate;

use std::collections::{BTreeMap, HashMap};

use games::ToolkitGame;
use serde::Serialize;

use crate::{MATE_SCORE, Record};
use win_rate::Results;
pub use win_rate::WinRate;

/// The lower bounds of the histogram bars of scores, in centipawns; mates have bars of their own.
const SCORES: [i16; 13] =
    [-29_999, -3000, -1000, -500, -200, -100, -30, 30, 100, 200, 500, 1000, 3000];

/// Counts over records.
#[derive(Debug, Default)]
pub struct RecordStatistics {
    records: u64,
    /// The games that occur, a bit each: shuffled records come from any.
    games: HashMap<u32, u64>,
    scored: u64,
    with_result: u64,
    with_best_move: u64,
    with_depths: u64,
    with_quantiles: u64,
    in_check: u64,
    plies: Range,
    scores: BTreeMap<usize, u64>,
    results: BTreeMap<u8, u64>,
    results_by_score: Results,
    pieces: BTreeMap<usize, u64>,
}

/// The minimum, the maximum and the mean of a number.
#[derive(Debug, Default)]
struct Range {
    min: Option<u16>,
    max: Option<u16>,
    sum: u64,
}

/// The statistics for output.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StatisticsSummary {
    /// The number of records.
    pub records: u64,
    /// The number of games.
    pub games: u64,
    /// Records with a score.
    pub scored: u64,
    /// Records with a result.
    pub with_result: u64,
    /// Records with a best move.
    pub with_best_move: u64,
    /// Records with scores of several depths.
    pub with_depths: u64,
    /// Records with quantiles.
    pub with_quantiles: u64,
    /// Positions in check.
    pub in_check: u64,
    /// The minimum ply.
    #[serde(rename = "least_ply")]
    pub min_ply: Option<u16>,
    /// The mean ply.
    pub mean_ply: Option<f64>,
    /// The maximum ply.
    #[serde(rename = "most_ply")]
    pub max_ply: Option<u16>,
    /// The histogram of scores.
    pub scores: Vec<HistogramBar>,
    /// The histogram of results.
    pub results: Vec<HistogramBar>,
    /// The win-rate model, if there are enough results.
    #[serde(rename = "chances", skip_serializing_if = "Option::is_none")]
    pub win_rate: Option<WinRate>,
    /// The histogram of the number of pieces.
    pub pieces: Vec<HistogramBar>,
}

/// A bar of a histogram.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HistogramBar {
    /// Its label.
    pub name: String,
    /// The number of records.
    pub records: u64,
}

impl RecordStatistics {
    /// Counts a record.
    pub fn add<G: ToolkitGame>(&mut self, record: &Record<G>) {
        self.records += 1;
        *self.games.entry(record.game / u64::BITS).or_default() |= 1 << (record.game % u64::BITS);
        let has = |is: bool| u64::from(is);
        self.scored += has(record.score.is_some());
        self.with_result += has(record.result.is_some());
        self.with_best_move += has(record.best_move.is_some());
        self.with_depths += has(!record.depths.is_empty());
        self.with_quantiles += has(record.quantiles.is_some());
        self.in_check += has(record.position.is_check());
        let ply = record.ply;
        self.plies.min = Some(self.plies.min.map_or(ply, |min: u16| min.min(ply)));
        self.plies.max = self.plies.max.max(Some(ply));
        self.plies.sum += u64::from(ply);
        if let Some(score) = record.score {
            *self.scores.entry(place(score)).or_default() += 1;
        }
        if let Some(points) = record.result {
            *self.results.entry(points.as_quarters()).or_default() += 1;
        }
        if let Some((score, result)) = record.score.zip(record.result) {
            self.results_by_score.add(score, result);
        }
        *self.pieces.entry(record.position.piece_count()).or_default() += 1;
    }

    /// The statistics of the records so far.
    pub fn summary(&self) -> StatisticsSummary {
        let bars = |counts: &mut dyn Iterator<Item = (String, u64)>| {
            counts.map(|(name, records)| HistogramBar { name, records }).collect()
        };
        let shares = ["0", "1/4", "1/2", "3/4", "1"];
        let result = |quarters: u8| shares[usize::from(quarters).min(4)].to_owned();
        StatisticsSummary {
            records: self.records,
            games: self.games.values().map(|games| u64::from(games.count_ones())).sum(),
            scored: self.scored,
            with_result: self.with_result,
            with_best_move: self.with_best_move,
            with_depths: self.with_depths,
            with_quantiles: self.with_quantiles,
            in_check: self.in_check,
            min_ply: self.plies.min,
            mean_ply: (self.records > 0).then(|| self.plies.sum as f64 / self.records as f64),
            max_ply: self.plies.max,
            scores: bars(&mut self.scores.iter().map(|(&place, &count)| (span(place), count))),
            results: bars(
                &mut self.results.iter().map(|(&points, &count)| (result(points), count)),
            ),
            win_rate: self.results_by_score.fit(),
            pieces: bars(
                &mut self.pieces.iter().map(|(pieces, &count)| (pieces.to_string(), count)),
            ),
        }
    }
}

/// The bar of a score: the first and the last are mates.
fn place(score: i16) -> usize {
    if score >= MATE_SCORE { SCORES.len() + 1 } else { SCORES.partition_point(|&min| min <= score) }
}

/// The label of a bar of scores.
fn span(place: usize) -> String {
    match place {
        0 => "mated".to_owned(),
        place if place > SCORES.len() => "mates".to_owned(),
        place => {
            let end = SCORES.get(place).copied().unwrap_or(MATE_SCORE);
            format!("{} to {}", SCORES[place - 1], end - 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_has_one_bar() {
        for (score, name) in [
            (i16::MIN, "mated"),
            (-30_000, "mated"),
            (-29_999, "-29999 to -3001"),
            (-30, "-30 to 29"),
            (0, "-30 to 29"),
            (30, "30 to 99"),
            (29_999, "3000 to 29999"),
            (30_000, "mates"),
            (i16::MAX, "mates"),
        ] {
            assert_eq!(span(place(score)), name, "{score}");
        }
    }
}
