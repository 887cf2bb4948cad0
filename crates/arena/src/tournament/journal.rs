//! Tournament journal: a file of finished games, from which a tournament resumes.
//!
//! The first line identifies the match. Each further line is a game with a checksum, in the order
//! in which games ended. Lines are only appended. An incomplete last line, left by a kill or a full
//! disk, is truncated; the game of a damaged line is played again.

mod game;
mod reader;
#[cfg(test)]
mod tests;
mod words;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use games::ToolkitGame;

use super::{Fixture, Tournament};
use crate::play::Played;
pub use reader::{JournalGame, JournalReader};
use words::{escape, unescape};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The operating system reported an error.
    #[error("cannot {action} the journal {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// `read` or `write`.
        action: &'static str,
        /// The error.
        source: io::Error,
    },
    /// Another process has the file open.
    #[error("the journal {} is in use by another match", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a journal.
    #[error("{} is not the journal of a match; name another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The file is the journal of another match.
    #[error(
        "{} is the journal of another match: its {key} is `{was}`, not `{now}`; \
         resume that match, or name another file",
        path.display()
    )]
    Different {
        /// The file.
        path: PathBuf,
        /// The setting that differs.
        key: String,
        /// Its value in the file.
        was: String,
        /// Its value now.
        now: String,
    },
    /// A game that does not belong to this match.
    #[error(
        "{}: game {number} does not fit this match ({fault}); \
         the program has changed since, so start a new match",
        path.display()
    )]
    Misfit {
        /// The file.
        path: PathBuf,
        /// The number of the game, from 1.
        number: u64,
        /// What does not match.
        fault: String,
    },
}

const MAGIC: &str = "accrue-match 1";
/// The maximum length of a line; no game is longer.
const MAX_LINE_BYTES: u64 = 16 << 20;
/// The maximum time between writing a game and syncing it to the disk. Games in between are lost
/// only if the machine fails.
const SYNC: Duration = Duration::from_secs(1);

/// The identity of a match: names and values that distinguish it from other matches.
pub type MatchIdentity = Vec<(String, String)>;

/// The journal of a tournament.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// The offset and the length of the line of each game.
    places: BTreeMap<u64, (u64, u64)>,
    /// The offset of the next line.
    end: u64,
    damaged: u64,
    synced: Instant,
}

