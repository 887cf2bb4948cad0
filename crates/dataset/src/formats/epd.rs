//! EPD format: lines of `FEN [result]`, and EPD with the result in `c9 "1-0"`.
//!
//! The result is White's; it is optional. A FEN of chess may lack its two counters. Lost: score,
//! best move, depths, quantiles, the number of the game, and the ply beyond the counters of the
//! FEN.

use games::ToolkitGame;

use super::game_counter::UNKNOWN_GAME;
use super::values::{ply_of_fen, points_text, read_points, turn_points};
use crate::Record;

pub(super) fn parse<G: ToolkitGame>(line: &str) -> Result<Record<G>, String> {
    let (fen, result) = split(line)?;
    let mut record = Record::new(G::from_fen(fen).map_err(|fault| fault.to_string())?);
    let side = record.position.side_to_move();
    record.ply = ply_of_fen(fen, side);
    record.game = UNKNOWN_GAME;
    if let Some(result) = result {
        let points = read_points(result).ok_or_else(|| {
            format!("result `{result}`: expected White's score: 1.0, 0.5, 0.0 or a quarter")
        })?;
        record.result = Some(turn_points(points, side));
    }
    Ok(record)
}

/// The FEN and the text of the result.
fn split(line: &str) -> Result<(&str, Option<&str>), String> {
    if let Some((fen, rest)) = line.split_once('[') {
        let (result, after) = rest.split_once(']').ok_or("`[` without `]`")?;
        if !after.trim_matches([' ', ';', '\t']).is_empty() {
            return Err(format!("`{}` after the result; expected the end", after.trim()));
        }
        return Ok((fen.trim_end_matches([' ', ';', '\t']), Some(result.trim())));
    }
    if let Some((fen, rest)) = line.split_once(" c9 ") {
        let quoted = rest.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"'));
        let (result, _) = quoted.ok_or("`c9` without a result in quotes, such as \"1-0\"")?;
        return Ok((fen.trim_end_matches([' ', ';']), Some(result)));
    }
    Ok((line.trim_end_matches([' ', ';']), None))
}

#[expect(clippy::unnecessary_wraps, reason = "all formats of lines share one signature")]
pub(super) fn print<G: ToolkitGame>(
    record: &Record<G>,
    line: &mut String,
) -> Result<(), &'static str> {
    line.push_str(&record.position.to_fen());
    if let Some(points) = record.result {
        line.push_str(" [");
        line.push_str(points_text(turn_points(points, record.position.side_to_move())));
        line.push(']');
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use games::GameScore;
    use games::chess::Chess;

    #[test]
    fn all_spellings_of_a_result_are_read() {
        const WHITE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        const BLACK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        for (line, quarters) in [
            (format!("{WHITE} [1.0]"), Some(4)),
            (format!("{BLACK} [1.0]"), Some(0)),
            (format!("{BLACK}; [0.5];"), Some(2)),
            (format!("{WHITE} 0 1 [1/2]"), Some(2)),
            (format!("{WHITE} c9 \"0-1\";"), Some(0)),
            (format!("{BLACK} c9 \"1/2-1/2\"; id \"x\";"), Some(2)),
            (format!("{WHITE};"), None),
            (WHITE.to_owned(), None),
        ] {
            let record = parse::<Chess>(&line).expect(&line);
            assert_eq!(record.result.map(GameScore::as_quarters), quarters, "{line}");
        }
        for line in
            ["[1.0]", "8/8 w - - [1.0]", &format!("{WHITE} [2.0]"), &format!("{WHITE} [1.0")]
        {
            assert!(parse::<Chess>(line).is_err(), "{line}");
        }
    }
}
