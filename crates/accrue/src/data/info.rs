//! Info command: `accrue data info` prints statistics of data files.

use std::fs;

use dataset::formats::RecordSource;
use dataset::{HistogramBar, RecordStatistics, StatisticsSummary, WinRate};
use games::ToolkitGame;
use serde::Serialize;

use super::input::{Input, InputArgs};
use super::tally::Tally;
use crate::Answer;
use crate::output;
use crate::toolkit::{GameEntry, Toolkit};

/// Print statistics of files: counts, scores, results, pieces, plies, games
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Scores and results are for the side to move. Games are counted as runs of records with the same
number: in a shuffled file there are about as many as records. The last line but one is the win-rate
model: the logistic curve of the win probability that fits scores and results best.

Examples:
  accrue data info train.data
  accrue data info games.pgn --json";

/// Runs the command.
pub(crate) fn run(args: &Args, toolkit: &Toolkit) -> anyhow::Result<Answer> {
    args.input.game(toolkit)?.data_info(toolkit, Run(args))
}

pub(crate) struct Run<'a>(&'a Args);

/// One file.
#[derive(Serialize)]
struct FileEntry {
    file: String,
    format: &'static str,
    bytes: u64,
}

/// The report.
#[derive(Serialize)]
struct Report {
    files: Vec<FileEntry>,
    game: &'static str,
    made_by: Vec<String>,
    bytes_per_record: Option<f64>,
    #[serde(flatten)]
    summary: StatisticsSummary,
    malformed: u64,
}

impl Run<'_> {
    pub(crate) fn run<G: ToolkitGame>(
        self,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Answer> {
        let Self(args) = self;
        let mut tally = Tally::new();
        let mut input: Input<G> = args.input.open("info", game, toolkit)?;
        let mut statistics = RecordStatistics::default();
        while let Some(record) = input.next()? {
            statistics.add(&record);
            tally.out += 1;
        }
        tally.add_faults(&input);
        let mut files = Vec::new();
        for path in &args.input.files {
            let bytes = fs::metadata(path).map_or(0, |file| file.len());
            let format = args.input.format_of(path, toolkit)?.name();
            files.push(FileEntry { file: path.display().to_string(), format, bytes });
        }
        let bytes: u64 = files.iter().map(|file| file.bytes).sum();
        let report = Report {
            files,
            game: G::NAME,
            made_by: args.input.made_by(toolkit)?,
            bytes_per_record: (tally.out > 0).then(|| bytes as f64 / tally.out as f64),
            summary: statistics.summary(),
            malformed: tally.dropped(),
        };
        if args.json {
            output::json(&report)?;
        } else {
            output::lines(lines(&report, &tally))?;
        }
        Ok(Answer::Yes)
    }
}

fn lines(report: &Report, tally: &Tally) -> Vec<String> {
    let mut lines = Vec::new();
    for FileEntry { file, format, bytes } in &report.files {
        lines.push(format!("file {file}: {format}, {bytes} bytes"));
    }
    lines.push(format!("game {}", report.game));
    let made_by = report.made_by.iter().flat_map(|text| text.lines());
    lines.extend(made_by.map(|text| format!("made by {text}")));
    if let Some(bytes) = report.bytes_per_record {
        lines.push(format!("bytes a record {bytes:.1}"));
    }
    lines.extend(summary_lines(&report.summary));
    lines.push(tally.line());
    lines
}

/// The maximum width of a bar of a histogram.
const BAR: u64 = 40;

/// The statistics as text.
fn summary_lines(summary: &StatisticsSummary) -> Vec<String> {
    let StatisticsSummary {
        scored, with_result, with_best_move, with_depths, with_quantiles, ..
    } = summary;
    let mut lines = vec![
        format!("records {}, games {}", summary.records, summary.games),
        format!(
            "with score {scored}, result {with_result}, best move {with_best_move}, depths {with_depths}, \
                 quantiles {with_quantiles}"
        ),
        format!("in check {}", summary.in_check),
    ];
    if let (Some(min), Some(mean), Some(max)) = (summary.min_ply, summary.mean_ply, summary.max_ply)
    {
        lines.push(format!("plies {min} to {max}, mean {mean:.1}"));
    }
    for (what, bars) in
        [("scores", &summary.scores), ("results", &summary.results), ("pieces", &summary.pieces)]
    {
        if !bars.is_empty() {
            lines.push(format!("{what}:"));
            lines.extend(histogram(bars));
        }
    }
    if let Some(WinRate { half_won, slope }) = summary.win_rate {
        lines.push(format!(
            "half of the games are won at {half_won:+.0} centipawns, with a slope of {slope:.0}"
        ));
    }
    lines
}

fn histogram(bars: &[HistogramBar]) -> impl Iterator<Item = String> {
    let max = bars.iter().map(|bar| bar.records).max().unwrap_or(1).max(1);
    bars.iter().map(move |HistogramBar { name, records }| {
        let bar = "█".repeat((records * BAR).div_ceil(max) as usize);
        format!("  {name:>16} {records:>12} {bar}")
    })
}
