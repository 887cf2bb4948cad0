//! Games of the match to look at.

use std::fmt::Write;

use arena::Played;
use arena::tournament::Fixture;
use games::{Color, Game, Points};

use super::board;
use crate::output::escape;

/// How many games are shown, and how many boards of each.
const GAMES: usize = 3;
const BOARDS: usize = 6;

/// Games that show something: won with each colour, and one that was not won.
pub(super) struct Samples<G: Game> {
    games: [Option<(u64, Played<G>)>; GAMES],
}

impl<G: Game> Samples<G> {
    pub(super) fn new() -> Self {
        Self { games: [const { None }; GAMES] }
    }

    /// Looks whether a game is worth keeping: the first of its kind is. The network plays the first of the pairing.
    pub(super) fn see(&mut self, fixture: &Fixture, played: &Played<G>) {
        let color = if fixture.is_return() { Color::Black } else { Color::White };
        let won = played.outcome.points(color) > Points::DRAW;
        let place = match (won, color) {
            (true, Color::White) => 0,
            (true, Color::Black) => 1,
            (false, _) => 2,
        };
        self.games[place].get_or_insert_with(|| (fixture.number + 1, played.clone()));
    }

    /// The games, with boards.
    pub(super) fn html(&self) -> String {
        let mut html = String::new();
        for (number, played) in self.games.iter().flatten() {
            // Writing into a string does not fail.
            let _ = write_game(&mut html, *number, played);
        }
        html
    }
}

fn write_game<G: Game>(html: &mut String, number: u64, played: &Played<G>) -> std::fmt::Result {
    let returned = number.is_multiple_of(2);
    let (white, black) = if returned { ("start", "net") } else { ("net", "start") };
    let (result, reason) = (played.result(), escape(&played.reason()));
    write!(html, "<h3>Game {number}: {white} – {black} {result}</h3><p>{reason}</p>")?;
    let moves: Vec<G::Move> = played.course.moves().collect();
    let opening = played.course.opening();
    let book = opening.moves.len();
    let mut positions = vec![opening.start.clone()];
    for &mv in &moves {
        let mut next = positions[positions.len() - 1].clone();
        next.play(mv);
        positions.push(next);
    }
    html.push_str("<div class=\"boards\">");
    for ply in moments(book, moves.len()) {
        let before = ply.checked_sub(1).map(|before| &positions[before]);
        let caption = match ply {
            _ if ply == moves.len() => format!("the end, after {ply} plies"),
            _ if ply == book => format!("after {book} random plies"),
            _ => format!("after {ply} plies"),
        };
        let picture = board::svg(&positions[ply], before.filter(|_| ply > book));
        write!(html, "<figure>{picture}<figcaption>{caption}</figcaption></figure>")?;
    }
    html.push_str("</div><details><summary>moves</summary><p class=\"moves\">");
    for (ply, (mv, position)) in moves.iter().zip(&positions).enumerate() {
        if ply % 2 == 0 {
            write!(html, "{}. ", ply / 2 + 1)?;
        }
        write!(html, "{} ", escape(&position.move_text(*mv)))?;
    }
    html.write_str("</p></details>")
}

/// Moments of a game at even distances, from the end of its opening to its end.
fn moments(book: usize, end: usize) -> Vec<usize> {
    let mut moments: Vec<usize> =
        (0..BOARDS).map(|part| book + (end - book) * part / (BOARDS - 1)).collect();
    moments.dedup();
    moments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_begin_after_the_opening_and_end_at_the_end() {
        assert_eq!(moments(8, 58), [8, 18, 28, 38, 48, 58]);
        assert_eq!(moments(6, 8), [6, 7, 8]);
        assert_eq!(moments(0, 0), [0]);
    }
}
