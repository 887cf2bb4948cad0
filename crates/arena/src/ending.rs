//! Game endings as text, in the words of other match programs.

use games::{Color, GameScore, ToolkitGame};

use crate::play::{Ending, Played};
use crate::player::PlayerFault;

/// The scores of both players, White's first.
pub fn result_text(white: GameScore) -> &'static str {
    match white.as_quarters() {
        0 => "0-1",
        1 => "1/4-3/4",
        2 => "1/2-1/2",
        3 => "3/4-1/4",
        _ => "1-0",
    }
}

impl<G: ToolkitGame> Played<G> {
    /// The result, such as `1-0`.
    pub fn result(&self) -> &'static str {
        result_text(self.outcome.white)
    }

    /// Why the game is over, as a short sentence such as `White mates`.
    pub fn reason(&self) -> String {
        if let Ending::PlayerFault { by, fault } = &self.ending {
            let side = name(*by);
            return match fault {
                PlayerFault::Stall(_) => format!("{side}'s connection stalls"),
                _ => format!("{side} {fault}"),
            };
        }
        let winner = if self.outcome.white > GameScore::DRAW { "White" } else { "Black" };
        let drawn = self.outcome.white == GameScore::DRAW;
        match (self.outcome.reason, drawn) {
            ("checkmate", _) => format!("{winner} mates"),
            ("win by adjudication", _) => format!("{winner} wins by adjudication"),
            ("draw by adjudication", _) => "Draw by adjudication".to_owned(),
            ("repetition", true) => "Draw by 3-fold repetition".to_owned(),
            ("fifty moves", true) => "Draw by fifty moves rule".to_owned(),
            ("insufficient material", true) => "Draw by insufficient mating material".to_owned(),
            (reason, true) => format!("Draw by {reason}"),
            (reason, false) => format!("{winner} wins by {reason}"),
        }
    }

    /// The value of PGN's tag `Termination`.
    pub fn termination(&self) -> &'static str {
        match &self.ending {
            Ending::PlayerFault { fault: PlayerFault::Crash(_), .. } => "abandoned",
            Ending::PlayerFault { fault: PlayerFault::Stall(_), .. } => "stalled connection",
            Ending::PlayerFault { fault: PlayerFault::Illegal(_), .. } => "illegal move",
            Ending::PlayerFault { fault: PlayerFault::Time, .. } => "time forfeit",
            Ending::Rules if self.is_adjudicated() => "adjudication",
            Ending::Rules => "normal",
        }
    }

    fn is_adjudicated(&self) -> bool {
        self.ending == Ending::Rules && self.record.line().outcome().is_none()
    }
}

fn name(side: Color) -> &'static str {
    match side {
        Color::White => "White",
        Color::Black => "Black",
    }
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::{Game, Outcome};

    use super::*;
    use crate::game_record::{GameRecord, Opening};

    fn over(outcome: Outcome, ending: Ending) -> Played<Chess> {
        Played { record: GameRecord::new(Opening::at(Chess::start())), outcome, ending }
    }

    #[test]
    fn ends_are_told() {
        let black = Outcome::new(Color::Black, GameScore::WIN, "checkmate");
        let played = over(black, Ending::Rules);
        assert_eq!((played.result(), played.reason().as_str()), ("0-1", "Black mates"));
        let draw = over(Outcome::draw("repetition"), Ending::Rules);
        assert_eq!(
            (draw.result(), draw.reason().as_str()),
            ("1/2-1/2", "Draw by 3-fold repetition")
        );
        let three = GameScore::quarters(3).unwrap();
        let hex = over(Outcome::new(Color::White, three, "stalemate"), Ending::Rules);
        assert_eq!((hex.result(), hex.reason().as_str()), ("3/4-1/4", "White wins by stalemate"));
        let late = Played::lost(
            GameRecord::new(Opening::at(Chess::start())),
            Color::White,
            PlayerFault::Time,
        );
        assert_eq!((late.result(), late.reason().as_str()), ("0-1", "White loses on time"));
        assert_eq!(late.termination(), "time forfeit");
    }
}
