//! Journal line of a game: `game 17 4 rules 796,c31,12,5000,1532 …`.
//!
//! After the number of the game come White's score in quarters, the ending, and the moves that
//! players chose: code, score, depth, nodes, microseconds. The opening follows from the match.

use std::fmt::Write;
use std::time::Duration;

use games::{Color, GameScore, Outcome, ToolkitGame};
use search::Score;

use super::Fixture;
use super::words::{escape, unescape};
use crate::game_record::{GameRecord, Opening, PlayedMove};
use crate::play::{Ending, Played};
use crate::player::PlayerFault;

const KIND: &str = "game ";

/// The number of the game on a line, if the line is of a game.
pub(super) fn number(content: &str) -> Option<u64> {
    content.strip_prefix(KIND)?.split(' ').next()?.parse().ok()
}

pub(super) fn encode<G: ToolkitGame>(fixture: &Fixture, played: &Played<G>) -> String {
    let quarters = played.outcome.white.as_quarters();
    let mut line = format!("{KIND}{} {quarters} {}", fixture.number, ending(&played.ending));
    for played_move in played.record.played_moves() {
        let &PlayedMove { mv, score, depth, nodes, time } = played_move;
        let (code, micros) = (G::move_code(mv), time.as_micros());
        let score = match score {
            None => "-".to_owned(),
            Some(Score::Centipawns(score)) => format!("c{score}"),
            Some(Score::Mate(moves)) => format!("m{moves}"),
        };
        let _ = write!(line, " {code},{score},{depth},{nodes},{micros}");
    }
    line
}

fn ending(ending: &Ending) -> String {
    let Ending::PlayerFault { by, fault } = ending else { return "rules".to_owned() };
    let (kind, text) = match fault {
        PlayerFault::Crash(text) => ("crash", text.clone()),
        PlayerFault::Stall(time) => ("stall", time.as_micros().to_string()),
        PlayerFault::Illegal(text) => ("illegal", text.clone()),
        PlayerFault::Time => ("time", String::new()),
    };
    format!("{by}:{kind}:{}", escape(&text))
}

fn read_ending(text: &str) -> Option<Ending> {
    if text == "rules" {
        return Some(Ending::Rules);
    }
    let mut parts = text.splitn(3, ':');
    let by = match parts.next()? {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return None,
    };
    let (kind, text) = (parts.next()?, unescape(parts.next()?)?);
    let fault = match kind {
        "crash" => PlayerFault::Crash(text),
        "stall" => PlayerFault::Stall(Duration::from_micros(text.parse().ok()?)),
        "illegal" => PlayerFault::Illegal(text),
        "time" => PlayerFault::Time,
        _ => return None,
    };
    Some(Ending::PlayerFault { by, fault })
}

fn read_turn<G: ToolkitGame>(position: &G, text: &str) -> Option<PlayedMove<G::Move>> {
    let mut parts = text.split(',');
    let mv = position.move_from_code(parts.next()?.parse().ok()?)?;
    let score = match parts.next()? {
        "-" => None,
        score => Some(match score.split_at_checked(1)? {
            ("c", score) => Score::Centipawns(score.parse().ok()?),
            ("m", moves) => Score::Mate(moves.parse().ok()?),
            _ => return None,
        }),
    };
    let depth = parts.next()?.parse().ok()?;
    let nodes = parts.next()?.parse().ok()?;
    let time = Duration::from_micros(parts.next()?.parse().ok()?);
    parts.next().is_none().then_some(PlayedMove { mv, score, depth, nodes, time })
}

/// The result on a line: White's score, the ending, and the number of moves that players chose.
pub(super) fn result(content: &str) -> Option<(GameScore, Ending, usize)> {
    let mut words = content.split(' ').skip(2);
    let white = GameScore::quarters(words.next()?.parse().ok()?)?;
    let ending = read_ending(words.next()?)?;
    Some((white, ending, words.count()))
}

/// Replays the moves of a game from its opening.
fn replay<G: ToolkitGame>(content: &str, opening: Opening<G>) -> Result<GameRecord<G>, String> {
    let mut record = GameRecord::new(opening);
    for word in content.split(' ').skip(4) {
        if record.line().outcome().is_some() {
            return Err("it continues after its end".to_owned());
        }
        let played_move = read_turn(record.position(), word);
        record.play(played_move.ok_or_else(|| {
            format!("`{word}` is not a move in `{}`", record.position().to_fen())
        })?);
    }
    Ok(record)
}

/// Decodes a game. The moves are replayed, so a game that cannot end as stated is refused.
///
/// `adjudicate` ends a game that the rules do not end, from the stated score of White.
pub(super) fn decode<G: ToolkitGame>(
    content: &str,
    opening: Opening<G>,
    adjudicate: impl FnOnce(&GameRecord<G>, GameScore) -> Option<Outcome>,
) -> Result<Played<G>, String> {
    let Some((white, ending, _)) = result(content) else {
        return Err("it cannot be read".to_owned());
    };
    let record = replay(content, opening)?;
    let played = match ending {
        Ending::PlayerFault { by, fault } => Played::lost(record, by, fault),
        Ending::Rules => {
            let outcome = record.line().outcome();
            let outcome = outcome.or_else(|| adjudicate(&record, white));
            let outcome = outcome.ok_or("it does not end as stated")?;
            Played { record, outcome, ending }
        }
    };
    if played.outcome.white != white {
        return Err("its result differs".to_owned());
    }
    Ok(played)
}
