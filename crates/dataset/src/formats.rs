//! Other people's files of training records, and ours, behind one pair of traits.
//!
//! A [`RecordSource`] gives records one after the other and skips what it cannot read, counting it with place
//! and reason ([`Faults`]). A [`RecordSink`] takes them. What a format cannot hold is said at the head of its
//! file in this folder; a record that cannot be written there is refused by name
//! ([`FormatError::CannotHold`]), never changed in silence.
//!
//! Text formats may be compressed by bzip2, or be many files in a tar archive.
//!
//! Games are numbered from 1 in the order of the file. 0 means that the format does not tell.

mod archive;
mod bullet;
mod detect;
mod epd;
mod error;
mod faults;
mod game_counter;
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

use std::any::Any;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;

use games::Game;
use games::chess::Chess;

pub use detect::{detect, header};
pub use error::FormatError;
pub use faults::{Fault, Faults};

use line_files::{LineSink, LineSource};

use crate::Record;

/// Something that gives records.
pub trait RecordSource<G: Game> {
    /// The next record, or `None` at the end. What cannot be read is skipped and counted.
    fn next(&mut self) -> Result<Option<Record<G>>, FormatError>;

    /// How much of the file has been read, to show progress.
    fn bytes_read(&self) -> u64;

    /// What was skipped so far.
    fn faults(&self) -> &Faults;
}

/// Something that takes records.
pub trait RecordSink<G: Game> {
    /// Writes one. After [`FormatError::CannotHold`] the record has been left out and writing may go on; after any
    /// other error the file is of no use.
    fn write(&mut self, record: &Record<G>) -> Result<(), FormatError>;

    /// Writes what is still in memory and hands it to the disk.
    fn finish(self: Box<Self>) -> Result<(), FormatError>;
}

