//! Source chain: the records of several files, one file after the other.

use std::fs;
use std::path::PathBuf;

use games::ToolkitGame;

use super::{Faults, Format, FormatError, GameFormat, RecordSource, open_source};
use crate::Record;

/// The faults of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFaults {
    /// The file.
    pub path: PathBuf,
    /// What could not be read.
    pub faults: Faults,
}

struct ChainedFile {
    path: PathBuf,
    format: Format,
    bytes: u64,
}

/// The records of several files. The games of a file are numbered after those of the file before.
pub struct SourceChain<'a, G: ToolkitGame> {
    formats: &'a [GameFormat<G>],
    /// Files that are still to be read, the next one last.
    waiting: Vec<ChainedFile>,
    current: Option<(ChainedFile, Box<dyn RecordSource<G>>)>,
    total_bytes: u64,
    finished_bytes: u64,
    /// What is added to the numbers of the games of this file.
    first_game: u32,
    highest_game: Option<u32>,
    records: u64,
    file_faults: Vec<FileFaults>,
    faults: Faults,
}

impl<'a, G: ToolkitGame> SourceChain<'a, G> {
    /// A chain of these files. `formats` are the game's own formats. Each file is opened when the
    /// one before it has ended.
    pub fn new(
        files: impl IntoIterator<Item = (PathBuf, Format)>,
        formats: &'a [GameFormat<G>],
    ) -> Result<Self, FormatError> {
        let mut waiting = Vec::new();
        for (path, format) in files {
            let metadata = fs::metadata(&path);
            let bytes = metadata.map_err(|source| FormatError::read(&path, source))?.len();
            waiting.push(ChainedFile { path, format, bytes });
        }
        waiting.reverse();
        Ok(Self {
            formats,
            total_bytes: waiting.iter().map(|file| file.bytes).sum(),
            waiting,
            current: None,
            finished_bytes: 0,
            first_game: 0,
            highest_game: None,
            records: 0,
            file_faults: Vec::new(),
            faults: Faults::new("record"),
        })
    }

    /// The number of bytes of all files.
    pub fn total_bytes(&self) -> u64 {
        self.total_bytes
    }

    /// The number of records that were read so far.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// The faults of the files that have been read to their end.
    pub fn file_faults(&self) -> &[FileFaults] {
        &self.file_faults
    }

    /// The number of faults so far, those of the file that is being read included.
    pub fn fault_count(&self) -> u64 {
        self.faults.count + self.current.as_ref().map_or(0, |(_, source)| source.faults().count)
    }

    fn finish_file(&mut self) {
        let Some((file, source)) = self.current.take() else { return };
        self.finished_bytes += file.bytes;
        self.faults.count += source.faults().count;
        self.file_faults.push(FileFaults { path: file.path, faults: source.faults().clone() });
        self.first_game = self.highest_game.map_or(0, |game| game.saturating_add(1));
    }
}

impl<G: ToolkitGame> RecordSource<G> for SourceChain<'_, G> {
    fn next(&mut self) -> Result<Option<Record<G>>, FormatError> {
        loop {
            if let Some((_, source)) = &mut self.current {
                if let Some(mut record) = source.next()? {
                    self.records += 1;
                    record.game = record.game.saturating_add(self.first_game);
                    self.highest_game = self.highest_game.max(Some(record.game));
                    return Ok(Some(record));
                }
                self.finish_file();
            }
            let Some(file) = self.waiting.pop() else { return Ok(None) };
            let source = open_source(&file.path, file.format, self.formats)?;
            self.current = Some((file, source));
        }
    }

    fn bytes_read(&self) -> u64 {
        self.finished_bytes + self.current.as_ref().map_or(0, |(_, source)| source.bytes_read())
    }

    fn faults(&self) -> &Faults {
        &self.faults
    }
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::{Game, GameScore};

    use super::*;
    use crate::formats::create_sink;

    #[test]
    fn games_are_numbered_on_and_faults_are_kept_by_file() {
        let folder = tempfile::tempdir().unwrap();
        let native = folder.path().join("a.data");
        let mut sink = create_sink::<Chess>(&native, Format::Native, "a test", &[]).unwrap();
        for game in [1, 1, 2] {
            sink.write(&Record { game, ..Record::new(Chess::start()) }).unwrap();
        }
        sink.finish().unwrap();
        let text = folder.path().join("b.txt");
        let fen = Chess::start().to_fen();
        fs::write(&text, format!("nonsense\n{fen} | 12 | 1.0\n")).unwrap();

        let files = [(native.clone(), Format::Native), (text.clone(), Format::Text)];
        let mut chain = SourceChain::<Chess>::new(files, &[]).unwrap();
        let mut games = Vec::new();
        let mut last = None;
        while let Some(record) = chain.next().unwrap() {
            games.push(record.game);
            last = Some(record);
        }
        assert_eq!(games[..3], [1, 1, 2]);
        assert!(games[3] > 2, "{games:?}");
        assert_eq!(last.unwrap().result, Some(GameScore::WIN));
        assert_eq!((chain.records(), chain.fault_count(), chain.faults().count), (4, 1, 1));
        assert_eq!(chain.bytes_read(), chain.total_bytes());
        let counts: Vec<_> =
            chain.file_faults().iter().map(|file| (&file.path, file.faults.count)).collect();
        assert_eq!(counts, [(&native, 0), (&text, 1)]);

        let missing = folder.path().join("missing");
        let error = SourceChain::<Chess>::new([(missing, Format::Native)], &[]).err().unwrap();
        assert!(error.to_string().contains("missing"), "{error}");
    }
}
