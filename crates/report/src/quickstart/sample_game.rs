//! Sample games: games to replay; without scripts, moments of a game as boards and all of its moves.

use games::ToolkitGame;
use maud::{Markup, html};

use crate::board::BoardDrawing;
use crate::page::figure;
use crate::replay::Replay;

/// How many boards a game has.
const BOARDS: usize = 8;

/// A game of a match.
#[derive(Clone, Debug)]
pub struct SampleGame<G: ToolkitGame> {
    /// Its number in the match, from 1.
    pub number: u64,
    /// White and Black.
    pub players: [String; 2],
    /// The result, such as `1-0`.
    pub result: String,
    /// Why it ended.
    pub reason: String,
    /// The position before the first move.
    pub start: G,
    /// All moves, those of the opening included.
    pub moves: Vec<G::Move>,
    /// How many of the moves were made for the players.
    pub opening_plies: usize,
}

impl<G: ToolkitGame> SampleGame<G> {
    pub(super) fn markup(&self) -> Markup {
        let Self { number, players: [white, black], result, reason, moves, .. } = self;
        let opening = self.opening_plies.min(moves.len());
        let positions = self.positions();
        let board = |ply: usize| {
            let drawing = BoardDrawing::of(&positions[ply]).coordinates();
            let drawing = match ply.checked_sub(1) {
                Some(before) if ply > opening => drawing.changes_since(&positions[before]),
                _ => drawing,
            };
            let caption = match ply {
                _ if ply == moves.len() => format!("end, after {ply} plies"),
                _ if ply == opening => format!("after {opening} random plies"),
                _ => format!("after {ply} plies"),
            };
            figure(&drawing.picture(), Some(&caption))
        };
        let fallback = html! {
            p { (reason) }
            div class="boards" { @for ply in moments(opening, moves.len()) { (board(ply)) } }
            details { summary { "Moves" } p class="moves" { (self.move_text(&positions)) } }
        };
        let replay = Replay::of(&self.players, &positions, moves).ended(result, reason);
        html! {
            h3 { "Game " (number) ": " (white) " – " (black) " " (result) }
            (replay.markup(&fallback))
        }
    }

    /// The position before each move, and the last one.
    fn positions(&self) -> Vec<G> {
        let mut position = self.start.clone();
        let mut positions = vec![position.clone()];
        for &mv in &self.moves {
            position.play(mv);
            positions.push(position.clone());
        }
        positions
    }

    fn move_text(&self, positions: &[G]) -> String {
        let text = |(ply, (mv, position)): (usize, (&G::Move, &G))| match ply % 2 {
            0 => format!("{}. {}", ply / 2 + 1, position.san(*mv)),
            _ => position.san(*mv),
        };
        let moves = self.moves.iter().zip(positions).enumerate();
        moves.map(text).collect::<Vec<_>>().join(" ")
    }
}

/// Moments of a game at even distances, from the end of its opening to its end.
fn moments(opening: usize, end: usize) -> Vec<usize> {
    let moment = |part| opening + (end - opening) * part / (BOARDS - 1);
    let mut moments: Vec<usize> = (0..BOARDS).map(moment).collect();
    moments.dedup();
    moments
}

#[cfg(test)]
mod tests {
    use games::Game;
    use games::chess::Chess;

    use super::*;

    #[test]
    fn moments_begin_after_the_opening_and_end_at_the_end() {
        assert_eq!(moments(8, 57), [8, 15, 22, 29, 36, 43, 50, 57]);
        assert_eq!(moments(6, 8), [6, 7, 8]);
        assert_eq!(moments(0, 0), [0]);
    }

    #[test]
    fn moves_are_numbered_and_boards_mark_the_last_of_them() {
        let start = Chess::start();
        let mut position = start.clone();
        let mut moves = Vec::new();
        for text in ["e2e4", "e7e5", "g1f3"] {
            let mv = position.parse_move(text).unwrap();
            position.play(mv);
            moves.push(mv);
        }
        let game = SampleGame {
            number: 4,
            players: ["start".into(), "net".into()],
            result: "*".into(),
            reason: "a < b".into(),
            start,
            moves,
            opening_plies: 1,
        };
        let html = game.markup().into_string();
        assert!(html.contains("1. e4 e5 2. Nf3") && html.contains("a &lt; b"), "{html}");
        assert!(html.contains("after 1 random plies") && html.contains("end, after 3 plies"));
        assert!(html.contains("\"san\":\"Nf3\"") && html.contains("a \\u003c b"), "{html}");
        assert_eq!((html.matches("<svg").count(), html.matches("class=\"last\"").count()), (3, 4));
    }
}
