//! Reference cache: a file of reference scores, appended to and checked line by line.
//!
//! The first line names the format, the game and its settings. Each further line is a result of a
//! reference search with a checksum: the identity of the reference, `best` and a move or `score`, a
//! move and its score, and the position. Lines are only appended. An incomplete last line, left by
//! a kill, is cut off; any other damage is refused.

mod line;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use games::ToolkitGame;
use search::Score;

use line::{MAGIC, checked, header, parse, print, with_checksum};

/// The maximum length of a line; no entry is longer.
const MAX_LINE_BYTES: u64 = 8192;
/// The maximum time between writing a line and syncing it to the disk.
const SYNC: Duration = Duration::from_secs(1);
/// How often a lock is tried, and the time between.
const LOCK_ATTEMPTS: usize = 10;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Why a cache cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The operating system reported an error.
    #[error("cannot {action} the cache {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// `read` or `write`.
        action: &'static str,
        /// The error.
        source: io::Error,
    },
    /// Another process has the file open.
    #[error("the cache {} is in use by another process; wait for it or name another file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is no cache, or one of another game.
    #[error("{}, line 1: {fault}; name another file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// A line is damaged.
    #[error("{}, line {line}: {fault}; remove that line or name another file", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: u64,
        /// What is wrong.
        fault: String,
    },
}

/// A result of a reference search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReferenceEntry<M> {
    /// The best move of a position.
    Best(M),
    /// The score of a move, for the side that plays it.
    Score(M, Score),
}

/// The results of a reference and a position: its best move and the scores of moves, by codes.
#[derive(Clone, Debug, Default)]
struct Known {
    best: Option<u32>,
    scores: Vec<(u32, Score)>,
}

/// Reference scores in memory, and in a file if there is one.
#[derive(Debug)]
pub struct ReferenceCache<G: ToolkitGame> {
    known: HashMap<(String, String), Known>,
    file: Option<CacheFile>,
    game: std::marker::PhantomData<fn() -> G>,
}

#[derive(Debug)]
struct CacheFile {
    path: PathBuf,
    file: File,
    synced: Instant,
}

impl<G: ToolkitGame> Default for ReferenceCache<G> {
    fn default() -> Self {
        Self { known: HashMap::new(), file: None, game: std::marker::PhantomData }
    }
}

impl<G: ToolkitGame> ReferenceCache<G> {
    /// A cache in memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens a cache, or creates it if the file does not exist. `rules` are the settings of the
    /// game, by name and value; a file with others is refused.
    pub fn open(path: &Path, rules: &[(String, String)]) -> Result<Self, CacheError> {
        let io = |action| move |source| CacheError::Io { path: path.to_owned(), action, source };
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(io("write"))?;
        lock(&file).map_err(|error| match error {
            TryLockError::WouldBlock => CacheError::InUse { path: path.to_owned() },
            TryLockError::Error(source) => io("write")(source),
        })?;
        let mut cache = Self::default();
        let end = cache.read(path, &file, rules)?;
        let mut file = CacheFile { path: path.to_owned(), file, synced: Instant::now() };
        file.file.set_len(end).map_err(io("write"))?;
        file.file.seek(SeekFrom::Start(end)).map_err(io("write"))?;
        if end == 0 {
            file.append(&with_checksum(&header(G::NAME, rules)))?;
            file.sync()?;
        }
        cache.file = Some(file);
        Ok(cache)
    }

    /// The number of results.
    pub fn entries(&self) -> usize {
        let count = |known: &Known| known.scores.len() + usize::from(known.best.is_some());
        self.known.values().map(count).sum()
    }

    /// The best move of a position by a reference of this identity.
    pub fn best(&self, identity: &str, position: &G) -> Option<G::Move> {
        position.move_from_code(self.of(identity, position)?.best?)
    }

    /// The score of a move by a reference of this identity.
    pub fn score(&self, identity: &str, position: &G, mv: G::Move) -> Option<Score> {
        let code = G::move_code(mv);
        let scores = &self.of(identity, position)?.scores;
        scores.iter().find(|&&(other, _)| other == code).map(|&(_, score)| score)
    }

    fn of(&self, identity: &str, position: &G) -> Option<&Known> {
        self.known.get(&(identity.to_owned(), position.to_fen()))
    }

