//! Text values: scores, results and plies in text formats.

use games::{Color, GameScore};

/// Parses the score of a game: `1.0`, `0.75`, `1/2`, `1-0`.
pub(super) fn read_points(text: &str) -> Option<GameScore> {
    let share = match text {
        "1-0" => 1.0,
        "0-1" => 0.0,
        "1/2-1/2" | "1/2" => 0.5,
        "3/4-1/4" | "3/4" => 0.75,
        "1/4-3/4" | "1/4" => 0.25,
        number => number.parse::<f64>().ok()?,
    };
    points_of(share)
}

/// A score as a [`GameScore`], if it is a multiple of a quarter.
pub(super) fn points_of(share: f64) -> Option<GameScore> {
    let quarters = share * 4.0;
    let whole = (0.0..=4.0).contains(&quarters) && (quarters - quarters.round()).abs() < 1e-6;
    if whole { GameScore::quarters(quarters.round() as u8) } else { None }
}

/// The inverse of [`read_points`], with a decimal point.
pub(super) fn points_text(points: GameScore) -> &'static str {
    ["0.0", "0.25", "0.5", "0.75", "1.0"][usize::from(points.as_quarters())]
}

/// Converts the score of `side` to White's, and back.
pub(super) fn turn_points(points: GameScore, side: Color) -> GameScore {
    if side == Color::White { points } else { points.rest() }
}

/// Converts a score of `side` to White's, and back. -32768, which has no negative, becomes 32767.
pub(super) fn turn_score(score: i16, side: Color) -> i16 {
    if side == Color::White { score } else { 0i16.saturating_sub(score) }
}

/// The number of plies before a position, by the counters of its FEN; 0 if it has none.
pub(super) fn ply_of_fen(fen: &str, side: Color) -> u16 {
    let mut fields = fen.split_ascii_whitespace().rev();
    let (number, clock) = (fields.next(), fields.next());
    let clock = clock.and_then(|text| text.parse::<u16>().ok());
    match number.and_then(|text| text.parse::<u32>().ok()).filter(|_| clock.is_some()) {
        Some(number @ 1..) => {
            let plies =
                (number - 1).saturating_mul(2).saturating_add(u32::from(side == Color::Black));
            u16::try_from(plies).unwrap_or(u16::MAX)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_quarters() {
        for (text, quarters) in [
            ("1.0", 4),
            ("1", 4),
            ("0.75", 3),
            ("0.5", 2),
            ("1/2", 2),
            ("0.25", 1),
            ("0", 0),
            ("0-1", 0),
        ] {
            assert_eq!(read_points(text), GameScore::quarters(quarters), "{text}");
        }
        for text in ["", "2", "-0.25", "0.3", "nan", "inf", "win", "1.0.0"] {
            assert_eq!(read_points(text), None, "{text}");
        }
        for quarters in 0..=4 {
            let points = GameScore::quarters(quarters).expect("quarters");
            assert_eq!(read_points(points_text(points)), Some(points));
        }
    }

    #[test]
    fn plies_come_from_the_counters() {
        let ply = |fen| ply_of_fen(fen, Color::Black);
        assert_eq!(ply("8/8 b - - 0 1"), 1);
        assert_eq!(ply("8/8 b - - 3 40"), 79);
        assert_eq!(ply("8/8 b - -"), 0);
        assert_eq!(ply("7/7 b"), 0);
        assert_eq!(ply("x b - - 0 65535"), u16::MAX);
        assert_eq!(ply("x b - - 0 0"), 0);
    }

    #[test]
    fn scores_are_turned() {
        assert_eq!(turn_score(31, Color::White), 31);
        assert_eq!(turn_score(31, Color::Black), -31);
        assert_eq!(turn_score(i16::MIN, Color::Black), i16::MAX);
    }
}