impl Journal {
    /// Opens a journal, or creates it if the file does not exist. `identity` must be the one that
    /// it was created with.
    pub fn open(path: &Path, identity: &MatchIdentity) -> Result<Self, JournalError> {
        let io = |action| move |source| JournalError::Io { path: path.to_owned(), action, source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(io("write"))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::InUse { path: path.to_owned() });
            }
            Err(TryLockError::Error(source)) => return Err(io("write")(source)),
        }
        let mut journal = Self {
            path: path.to_owned(),
            file,
            places: BTreeMap::new(),
            end: 0,
            damaged: 0,
            synced: Instant::now(),
        };
        journal.read(identity).map_err(|error| match error {
            ReadError::Io(source) => io("read")(source),
            ReadError::Journal(error) => error,
        })?;
        if journal.end == 0 {
            journal.append(&header(identity))?;
            journal.sync()?;
        }
        Ok(journal)
    }

    /// The number of games in the journal.
    pub fn games(&self) -> u64 {
        self.places.len() as u64
    }

    /// The number of damaged lines.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    pub(super) fn has(&self, number: u64) -> bool {
        self.places.contains_key(&number)
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        self.places.keys().copied()
    }

    /// Reads the file and truncates an incomplete last line.
    fn read(&mut self, identity: &MatchIdentity) -> Result<(), ReadError> {
        let mut input = BufReader::with_capacity(1 << 16, &self.file);
        let mut line = Vec::new();
        let mut first = true;
        loop {
            line.clear();
            let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? as u64;
            let whole = line.last() == Some(&b'\n');
            if first && read > 0 {
                let foreign = || JournalError::Foreign { path: self.path.clone() };
                // An incomplete header identifies no match: start over.
                if !whole && MAGIC.as_bytes().starts_with(&line[..line.len().min(MAGIC.len())]) {
                    break;
                }
                let content = content(&line).ok_or_else(foreign)?;
                let was = read_header(content).ok_or_else(foreign)?;
                compare(&self.path, &was, identity)?;
            } else if !whole {
                break;
            } else if let Some(number) = content(&line).and_then(game::number) {
                self.places.insert(number, (self.end, read));
            } else {
                self.damaged += 1;
            }
            first = false;
            self.end += read;
        }
        self.file.set_len(self.end)?;
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(())
    }

    /// Appends a game.
    pub(super) fn write<G: ToolkitGame>(
        &mut self,
        fixture: &Fixture,
        played: &Played<G>,
    ) -> Result<(), JournalError> {
        let begin = self.end;
        self.append(&game::encode(fixture, played))?;
        self.places.insert(fixture.number, (begin, self.end - begin));
        if self.synced.elapsed() >= SYNC { self.sync() } else { Ok(()) }
    }

    fn append(&mut self, content: &str) -> Result<(), JournalError> {
        let line = format!("{content} #{:08x}\n", crc32fast::hash(content.as_bytes()));
        let written = self
            .file
            .seek(SeekFrom::Start(self.end))
            .and_then(|_| self.file.write_all(line.as_bytes()));
        written.map_err(|source| self.io("write", source))?;
        self.end += line.len() as u64;
        Ok(())
    }

    /// Waits until all games are on the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|source| self.io("write", source))
    }

    /// Reads a game of the journal.
    pub(super) fn load<G: ToolkitGame>(
        &mut self,
        tournament: &Tournament<G>,
        fixture: &Fixture,
    ) -> Result<Played<G>, JournalError> {
        let (begin, length) = self.places[&fixture.number];
        let mut line = vec![0; length as usize];
        let read =
            self.file.seek(SeekFrom::Start(begin)).and_then(|_| self.file.read_exact(&mut line));
        read.map_err(|source| self.io("read", source))?;
        let content = content(&line).ok_or_else(|| "it is damaged".to_owned());
        let opening = tournament.openings.get(fixture.opening);
        let played = content.and_then(|content| {
            game::decode(content, opening, |record, _| tournament.adjudication.verdict(record))
        });
        played.map_err(|fault| JournalError::Misfit {
            path: self.path.clone(),
            number: fixture.number + 1,
            fault,
        })
    }

    fn io(&self, action: &'static str, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), action, source }
    }
}

enum ReadError {
    Io(io::Error),
    Journal(JournalError),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<JournalError> for ReadError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// The content of a line, if its checksum is correct.
fn content(line: &[u8]) -> Option<&str> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (content, sum) = line.rsplit_once(" #")?;
    let sum = u32::from_str_radix(sum, 16).ok()?;
    (sum == crc32fast::hash(content.as_bytes())).then_some(content)
}

fn header(identity: &MatchIdentity) -> String {
    let words = identity.iter().map(|(key, value)| format!(" {}={}", escape(key), escape(value)));
    MAGIC.to_owned() + &words.collect::<String>()
}

fn read_header(content: &str) -> Option<MatchIdentity> {
    let words = content.strip_prefix(MAGIC)?.split_ascii_whitespace();
    words
        .map(|word| word.split_once('=').and_then(|(k, v)| Some((unescape(k)?, unescape(v)?))))
        .collect()
}

/// Refuses another match. The error names the first difference.
fn compare(path: &Path, was: &MatchIdentity, now: &MatchIdentity) -> Result<(), JournalError> {
    let value = |of: &MatchIdentity, key: &str| {
        let found = of.iter().find(|(name, _)| name == key);
        found.map_or_else(|| "not given".to_owned(), |(_, value)| value.clone())
    };
    let differs = |(key, _): &&(String, String)| value(was, key) != value(now, key);
    match now.iter().chain(was).find(differs) {
        None => Ok(()),
        Some((key, _)) => Err(JournalError::Different {
            path: path.to_owned(),
            key: key.clone(),
            was: value(was, key),
            now: value(now, key),
        }),
    }
}
