//! Player: chooses the moves of one side of a game.

use std::time::Duration;

use games::{Random, ToolkitGame};
use search::{Clock, Control, Engine, Limits, Score};

use crate::game_record::GameRecord;

/// The request for a move: the game so far and the limits of the search.
#[derive(Clone, Debug)]
pub struct MoveRequest<'a, G: ToolkitGame> {
    /// The game so far. It is not over.
    pub record: &'a GameRecord<G>,
    /// The limits of the search, with the player's own clock.
    pub limits: Limits<G>,
    /// The opponent's clock, for engines that use it.
    pub opponent: Option<Clock>,
    /// Ends the search early.
    pub control: &'a Control,
}

/// The move of a player, with the result of its search.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenMove<G: ToolkitGame> {
    /// The move. A referee checks that it is legal.
    pub mv: G::Move,
    /// The score of the position for the player.
    pub score: Option<Score>,
    /// The depth of the search in plies; 0 if unknown.
    pub depth: usize,
    /// The nodes of the search; 0 if unknown.
    pub nodes: u64,
    /// The time as reported by the player, where that is more exact than the referee's clock.
    pub time: Option<Duration>,
}

/// Why a player fails. It loses the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlayerFault {
    /// The program ended, or its pipe broke.
    #[error("disconnects: {0}")]
    Crash(String),
    /// No answer came in time.
    #[error("stalls: no answer in {0:.1?}")]
    Stall(Duration),
    /// The answer is not a legal move of the position.
    #[error("makes an illegal move: {0}")]
    Illegal(String),
    /// The clock ran out.
    #[error("loses on time")]
    Time,
}

/// One side of a game.
pub trait Player<G: ToolkitGame>: Send {
    /// Starts a new game: clears everything that was kept from the last one.
    fn new_game(&mut self) -> Result<(), PlayerFault>;

    /// Chooses a move.
    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<ChosenMove<G>, PlayerFault>;
}

/// A search in this process.
#[derive(Debug)]
pub struct EnginePlayer<G: ToolkitGame>(pub Engine<G>);

impl<G: ToolkitGame> Player<G> for EnginePlayer<G> {
    fn new_game(&mut self) -> Result<(), PlayerFault> {
        self.0.new_game();
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<ChosenMove<G>, PlayerFault> {
        let line = request.record.line();
        let answer = self.0.go(line, &request.limits, request.control, &mut |_| {});
        let mv = answer.best.ok_or_else(|| PlayerFault::Illegal("none".into()))?;
        Ok(ChosenMove {
            mv,
            score: Some(answer.score),
            depth: answer.depth,
            nodes: answer.nodes,
            time: None,
        })
    }
}

/// Plays random moves. The same game so far has the same move, so that matches are reproducible.
#[derive(Clone, Copy, Debug)]
pub struct RandomPlayer;

impl<G: ToolkitGame> Player<G> for RandomPlayer {
    fn new_game(&mut self) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<ChosenMove<G>, PlayerFault> {
        let position = request.record.position();
        let plies = request.record.moves().count() as u64;
        let mut random = Random::new(position.hash() ^ plies.rotate_left(32));
        let mv = random.pick(&position.legal_moves()).copied();
        let mv = mv.ok_or_else(|| PlayerFault::Illegal("none".into()))?;
        Ok(ChosenMove { mv, score: None, depth: 0, nodes: 0, time: None })
    }
}