    /// Adds a result. The move is legal in the position.
    pub fn add(
        &mut self,
        identity: &str,
        position: &G,
        entry: ReferenceEntry<G::Move>,
    ) -> Result<(), CacheError> {
        if let Some(file) = &mut self.file {
            file.append(&with_checksum(&print(identity, position, entry)))?;
            if file.synced.elapsed() >= SYNC {
                file.sync()?;
            }
        }
        self.insert(identity, position, entry);
        Ok(())
    }

    /// Whether the result is new.
    fn insert(&mut self, identity: &str, position: &G, entry: ReferenceEntry<G::Move>) -> bool {
        let known = self.known.entry((identity.to_owned(), position.to_fen())).or_default();
        match entry {
            ReferenceEntry::Best(mv) => known.best.replace(G::move_code(mv)).is_none(),
            ReferenceEntry::Score(mv, score) => {
                let code = G::move_code(mv);
                let is_new = known.scores.iter().all(|&(other, _)| other != code);
                if is_new {
                    known.scores.push((code, score));
                }
                is_new
            }
        }
    }

    /// Waits until all results are on the disk.
    pub fn sync(&mut self) -> Result<(), CacheError> {
        self.file.as_mut().map_or(Ok(()), CacheFile::sync)
    }

    /// Reads the file. Returns the length of its complete lines.
    fn read(
        &mut self,
        path: &Path,
        file: &File,
        rules: &[(String, String)],
    ) -> Result<u64, CacheError> {
        let mut input = BufReader::with_capacity(1 << 16, file);
        let (mut buffer, mut end) = (Vec::new(), 0);
        for line in 1_u64.. {
            buffer.clear();
            let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut buffer);
            let read = read.map_err(|source| {
                let path = path.to_owned();
                CacheError::Io { path, action: "read", source }
            })?;
            let Some(content) = buffer.strip_suffix(b"\n") else {
                // Nothing, or a line that a kill left incomplete: a cache ends here.
                let begin = &buffer[..buffer.len().min(MAGIC.len())];
                let is_cut = read < MAX_LINE_BYTES as usize;
                let is_own = line > 1 || MAGIC.as_bytes().starts_with(begin);
                if is_cut && is_own {
                    return Ok(end);
                }
                let fault = format!("expected a line of less than {MAX_LINE_BYTES} bytes");
                return Err(if is_own {
                    CacheError::Line { path: path.to_owned(), line, fault }
                } else {
                    foreign(path, "it does not begin as a cache of reference scores".into())
                });
            };
            if line == 1 {
                check_header(content, &header(G::NAME, rules))
                    .map_err(|fault| foreign(path, fault))?;
            } else {
                let added = self.read_line(content, rules);
                added.map_err(|fault| CacheError::Line { path: path.to_owned(), line, fault })?;
            }
            end += read as u64;
        }
        Ok(end)
    }

    fn read_line(&mut self, line: &[u8], rules: &[(String, String)]) -> Result<(), String> {
        let (identity, position, entry) = parse::<G>(checked(line)?, rules)?;
        if self.insert(identity, &position, entry) {
            Ok(())
        } else {
            Err("it repeats the result of an earlier line".to_owned())
        }
    }
}

/// Locks a file. A program that another thread is just starting holds a copy of every open file for
/// a moment, and with it the lock of one that was closed meanwhile: hence several attempts.
fn lock(file: &File) -> Result<(), TryLockError> {
    for _ in 1..LOCK_ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => std::thread::sleep(LOCK_PAUSE),
            result => return result,
        }
    }
    file.try_lock()
}

fn foreign(path: &Path, fault: String) -> CacheError {
    CacheError::Foreign { path: path.to_owned(), fault }
}

fn check_header(line: &[u8], expected: &str) -> Result<(), String> {
    if !line.starts_with(MAGIC.as_bytes()) {
        return Err("it does not begin as a cache of reference scores".to_owned());
    }
    let found = checked(line)?;
    if found == expected {
        Ok(())
    } else {
        Err(format!("it is a cache of `{found}`, expected `{expected}`"))
    }
}

impl CacheFile {
    fn append(&mut self, line: &str) -> Result<(), CacheError> {
        let written = self.file.write_all(line.as_bytes());
        written.map_err(|source| self.fault(source))
    }

    fn sync(&mut self) -> Result<(), CacheError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|source| self.fault(source))
    }

    fn fault(&self, source: io::Error) -> CacheError {
        CacheError::Io { path: self.path.clone(), action: "write", source }
    }
}
