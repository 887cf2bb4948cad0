//! PGN writer: games in portable game notation.
//!
//! Moves of chess are SAN; those of other games are in the notation of the game, under a `Variant`
//! tag. The comment after a move has the format of other match programs: `{+0.31/12 0.05s}` is the
//! score in pawns, the depth and the time; `+M5` is a win in five plies. The last comment also
//! gives the reason for the end of the game.

#[cfg(test)]
mod tests;

use games::{Color, ToolkitGame};
use search::Score;

use crate::game_record::PlayedMove;
use crate::play::Played;

/// The tags of a game. Empty texts become `?`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    /// The event.
    pub event: String,
    /// The date, as `2026.01.31`.
    pub date: String,
    /// The round.
    pub round: String,
    /// The player with White.
    pub white: String,
    /// The player with Black.
    pub black: String,
    /// The time control.
    pub time_control: String,
}

/// The game as PGN, followed by an empty line.
pub fn pgn<G: ToolkitGame>(tags: &Tags, played: &Played<G>) -> String {
    let mut text = String::new();
    for (name, value) in tag_pairs(tags, played) {
        let value = if value.is_empty() { "?".to_owned() } else { quoted(&value) };
        text += &["[", name, " \"", &value, "\"]\n"].concat();
    }
    text.push('\n');
    text + &wrapped(&words(played)) + "\n"
}

fn tag_pairs<G: ToolkitGame>(tags: &Tags, played: &Played<G>) -> Vec<(&'static str, String)> {
    let start = &played.record.opening().start;
    let mut pairs = vec![
        ("Event", tags.event.clone()),
        ("Site", String::new()),
        ("Date", if tags.date.is_empty() { "????.??.??".to_owned() } else { tags.date.clone() }),
        ("Round", tags.round.clone()),
        ("White", tags.white.clone()),
        ("Black", tags.black.clone()),
        ("Result", played.result().to_owned()),
    ];
    pairs.extend(start.variant_tag().map(|variant| ("Variant", variant.to_owned())));
    // Compare settings too: a Chess960 start position looks like the standard one.
    let standard = G::start();
    let other_variant = start.variant_tag() != standard.variant_tag();
    if start.to_fen() != standard.to_fen() || other_variant {
        pairs.extend([("SetUp", "1".to_owned()), ("FEN", start.to_fen())]);
    }
    pairs.extend([
        ("PlyCount", played.record.moves().count().to_string()),
        ("TimeControl", tags.time_control.clone()),
        ("Termination", played.termination().to_owned()),
    ]);
    pairs
}

/// The movetext: moves with numbers and comments, and the result.
fn words<G: ToolkitGame>(played: &Played<G>) -> Vec<String> {
    let record = &played.record;
    let mut position = record.opening().start.clone();
    let mut number = first_number(&position);
    let mut words = Vec::new();
    let mut numbered = false;
    let reason = plain(&played.reason());
    let book = record.opening().moves.iter().map(|&mv| (mv, "book".to_owned()));
    let chosen =
        record.played_moves().iter().map(|played_move| (played_move.mv, comment(played_move)));
    let count = record.moves().count();
    for (ply, (mv, comment)) in book.chain(chosen).enumerate() {
        match position.side_to_move() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if !numbered => words.push(format!("{number}...")),
            Color::Black => {}
        }
        numbered = true;
        words.push(position.san(mv));
        let last = if ply + 1 == count { format!(", {reason}") } else { String::new() };
        words.extend(format!("{{{comment}{last}}}").split(' ').map(str::to_owned));
        number += u32::from(position.side_to_move() == Color::Black);
        position.play(mv);
    }
    if count == 0 {
        words.extend(format!("{{{reason}}}").split(' ').map(str::to_owned));
    }
    words.push(played.result().to_owned());
    words
}

/// The number of the first move: the last field of the FEN if that is a number, else 1.
pub fn first_number<G: ToolkitGame>(start: &G) -> u32 {
    let fen = start.to_fen();
    fen.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(1)
}

fn comment<M>(played_move: &PlayedMove<M>) -> String {
    let seconds = played_move.time.as_secs_f64();
    let time = format!("{seconds:.3}s");
    let Some(score) = played_move.score else { return time };
    let score = match score {
        Score::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+M{}", 2 * i64::from(moves) - 1),
        Score::Mate(moves) => format!("-M{}", -2 * i64::from(moves)),
    };
    format!("{score}/{} {time}", played_move.depth)
}

/// Text that is safe inside a comment: no closing brace, no line break.
pub fn plain(text: &str) -> String {
    let odd = |letter: char| letter.is_control() || "{}".contains(letter);
    text.chars().map(|letter| if odd(letter) { ' ' } else { letter }).collect()
}

/// Text that is safe inside a tag value.
pub fn quoted(text: &str) -> String {
    plain(text).replace('\\', "\\\\").replace('"', "\\\"")
}

/// Lines of at most 80 characters, unless a word is longer.
pub fn wrapped(words: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 80 {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text += word;
        width += length;
    }
    text.push('\n');
    text
}
