//! Data files: how many positions there are, how fast they come, and what they are like.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use dataset::{FileGrowth, HistogramBar, StatisticsSummary};
use report::chart::{Bar, Tone, bar_chart};
use serde_json::{Value, json};

use super::files;
use super::rate::Rate;
use super::reader::{RunReader, Scene};
use super::summary::{End, Facts};

/// How much of a file is counted between two readings of the clock.
const PIECE_BYTES: u64 = 16 << 20;
/// How long a look may take.
const LOOK_TIME: Duration = Duration::from_millis(100);
/// How many records the distributions are of.
const SAMPLE: u64 = 20_000;

/// A data file.
#[derive(Debug, Default)]
pub(super) struct DataReader {
    growth: Option<FileGrowth>,
    /// Whether the file has more than was counted.
    has_more: bool,
    rate: Rate,
    target: Option<u64>,
    sample: Option<Sample>,
}

/// The distributions of the first records of a file.
#[derive(Debug)]
struct Sample {
    /// The number of records of the file at that time.
    records: u64,
    summary: Result<StatisticsSummary, String>,
}

impl RunReader for DataReader {
    fn files(&self, path: &Path) -> Vec<PathBuf> {
        vec![path.to_owned(), manifest(path)]
    }

    fn look(&mut self, scene: &Scene<'_>) -> Result<Facts, String> {
        self.count(scene)?;
        let Some(growth) = &self.growth else { return Err("it is empty".to_owned()) };
        let positions = growth.records();
        self.target = target(&growth.header().made_by);
        if !self.has_more {
            self.rate.add(Instant::now(), positions);
        }
        let is_full = self.target.is_some_and(|target| positions >= target);
        let is_complete = is_full || files::is_file(&manifest(scene.path));
        Ok(Facts {
            game: Some(growth.header().game.clone()),
            text: self.text(growth),
            progress: self.target.map(|target| positions as f64 / target.max(1) as f64),
            seconds_left: self.target.and_then(|target| self.rate.seconds_to(target)),
            end: if is_complete { End::Finished } else { End::Open },
            is_partial: self.has_more,
            ..Facts::default()
        })
    }

    fn view(&mut self, scene: &Scene<'_>) -> Value {
        self.take_sample(scene);
        let growth = self.growth.as_ref();
        let summary = self.sample.as_ref().map(|sample| &sample.summary);
        let known = summary.and_then(|summary| summary.as_ref().ok());
        let chart = |title: &str, bars: &[HistogramBar]| {
            let chart = bar_chart(title, &bars.iter().map(bar).collect::<Vec<_>>());
            (!bars.is_empty()).then(|| chart.inline().into_string())
        };
        json!({
            "positions": growth.map_or(0, FileGrowth::records),
            "target": self.target,
            "games": growth.and_then(FileGrowth::highest_game).unwrap_or_default(),
            "bytes": growth.map_or(0, FileGrowth::bytes),
            "positions_per_second": self.rate.per_second(),
            "results": known.and_then(|known| {
                chart("Results for the side to move", &known.results)
            }),
            "scores": known.and_then(|known| {
                chart("Scores for the side to move, in centipawns", &known.scores)
            }),
            "facts": growth.map(|growth| self.facts(growth)).unwrap_or_default(),
        })
    }
}

impl DataReader {
    fn text(&self, growth: &FileGrowth) -> String {
        let positions = growth.records();
        let least = if self.has_more { "at least " } else { "" };
        let counted = match self.target {
            Some(target) => format!("{least}{positions} of {target} positions"),
            None => format!("{least}{positions} positions"),
        };
        match growth.damaged() {
            0 => counted,
            damaged => format!("{counted}, {damaged} damaged places"),
        }
    }

