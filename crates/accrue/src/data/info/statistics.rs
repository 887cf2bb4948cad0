//! Data statistics: counts over records.

use std::collections::{BTreeMap, HashMap};

use dataset::{MATE_SCORE, Record};
use games::ToolkitGame;
use serde::Serialize;

use super::chances::{Chances, Results};

/// The lower bounds of the histogram bars of scores, in centipawns; mates have bars of their own.
const SCORES: [i16; 13] =
    [-29_999, -3000, -1000, -500, -200, -100, -30, 30, 100, 200, 500, 1000, 3000];
/// The maximum width of a bar.
const BAR: u64 = 40;

/// Counts over records.
#[derive(Default)]
pub(super) struct Statistics {
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
#[derive(Default)]
struct Range {
    least: Option<u16>,
    most: Option<u16>,
    sum: u64,
}

/// The statistics for output.
#[derive(Serialize)]
pub(super) struct Summary {
    records: u64,
    games: u64,
    scored: u64,
    with_result: u64,
    with_best_move: u64,
    with_depths: u64,
    with_quantiles: u64,
    in_check: u64,
    least_ply: Option<u16>,
    mean_ply: Option<f64>,
    most_ply: Option<u16>,
    scores: Vec<Bar>,
    results: Vec<Bar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chances: Option<Chances>,
    pieces: Vec<Bar>,
}

/// A bar of a histogram.
#[derive(Serialize)]
struct Bar {
    name: String,
    records: u64,
}

impl Statistics {
    pub(super) fn add<G: ToolkitGame>(&mut self, record: &Record<G>) {
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
        self.plies.least = Some(self.plies.least.map_or(ply, |least| least.min(ply)));
        self.plies.most = self.plies.most.max(Some(ply));
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

    pub(super) fn summary(&self) -> Summary {
        let bars = |counts: &mut dyn Iterator<Item = (String, u64)>| {
            counts.map(|(name, records)| Bar { name, records }).collect()
        };
        let shares = ["0", "1/4", "1/2", "3/4", "1"];
        let result = |quarters: u8| shares[usize::from(quarters).min(4)].to_owned();
        Summary {
            records: self.records,
            games: self.games.values().map(|games| u64::from(games.count_ones())).sum(),
            scored: self.scored,
            with_result: self.with_result,
            with_best_move: self.with_best_move,
            with_depths: self.with_depths,
            with_quantiles: self.with_quantiles,
            in_check: self.in_check,
            least_ply: self.plies.least,
            mean_ply: (self.records > 0).then(|| self.plies.sum as f64 / self.records as f64),
            most_ply: self.plies.most,
            scores: bars(&mut self.scores.iter().map(|(&place, &count)| (span(place), count))),
            results: bars(
                &mut self.results.iter().map(|(&points, &count)| (result(points), count)),
            ),
            chances: self.results_by_score.fit(),
            pieces: bars(
                &mut self.pieces.iter().map(|(pieces, &count)| (pieces.to_string(), count)),
            ),
        }
    }
}

/// The bar of a score: the first and the last are mates.
fn place(score: i16) -> usize {
    if score >= MATE_SCORE {
        SCORES.len() + 1
    } else {
        SCORES.partition_point(|&least| least <= score)
    }
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

impl Summary {
    pub(super) fn lines(&self) -> Vec<String> {
        let Self { scored, with_result, with_best_move, with_depths, with_quantiles, .. } = self;
        let mut lines = vec![
            format!("records {}, games {}", self.records, self.games),
            format!(
                "with score {scored}, result {with_result}, best move {with_best_move}, depths {with_depths}, \
                 quantiles {with_quantiles}"
            ),
            format!("in check {}", self.in_check),
        ];
        if let (Some(least), Some(mean), Some(most)) =
            (self.least_ply, self.mean_ply, self.most_ply)
        {
            lines.push(format!("plies {least} to {most}, mean {mean:.1}"));
        }
        for (what, bars) in
            [("scores", &self.scores), ("results", &self.results), ("pieces", &self.pieces)]
        {
            if !bars.is_empty() {
                lines.push(format!("{what}:"));
                lines.extend(histogram(bars));
            }
        }
        if let Some(Chances { half_won, slope }) = self.chances {
            lines.push(format!(
                "half of the games are won at {half_won:+.0} centipawns, with a slope of {slope:.0}"
            ));
        }
        lines
    }
}

fn histogram(bars: &[Bar]) -> impl Iterator<Item = String> {
    let most = bars.iter().map(|bar| bar.records).max().unwrap_or(1).max(1);
    bars.iter().map(move |Bar { name, records }| {
        let bar = "█".repeat((records * BAR).div_ceil(most) as usize);
        format!("  {name:>16} {records:>12} {bar}")
    })
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
