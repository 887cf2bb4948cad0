//! Openings of a match, one JSON object per line, in the order in which games started.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use games::ToolkitGame;
use serde::{Deserialize, Serialize};

use super::beside;
use crate::game_record::Opening;

/// An opening of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningLine {
    /// The number of the opening.
    pub opening: u64,
    /// The position before the first move.
    pub fen: String,
    /// The codes of the moves.
    pub moves: Vec<u32>,
}

/// The maximum length of a line.
const MAX_LINE_BYTES: u64 = 1 << 16;
/// The maximum number of openings that are kept.
const MAX_OPENINGS: usize = 400_000;

fn path_of(journal: &Path) -> PathBuf {
    beside(journal, ".openings.jsonl")
}

/// Appends openings that are not in the file. It gives up at the first error.
#[derive(Debug)]
pub(crate) struct OpeningsWriter {
    file: Option<File>,
    known: HashSet<u64>,
}

impl OpeningsWriter {
    /// Opens the file. That of another match is replaced: `is_new` if the journal has no game.
    pub(crate) fn open(journal: &Path, is_new: bool) -> Self {
        let (file, known) = match Self::try_open(journal, is_new) {
            Ok((file, known)) => (Some(file), known),
            Err(_) => (None, HashSet::new()),
        };
        Self { file, known }
    }

    fn try_open(journal: &Path, is_new: bool) -> io::Result<(File, HashSet<u64>)> {
        let path = path_of(journal);
        let mut known = HashSet::new();
        let mut end = 0;
        if !is_new && path.exists() {
            let mut reader = OpeningsReader::new(journal);
            while reader.read_on(u64::MAX)? {}
            end = reader.at;
            known = reader.openings.into_keys().collect();
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        // A kill can leave an incomplete line.
        file.set_len(end)?;
        let mut file = file;
        file.seek(SeekFrom::Start(end))?;
        Ok((file, known))
    }

    /// Writes an opening, unless it is in the file.
    pub(crate) fn add<G: ToolkitGame>(
        &mut self,
        number: u64,
        opening: impl FnOnce() -> Opening<G>,
    ) {
        let Some(file) = &mut self.file else { return };
        if !self.known.insert(number) {
            return;
        }
        let opening = opening();
        let line = OpeningLine {
            opening: number,
            fen: opening.start.to_fen(),
            moves: opening.moves.iter().map(|&mv| G::move_code(mv)).collect(),
        };
        let written = serde_json::to_string(&line)
            .map_err(io::Error::from)
            .and_then(|text| file.write_all(format!("{text}\n").as_bytes()));
        if written.is_err() {
            self.file = None;
        }
    }
}

/// The openings of a match, for those who look. Reads only what was appended since the last look.
#[derive(Debug)]
pub struct OpeningsReader {
    path: PathBuf,
    openings: BTreeMap<u64, OpeningLine>,
    at: u64,
}

impl OpeningsReader {
    /// The openings of the match with this journal. Nothing is read yet.
    pub fn new(journal: &Path) -> Self {
        Self { path: path_of(journal), openings: BTreeMap::new(), at: 0 }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads what was appended, at most about `max_bytes` of it. Returns whether there is more.
    pub fn read_on(&mut self, max_bytes: u64) -> io::Result<bool> {
        let mut file = File::open(&self.path)?;
        if file.metadata()?.len() < self.at {
            self.openings.clear();
            self.at = 0;
        }
        file.seek(SeekFrom::Start(self.at))?;
        let end = self.at.saturating_add(max_bytes);
        let mut input = BufReader::new(file);
        let mut line = Vec::new();
        while self.at < end {
            line.clear();
            let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? as u64;
            if line.last() != Some(&b'\n') && read < MAX_LINE_BYTES {
                return Ok(false);
            }
            if let Ok(opening) = serde_json::from_slice::<OpeningLine>(&line)
                && self.openings.len() < MAX_OPENINGS
            {
                self.openings.insert(opening.opening, opening);
            }
            self.at += read;
        }
        Ok(true)
    }

    /// The opening of that number.
    pub fn get(&self, number: u64) -> Option<&OpeningLine> {
        self.openings.get(&number)
    }
}

impl OpeningLine {
    /// The opening, with settings of the game. Every move is checked.
    pub fn opening<G: ToolkitGame>(&self, rules: &super::Rules) -> Result<Opening<G>, String> {
        let mut start = G::from_fen(&self.fen).map_err(|error| error.to_string())?;
        for (name, value) in rules {
            start.set(name, value).map_err(|error| error.to_string())?;
        }
        let mut opening = Opening::at(start.clone());
        let mut position = start;
        for &code in &self.moves {
            let mv = position
                .move_from_code(code)
                .ok_or_else(|| format!("{code} is not a move in `{}`", position.to_fen()))?;
            position.play(mv);
            opening.moves.push(mv);
        }
        Ok(opening)
    }
}
