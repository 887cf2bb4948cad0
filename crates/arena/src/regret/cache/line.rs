//! Lines of a reference cache: printing, parsing and checksums.

use games::ToolkitGame;
use search::Score;

use super::ReferenceEntry;

/// The beginning of the first line.
pub(super) const MAGIC: &str = "accrue-regret 1";
/// The number of digits of a reference's identity.
const IDENTITY_DIGITS: usize = 16;

/// The first line of a cache, without its checksum.
pub(super) fn header(game: &str, rules: &[(String, String)]) -> String {
    let rules = rules.iter().map(|(name, value)| format!(" {name}={value}"));
    format!("{MAGIC} {game}{}", rules.collect::<String>())
}

/// A line with its checksum and its end.
pub(super) fn with_checksum(content: &str) -> String {
    format!("{content} #{:08x}\n", crc32fast::hash(content.as_bytes()))
}

/// The content of a line whose checksum is right.
pub(super) fn checked(line: &[u8]) -> Result<&str, String> {
    let line = std::str::from_utf8(line).map_err(|_| "it is not UTF-8".to_owned())?;
    let (content, sum) = line.rsplit_once(" #").ok_or("it has no checksum")?;
    let expected = format!("{:08x}", crc32fast::hash(content.as_bytes()));
    if sum == expected { Ok(content) } else { Err("its checksum is wrong".to_owned()) }
}

/// A result as the content of a line.
pub(super) fn print<G: ToolkitGame>(
    identity: &str,
    position: &G,
    entry: ReferenceEntry<G::Move>,
) -> String {
    let fen = position.to_fen();
    match entry {
        ReferenceEntry::Best(mv) => format!("{identity} best {} {fen}", position.move_text(mv)),
        ReferenceEntry::Score(mv, score) => {
            let (unit, number) = match score {
                Score::Centipawns(number) => ("cp", number),
                Score::Mate(number) => ("mate", number),
            };
            format!("{identity} score {} {unit} {number} {fen}", position.move_text(mv))
        }
    }
}

/// The identity of the reference, the position and the result of a line.
type Parsed<'a, G> = (&'a str, G, ReferenceEntry<<G as games::Game>::Move>);

/// Parses what [`print`] returns.
pub(super) fn parse<'a, G: ToolkitGame>(
    content: &'a str,
    rules: &[(String, String)],
) -> Result<Parsed<'a, G>, String> {
    let word = |text: &'a str, expected: &str| {
        text.split_once(' ').ok_or_else(|| format!("it ends before {expected}"))
    };
    let (identity, rest) = word(content, "the identity of the reference")?;
    let digits = identity.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if identity.len() != IDENTITY_DIGITS || !digits {
        let expected = format!("expected {IDENTITY_DIGITS} hexadecimal digits");
        return Err(format!("`{identity}` identifies no reference; {expected}"));
    }
    let (kind, rest) = word(rest, "`best` or `score`")?;
    let (mv, rest) = word(rest, "the move")?;
    let (score, fen) = match kind {
        "best" => (None, rest),
        "score" => {
            let (unit, rest) = word(rest, "`cp` or `mate`")?;
            let (number, fen) = word(rest, "the position")?;
            let value = number.parse::<i32>();
            let value = value.map_err(|_| format!("`{number}` is no score; expected a number"))?;
            let score = match unit {
                "cp" => Score::Centipawns(value),
                "mate" => Score::Mate(value),
                _ => return Err(format!("`{unit}` is no unit; expected `cp` or `mate`")),
            };
            (Some(score), fen)
        }
        _ => return Err(format!("`{kind}` is unknown; expected `best` or `score`")),
    };
    let mut position = G::from_fen(fen).map_err(|error| format!("`{fen}`: {error}"))?;
    for (name, value) in rules {
        position.set(name, value).map_err(|error| error.to_string())?;
    }
    let mv = position.parse_move(mv).map_err(|error| format!("`{fen}`: {error}"))?;
    let entry = match score {
        None => ReferenceEntry::Best(mv),
        Some(score) => ReferenceEntry::Score(mv, score),
    };
    Ok((identity, position, entry))
}
