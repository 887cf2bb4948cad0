//! Games of a match: finished ones to replay, and the boards of those in progress.

use std::collections::BTreeMap;

use arena::contest::OpeningLine;
use arena::tournament::{JournalReader, LiveGame};
use games::{Color, GameHistory, ToolkitGame};
use search::Score;
use serde::Serialize;
use serde_json::{Value, json};

use crate::game::Line;
use crate::limits;

/// Settings of a game, by name and value.
pub(super) type Rules = [(String, String)];

/// A finished game.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayedGame {
    line: Line,
    pub(super) result: &'static str,
    pub(super) reason: String,
    /// The score after each move of the line, if a player reported one.
    scores: Vec<Option<Value>>,
}

/// A game in progress.
#[derive(Clone, Debug, Serialize)]
pub struct LiveBoard {
    line: Line,
    /// The piece on each cell.
    pieces: Vec<Option<char>>,
    /// The cells that the last move changed.
    last: Vec<usize>,
    ply: usize,
}

/// Replays a game of a journal.
pub(super) fn replay<G: ToolkitGame>(
    journal: &JournalReader,
    number: u64,
    opening: &OpeningLine,
    rules: &Rules,
) -> Result<ReplayedGame, String> {
    let opening = opening.opening::<G>(&rules.to_vec())?;
    let played = journal.load(number, opening).map_err(|error| error.to_string())?;
    let record = &played.record;
    let mut position = record.opening().start.clone();
    let mut line = line_from(&position, rules);
    for mv in record.moves() {
        line.moves.push(position.move_text(mv));
        position.play(mv);
    }
    let mut side = record.opening().line().position().side_to_move();
    let mut scores = vec![None; record.opening().moves.len()];
    for played_move in record.played_moves() {
        scores.push(played_move.score.map(|score| white_score(score, side)));
        side = !side;
    }
    Ok(ReplayedGame { line, result: played.result(), reason: played.reason(), scores })
}

/// The board of a game in progress. Every move is checked.
pub(super) fn live_board<G: ToolkitGame>(
    game: &LiveGame,
    rules: &Rules,
) -> Result<LiveBoard, String> {
    if game.moves.len() > limits::MOVES {
        return Err(format!("it has more than {} moves", limits::MOVES));
    }
    let start = OpeningLine { opening: 0, fen: game.fen.clone(), moves: Vec::new() };
    let start = start.opening::<G>(&rules.to_vec())?.start;
    let mut line = line_from(&start, rules);
    let mut history = GameHistory::new(start.clone());
    let mut before = start;
    for &code in &game.moves {
        before = history.position().clone();
        let mv = before.move_from_code(code);
        let mv = mv.ok_or_else(|| format!("{code} is not a move in `{}`", before.to_fen()))?;
        line.moves.push(before.move_text(mv));
        history.play(mv);
    }
    let cells = G::geometry().cells.len();
    let pieces = |position: &G| (0..cells).map(|cell| position.piece_on(cell)).collect::<Vec<_>>();
    let (old, pieces) = (pieces(&before), pieces(history.position()));
    let last = (0..cells).filter(|&cell| old[cell] != pieces[cell]).collect();
    Ok(LiveBoard { ply: line.moves.len(), line, pieces, last })
}

fn line_from<G: ToolkitGame>(start: &G, rules: &Rules) -> Line {
    let fen = start.to_fen();
    Line {
        game: G::NAME.to_owned(),
        fen: (fen != G::start().to_fen()).then_some(fen),
        rules: rules.iter().cloned().collect::<BTreeMap<_, _>>(),
        moves: Vec::new(),
    }
}

/// A player's score as White's.
fn white_score(score: Score, side: Color) -> Value {
    let white = |value: i32| if side == Color::White { value } else { value.saturating_neg() };
    match score {
        Score::Centipawns(score) => json!({ "cp": white(score) }),
        Score::Mate(moves) => json!({ "mate": white(moves) }),
    }
}
