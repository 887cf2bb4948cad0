//! viriformat writer: whole games.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use games::chess::Chess;
use games::chess::cozy_chess::Move;
use games::{Game, GameScore};

use super::ENTRY;
use super::pack::{encode, pack};
use crate::Record;
use crate::formats::values::{turn_points, turn_score};
use crate::formats::{FormatError, RecordSink, settle};

/// Writes a file of games.
pub(in crate::formats) struct Sink {
    output: BufWriter<File>,
    path: PathBuf,
    open: Option<OpenGame>,
}

/// The game that is being written: what its next record must be.
struct OpenGame {
    game: u32,
    ply: u16,
    position: Chess,
    white: GameScore,
}

impl Sink {
    pub(in crate::formats) fn new(output: BufWriter<File>, path: &Path) -> Self {
        Self { output, path: path.to_owned(), open: None }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), FormatError> {
        self.output.write_all(bytes).map_err(|source| FormatError::write(&self.path, source))
    }
}

impl RecordSink<Chess> for Sink {
    fn write(&mut self, record: &Record<Chess>) -> Result<(), FormatError> {
        let side = record.position.side_to_move();
        let (mv, score, white) = complete(record)?;
        if self.open.take_if(|open| open.game != record.game).is_some() {
            self.put(&[0; ENTRY])?;
        }
        match &self.open {
            Some(open) => open.expect(record, white)?,
            None => self.put(&pack(&record.position, white))?,
        }
        let code = encode(&record.position, mv).to_le_bytes();
        let score = turn_score(score, side).to_le_bytes();
        self.put(&[code[0], code[1], score[0], score[1]])?;
        let mut position = record.position.clone();
        position.play(mv);
        let ply = record.ply.saturating_add(1);
        self.open = Some(OpenGame { game: record.game, ply, position, white });
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<(), FormatError> {
        if self.open.is_some() {
            self.put(&[0; ENTRY])?;
        }
        settle(self.output, &self.path)
    }
}

/// The fields that every record must have: move, score and White's result.
fn complete(record: &Record<Chess>) -> Result<(Move, i16, GameScore), FormatError> {
    let refuse = |missing: &str| FormatError::NotAGame {
        game: record.game,
        found: record.ply,
        fault: format!("has {missing}"),
    };
    let mv = record.best_move.ok_or_else(|| refuse("no move"))?;
    let score = record.score.ok_or_else(|| refuse("no score"))?;
    let points = record.result.ok_or_else(|| refuse("no result"))?;
    if points.as_quarters() % 2 != 0 {
        return Err(refuse("a quarter score as its result"));
    }
    Ok((mv, score, turn_points(points, record.position.side_to_move())))
}

impl OpenGame {
    /// Refuses a record that does not continue the game.
    fn expect(&self, record: &Record<Chess>, white: GameScore) -> Result<(), FormatError> {
        let fault = if record.ply != self.ply {
            format!("comes where ply {} was expected", self.ply)
        } else if record.position != self.position {
            let (found, expected) = (record.position.to_fen(), self.position.to_fen());
            format!("is `{found}` where the move before leads to `{expected}`")
        } else if white != self.white {
            "has another result than the game before it".to_owned()
        } else {
            return Ok(());
        };
        Err(FormatError::NotAGame { game: record.game, found: record.ply, fault })
    }
}
