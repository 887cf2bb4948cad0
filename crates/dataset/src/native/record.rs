//! Record encoding: one record as bytes.

use games::{GameScore, ToolkitGame};

use super::varint::{push, push_signed, take, take_byte, take_signed};
use crate::{DepthScore, Record};

/// The bits of the result.
const RESULT: u8 = 7;
/// An unknown result.
const UNKNOWN: u8 = 7;
const SCORE: u8 = 1 << 3;
const MOVE: u8 = 1 << 4;
const DEPTHS: u8 = 1 << 5;
const QUANTILES: u8 = 1 << 6;
const RESERVED: u8 = 1 << 7;

/// The maximum size of a record, without its length.
pub(super) const MAX_BYTES: usize = u8::MAX as usize;

/// Appends a record, preceded by its length. On an error the bytes are unchanged.
pub(crate) fn write<G: ToolkitGame>(
    record: &Record<G>,
    base: u32,
    bytes: &mut Vec<u8>,
) -> Result<(), String> {
    let start = bytes.len();
    let written = write_fields(record, base, bytes).and_then(|()| {
        let length = bytes.len() - start - 1;
        bytes[start] = u8::try_from(length)
            .map_err(|_| format!("it takes {length} bytes; at most {MAX_BYTES}"))?;
        Ok(())
    });
    if written.is_err() {
        bytes.truncate(start);
    }
    written
}

fn write_fields<G: ToolkitGame>(
    record: &Record<G>,
    base: u32,
    bytes: &mut Vec<u8>,
) -> Result<(), String> {
    if !record.depths.is_sorted_by(|a, b| a.depth < b.depth) {
        return Err("its depths do not ascend".to_owned());
    }
    if let Some(mv) = record.best_move.filter(|&mv| !record.position.is_legal(mv)) {
        return Err(format!("{mv:?} is not legal in `{}`", record.position.to_fen()));
    }
    bytes.push(0);
    push_signed(record.game.wrapping_sub(base) as i32, bytes);
    let has = |is: bool, flag: u8| if is { flag } else { 0 };
    bytes.push(
        record.result.map_or(UNKNOWN, GameScore::as_quarters)
            | has(record.score.is_some(), SCORE)
            | has(record.best_move.is_some(), MOVE)
            | has(!record.depths.is_empty(), DEPTHS)
            | has(record.quantiles.is_some(), QUANTILES),
    );
    push(record.ply.into(), bytes);
    if let Some(score) = record.score {
        push_signed(score.into(), bytes);
    }
    if let Some(mv) = record.best_move {
        push(G::move_code(mv), bytes);
    }
    record.position.pack(record.ply, bytes);
    if !record.depths.is_empty() {
        let count = u8::try_from(record.depths.len());
        bytes.push(count.map_err(|_| format!("{} depths; at most 255", record.depths.len()))?);
        for pair in &record.depths {
            bytes.push(pair.depth);
            push_signed(pair.score.into(), bytes);
        }
    }
    let mut before = 0;
    for quantile in record.quantiles.into_iter().flatten().map(i32::from) {
        push_signed(quantile - before, bytes);
        before = quantile;
    }
    Ok(())
}

/// The game number of a record, its first field.
#[inline]
pub(crate) fn game_of(mut record: &[u8], base: u32) -> Option<u32> {
    Some(base.wrapping_add(take_signed(&mut record)? as u32))
}

/// A decoded record, without move generation and without allocation.
pub(crate) struct Parts<'a, P> {
    pub(crate) game: u32,
    pub(crate) ply: u16,
    pub(crate) score: Option<i16>,
    pub(crate) result: Option<GameScore>,
    /// The code of the best move, which may not be legal.
    pub(crate) best_move: Option<u32>,
    pub(crate) position: P,
    pub(crate) depths: Depths<'a>,
    pub(crate) quantiles: Option<[i16; 5]>,
}

/// Depths and scores, as encoded.
#[derive(Clone)]
pub(crate) struct Depths<'a> {
    left: u8,
    bytes: &'a [u8],
}

