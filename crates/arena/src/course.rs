//! A game as far as it has come.

use std::time::Duration;

use games::{Color, GameHistory, ToolkitGame};
use search::Score;

/// Where a game begins: a position, and moves that are played before anyone has to think.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening<G: ToolkitGame> {
    /// The position.
    pub start: G,
    /// Legal moves from there.
    pub moves: Vec<G::Move>,
}

impl<G: ToolkitGame> Opening<G> {
    /// Begins at a position.
    pub fn at(start: G) -> Self {
        Self { start, moves: Vec::new() }
    }

    /// The position after its moves, with their history.
    pub fn line(&self) -> GameHistory<G> {
        let mut line = GameHistory::new(self.start.clone());
        self.moves.iter().for_each(|&mv| line.play(mv));
        line
    }
}

/// A move that a player chose, and what the player thought of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turn<M> {
    /// The move.
    pub mv: M,
    /// What the position before it is worth to the player, if the player said so.
    pub score: Option<Score>,
    /// How far the player looked ahead, in plies; 0 if not said.
    pub depth: usize,
    /// How many positions the player looked at; 0 if not said.
    pub nodes: u64,
    /// How long it took, by the referee's clock.
    pub time: Duration,
}

/// A game as far as it has come.
#[derive(Clone, Debug)]
pub struct Course<G: ToolkitGame> {
    opening: Opening<G>,
    turns: Vec<Turn<G::Move>>,
    line: GameHistory<G>,
}

impl<G: ToolkitGame> Course<G> {
    /// A game that is about to begin.
    pub fn new(opening: Opening<G>) -> Self {
        let line = opening.line();
        Self { opening, turns: Vec::new(), line }
    }

    /// Where it began.
    pub fn opening(&self) -> &Opening<G> {
        &self.opening
    }

    /// The moves that players chose, in their order.
    pub fn turns(&self) -> &[Turn<G::Move>] {
        &self.turns
    }

    /// Where it has come to, with the history that repetition needs.
    pub fn line(&self) -> &GameHistory<G> {
        &self.line
    }

    /// Where it has come to.
    pub fn position(&self) -> &G {
        self.line.position()
    }

    /// Whose turn it is.
    pub fn side_to_move(&self) -> Color {
        self.position().side_to_move()
    }

    /// All moves from the start of the opening, those of the opening first.
    pub fn moves(&self) -> impl Iterator<Item = G::Move> {
        self.opening.moves.iter().copied().chain(self.turns.iter().map(|turn| turn.mv))
    }

    /// Adds a legal move.
    pub fn play(&mut self, turn: Turn<G::Move>) {
        self.line.play(turn.mv);
        self.turns.push(turn);
    }
}
