//! Data input: the files that a data command reads.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use dataset::Record;
use dataset::formats::{self, Faults, Format, FormatError, GameFormat, RecordSource};
use games::ToolkitGame;

use crate::jobs::AnyGame;
use crate::progress::Progress;
use crate::toolkit::{GameEntry, Toolkit};

/// The number of records between updates of the progress.
const STRIDE: u64 = 1024;

/// The input arguments.
#[derive(Debug, clap::Args)]
pub(super) struct InputArgs {
    /// The files to read
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Their format, if neither content nor name determines it
    #[arg(long, value_name = "FORMAT")]
    from: Option<String>,

    /// Their game, if they do not name it; by default the first
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
}

impl InputArgs {
    /// The game of the files.
    pub(super) fn game<'a>(&self, toolkit: &'a Toolkit) -> anyhow::Result<&'a dyn AnyGame> {
        let mut game = self.game.clone();
        for path in &self.files {
            if game.is_none() {
                let format = self.format_of(path, toolkit)?;
                game = toolkit.games().file_header(path, format)?.map(|header| header.game);
            }
        }
        Ok(toolkit.find(game.as_deref().unwrap_or(toolkit.default_game()))?)
    }

    pub(super) fn format_of(&self, path: &Path, toolkit: &Toolkit) -> anyhow::Result<Format> {
        let formats = toolkit.formats();
        match self.from.as_deref().and_then(|name| formats.named(name)) {
            Some(format) => Ok(format),
            None => formats.detect(path).map_err(|error| match error {
                FormatError::Unrecognised { .. } => anyhow!("{error} with --from"),
                error => error.into(),
            }),
        }
    }

    /// Opens the files. `what` labels the progress.
    pub(super) fn open<'a, G: ToolkitGame>(
        &self,
        what: &'static str,
        game: &'a GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Input<'a, G>> {
        let mut files = Vec::new();
        let mut total = 0;
        for path in self.files.iter().rev() {
            let format = self.format_of(path, toolkit)?;
            let shown = || format!("cannot read {}", path.display());
            let bytes = fs::metadata(path).with_context(shown)?.len();
            total += bytes;
            files.push(Pending { path: path.clone(), format, bytes });
        }
        Ok(Input {
            formats: &game.formats,
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

    /// The origins that the files state, one line each.
    pub(super) fn made_by(&self, toolkit: &Toolkit) -> anyhow::Result<Vec<String>> {
        let mut lines = Vec::new();
        for path in &self.files {
            let header = toolkit.games().file_header(path, self.format_of(path, toolkit)?)?;
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

/// The records of all files. The games of a file are numbered after those of the files before.
pub(super) struct Input<'a, G: ToolkitGame> {
    /// The formats of the game.
    formats: &'a [GameFormat<G>],
    /// The remaining files, the next one last.
    waiting: Vec<Pending>,
    current: Option<(Pending, Box<dyn RecordSource<G>>)>,
    finished_bytes: u64,
    /// The offset of the game numbers of this file.
    first_game: u32,
    highest_game: Option<u32>,
    pub(super) records: u64,
    pub(super) faults: Vec<FileFaults>,
    total: Faults,
    progress: Progress,
}

impl<G: ToolkitGame> Input<'_, G> {
    fn finish_file(&mut self) {
        let Some((file, source)) = self.current.take() else { return };
        self.finished_bytes += file.bytes;
        self.total.count += source.faults().count;
        self.faults.push(FileFaults { path: file.path, faults: source.faults().clone() });
        self.first_game = self.highest_game.map_or(0, |game| game.saturating_add(1));
    }
}

impl<G: ToolkitGame> RecordSource<G> for Input<'_, G> {
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
            let source = formats::open_source(&file.path, file.format, self.formats)?;
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
