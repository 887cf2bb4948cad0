//! Journal reader: follows the journal of a match that another process may be playing.
//!
//! It takes no lock, writes nothing, and reads only what was appended since the last look.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use games::{Color, GameScore, Outcome, ToolkitGame};

use super::{JournalError, MAX_LINE_BYTES, MatchIdentity, content, game, read_header};
use crate::game_record::Opening;
use crate::play::{Ending, Played};
use crate::player::PlayerFault;

/// The maximum number of games that are kept: later ones are not shown.
const MAX_GAMES: usize = 400_000;
/// The maximum length of the message of a fault.
const MAX_FAULT: usize = 200;

/// A game of a journal, without its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalGame {
    /// White's score.
    pub white: GameScore,
    /// Why the game is over.
    pub ending: Ending,
    /// The number of moves that players chose.
    pub plies: u32,
    /// The offset and the length of its line.
    place: (u64, u32),
}

/// The journal of a match, for those who only look.
#[derive(Debug)]
pub struct JournalReader {
    path: PathBuf,
    header: Vec<u8>,
    identity: MatchIdentity,
    games: BTreeMap<u64, JournalGame>,
    damaged: u64,
    /// The offset of the next line.
    at: u64,
}

impl JournalReader {
    /// Opens a journal and reads its header.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let mut reader = Self {
            path: path.to_owned(),
            header: Vec::new(),
            identity: Vec::new(),
            games: BTreeMap::new(),
            damaged: 0,
            at: 0,
        };
        let mut file = reader.file()?;
        reader.begin(&mut file)?;
        Ok(reader)
    }

    /// Reads what was appended, at most about `max_bytes` of it. Returns whether there is more.
    ///
    /// An incomplete last line is left for later.
    pub fn read_on(&mut self, max_bytes: u64) -> Result<bool, JournalError> {
        let mut file = self.file()?;
        let length = file.metadata().map_err(|source| self.io(source))?.len();
        // Another match may have taken the place of this one.
        if length < self.at || !self.has_same_header(&mut file)? {
            self.begin(&mut file)?;
        }
        let end = self.at.saturating_add(max_bytes);
        file.seek(SeekFrom::Start(self.at)).map_err(|source| self.io(source))?;
        let mut input = BufReader::with_capacity(1 << 16, file);
        let mut line = Vec::new();
        while self.at < end {
            line.clear();
            let read = input.by_ref().take(MAX_LINE_BYTES).read_until(b'\n', &mut line);
            let read = read.map_err(|source| self.io(source))? as u64;
            if line.last() != Some(&b'\n') && read < MAX_LINE_BYTES {
                return Ok(false);
            }
            self.add(&line);
            self.at += read;
        }
        Ok(true)
    }

    /// The games so far, by their numbers from 0.
    pub fn games(&self) -> &BTreeMap<u64, JournalGame> {
        &self.games
    }

    /// The identity of the match.
    pub fn identity(&self) -> &MatchIdentity {
        &self.identity
    }

    /// A value of the identity.
    pub fn value(&self, name: &str) -> Option<&str> {
        let found = self.identity.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The number of damaged lines.
    pub fn damaged(&self) -> u64 {
        self.damaged
    }

    /// Reads a game, whose opening the journal does not store. The moves are replayed. Whether a
    /// game that the rules do not end was adjudicated rightly is not checked.
    pub fn load<G: ToolkitGame>(
        &self,
        number: u64,
        opening: Opening<G>,
    ) -> Result<Played<G>, JournalError> {
        let misfit = |fault: String| JournalError::Misfit {
            path: self.path.clone(),
            number: number.saturating_add(1),
            fault,
        };
        let Some(game) = self.games.get(&number) else {
            return Err(misfit("the journal does not have it".to_owned()));
        };
        let (begin, length) = game.place;
        let mut file = self.file()?;
        let mut line = vec![0; length as usize];
        let read = file.seek(SeekFrom::Start(begin)).and_then(|_| file.read_exact(&mut line));
        read.map_err(|source| self.io(source))?;
        let content = content(&line).ok_or_else(|| misfit("it is damaged".to_owned()))?;
        if game::number(content) != Some(number) {
            return Err(misfit("another game is in its place".to_owned()));
        }
        game::decode(content, opening, |_, white| Some(adjudicated(white))).map_err(misfit)
    }

    fn add(&mut self, line: &[u8]) {
        let parsed = content(line)
            .and_then(|content| Some((game::number(content)?, game::result(content)?)));
        let Some((number, (white, ending, plies))) = parsed else {
            self.damaged += 1;
            return;
        };
        if self.games.len() < MAX_GAMES || self.games.contains_key(&number) {
            let (place, plies) = ((self.at, line.len() as u32), plies as u32);
            let game = JournalGame { white, ending: shortened(ending), plies, place };
            self.games.insert(number, game);
        }
    }

    /// Reads the header and forgets all games.
    fn begin(&mut self, file: &mut File) -> Result<(), JournalError> {
        let header = first_line(file).map_err(|source| self.io(source))?;
        let identity = content(&header).and_then(read_header);
        let foreign = || JournalError::Foreign { path: self.path.clone() };
        self.identity = identity.ok_or_else(foreign)?;
        self.at = header.len() as u64;
        self.header = header;
        self.games.clear();
        self.damaged = 0;
        Ok(())
    }

    fn has_same_header(&self, file: &mut File) -> Result<bool, JournalError> {
        Ok(first_line(file).map_err(|source| self.io(source))? == self.header)
    }

    fn file(&self) -> Result<File, JournalError> {
        File::open(&self.path).map_err(|source| self.io(source))
    }

    fn io(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), action: "read", source }
    }
}

/// The longest header that is read: some hundred engines.
const MAX_HEADER_BYTES: u64 = 1 << 18;

fn first_line(file: &mut File) -> io::Result<Vec<u8>> {
    file.rewind()?;
    let mut line = Vec::new();
    BufReader::new(file.take(MAX_HEADER_BYTES)).read_until(b'\n', &mut line)?;
    Ok(line)
}

/// The outcome of a game that was adjudicated, by the stated score of White.
fn adjudicated(white: GameScore) -> Outcome {
    if white == GameScore::DRAW {
        Outcome::draw("draw by adjudication")
    } else {
        Outcome::new(Color::White, white, "win by adjudication")
    }
}

/// The ending, with a message of a limited length.
fn shortened(mut ending: Ending) -> Ending {
    if let Ending::PlayerFault {
        fault: PlayerFault::Crash(text) | PlayerFault::Illegal(text), ..
    } = &mut ending
        && text.len() > MAX_FAULT
    {
        *text = text.chars().take(MAX_FAULT).collect();
    }
    ending
}
