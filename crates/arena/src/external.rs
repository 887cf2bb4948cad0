//! External engines as players: other programs behind a pipe, by UCI.

#[cfg(all(test, unix))]
mod tests;

use games::ToolkitGame;
use uci::client::{CHESS960, ClientError, EngineCommand, ExternalEngine};
use uci::text::{Go, PositionCommand, printable};

use crate::player::{ChosenMove, MoveRequest, Player, PlayerFault};

/// An external engine that plays. For games other than chess it must have the option `UCI_Variant`.
#[derive(Debug)]
pub struct ExternalPlayer(ExternalEngine);

impl ExternalPlayer {
    /// Starts the program, to play games of this name. An option that it does not have is a fault.
    pub fn start(command: EngineCommand, game: &str) -> Result<Self, PlayerFault> {
        Ok(Self(ExternalEngine::start(command, game)?))
    }
}

impl From<ClientError> for PlayerFault {
    fn from(error: ClientError) -> Self {
        match error {
            ClientError::Timeout(time) => Self::Stall(time),
            error => Self::Crash(error.to_string()),
        }
    }
}

impl<G: ToolkitGame> Player<G> for ExternalPlayer {
    fn new_game(&mut self) -> Result<(), PlayerFault> {
        Ok(self.0.new_game()?)
    }

    fn choose(&mut self, request: &MoveRequest<'_, G>) -> Result<ChosenMove<G>, PlayerFault> {
        let MoveRequest { record, limits, opponent, control } = request;
        let start = &record.opening().start;
        self.0.set_chess960(start.uci_options().contains(&(CHESS960, "true")))?;
        let position = PositionCommand::of_game(start, record.moves());
        let go = Go::of_limits(limits, record.side_to_move(), *opponent);
        let clock = limits.clock.map(|clock| clock.remaining);
        let time = [limits.movetime, clock].into_iter().flatten().min();
        let reply = self.0.search(&position, &go, time, control)?;
        let text = reply.best_move.best;
        let mv = record.position().parse_move(&text).map_err(|_| {
            PlayerFault::Illegal(if text.is_empty() { "none".to_owned() } else { printable(&text) })
        })?;
        Ok(ChosenMove {
            mv,
            score: reply.score,
            depth: reply.depth,
            nodes: reply.nodes,
            time: Some(reply.time),
        })
    }
}
