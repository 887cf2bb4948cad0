//! Line formats: files with one record on each line.

use std::fs::File;
use std::io::{BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

use games::ToolkitGame;

use super::game_counter::{GameCounter, UNKNOWN_GAME};
use super::lines::Lines;
use super::{Faults, Format, FormatError, RecordSink, RecordSource, settle};
use crate::Record;

/// Parses the record of a line that is neither blank nor a comment. Its game may be
/// [`UNKNOWN_GAME`].
type Parse<G> = fn(&str) -> Result<Record<G>, String>;

/// Appends the line of a record, without its end, or returns what the format cannot hold.
type Print<G> = fn(&Record<G>, &mut String) -> Result<(), &'static str>;

/// A file with one record on each line. Blank lines and lines that begin with `#` are ignored.
pub(super) struct LineSource<G: ToolkitGame, R> {
    lines: Lines<R>,
    parse: Parse<G>,
    games: GameCounter,
    faults: Faults,
}

impl<G: ToolkitGame, R: BufRead> LineSource<G, R> {
    pub(super) fn new(input: R, path: &Path, parse: Parse<G>) -> Self {
        let (games, faults) = (GameCounter::default(), Faults::new("line"));
        Self { lines: Lines::new(input, path), parse, games, faults }
    }
}

impl<G: ToolkitGame, R: BufRead> RecordSource<G> for LineSource<G, R> {
    fn next(&mut self) -> Result<Option<Record<G>>, FormatError> {
        while let Some(line) = self.lines.next()? {
            let parsed = match line.map(str::trim) {
                Ok(text) if text.is_empty() || text.starts_with('#') => continue,
                Ok(text) => (self.parse)(text),
                Err(fault) => Err(fault),
            };
            match parsed {
                Ok(mut record) => {
                    if record.game == UNKNOWN_GAME {
                        record.game = self.games.number(record.ply);
                    }
                    return Ok(Some(record));
                }
                Err(fault) => self.faults.add(format!("line {}", self.lines.number()), fault),
            }
        }
        Ok(None)
    }

    fn bytes_read(&self) -> u64 {
        self.lines.bytes()
    }

    fn faults(&self) -> &Faults {
        &self.faults
    }
}

/// Writes one line for each record.
pub(super) struct LineSink<G: ToolkitGame> {
    output: BufWriter<File>,
    path: PathBuf,
    format: Format,
    print: Print<G>,
    line: String,
}

impl<G: ToolkitGame> LineSink<G> {
    pub(super) fn new(
        output: BufWriter<File>,
        path: &Path,
        format: Format,
        print: Print<G>,
    ) -> Self {
        Self { output, path: path.to_owned(), format, print, line: String::new() }
    }
}

impl<G: ToolkitGame> RecordSink<G> for LineSink<G> {
    fn write(&mut self, record: &Record<G>) -> Result<(), FormatError> {
        self.line.clear();
        let format = self.format;
        let printed = (self.print)(record, &mut self.line);
        printed.map_err(|reason| FormatError::CannotHold { format, reason })?;
        self.line.push('\n');
        let written = self.output.write_all(self.line.as_bytes());
        written.map_err(|source| FormatError::write(&self.path, source))
    }

    fn finish(self: Box<Self>) -> Result<(), FormatError> {
        settle(self.output, &self.path)
    }
}
