//! Games of a PGN text as games: tags, start position and moves, for pages that show them.

use std::path::Path;

use games::{GameScore, ToolkitGame};

use super::Source;
use crate::formats::FormatFault;

/// A game of a PGN text.
#[derive(Clone, Debug, PartialEq)]
pub struct PgnGame<G: ToolkitGame> {
    /// The tags, by name and value.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: G,
    /// The moves.
    pub moves: Vec<G::Move>,
    /// White's score, if the game says so.
    pub white: Option<GameScore>,
}

/// The games of a PGN text, and why others could not be read.
#[derive(Clone, Debug, PartialEq)]
pub struct PgnGames<G: ToolkitGame> {
    /// The games.
    pub games: Vec<PgnGame<G>>,
    /// What is wrong with the others: the place and the fault.
    pub faults: Vec<String>,
}

/// Reads at most `max` games with at least one move.
///
/// ```
/// use dataset::formats::read_pgn;
/// use games::chess::Chess;
///
/// let text = "[White \"Ada\"]\n\n1. e4 e5 2. Ke2?? *\n\n1. e5 *\n";
/// let read = read_pgn::<Chess>(text, 10);
/// assert_eq!((read.games[0].moves.len(), read.games[0].white), (3, None));
/// assert_eq!(read.games[0].tags, [("White".to_owned(), "Ada".to_owned())]);
/// assert_eq!(read.faults.len(), 1);
/// ```
pub fn read_pgn<G: ToolkitGame>(text: &str, max: usize) -> PgnGames<G> {
    let mut source = Source::<G, _>::new(text.as_bytes(), Path::new("the text"));
    let mut games = Vec::new();
    while games.len() < max && !(source.ended && source.ready.is_empty()) {
        // Reading memory does not fail.
        if !source.ended && source.step().is_err() {
            break;
        }
        while let Some(tags) = source.tags.pop_front() {
            let Some(first) = source.ready.front() else { break };
            let (number, side) = (first.game, first.position.side_to_move());
            let white = first.result.map(|score| match side {
                games::Color::White => score,
                games::Color::Black => score.rest(),
            });
            let start = first.position.clone();
            let mut moves = Vec::new();
            while source.ready.front().is_some_and(|record| record.game == number) {
                moves.extend(source.ready.pop_front().and_then(|record| record.best_move));
            }
            games.push(PgnGame { tags, start, moves, white });
        }
    }
    games.truncate(max);
    let fault = |fault: &FormatFault| format!("{}: {}", fault.place, fault.reason);
    let faults = source.faults.first.iter().map(fault).collect();
    PgnGames { games, faults }
}
