//! Record formats: the field's files of training records, and ours, behind one pair of traits.
//!
//! A [`RecordSource`] returns records one after the other and skips what it cannot read, counting
//! it with place and reason ([`Faults`]). A [`RecordSink`] takes them. What a format cannot hold is
//! stated at the head of its file in this folder; a record that cannot be written there is refused
//! by name ([`FormatError::CannotHold`]), never changed in silence.
//!
//! [`Format`] lists the formats of every game. A format that belongs to one game is a
//! [`GameFormat`], registered with the game: [`chess_formats`] are those of chess.
//!
//! Text formats may be compressed by bzip2, or be many files in a tar archive.
//!
//! Games are numbered from 1 in the order of the file. 0 means that the format does not number
//! them.

mod archive;
mod bullet;
mod chain;
mod chess;
mod detect;
mod epd;
mod error;
mod faults;
mod game_counter;
mod game_format;
mod jsonl;
mod line_files;
mod lines;
mod native;
mod pgn;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
mod text;
mod values;
mod viri;

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use games::ToolkitGame;

pub use chain::{FileFaults, SourceChain};
pub use chess::chess_formats;
pub use detect::Formats;
pub(crate) use detect::header;
pub use error::FormatError;
pub use faults::{Faults, FormatFault};
pub use game_format::{CreateSink, FormatInfo, GameFormat, OpenSource};
pub use pgn::{PgnGame, PgnGames, read_pgn};

use line_files::{LineSink, LineSource};

use crate::Record;

/// A source of records.
pub trait RecordSource<G: ToolkitGame> {
    /// The next record, or `None` at the end. What cannot be read is skipped and counted.
    fn next(&mut self) -> Result<Option<Record<G>>, FormatError>;

    /// How much of the file has been read, to show progress.
    fn bytes_read(&self) -> u64;

    /// What was skipped so far.
    fn faults(&self) -> &Faults;
}

/// A sink of records.
pub trait RecordSink<G: ToolkitGame> {
    /// Writes one record. After [`FormatError::CannotHold`] the record is left out and writing may
    /// continue; after any other error the file is unusable.
    fn write(&mut self, record: &Record<G>) -> Result<(), FormatError>;

    /// Writes what is still in memory and hands it to the disk.
    fn finish(self: Box<Self>) -> Result<(), FormatError>;
}

/// A format of files of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Ours, for any game.
    Native,
    /// Lines of `FEN | score | result`.
    Text,
    /// Lines of `FEN [result]`.
    Epd,
    /// One JSON object a line.
    Jsonl,
    /// Portable game notation. Can be read, not written.
    Pgn,
    /// A format of one game.
    OfGame(&'static FormatInfo),
}

impl Format {
    /// The formats of every game.
    pub const GENERAL: [Self; 5] = [Self::Native, Self::Text, Self::Epd, Self::Jsonl, Self::Pgn];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Text => "text",
            Self::Epd => "epd",
            Self::Jsonl => "jsonl",
            Self::Pgn => "pgn",
            Self::OfGame(info) => info.name,
        }
    }

    /// The endings of the names of such files.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Native => &["acd", "data"],
            Self::Text => &["txt"],
            Self::Epd => &["epd", "fen", "book"],
            Self::Jsonl => &["jsonl", "ndjson", "json"],
            Self::Pgn => &["pgn"],
            Self::OfGame(info) => info.extensions,
        }
    }

    /// The minimum size of a record in such a file: a bound on how many a file can have.
    pub const fn min_record_bytes(self) -> u64 {
        match self {
            Self::Native => 5,
            // A move of two letters and a space.
            Self::Pgn => 3,
            // The shortest FEN is connect four's; JSON spells out a key as well.
            Self::Text => 20,
            Self::Epd => 15,
            Self::Jsonl => 25,
            Self::OfGame(info) => info.min_record_bytes,
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Opens a file for reading. `of_game` are the game's own formats.
pub fn open_source<G: ToolkitGame>(
    path: &Path,
    format: Format,
    of_game: &[GameFormat<G>],
) -> Result<Box<dyn RecordSource<G>>, FormatError> {
    let text = || archive::open(path).map_err(|source| FormatError::read(path, source));
    match format {
        Format::Native => Ok(Box::new(native::Source::<G>::open(path)?)),
        Format::Text => Ok(Box::new(LineSource::new(text()?, path, text::parse))),
        Format::Epd => Ok(Box::new(LineSource::new(text()?, path, epd::parse))),
        Format::Jsonl => Ok(Box::new(LineSource::new(text()?, path, jsonl::parse))),
        Format::Pgn => Ok(Box::new(pgn::Source::<G, _>::new(text()?, path))),
        Format::OfGame(info) => GameFormat::find(of_game, info)?.open(path),
    }
}

/// Creates a file. `made_by` is stored where the format has a place for it; `of_game` are the
/// game's own formats.
pub fn create_sink<G: ToolkitGame>(
    path: &Path,
    format: Format,
    made_by: &str,
    of_game: &[GameFormat<G>],
) -> Result<Box<dyn RecordSink<G>>, FormatError> {
    match format {
        Format::Native => Ok(Box::new(native::Sink::<G>::create(path, made_by)?)),
        Format::Text => Ok(Box::new(LineSink::new(create(path)?, path, format, text::print))),
        Format::Epd => Ok(Box::new(LineSink::new(create(path)?, path, format, epd::print))),
        Format::Jsonl => Ok(Box::new(LineSink::new(create(path)?, path, format, jsonl::print))),
        Format::Pgn => Err(FormatError::ReadOnly { format }),
        Format::OfGame(info) => GameFormat::find(of_game, info)?.create(path),
    }
}

/// A file to read through a buffer.
fn open(path: &Path) -> Result<BufReader<File>, FormatError> {
    let file = File::open(path).map_err(|source| FormatError::read(path, source))?;
    Ok(BufReader::with_capacity(1 << 16, file))
}

/// A new file to write through a buffer.
fn create(path: &Path) -> Result<BufWriter<File>, FormatError> {
    let file = File::create(path).map_err(|source| FormatError::write(path, source))?;
    Ok(BufWriter::with_capacity(1 << 16, file))
}

/// Flushes a finished file and waits until it is on the disk.
fn settle(mut output: BufWriter<File>, path: &Path) -> Result<(), FormatError> {
    let settled = output.flush().and_then(|()| output.get_ref().sync_all());
    settled.map_err(|source| FormatError::write(path, source))
}
