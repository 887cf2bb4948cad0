//! The files that a command reads, one after the other.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::builder::PossibleValuesParser;
use dataset::Record;
use dataset::formats::{self, Faults, Format, FormatError, RecordSource};
use games::Game;
use games::chess::Chess;
use games::registry::{GAMES, GameVisitor, with_game};

use crate::progress::Progress;

/// Progress is looked at once in so many records.
const STRIDE: u64 = 1024;

/// Which files.
#[derive(Debug, clap::Args)]
pub(super) struct InputArgs {
    /// The files to read
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Their format, if content and name leave it open
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<String>,

    /// Their game, if they do not say; otherwise chess
    #[arg(long, value_name = "GAME", value_parser = GAMES)]
    game: Option<String>,
}

/// The names of all formats, for the command line.
pub(super) fn format_parser() -> PossibleValuesParser {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
}

impl InputArgs {
    /// Calls `visitor` with the game of the files.
    pub(super) fn with_game<V: GameVisitor<Output = anyhow::Result<T>>, T>(
        &self,
        visitor: V,
    ) -> anyhow::Result<T> {
        let mut game = self.game.clone();
        for path in &self.files {
            if game.is_none() {
                game = formats::header(path, self.format_of(path)?)?.map(|header| header.game);
            }
        }
        with_game(game.as_deref().unwrap_or(Chess::NAME), visitor)?
    }

    pub(super) fn format_of(&self, path: &Path) -> anyhow::Result<Format> {
        match self.from.as_deref().and_then(Format::named) {
            Some(format) => Ok(format),
            None => formats::detect(path).map_err(|error| match error {
                FormatError::Unrecognised { .. } => anyhow!("{error} with --from"),
                error => error.into(),
            }),
        }
    }

    /// Opens the files. `what` is said beside the progress.
    pub(super) fn open<G: Game>(&self, what: &'static str) -> anyhow::Result<Input<G>> {
        let mut files = Vec::new();
        let mut total = 0;
        for path in self.files.iter().rev() {
            let format = self.format_of(path)?;
            let shown = || format!("cannot read {}", path.display());
            let bytes = fs::metadata(path).with_context(shown)?.len();
            total += bytes;
            files.push(Pending { path: path.clone(), format, bytes });
        }
        Ok(Input {
            waiting: files,
            current: None,
            finished_bytes: 0,
            first_game: 0,
            highest_game: None,
            records: 0,
            faults: Vec::new(),
            total: Faults { unit: "record", count: 0, first: Vec::new() },
            progress: Progress::bytes(what, total),
        })
    }

    /// How the files say that they were made, one line each.
    pub(super) fn made_by(&self) -> anyhow::Result<Vec<String>> {
        let mut lines = Vec::new();
        for path in &self.files {
            let header = formats::header(path, self.format_of(path)?)?;
            let texts = header.into_iter().map(|header| header.made_by);
            lines.extend(texts.filter(|text| !text.is_empty()));
        }
        lines.dedup();
        Ok(lines)
    }
}

struct Pending {
    path: PathBuf,
    format: Format,
    bytes: u64,
}

/// The faults of one file.
pub(super) struct FileFaults {
    pub(super) path: PathBuf,
    pub(super) faults: Faults,
}

/// The records of all files. Games of later files are numbered on from those of earlier ones.
pub(super) struct Input<G: Game> {
    /// Files that are still to be read, the next one last.
    waiting: Vec<Pending>,
    current: Option<(Pending, Box<dyn RecordSource<G>>)>,
    finished_bytes: u64,
    /// What is added to the numbers of the games of this file.
    first_game: u32,
    highest_game: Option<u32>,
    pub(super) records: u64,
    pub(super) faults: Vec<FileFaults>,
    total: Faults,
    progress: Progress,
}

impl<G: Game> Input<G> {
    fn finish_file(&mut self) {
        let Some((file, source)) = self.current.take() else { return };
        self.finished_bytes += file.bytes;
        self.total.count += source.faults().count;
        self.faults.push(FileFaults { path: file.path, faults: source.faults().clone() });
        self.first_game = self.highest_game.map_or(0, |game| game.saturating_add(1));
    }
}

impl<G: Game> RecordSource<G> for Input<G> {
    fn next(&mut self) -> Result<Option<Record<G>>, FormatError> {
        loop {
            if let Some((_, source)) = &mut self.current {
                if let Some(mut record) = source.next()? {
                    self.records += 1;
                    if self.records.is_multiple_of(STRIDE) {
                        self.progress.at(self.finished_bytes + source.bytes_read());
                    }
                    record.game = record.game.saturating_add(self.first_game);
                    self.highest_game = self.highest_game.max(Some(record.game));
                    return Ok(Some(record));
                }
                self.finish_file();
            }
            let Some(file) = self.waiting.pop() else {
                self.progress.finish();
                return Ok(None);
            };
            let source = formats::open_source(&file.path, file.format)?;
            self.current = Some((file, source));
        }
    }

    fn bytes_read(&self) -> u64 {
        self.finished_bytes + self.current.as_ref().map_or(0, |(_, source)| source.bytes_read())
    }

    fn faults(&self) -> &Faults {
        &self.total
    }
}
