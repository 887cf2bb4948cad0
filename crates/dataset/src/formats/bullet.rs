//! bulletformat: bullet's `ChessBoard`, 32 bytes a position, from the perspective of the side to
//! move.
//!
//! Bytes: occupied squares (u64), the pieces on them in that order (four bits each: bit 3 for the
//! opponent, then pawn 0 to king 5), score (i16), result (0 loss, 1 draw, 2 win), own king,
//! opponent's king from the opponent's perspective, three spare. The board is flipped when Black is
//! to move.
//!
//! Every record needs a score and a result of 0, 1/2 or 1. Lost: the side to move (the reader
//! returns White), castling rights, en passant, the counters, best move, ply, the number of the
//! game, depths, quantiles.

use std::fs::File;
use std::io::{BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

use games::GameScore;
use games::chess::Chess;
use games::chess::cozy_chess::{BitBoard, BoardBuilder, Color, Piece};

use super::game_counter::GameCounter;
use super::{Faults, Format, FormatError, RecordSink, RecordSource, settle};
use crate::Record;

/// Bytes of a record.
pub(super) const SIZE: usize = 32;
const THEIRS: u8 = 8;

/// Reads a file of boards.
pub(super) struct Source<R> {
    input: R,
    path: PathBuf,
    bytes: u64,
    records: u64,
    games: GameCounter,
    faults: Faults,
}

impl<R: BufRead> Source<R> {
    pub(super) fn new(input: R, path: &Path) -> Self {
        let (games, faults) = (GameCounter::default(), Faults::new("record"));
        Self { input, path: path.to_owned(), bytes: 0, records: 0, games, faults }
    }
}

impl<R: BufRead> RecordSource<Chess> for Source<R> {
    fn next(&mut self) -> Result<Option<Record<Chess>>, FormatError> {
        loop {
            let mut bytes = [0; SIZE];
            let read = read_full(&mut self.input, &mut bytes);
            let read = read.map_err(|source| FormatError::read(&self.path, source))?;
            self.bytes += read as u64;
            if read == 0 {
                return Ok(None);
            }
            self.records += 1;
            let parsed = if read == SIZE {
                parse(&bytes)
            } else {
                Err(format!("the file ends after {read} of {SIZE} bytes"))
            };
            match parsed {
                Ok(mut record) => {
                    record.game = self.games.number(record.ply);
                    return Ok(Some(record));
                }
                Err(fault) => self.faults.add(format!("record {}", self.records), fault),
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

/// Fills `bytes`; fewer only at the end of the input.
pub(super) fn read_full(input: &mut impl BufRead, bytes: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match input.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// The record in these bytes.
pub(super) fn parse(bytes: &[u8; SIZE]) -> Result<Record<Chess>, String> {
    let occupied = BitBoard(u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")));
    if occupied.len() > 32 {
        return Err(format!("{} pieces; at most 32", occupied.len()));
    }
    let mut builder = BoardBuilder::empty();
    for (place, square) in occupied.iter().enumerate() {
        let code = bytes[8 + place / 2] >> (4 * (place % 2)) & 15;
        let piece = Piece::try_index(usize::from(code % THEIRS));
        let piece =
            piece.ok_or_else(|| format!("piece code {code} on {square}; expected 0–5 or 8–13"))?;
        let color = if code < THEIRS { Color::White } else { Color::Black };
        *builder.square_mut(square) = Some((piece, color));
    }
    let position = Chess::from_builder(&builder).map_err(|fault| fault.to_string())?;
    let [own, theirs] = kings(&position);
    if [own, theirs] != [bytes[27], bytes[28]] {
        let found = [bytes[27], bytes[28]];
        return Err(format!("king squares {found:?}; expected {:?} by the pieces", [own, theirs]));
    }
    let result = GameScore::quarters(bytes[26].saturating_mul(2));
    let result = result.ok_or_else(|| format!("result {}; expected 0, 1 or 2", bytes[26]))?;
    let mut record = Record::new(position);
    record.score = Some(i16::from_le_bytes([bytes[24], bytes[25]]));
    record.result = Some(result);
    Ok(record)
}

/// The squares of both kings, side to move first, each from its own perspective.
fn kings(position: &Chess) -> [u8; 2] {
    let board = position.board();
    let side = board.side_to_move();
    [side, !side].map(|color| board.king(color).relative_to(color) as u8)
}

/// Writes a file of boards.
pub(super) struct Sink {
    output: BufWriter<File>,
    path: PathBuf,
}

impl Sink {
    pub(super) fn new(output: BufWriter<File>, path: &Path) -> Self {
        Self { output, path: path.to_owned() }
    }
}

impl RecordSink<Chess> for Sink {
    fn write(&mut self, record: &Record<Chess>) -> Result<(), FormatError> {
        let bytes = print(record);
        let bytes = bytes.map_err(|reason| FormatError::CannotHold {
            format: Format::OfGame(&super::chess::BULLET),
            reason,
        })?;
        self.output.write_all(&bytes).map_err(|source| FormatError::write(&self.path, source))
    }

    fn finish(self: Box<Self>) -> Result<(), FormatError> {
        settle(self.output, &self.path)
    }
}

/// The bytes of a record, or what they cannot hold.
pub(super) fn print(record: &Record<Chess>) -> Result<[u8; SIZE], &'static str> {
    let score = record.score.ok_or("no score")?;
    let points = record.result.ok_or("no result")?.as_quarters();
    if points % 2 != 0 {
        return Err("a quarter score as its result");
    }
    let board = record.position.board();
    let side = board.side_to_move();
    let occupied = board.occupied();
    let seen = if side == Color::White { occupied } else { occupied.flip_ranks() };
    let mut bytes = [0; SIZE];
    bytes[..8].copy_from_slice(&seen.0.to_le_bytes());
    for (place, square) in seen.iter().enumerate() {
        let square = square.relative_to(side);
        let piece = board.piece_on(square).map_or(0, |piece| piece as u8);
        let owner = if board.colors(side).has(square) { 0 } else { THEIRS };
        bytes[8 + place / 2] |= (piece | owner) << (4 * (place % 2));
    }
    bytes[24..26].copy_from_slice(&score.to_le_bytes());
    bytes[26] = points / 2;
    [bytes[27], bytes[28]] = kings(&record.position);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::super::values::{turn_points, turn_score};
    use super::*;
    use bulletformat::ChessBoard;
    use games::Game;
    use games::chess::cozy_chess::Square;

    /// The part of a record that this format keeps: the same board with White to move.
    fn remainder(record: &Record<Chess>) -> Option<Record<Chess>> {
        let side = record.position.board().side_to_move();
        let mut builder = BoardBuilder::empty();
        for square in Square::ALL {
            let from = record.position.board().to_builder().square(square.relative_to(side));
            let turned = |color: Color| if side == Color::White { color } else { !color };
            *builder.square_mut(square) = from.map(|(piece, color)| (piece, turned(color)));
        }
        let mut left = Record::new(Chess::from_builder(&builder).ok()?);
        left.score = record.score;
        left.result = record.result;
        Some(left)
    }

    /// The bytes as a `ChessBoard` of the crate `bulletformat`.
    fn foreign(bytes: &[u8; SIZE]) -> ChessBoard {
        ChessBoard {
            occ: u64::from_le_bytes(bytes[..8].try_into().expect("eight")),
            pcs: bytes[8..24].try_into().expect("sixteen"),
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result: bytes[26],
            ksq: bytes[27],
            opp_ksq: bytes[28],
            extra: bytes[29..].try_into().expect("three"),
        }
    }

    #[test]
    fn bytes_are_those_of_the_crate() {
        crate::formats::samples::chess(40, |record| {
            let ours = print(record).expect("score and half points");
            let side = record.position.side_to_move();
            let score = turn_score(record.score.expect("a score"), side);
            let points = turn_points(record.result.expect("a result"), side);
            let text = format!(
                "{} | {score} | {:.1}",
                record.position.to_fen(),
                f64::from(points.as_quarters()) / 4.0
            );
            let theirs: ChessBoard = text.parse().expect("the crate reads our text");
            assert_eq!(foreign(&ours), theirs, "{text}");
            let read = parse(&ours).expect("our own bytes");
            assert_eq!(Some(read), remainder(record), "{text}");
        });
    }

    #[test]
    fn any_flipped_bit_is_refused_or_a_legal_position() {
        let mut record = Record::new(Chess::start());
        record.score = Some(13);
        record.result = Some(GameScore::DRAW);
        let bytes = print(&record).expect("score and result");
        for bit in 0..SIZE * 8 {
            let mut bytes = bytes;
            bytes[bit / 8] ^= 1 << (bit % 8);
            if let Ok(read) = parse(&bytes) {
                assert_eq!(Chess::from_fen(&read.position.to_fen()), Ok(read.position));
            }
        }
    }
}
