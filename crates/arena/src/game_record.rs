//! Game record: the opening and the moves played so far, each with the player's score.

use std::time::Duration;

use games::{Color, GameHistory, ToolkitGame};
use search::Score;

/// The start of a game: a position, and moves that are played before the players choose.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening<G: ToolkitGame> {
    /// The position.
    pub start: G,
    /// Legal moves from the position.
    pub moves: Vec<G::Move>,
}

impl<G: ToolkitGame> Opening<G> {
    /// An opening without moves.
    pub fn at(start: G) -> Self {
        Self { start, moves: Vec::new() }
    }

    /// The position after the moves, with its history.
    pub fn line(&self) -> GameHistory<G> {
        let mut line = GameHistory::new(self.start.clone());
        self.moves.iter().for_each(|&mv| line.play(mv));
        line
    }
}

/// A move that a player chose, with its score, depth, nodes and time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedMove<M> {
    /// The move.
    pub mv: M,
    /// The score of the position before it for the player, if reported.
    pub score: Option<Score>,
    /// The depth of the search in plies; 0 if not reported.
    pub depth: usize,
    /// The nodes of the search; 0 if not reported.
    pub nodes: u64,
    /// How long it took, by the referee's clock.
    pub time: Duration,
}

/// The opening of a game and the moves played so far.
#[derive(Clone, Debug)]
pub struct GameRecord<G: ToolkitGame> {
    opening: Opening<G>,
    played_moves: Vec<PlayedMove<G::Move>>,
    line: GameHistory<G>,
}

impl<G: ToolkitGame> GameRecord<G> {
    /// A game before its first chosen move.
    pub fn new(opening: Opening<G>) -> Self {
        let line = opening.line();
        Self { opening, played_moves: Vec::new(), line }
    }

    /// The opening.
    pub fn opening(&self) -> &Opening<G> {
        &self.opening
    }

    /// The moves that players chose, in order.
    pub fn played_moves(&self) -> &[PlayedMove<G::Move>] {
        &self.played_moves
    }

    /// The current position, with the history that repetition needs.
    pub fn line(&self) -> &GameHistory<G> {
        &self.line
    }

    /// The current position.
    pub fn position(&self) -> &G {
        self.line.position()
    }

    /// The side to move.
    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// All moves from the start of the opening, those of the opening first.
    pub fn moves(&self) -> impl Iterator<Item = G::Move> {
        self.opening
            .moves
            .iter()
            .copied()
            .chain(self.played_moves.iter().map(|played_move| played_move.mv))
    }

    /// Adds a legal move.
    pub fn play(&mut self, played_move: PlayedMove<G::Move>) {
        self.line.play(played_move.mv);
        self.played_moves.push(played_move);
    }
}
