//! Info command: `accrue data info` prints statistics of data files.

mod chances;
mod statistics;

use std::fs;

use dataset::formats::RecordSource;
use games::ToolkitGame;
use serde::Serialize;

use super::input::{Input, InputArgs};
use super::tally::Tally;
use crate::Answer;
use crate::output;
use crate::toolkit::{GameEntry, Toolkit};
use statistics::{Statistics, Summary};

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
    summary: Summary,
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
        let mut statistics = Statistics::default();
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
    lines.extend(report.summary.lines());
    lines.push(tally.line());
    lines
}
