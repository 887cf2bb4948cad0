//! `position`: the command that sets up a game, and the game that it describes.

use std::fmt::{self, Display};

use games::{FenError, GameHistory, MoveError, ToolkitGame};

use super::error::TextError;
use super::words::escape;

/// The words after `position`: where a game begins and the moves since.
///
/// ```
/// use games::{Game, chess::Chess};
/// use uci::text::PositionCommand;
///
/// let command = PositionCommand::parse("startpos moves e2e4 e7e5".split(' '))?;
/// let game = command.history::<Chess>(Chess::start())?;
/// assert_eq!(game.plies(), 2);
/// assert_eq!(command.to_string(), "position startpos moves e2e4 e7e5");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand {
    /// The FEN, or `None` for the start of the game.
    pub fen: Option<String>,
    /// The moves from there, as text.
    pub moves: Vec<String>,
}

/// Why the words of `position` are not a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The FEN is wrong.
    #[error("position fen: {fault}; a FEN of {game} looks like this: `{example}`")]
    Fen {
        /// What is wrong with it.
        fault: FenError,
        /// The game.
        game: &'static str,
        /// The FEN of the start of the game.
        example: String,
    },
    /// A move is wrong.
    #[error("position: move {number}: {fault}")]
    Move {
        /// Which move, from 1.
        number: usize,
        /// What is wrong with it.
        fault: MoveError,
    },
}

const FORM: &str = "`position startpos moves …` or `position fen FEN moves …`";

impl PositionCommand {
    /// The command for a game that began at `start`.
    pub fn of_game<G: ToolkitGame>(start: &G, moves: impl IntoIterator<Item = G::Move>) -> Self {
        let mut position = start.clone();
        let fen = Some(position.to_fen()).filter(|fen| *fen != G::start().to_fen());
        let moves = moves.into_iter().map(|mv| {
            let text = position.move_text(mv);
            position.play(mv);
            text
        });
        Self { fen, moves: moves.collect() }
    }

    /// Parses the words after `position`.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, TextError> {
        let mut words = words.into_iter();
        let kind = words.next();
        let fields: Vec<_> = words.by_ref().take_while(|&word| word != "moves").collect();
        let moves = words.map(str::to_owned).collect();
        match (kind, fields.first()) {
            (Some("startpos"), None) => Ok(Self { fen: None, moves }),
            (Some("startpos"), Some(word)) => Err(TextError::Unexpected {
                command: "position startpos",
                found: escape(word),
                expected: "`moves` or nothing",
            }),
            (Some("fen"), Some(_)) => Ok(Self { fen: Some(fields.join(" ")), moves }),
            (Some("fen"), None) => {
                Err(TextError::Missing { command: "position fen", part: "the FEN", expected: FORM })
            }
            (Some(word), _) => Err(TextError::Unexpected {
                command: "position",
                found: escape(word),
                expected: FORM,
            }),
            (None, _) => Err(TextError::Incomplete { command: "position", expected: FORM }),
        }
    }

    /// The position that the game begins at.
    pub fn start<G: ToolkitGame>(&self) -> Result<G, PositionError> {
        let Some(fen) = &self.fen else { return Ok(G::start()) };
        G::from_fen(fen).map_err(|fault| PositionError::Fen {
            fault,
            game: G::NAME,
            example: G::start().to_fen(),
        })
    }

    /// The game after the moves, if it began at `start`.
    pub fn history<G: ToolkitGame>(&self, start: G) -> Result<GameHistory<G>, PositionError> {
        let mut history = GameHistory::new(start);
        for (index, text) in self.moves.iter().enumerate() {
            let played = history.play_text(text);
            played.map_err(|fault| PositionError::Move { number: index + 1, fault })?;
        }
        Ok(history)
    }
}

impl Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fen {
            None => f.write_str("position startpos")?,
            Some(fen) => write!(f, "position fen {fen}")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::{BoardGame, Game};

    use super::*;

    fn fault(text: &str) -> String {
        PositionCommand::parse(text.split_ascii_whitespace()).unwrap_err().to_string()
    }

    #[test]
    fn wrong_words_are_named() {
        assert!(fault("").contains("expected `position startpos"));
        assert!(fault("fen").contains("FEN is missing"));
        assert!(fault("fen moves e2e4").contains("FEN is missing"));
        assert!(fault("start").contains("`start`"));
        assert!(fault("startpos e2e4").contains("`e2e4`: expected `moves`"));
    }

    #[test]
    fn a_game_becomes_the_command_that_sets_it_up() {
        let start = Chess::start();
        assert_eq!(PositionCommand::of_game(&start, []).to_string(), "position startpos");
        let mv = start.parse_move("e2e4").unwrap();
        let command = PositionCommand::of_game(&start, [mv]);
        assert_eq!(command.to_string(), "position startpos moves e2e4");
        let history = command.history(command.start::<Chess>().unwrap()).unwrap();
        assert_eq!((history.plies(), history.position().piece_count()), (1, 32));

        let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        let other = Chess::from_fen(fen).unwrap();
        let command = PositionCommand::of_game(&other, []);
        assert_eq!(command.to_string(), format!("position fen {fen}"));
        assert_eq!(command.start::<Chess>(), Ok(other));
    }

    #[test]
    fn wrong_positions_are_explained() {
        let command = PositionCommand { fen: Some("8/8".into()), moves: Vec::new() };
        let error = command.start::<Chess>().unwrap_err().to_string();
        assert!(error.contains("a FEN of chess looks like this: `rnbq"), "{error}");
        let command = PositionCommand { fen: None, moves: vec!["e2e4".into(), "e2e4".into()] };
        let error = command.history(Chess::start()).unwrap_err().to_string();
        assert!(error.starts_with("position: move 2: `e2e4` is not legal"), "{error}");
    }
}