/// A form that files of records come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Ours, for any game.
    Native,
    /// bullet's `ChessBoard`, 32 bytes a position. Chess only.
    Bullet,
    /// Whole games in viriformat. Chess only.
    Viri,
    /// Lines of `FEN | score | result`.
    Text,
    /// Lines of `FEN [result]`.
    Epd,
    /// One JSON object a line.
    Jsonl,
    /// Games as people exchange them. Can be read, not written.
    Pgn,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Native, Self::Bullet, Self::Viri, Self::Text, Self::Epd, Self::Jsonl, Self::Pgn];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Bullet => "bulletformat",
            Self::Viri => "viriformat",
            Self::Text => "text",
            Self::Epd => "epd",
            Self::Jsonl => "jsonl",
            Self::Pgn => "pgn",
        }
    }

    /// The format with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that files with this ending are expected to have.
    pub fn of_extension(path: &Path) -> Option<Self> {
        let mut name = Path::new(path.file_name()?);
        // Packed text is named by what is in it first: `games.pgn.bz2`.
        while name.extension().is_some_and(|end| end == "bz2" || end == "tar") {
            name = Path::new(name.file_stem()?);
        }
        let extension = name.extension()?.to_str()?.to_ascii_lowercase();
        Some(match extension.as_str() {
            "acd" | "data" => Self::Native,
            "bf" | "bullet" | "bulletformat" => Self::Bullet,
            "vf" | "viri" | "viriformat" => Self::Viri,
            "txt" => Self::Text,
            "epd" | "fen" | "book" => Self::Epd,
            "jsonl" | "ndjson" | "json" => Self::Jsonl,
            "pgn" => Self::Pgn,
            _ => return None,
        })
    }

    /// The fewest bytes that a record takes in such a file: a bound on how many a file can have.
    pub const fn least_bytes(self) -> u64 {
        match self {
            Self::Native => 5,
            Self::Bullet => 32,
            // A move with its score; in PGN a move of two letters and a space.
            Self::Viri => 4,
            Self::Pgn => 3,
            // The shortest FEN is connect four's; JSON spells out a key as well.
            Self::Text => 20,
            Self::Epd => 15,
            Self::Jsonl => 25,
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// Opens a file of this format for reading.
pub fn open_source<G: Game>(
    path: &Path,
    format: Format,
) -> Result<Box<dyn RecordSource<G>>, FormatError> {
    let open = || -> Result<_, FormatError> {
        let file = File::open(path).map_err(|source| FormatError::read(path, source))?;
        Ok(BufReader::with_capacity(1 << 16, file))
    };
    let open_text = || archive::open(path).map_err(|source| FormatError::read(path, source));
    match format {
        Format::Native => Ok(Box::new(native::Source::<G>::open(path)?)),
        Format::Bullet => source_of(Box::new(bullet::Source::new(open()?, path)), format),
        Format::Viri => source_of(Box::new(viri::Source::new(open()?, path)), format),
        Format::Text => Ok(Box::new(LineSource::new(open_text()?, path, text::parse))),
        Format::Epd => Ok(Box::new(LineSource::new(open_text()?, path, epd::parse))),
        Format::Jsonl => Ok(Box::new(LineSource::new(open_text()?, path, jsonl::parse))),
        Format::Pgn => {
            let chess = Box::new(pgn::Source::<Chess, _>::new(open_text()?, path, pgn::read_san));
            source_of(chess, format).or_else(|_| {
                let source = pgn::Source::<G, _>::new(open_text()?, path, pgn::read_own::<G>);
                Ok(Box::new(source) as Box<dyn RecordSource<G>>)
            })
        }
    }
}

/// Creates a file of this format. `made_by` is kept where the format has a place for it.
pub fn create_sink<G: Game>(
    path: &Path,
    format: Format,
    made_by: &str,
) -> Result<Box<dyn RecordSink<G>>, FormatError> {
    let create = || -> Result<_, FormatError> {
        let file = File::create(path).map_err(|source| FormatError::write(path, source))?;
        Ok(BufWriter::with_capacity(1 << 16, file))
    };
    match format {
        Format::Native => Ok(Box::new(native::Sink::<G>::create(path, made_by)?)),
        Format::Bullet => sink_of(format, || Ok(Box::new(bullet::Sink::new(create()?, path)))),
        Format::Viri => sink_of(format, || Ok(Box::new(viri::Sink::new(create()?, path)))),
        Format::Text => Ok(Box::new(LineSink::new(create()?, path, format, text::print))),
        Format::Epd => Ok(Box::new(LineSink::new(create()?, path, format, epd::print))),
        Format::Jsonl => Ok(Box::new(LineSink::new(create()?, path, format, jsonl::print))),
        Format::Pgn => Err(FormatError::ReadOnly { format }),
    }
}

/// A source of chess as a source of `G`, which must be chess too.
fn source_of<G: Game>(
    source: Box<dyn RecordSource<Chess>>,
    format: Format,
) -> Result<Box<dyn RecordSource<G>>, FormatError> {
    let source: Box<dyn Any> = Box::new(source);
    let source = source.downcast::<Box<dyn RecordSource<G>>>();
    source.map(|source| *source).map_err(|_| FormatError::OtherGame { format, game: G::NAME })
}

/// A sink of chess as a sink of `G`, which must be chess too; no file is created otherwise.
fn sink_of<G: Game>(
    format: Format,
    create: impl FnOnce() -> Result<Box<dyn RecordSink<Chess>>, FormatError>,
) -> Result<Box<dyn RecordSink<G>>, FormatError> {
    if G::NAME != Chess::NAME {
        return Err(FormatError::OtherGame { format, game: G::NAME });
    }
    let sink: Box<dyn Any> = Box::new(create()?);
    let sink = sink.downcast::<Box<dyn RecordSink<G>>>();
    sink.map(|sink| *sink).map_err(|_| FormatError::OtherGame { format, game: G::NAME })
}

/// Flushes a finished file and waits until it is on the disk.
fn settle(mut output: BufWriter<File>, path: &Path) -> Result<(), FormatError> {
    let settled = output.flush().and_then(|()| output.get_ref().sync_all());
    settled.map_err(|source| FormatError::write(path, source))
}
