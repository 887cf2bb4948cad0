//! PGN comments: the scores that engines write after moves.

use crate::MATE_SCORE;

/// The score of mate on the board. Longer mates are closer to [`MATE_SCORE`].
const MATE_NOW: i16 = MATE_SCORE + 2000;

/// A score in a comment, in centipawns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommentScore {
    /// For the side that moved, in the position before the move.
    Mover(i16),
    /// For White, in the position after the move.
    White(i16),
}

/// The score in the text of a comment, if there is one.
pub(super) fn read(text: &str) -> Option<CommentScore> {
    if let Some((_, rest)) = text.split_once("[%eval") {
        let value = rest.split([']', ',']).next()?.trim();
        return centipawns(value).map(CommentScore::White);
    }
    let mut words = text.split([' ', '\t', ',']);
    words.find_map(score_and_depth).or_else(|| score_first(text)).map(CommentScore::Mover)
}

/// `+0.31 12/18 123 45678`, or only the score: OpenBench's form of comments.
fn score_first(text: &str) -> Option<i16> {
    let mut words = text.split_ascii_whitespace();
    let score = words.next().filter(|score| score.contains(['.', 'M', '#']))?;
    let depths = words.next().is_none_or(|depths| {
        let (depth, deepest) = depths.split_once('/').unwrap_or_default();
        digits(depth).is_some() && digits(deepest).is_some()
    });
    if depths { centipawns(score) } else { None }
}

/// `+0.31/12`. A bare fraction is not a score: `1/2` may be a draw offer.
fn score_and_depth(word: &str) -> Option<i16> {
    let (score, depth) = word.split_once('/')?;
    let telling = score.contains(['.', '+', '-', 'M', '#']);
    let deep = depth.starts_with(|letter: char| letter.is_ascii_digit());
    if telling && deep { centipawns(score) } else { None }
}

/// Pawns (`-0.31`) or a mate (`M5`, `-M7`, `#-3`).
fn centipawns(text: &str) -> Option<i16> {
    let (negative, text) = sign(text);
    let turned = |negative: bool, score: i16| if negative { -score } else { score };
    if let Some(distance) = text.strip_prefix(['M', 'm', '#']) {
        let (below, distance) = sign(distance);
        let distance: u32 = digits(distance)?.parse().ok()?;
        let score = MATE_NOW - i16::try_from(distance).unwrap_or(2000).min(2000);
        return Some(turned(negative != below, score));
    }
    let pawns: f64 = digits(text)?.parse().ok()?;
    let score = (pawns * 100.0).round().min(f64::from(i16::MAX)) as i16;
    Some(turned(negative, score))
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

/// The text if it is a plain number: no `inf`, no `1e9`.
fn digits(text: &str) -> Option<&str> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    (plain && !text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_to_say_a_score() {
        for (text, score) in [
            ("+0.31/12 0.05s", Some(CommentScore::Mover(31))),
            ("-1.5/20 1.2s, n=12345, pv=\"e2e4\"", Some(CommentScore::Mover(-150))),
            ("0.00/1 0s, Draw by 3-fold repetition", Some(CommentScore::Mover(0))),
            ("(Nf6) +0.105/7 3s", Some(CommentScore::Mover(11))),
            ("+0.31 12/18 123 45678", Some(CommentScore::Mover(31))),
            ("-M7 31/40 90 1000", Some(CommentScore::Mover(-31_993))),
            (" 0.00 ", Some(CommentScore::Mover(0))),
            ("+M3", Some(CommentScore::Mover(31_997))),
            ("3. e4 is better", None),
            ("0.31 pawns", None),
            ("+1", None),
            ("+M5/20 0.1s", Some(CommentScore::Mover(31_995))),
            ("-M7/31 0.1s", Some(CommentScore::Mover(-31_993))),
            ("M1/3", Some(CommentScore::Mover(31_999))),
            ("#-3/9", Some(CommentScore::Mover(-31_997))),
            ("+999.99/9", Some(CommentScore::Mover(i16::MAX))),
            ("-320.00/9", Some(CommentScore::Mover(-32_000))),
            ("[%eval 0.31]", Some(CommentScore::White(31))),
            ("[%clk 0:01:00] [%eval -2.07,18]", Some(CommentScore::White(-207))),
            ("[%eval #-3]", Some(CommentScore::White(-31_997))),
            ("[%eval #4] [%clk 0:00:10]", Some(CommentScore::White(31_996))),
            ("+M99999/9", Some(CommentScore::Mover(MATE_SCORE))),
            ("book", None),
            ("", None),
            ("offers 1/2", None),
            ("1/2-1/2", None),
            ("12 +0.31", None),
            ("inf/3", None),
            ("+inf/3", None),
            ("+/3", None),
            ("+0.3.1/4", None),
            ("[%eval]", None),
            ("[%eval x]", None),
        ] {
            assert_eq!(read(text), score, "{text}");
        }
    }
}
