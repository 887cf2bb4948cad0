//! viriformat: whole games of chess.
//!
//! A game is a packed board of 32 bytes, then four bytes a move (move, score for White), then four
//! zero bytes. The board: occupied squares (u64), the pieces on them in that order (four bits each:
//! bit 3 Black, then pawn 0 to king 5, 6 a rook that may castle), en-passant square or 64 with
//! Black's turn in bit 7, halfmove clock, fullmove number (u16), score (i16, 0), White's result (0,
//! 1, 2), one spare. A move: from, to (the rook's square for castling), promotion 0–3, and two
//! bits: 1 en passant, 2 castling, 3 promotion.
//!
//! A record is a played move, so each needs a best move, a score and a result of 0, 1/2 or 1, and
//! must follow from the one before. Lost: depths, quantiles, and the ply and the number of the game
//! beyond the order and the counters of the board. A broken game is skipped as a whole.

mod pack;
mod sink;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::io::BufRead;
use std::path::{Path, PathBuf};

use games::chess::Chess;
use games::chess::cozy_chess::Color;
use games::{Game, GameScore};

use super::bullet::read_full;
use super::values::{turn_points, turn_score};
use super::{Faults, FormatError, RecordSource};
use crate::Record;
use pack::{decode, encode, unpack};

pub(super) use sink::Sink;

const HEADER: usize = 32;
const ENTRY: usize = 4;
/// The maximum length of a game: plies are counted by 16 bits.
const MAX_PLIES: usize = 1 << 16;

/// The records of a game, or why there are none.
type GameRead = Result<VecDeque<Record<Chess>>, String>;

/// Reads a file of games.
pub(super) struct Source<R> {
    input: R,
    path: PathBuf,
    bytes: u64,
    games: u32,
    ready: VecDeque<Record<Chess>>,
    faults: Faults,
}

impl<R: BufRead> Source<R> {
    pub(super) fn new(input: R, path: &Path) -> Self {
        Self {
            input,
            path: path.to_owned(),
            bytes: 0,
            games: 0,
            ready: VecDeque::new(),
            faults: Faults::new("game"),
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<usize, FormatError> {
        let read = read_full(&mut self.input, bytes);
        let read = read.map_err(|source| FormatError::read(&self.path, source))?;
        self.bytes += read as u64;
        Ok(read)
    }

    /// Reads one game to its end, even if it is broken, so that the next one is found. Returns
    /// `None` at the end of the file.
    fn read_game(&mut self) -> Result<Option<GameRead>, FormatError> {
        let mut header = [0; HEADER];
        match self.read(&mut header)? {
            0 => return Ok(None),
            HEADER => {}
            read => return Ok(Some(Err(format!("the file ends after {read} bytes of a game")))),
        }
        self.games += 1;
        let mut game = Unpacked::new(&header, self.games);
        loop {
            let mut entry = [0; ENTRY];
            if self.read(&mut entry)? < ENTRY {
                return Ok(Some(Err("the file ends within the game".to_owned())));
            }
            if entry == [0; ENTRY] {
                return Ok(Some(game.map(|game| game.records)));
            }
            if let Ok(unpacked) = &mut game
                && let Err(fault) = unpacked.play(entry)
            {
                game = Err(fault);
            }
        }
    }
}

impl<R: BufRead> RecordSource<Chess> for Source<R> {
    fn next(&mut self) -> Result<Option<Record<Chess>>, FormatError> {
        loop {
            if let Some(record) = self.ready.pop_front() {
                return Ok(Some(record));
            }
            let begin = self.bytes;
            match self.read_game()? {
                None => return Ok(None),
                Some(Ok(records)) => self.ready = records,
                Some(Err(fault)) => {
                    let place = format!("game {} at byte {begin}", self.games);
                    self.faults.add(place, fault);
                }
            }
        }
    }

    fn bytes_read(&self) -> u64 {
        self.bytes
    }

    fn faults(&self) -> &Faults {
        &self.faults
    }
}

/// A game that is being read.
struct Unpacked {
    position: Chess,
    white: GameScore,
    ply: u16,
    game: u32,
    records: VecDeque<Record<Chess>>,
}

impl Unpacked {
    fn new(header: &[u8; HEADER], game: u32) -> Result<Self, String> {
        let (position, white) = unpack(header)?;
        let board = position.board();
        let plies = (u32::from(board.fullmove_number()) - 1) * 2
            + u32::from(board.side_to_move() == Color::Black);
        let ply = u16::try_from(plies).unwrap_or(u16::MAX);
        Ok(Self { position, white, ply, game, records: VecDeque::new() })
    }

    fn play(&mut self, entry: [u8; ENTRY]) -> Result<(), String> {
        let [a, b, c, d] = entry;
        let code = u16::from_le_bytes([a, b]);
        let number = self.records.len() + 1;
        if number > MAX_PLIES {
            return Err(format!("more than {MAX_PLIES} moves"));
        }
        let mv = decode(code);
        if !self.position.is_legal(mv) || encode(&self.position, mv) != code {
            let fen = self.position.to_fen();
            return Err(format!("move {number} (code {code}, {mv}) is not legal in `{fen}`"));
        }
        let side = self.position.side_to_move();
        let mut record = Record::new(self.position.clone());
        record.ply = self.ply;
        record.game = self.game;
        record.score = Some(turn_score(i16::from_le_bytes([c, d]), side));
        record.result = Some(turn_points(self.white, side));
        record.best_move = Some(mv);
        self.records.push_back(record);
        self.position.play(mv);
        self.ply = self.ply.saturating_add(1);
        Ok(())
    }
}
