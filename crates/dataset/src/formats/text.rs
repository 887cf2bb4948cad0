//! Text format: lines of `FEN | score | result`, as bullet reads them.
//!
//! Score in centipawns and result (1.0, 0.5, 0.0; quarters for games that have them) are White's.
//! Every record needs both. Lost: best move, depths, quantiles, the number of the game, and the ply
//! beyond the counters of the FEN.

use std::fmt::Write;

use games::ToolkitGame;

use super::game_counter::UNKNOWN_GAME;
use super::values::{ply_of_fen, points_text, read_points, turn_points, turn_score};
use crate::Record;

pub(super) fn parse<G: ToolkitGame>(line: &str) -> Result<Record<G>, String> {
    let parts: Vec<&str> = line.splitn(4, '|').map(str::trim).collect();
    let [fen, score, result] = parts[..] else {
        return Err(format!("{} parts; expected `FEN | score | result`", parts.len()));
    };
    let mut record = Record::new(G::from_fen(fen).map_err(|fault| fault.to_string())?);
    let side = record.position.side_to_move();
    record.ply = ply_of_fen(fen, side);
    record.game = UNKNOWN_GAME;
    let score: i16 = score.parse().map_err(|_| {
        format!("score `{score}`: expected whole centipawns from -32768 to 32767, for White")
    })?;
    record.score = Some(turn_score(score, side));
    let bare = result.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(result);
    let points = read_points(bare).ok_or_else(|| {
        format!("result `{result}`: expected White's score: 1.0, 0.5, 0.0 or a quarter")
    })?;
    record.result = Some(turn_points(points, side));
    Ok(record)
}

pub(super) fn print<G: ToolkitGame>(
    record: &Record<G>,
    line: &mut String,
) -> Result<(), &'static str> {
    let score = record.score.ok_or("no score")?;
    let points = record.result.ok_or("no result")?;
    let side = record.position.side_to_move();
    let (score, points) = (turn_score(score, side), points_text(turn_points(points, side)));
    write!(line, "{} | {score} | {points}", record.position.to_fen())
        .expect("writing to a String cannot fail");
    Ok(())
}