    /// Counts what was appended, for a limited time.
    fn count(&mut self, scene: &Scene<'_>) -> Result<(), String> {
        let length = files::regular(scene.path).map_or(0, |known| known.len());
        if self.growth.as_ref().is_none_or(|growth| length < growth.bytes()) {
            let growth = FileGrowth::open(scene.path, scene.games());
            self.growth = Some(growth.map_err(|error| error.to_string())?);
            (self.rate, self.sample) = (Rate::default(), None);
        }
        let start = Instant::now();
        self.has_more = true;
        while let Some(growth) = &mut self.growth
            && self.has_more
            && start.elapsed() < LOOK_TIME
        {
            self.has_more = growth.look(PIECE_BYTES).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Reads the first records, unless they were read and are enough.
    fn take_sample(&mut self, scene: &Scene<'_>) {
        let Some(growth) = &self.growth else { return };
        let records = growth.records();
        let is_known = |sample: &Sample| sample.records == records || sample.records >= SAMPLE;
        if self.sample.as_ref().is_some_and(is_known) {
            return;
        }
        let game = scene.app.game(&growth.header().game);
        let summary = match game {
            Ok(game) => game.data_statistics(scene.path, SAMPLE),
            Err(error) => Err(error.message),
        };
        self.sample = Some(Sample { records, summary });
    }

    fn facts(&self, growth: &FileGrowth) -> Vec<(String, String)> {
        let mut facts = Vec::new();
        let mut add = |name: &str, value: String| facts.push((name.to_owned(), value));
        match self.sample.as_ref().map(|sample| &sample.summary) {
            Some(Ok(known)) => {
                let all = known.records >= growth.records();
                let of = if all { "all positions" } else { "the first positions" };
                add("Distributions", format!("of {of}: {}", known.records));
                if let (Some(min), Some(mean), Some(max)) =
                    (known.min_ply, known.mean_ply, known.max_ply)
                {
                    add("Plies", format!("{min} to {max}, {mean:.1} on average"));
                }
                let share = |count: u64| 100.0 * count as f64 / known.records.max(1) as f64;
                add("With a score", format!("{:.1} %", share(known.scored)));
                add("With a result", format!("{:.1} %", share(known.with_result)));
                add("In check", format!("{:.1} %", share(known.in_check)));
            }
            Some(Err(fault)) => add("Distributions", fault.clone()),
            None => {}
        }
        if growth.damaged() > 0 {
            add("Damaged places", growth.damaged().to_string());
        }
        for setting in growth.header().made_by.split("; ").filter(|setting| !setting.is_empty()) {
            match setting.split_once(' ') {
                Some((name, value)) if facts.len() < MAX_FACTS => {
                    facts.push((shortened(name), shortened(value)));
                }
                _ => {}
            }
        }
        facts
    }
}

const MAX_FACTS: usize = 40;

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

fn bar(bar: &HistogramBar) -> Bar {
    let (name, value) = (bar.name.clone(), bar.records as f64);
    Bar { name, value, text: bar.records.to_string(), tone: Tone::Blue }
}

/// Written when a file is complete.
fn manifest(path: &Path) -> PathBuf {
    files::beside(path, ".manifest.json")
}

/// The number of positions that data generation was asked for, by the origin of a file.
fn target(made_by: &str) -> Option<u64> {
    let value = |name: &str| {
        made_by.split("; ").find_map(|setting| setting.strip_prefix(name)?.strip_prefix(' '))
    };
    let positions: u64 = value("positions")?.parse().ok()?;
    let (number, count) =
        value("shard").and_then(|shard| shard.split_once('/')).unwrap_or(("0", "1"));
    let (number, count): (u64, u64) = (number.parse().ok()?, count.parse().ok()?);
    let share = positions.checked_div(count)?;
    Some(share + u64::from(number < positions % count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_in_the_origin() {
        assert_eq!(target("accrue datagen; positions 100; seed 1"), Some(100));
        assert_eq!(target("accrue datagen; positions 101; shard 0/2; seed 1"), Some(51));
        assert_eq!(target("accrue datagen; positions 101; shard 0/0"), None);
        assert_eq!(target("something else"), None);
    }
}
