//! JSON Lines format: an object on each line with `fen`, `quantiles` (five numbers), `best_move`,
//! and the other fields of a record.
//!
//! All values are for the side to move. Every field but `fen` is optional. Lost: only rules that a
//! FEN cannot express, such as hexchess's `stalemate`. Unknown keys are ignored; a known key with a
//! value of another type is a fault.

use games::ToolkitGame;
use serde::{Deserialize, Serialize};

use super::game_counter::UNKNOWN_GAME;
use super::values::{ply_of_fen, points_of};
use crate::{DepthScore, Record};

/// The object of a line. `depths` are pairs of depth and score.
#[derive(Serialize, Deserialize)]
struct JsonRecord {
    fen: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    quantiles: Option<[f64; 5]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    best_move: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<i16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ply: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    depths: Vec<(u8, i16)>,
}

pub(super) fn parse<G: ToolkitGame>(line: &str) -> Result<Record<G>, String> {
    let line: JsonRecord = serde_json::from_str(line).map_err(|fault| fault.to_string())?;
    let mut record = Record::new(G::from_fen(&line.fen).map_err(|fault| fault.to_string())?);
    record.ply = line.ply.unwrap_or_else(|| ply_of_fen(&line.fen, record.position.side_to_move()));
    record.game = line.game.unwrap_or(UNKNOWN_GAME);
    record.score = line.score;
    record.quantiles = line.quantiles.map(read_quantiles).transpose()?;
    let best_move = line.best_move.map(|text| record.position.parse_move(&text)).transpose();
    record.best_move = best_move.map_err(|fault| format!("best_move: {fault}"))?;
    let points = line.result.map(|share| {
        points_of(share).ok_or_else(|| {
            format!("result {share}: expected 0, 0.25, 0.5, 0.75 or 1, for the side to move")
        })
    });
    record.result = points.transpose()?;
    record.depths =
        line.depths.into_iter().map(|(depth, score)| DepthScore { depth, score }).collect();
    if record.depths.len() > 255 || !record.depths.is_sorted_by(|a, b| a.depth < b.depth) {
        return Err("depths: expected pairs [depth, score] by ascending depth".to_owned());
    }
    Ok(record)
}

fn read_quantiles(values: [f64; 5]) -> Result<[i16; 5], String> {
    let fits = |value: f64| (f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(&value);
    match values.into_iter().find(|&value| !fits(value)) {
        Some(value) => Err(format!("quantiles: {value} is not from -32768 to 32767 centipawns")),
        None => Ok(values.map(|value| value.round() as i16)),
    }
}

pub(super) fn print<G: ToolkitGame>(
    record: &Record<G>,
    line: &mut String,
) -> Result<(), &'static str> {
    let position = &record.position;
    let fen = position.to_fen();
    let counted = ply_of_fen(&fen, position.side_to_move()) == record.ply;
    let object = JsonRecord {
        quantiles: record.quantiles.map(|values| values.map(f64::from)),
        best_move: record.best_move.map(|mv| position.move_text(mv)),
        score: record.score,
        result: record.result.map(|points| f64::from(points.as_f32())),
        // Written only where the FEN does not contain it.
        ply: (!counted).then_some(record.ply),
        game: Some(record.game),
        depths: record.depths.iter().map(|&DepthScore { depth, score }| (depth, score)).collect(),
        fen,
    };
    line.push_str(
        &serde_json::to_string(&object).map_err(|_| "a value that JSON cannot represent")?,
    );
    Ok(())
}
