//! Line of play: the game so far, as requests describe it.

use std::collections::BTreeMap;

use games::{GameHistory, ToolkitGame};
use serde::{Deserialize, Serialize};

use crate::error::ApiError;
use crate::limits;

/// A game so far: where it began, its rules and its moves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The name of the game.
    pub game: String,
    /// The position before the first move; `None` for the start of the game.
    #[serde(default)]
    pub fen: Option<String>,
    /// Settings of the game, by name.
    #[serde(default)]
    pub rules: BTreeMap<String, String>,
    /// The moves as texts.
    #[serde(default)]
    pub moves: Vec<String>,
}

/// The longest FEN that is read.
const MAX_FEN: usize = 400;

/// A line whose moves are legal.
pub(crate) struct PlayedLine<G: ToolkitGame> {
    pub(crate) start: G,
    pub(crate) moves: Vec<G::Move>,
}

impl<G: ToolkitGame> PlayedLine<G> {
    /// Reads a line and plays its moves.
    pub(crate) fn read(line: &Line) -> Result<Self, ApiError> {
        if line.moves.len() > limits::MOVES {
            let message =
                format!("the line has {} moves; at most {}", line.moves.len(), limits::MOVES);
            return Err(ApiError::bad_request("too_many_moves", message));
        }
        let start: G = start(line)?;
        let mut position = start.clone();
        let mut moves = Vec::with_capacity(line.moves.len());
        for (ply, text) in (1..).zip(&line.moves) {
            let mv = position.parse_move(text).map_err(|error| {
                ApiError::bad_request("bad_move", format!("move {ply}: {error}"))
            })?;
            position.play(mv);
            moves.push(mv);
        }
        Ok(Self { start, moves })
    }

    /// The position after the last move, with what repetition needs.
    pub(crate) fn history(&self) -> GameHistory<G> {
        self.history_after(self.moves.len())
    }

    /// The position after so many moves.
    pub(crate) fn history_after(&self, plies: usize) -> GameHistory<G> {
        let mut history = GameHistory::new(self.start.clone());
        self.moves.iter().take(plies).for_each(|&mv| history.play(mv));
        history
    }

    /// The position before each move, and the last one.
    pub(crate) fn positions(&self) -> Vec<G> {
        let mut position = self.start.clone();
        let mut positions = vec![position.clone()];
        for &mv in &self.moves {
            position.play(mv);
            positions.push(position.clone());
        }
        positions
    }
}

fn start<G: ToolkitGame>(line: &Line) -> Result<G, ApiError> {
    let mut start = match &line.fen {
        None => G::start(),
        Some(fen) if fen.len() > MAX_FEN => {
            let message = format!("the FEN has {} bytes; at most {MAX_FEN}", fen.len());
            return Err(ApiError::bad_request("bad_fen", message));
        }
        Some(fen) => G::from_fen(fen).map_err(|error| {
            let example = G::start().to_fen();
            let message = format!("{error}. A FEN of {} looks like this: {example}", G::NAME);
            ApiError::bad_request("bad_fen", message)
        })?,
    };
    for (name, value) in &line.rules {
        let set = start.set(name, value);
        set.map_err(|error| ApiError::bad_request("bad_rule", error.to_string()))?;
    }
    Ok(start)
}