impl Iterator for Depths<'_> {
    type Item = DepthScore;

    fn next(&mut self) -> Option<DepthScore> {
        self.left = self.left.checked_sub(1)?;
        let depth = take_byte(&mut self.bytes)?;
        let score = i16::try_from(take_signed(&mut self.bytes)?).ok()?;
        Some(DepthScore { depth, score })
    }
}

/// Decodes a record, given without its length.
pub(crate) fn read<G: ToolkitGame>(bytes: &[u8], base: u32) -> Result<Parts<'_, G>, &'static str> {
    read_with(bytes, base, G::unpack)
}

/// The same with another decoder of positions: `position` reads one from the front of the bytes, at
/// its ply.
#[inline]
pub(crate) fn read_with<P>(
    mut bytes: &[u8],
    base: u32,
    position: impl FnOnce(u16, &mut &[u8]) -> Option<P>,
) -> Result<Parts<'_, P>, &'static str> {
    let rest = &mut bytes;
    let (game, flags, ply) = read_start(rest, base).ok_or("expected game, flags and ply")?;
    let result = match flags & RESULT {
        UNKNOWN => None,
        quarters => {
            Some(GameScore::quarters(quarters).ok_or("expected a result of 0 to 4 quarters")?)
        }
    };
    let mut score = None;
    if flags & SCORE != 0 {
        score = Some(take_i16(rest).ok_or("expected a score of 16 bits")?);
    }
    let mut best_move = None;
    if flags & MOVE != 0 {
        best_move = Some(take(rest).ok_or("expected a move")?);
    }
    let position = position(ply, rest).ok_or("expected a position that can be played")?;
    let mut depths = Depths { left: 0, bytes: &[] };
    if flags & DEPTHS != 0 {
        depths = read_depths(rest).ok_or("expected ascending depths, each with a score")?;
    }
    let mut quantiles = None;
    if flags & QUANTILES != 0 {
        quantiles = Some(read_quantiles(rest).ok_or("expected five quantiles")?);
    }
    if !rest.is_empty() {
        return Err("expected the end of the record");
    }
    Ok(Parts { game, ply, score, result, best_move, position, depths, quantiles })
}

#[inline]
fn read_start(bytes: &mut &[u8], base: u32) -> Option<(u32, u8, u16)> {
    let game = base.wrapping_add(take_signed(bytes)? as u32);
    let flags = take_byte(bytes).filter(|flags| flags & RESERVED == 0)?;
    let ply = u16::try_from(take(bytes)?).ok()?;
    Some((game, flags, ply))
}

fn take_i16(bytes: &mut &[u8]) -> Option<i16> {
    i16::try_from(take_signed(bytes)?).ok()
}

fn read_depths<'a>(bytes: &mut &'a [u8]) -> Option<Depths<'a>> {
    let left = take_byte(bytes).filter(|&count| count > 0)?;
    let depths = Depths { left, bytes };
    let mut before = None;
    for _ in 0..left {
        let depth = take_byte(bytes)?;
        take_i16(bytes)?;
        if before >= Some(depth) {
            return None;
        }
        before = Some(depth);
    }
    Some(depths)
}

fn read_quantiles(bytes: &mut &[u8]) -> Option<[i16; 5]> {
    let mut quantiles = [0; 5];
    let mut before = 0_i32;
    for quantile in &mut quantiles {
        before = before.checked_add(take_signed(bytes)?)?;
        *quantile = i16::try_from(before).ok()?;
    }
    Some(quantiles)
}

impl<G: ToolkitGame> Parts<'_, G> {
    /// The record, if its move is legal.
    pub(crate) fn into_record(self) -> Result<Record<G>, &'static str> {
        let best_move = match self.best_move {
            None => None,
            Some(code) => Some(self.position.move_from_code(code).ok_or("expected a legal move")?),
        };
        Ok(Record {
            position: self.position,
            ply: self.ply,
            game: self.game,
            score: self.score,
            result: self.result,
            best_move,
            depths: self.depths.collect(),
            quantiles: self.quantiles,
        })
    }
}
