//! Output file of data generation: created, resumed, or found complete.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use dataset::{DataError, Reader, Record, Writer};
use games::ToolkitGame;

use super::{Contents, DatagenError};

/// The file and its contents.
pub(super) struct DataFile<G> {
    writer: Writer<G>,
    /// Prevents other processes from writing it.
    _lock: File,
    wanted: u64,
    contents: Contents,
}

impl<G: ToolkitGame> DataFile<G> {
    /// Creates a file, or resumes one with the same `identity`, up to `wanted` positions.
    pub(super) fn open(path: &Path, identity: &str, wanted: u64) -> Result<Self, DatagenError> {
        if is_missing(path)? {
            begin::<G>(path, identity)?;
        }
        let lock = lock(path)?;
        let contents = scan::<G>(path, identity, wanted)?;
        let writer = Writer::reopen(path, contents.positions)?;
        Ok(Self { writer, _lock: lock, wanted, contents })
    }

    /// The contents.
    pub(super) fn contents(&self) -> &Contents {
        &self.contents
    }

    /// The number of the next game to write, from 0.
    pub(super) fn next_game(&self) -> u64 {
        // Games in the file are numbered from 1.
        self.contents.last.map_or(0, u64::from)
    }

    /// Whether it has all positions.
    pub(super) fn is_full(&self) -> bool {
        self.contents.positions >= self.wanted
    }

    /// Adds the records of a game, up to the wanted number.
    pub(super) fn add(&mut self, records: &[Record<G>]) -> Result<(), DatagenError> {
        for record in records {
            if self.is_full() {
                break;
            }
            self.writer.write(record)?;
            self.contents.add(record);
        }
        Ok(())
    }

    /// Waits until everything is on the disk.
    pub(super) fn save(&mut self) -> Result<(), DatagenError> {
        Ok(self.writer.save()?)
    }
}

/// Whether the file does not exist or is empty.
fn is_missing(path: &Path) -> Result<bool, DatagenError> {
    match fs::metadata(path) {
        Ok(known) => Ok(known.is_file() && known.len() == 0),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(source) => Err(io(path, "inspect it")(source)),
    }
}

/// Creates a file with only a header. It is written to a temporary file first, so an incomplete
/// header never exists.
fn begin<G: ToolkitGame>(path: &Path, identity: &str) -> Result<(), DatagenError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}.new", std::process::id()));
    let beside = PathBuf::from(beside);
    let placed = Writer::<G>::create(&beside, identity)
        .and_then(Writer::finish)
        .map_err(DatagenError::from)
        .and_then(|_| fs::rename(&beside, path).map_err(io(path, "rename it to its place")));
    if placed.is_err() {
        let _ = fs::remove_file(&beside);
    }
    placed
}

/// Locks the file against other processes, where the system supports locks.
fn lock(path: &Path) -> Result<File, DatagenError> {
    let file = OpenOptions::new().read(true).write(true).open(path).map_err(io(path, "open it"))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(DatagenError::Busy { path: path.to_owned() }),
        // Some network file systems have no locks; then the user must take care.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// The part of a file to keep: its games up to the first damage, without the last one unless the
/// file is complete.
fn scan<G: ToolkitGame>(
    path: &Path,
    identity: &str,
    wanted: u64,
) -> Result<Contents, DatagenError> {
    let mut reader = Reader::<G>::open(path)?;
    let found = reader.header().made_by.clone();
    if found != identity {
        let difference = difference(&found, identity);
        return Err(DatagenError::Different { path: path.to_owned(), difference });
    }
    let (mut contents, mut complete) = (Contents::default(), Contents::default());
    while let Some(record) = reader.next()? {
        if !reader.damage().is_empty() || contents.positions == wanted {
            break;
        }
        let last = contents.last.unwrap_or(0);
        if record.game < last {
            let fault = format!("game {} comes after game {last}", record.game);
            return Err(DataError::NotData { path: path.to_owned(), fault }.into());
        }
        if record.game > last {
            complete = contents;
        }
        contents.add(&record);
    }
    Ok(if contents.positions == wanted { contents } else { complete })
}

/// The first difference between the identity in the file and the requested one.
fn difference(found: &str, expected: &str) -> String {
    let (mut found, mut expected) = (found.split("; "), expected.split("; "));
    loop {
        match (found.next(), expected.next()) {
            (Some(found), Some(expected)) if found == expected => {}
            (None, None) => return "in no known setting".to_owned(),
            (found, expected) => {
                let shown = |text: Option<&str>| match text {
                    Some("") | None => "nothing".to_owned(),
                    Some(text) => format!("`{}`", text.chars().take(200).collect::<String>()),
                };
                return format!("it has {}, expected {}", shown(found), shown(expected));
            }
        }
    }
}

/// An error that names the file and the action.
fn io(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> DatagenError {
    let path = path.to_owned();
    move |source| DatagenError::Io { path, action, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let found = "accrue datagen; seed 1; shard 0/1; depth 4";
        let expected = "accrue datagen; seed 1; shard 0/2; depth 5";
        let named = difference(found, expected);
        assert_eq!(named, "it has `shard 0/1`, expected `shard 0/2`");
        assert_eq!(difference("", found), "it has nothing, expected `accrue datagen`");
        assert_eq!(difference("a; b", "a"), "it has `b`, expected nothing");
    }
}
