//! Data output: the file that a data command writes.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use dataset::Record;
use dataset::formats::{self, Format, FormatError, RecordSink};
use games::ToolkitGame;
use pipeline::files::Beside;

use super::input::InputArgs;
use super::tally::Tally;
use crate::toolkit::{GameEntry, Toolkit};

/// The maximum length of a file's origin text, so that a chain of commands does not outgrow the
/// header.
const MAX_TEXT: usize = 8000;

/// The format arguments.
#[derive(Debug, clap::Args)]
pub(super) struct FormatArgs {
    /// The format to write; by default that of the file extension (.data, .txt, .epd, .jsonl, .bf,
    /// .vf), else native
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
}

impl FormatArgs {
    pub(super) fn format_of(&self, path: &Path, toolkit: &Toolkit) -> Format {
        let formats = toolkit.formats();
        let named = self.to.as_deref().and_then(|name| formats.named(name));
        named.or_else(|| formats.of_extension(path)).unwrap_or(Format::Native)
    }
}

/// A file that gets its name when it is complete.
pub(super) struct Output<G: ToolkitGame> {
    path: PathBuf,
    beside: Beside,
    sink: Box<dyn RecordSink<G>>,
    format: Format,
    records: u64,
}

impl<G: ToolkitGame> Output<G> {
    /// Creates a temporary file. `made_by` describes the operation, for formats that store it.
    pub(super) fn create(
        path: &Path,
        format: &FormatArgs,
        input: &InputArgs,
        made_by: &str,
        game: &GameEntry<G>,
        toolkit: &Toolkit,
    ) -> anyhow::Result<Self> {
        let beside = Beside::new(path)?;
        let format = format.format_of(path, toolkit);
        let mut lines = input.made_by(toolkit)?;
        lines.push(format!("accrue {} data {made_by}", env!("CARGO_PKG_VERSION")));
        let text: String = lines.join("\n").chars().take(MAX_TEXT).collect();
        let sink = formats::create_sink(&beside.path(), format, &text, &game.formats);
        let sink = sink.map_err(|error| name_target(error, path))?;
        Ok(Self { path: path.to_owned(), beside, sink, format, records: 0 })
    }

    /// Writes a record, or counts why it cannot be written.
    pub(super) fn write(&mut self, record: &Record<G>, tally: &mut Tally) -> anyhow::Result<()> {
        match self.sink.write(record) {
            Ok(()) => {
                self.records += 1;
                tally.out += 1;
            }
            Err(FormatError::CannotHold { reason, .. }) => {
                tally.drop(&format!("{reason} for {}", self.format));
            }
            Err(error) => return Err(name_target(error, &self.path)),
        }
        Ok(())
    }

    /// A folder for temporary files beside the output.
    pub(super) fn scratch(&self) -> &Path {
        self.beside.scratch()
    }

    /// Completes the file on the disk, without its name yet.
    pub(super) fn settle(self) -> anyhow::Result<Settled> {
        let Self { path, beside, sink, format, records } = self;
        sink.finish().map_err(|error| name_target(error, &path))?;
        Ok(Settled { path, beside, format, records })
    }

    /// Completes the file, renames it and adds it to the tally.
    pub(super) fn place(self, tally: &mut Tally) -> anyhow::Result<()> {
        self.settle()?.place(tally)
    }
}

/// A complete file without its name yet.
pub(super) struct Settled {
    path: PathBuf,
    beside: Beside,
    format: Format,
    records: u64,
}

impl Settled {
    /// Renames the file and adds it to the tally.
    pub(super) fn place(self, tally: &mut Tally) -> anyhow::Result<()> {
        self.beside.place()?;
        tally.wrote(&self.path, self.format, self.records);
        Ok(())
    }
}

/// Replaces the temporary path in an error by the path that the user gave.
fn name_target(error: FormatError, path: &Path) -> anyhow::Error {
    match error {
        FormatError::Io { source, .. }
        | FormatError::Native(dataset::DataError::Io { source, .. }) => {
            anyhow::Error::new(source).context(format!("cannot write {}", path.display()))
        }
        error => anyhow!("{}: {error}", path.display()),
    }
}
