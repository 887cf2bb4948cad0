//! PGN in and out.

use std::collections::BTreeMap;

use dataset::formats::{PgnGame, read_pgn};
use games::{Color, ToolkitGame};
use serde::{Deserialize, Serialize};

use super::line::{Line, PlayedLine};
use crate::error::ApiError;
use crate::limits;

/// The games of a PGN text.
#[derive(Clone, Debug, Serialize)]
pub struct PgnView {
    games: Vec<PgnGameView>,
    faults: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
struct PgnGameView {
    tags: BTreeMap<String, String>,
    line: Line,
    result: &'static str,
}

/// A game to write.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PgnRequest {
    pub(super) line: Line,
    #[serde(default)]
    tags: BTreeMap<String, String>,
    #[serde(default)]
    result: Option<String>,
    #[serde(default)]
    reason: String,
}

/// The results that a game of the page can have.
const RESULTS: [&str; 6] = ["1-0", "0-1", "1/2-1/2", "3/4-1/4", "1/4-3/4", "*"];

/// Reads games.
pub(super) fn read<G: ToolkitGame>(pgn: &str) -> Result<PgnView, ApiError> {
    let read = read_pgn::<G>(pgn, limits::PGN_GAMES);
    if read.games.is_empty() {
        let fault = read.faults.first().map_or("it has no moves", String::as_str);
        let message = format!("the text is not a PGN of {}: {fault}", G::NAME);
        return Err(ApiError::bad_request("bad_pgn", message));
    }
    Ok(PgnView { games: read.games.into_iter().map(view).collect(), faults: read.faults })
}

fn view<G: ToolkitGame>(game: PgnGame<G>) -> PgnGameView {
    let PgnGame { tags, start, moves, white } = game;
    let variant = tags.iter().find(|(name, _)| name == "Variant").map(|(_, value)| value.as_str());
    let rules = G::settings_of_variant(variant).unwrap_or_default().iter();
    let rules = rules.map(|&(name, value)| (name.to_owned(), value.to_owned()));
    let fen = start.to_fen();
    let mut position = start;
    let texts = moves.into_iter().take(limits::MOVES).map(|mv| {
        let text = position.move_text(mv);
        position.play(mv);
        text
    });
    PgnGameView {
        line: Line {
            game: G::NAME.to_owned(),
            moves: texts.collect(),
            fen: (fen != G::start().to_fen()).then_some(fen),
            rules: rules.collect(),
        },
        tags: tags.into_iter().collect(),
        result: white.map_or("*", arena::result_text),
    }
}

/// Writes a game.
pub(super) fn write<G: ToolkitGame>(
    request: &PgnRequest,
    line: &PlayedLine<G>,
) -> Result<String, ApiError> {
    let result = request.result.as_deref().unwrap_or("*");
    if !RESULTS.contains(&result) {
        let message = format!("`{result}` is not a result; expected one of {}", RESULTS.join(", "));
        return Err(ApiError::bad_request("bad_result", message));
    }
    let tag = |name: &str| request.tags.get(name).map_or("?", String::as_str);
    let date = request.tags.get("Date").map_or("????.??.??", String::as_str);
    let mut tags = vec![
        ("Event", tag("Event")),
        ("Site", tag("Site")),
        ("Date", date),
        ("Round", tag("Round")),
        ("White", tag("White")),
        ("Black", tag("Black")),
        ("Result", result),
    ];
    let start = &line.start;
    tags.extend(start.variant_tag().map(|variant| ("Variant", variant)));
    let (fen, standard) = (start.to_fen(), G::start());
    if fen != standard.to_fen() || start.variant_tag() != standard.variant_tag() {
        tags.extend([("SetUp", "1"), ("FEN", &fen)]);
    }
    let mut text = String::new();
    for (name, value) in tags {
        text += &["[", name, " \"", &arena::pgn::quoted(value), "\"]\n"].concat();
    }
    text.push('\n');
    text += &arena::pgn::wrapped(&words(line, request, result));
    text.push('\n');
    Ok(text)
}

fn words<G: ToolkitGame>(line: &PlayedLine<G>, request: &PgnRequest, result: &str) -> Vec<String> {
    let mut number = arena::pgn::first_number(&line.start);
    let mut words = Vec::new();
    for (position, &mv) in line.positions().iter().zip(&line.moves) {
        match position.side_to_move() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if words.is_empty() => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(position.san(mv));
        number += u32::from(position.side_to_move() == Color::Black);
    }
    if !request.reason.is_empty() {
        let comment = format!("{{{}}}", arena::pgn::plain(&request.reason));
        words.extend(comment.split(' ').map(str::to_owned));
    }
    words.push(result.to_owned());
    words
}
