//! Adjudication: ends games whose result is clear.

use games::{Color, GameScore, Outcome, ToolkitGame};
use search::Score;

use crate::game_record::{GameRecord, PlayedMove};

/// The condition for a win by adjudication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRule {
    /// The number of consecutive moves of the loser, and of the winner, that must agree.
    pub moves: usize,
    /// The minimum advantage in centipawns.
    pub score: i32,
    /// Whether the scores of both players must agree, or those of the loser suffice.
    pub both: bool,
}

/// The condition for a draw by adjudication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The minimum number of moves of the game, as in chess: two plies are one move.
    pub after: usize,
    /// The number of consecutive moves of each player that must agree.
    pub moves: usize,
    /// The maximum absolute score in centipawns.
    pub score: i32,
}

/// The games that end before the rules end them. None by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Adjudication {
    /// Wins.
    pub win: Option<WinRule>,
    /// Draws.
    pub draw: Option<DrawRule>,
    /// The maximum number of plies that players choose; longer games are drawn.
    pub max_plies: Option<usize>,
}

/// A score in centipawns, for comparison; mates exceed all others.
fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(score) => score,
        Score::Mate(moves) if moves > 0 => 1_000_000 - moves,
        Score::Mate(moves) => -1_000_000 - moves,
    }
}

impl Adjudication {
    /// The outcome if the game ends now.
    pub fn verdict<G: ToolkitGame>(&self, record: &GameRecord<G>) -> Option<Outcome> {
        let played_moves = record.played_moves();
        // The player who moved last is not the side to move.
        let last = !record.side_to_move();
        if let Some(rule) = self.win
            && let Some(winner) = winner(&rule, played_moves, last)
        {
            return Some(Outcome::new(winner, GameScore::WIN, "win by adjudication"));
        }
        let plies = record.opening().moves.len() + played_moves.len();
        if let Some(rule) = self.draw
            && plies >= 2 * rule.after
            && all_of_last(played_moves, 2 * rule.moves, |score| {
                centipawns(score).abs() <= rule.score
            })
        {
            return Some(Outcome::draw("draw by adjudication"));
        }
        let too_long = self.max_plies.is_some_and(|max| played_moves.len() >= max);
        too_long.then(|| Outcome::draw("maximum length"))
    }
}

/// Whether the last `count` moves have scores that all pass `test`.
fn all_of_last<M>(
    played_moves: &[PlayedMove<M>],
    count: usize,
    test: impl Fn(Score) -> bool,
) -> bool {
    count > 0
        && played_moves.len() >= count
        && played_moves[played_moves.len() - count..]
            .iter()
            .all(|played_move| played_move.score.is_some_and(&test))
}

/// The winner by the rule, if any. `last` is the side that moved last.
fn winner<M>(rule: &WinRule, played_moves: &[PlayedMove<M>], last: Color) -> Option<Color> {
    let mut scores = played_moves.iter().rev().map(|played_move| played_move.score.map(centipawns));
    let count = 2 * rule.moves;
    if rule.moves == 0 || played_moves.len() < count {
        return None;
    }
    let recent: Vec<Option<i32>> = scores.by_ref().take(count).collect();
    let (own, other) = (recent.iter().step_by(2), recent.iter().skip(1).step_by(2));
    let agrees = |score: &Option<i32>, ahead: bool| {
        score.is_some_and(|score| if ahead { score >= rule.score } else { score <= -rule.score })
    };
    let lost = own.clone().all(|score| agrees(score, false));
    let won = own.clone().all(|score| agrees(score, true));
    let other_lost = other.clone().all(|score| agrees(score, false));
    let other_won = other.clone().all(|score| agrees(score, true));
    if lost && (!rule.both || other_won) {
        Some(!last)
    } else if other_lost && (!rule.both || won) {
        Some(last)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use games::Game;
    use std::time::Duration;

    use games::chess::Chess;

    use super::*;
    use crate::game_record::Opening;

    /// A game of king moves with these alternating scores, White's first.
    fn record(scores: &[i32]) -> GameRecord<Chess> {
        let start = Chess::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
        let mut record = GameRecord::new(Opening::at(start));
        for (ply, &score) in scores.iter().enumerate() {
            let text = ["e1e2", "e8e7", "e2e1", "e7e8"][ply % 4];
            let mv = record.position().parse_move(text).unwrap();
            let score = Some(Score::Centipawns(score));
            record.play(PlayedMove { mv, score, depth: 1, nodes: 1, time: Duration::ZERO });
        }
        record
    }

    fn win(both: bool) -> Adjudication {
        let win = Some(WinRule { moves: 2, score: 500, both });
        Adjudication { win, ..Adjudication::default() }
    }

    #[test]
    fn a_win_needs_both_where_both_are_asked() {
        let white = Some(Outcome::new(Color::White, GameScore::WIN, "win by adjudication"));
        let black = Some(Outcome::new(Color::Black, GameScore::WIN, "win by adjudication"));
        assert_eq!(win(true).verdict(&record(&[600, -600, 700, -500])), white);
        assert_eq!(win(true).verdict(&record(&[-600, 600, -700, 500])), black);
        assert_eq!(win(true).verdict(&record(&[600, -600, 400, -500])), None);
        assert_eq!(win(false).verdict(&record(&[600, -600, 400, -500])), white);
        assert_eq!(win(false).verdict(&record(&[-600, 0, -700, 0])), black);
        assert_eq!(win(true).verdict(&record(&[600, -600, 700])), None);
        assert_eq!(win(true).verdict(&record(&[600, 600, 700, 700])), None);
    }

    #[test]
    fn a_draw_needs_its_length_and_every_score() {
        let draw = Some(DrawRule { after: 3, moves: 2, score: 10 });
        let rules = Adjudication { draw, max_plies: Some(8), ..Adjudication::default() };
        assert_eq!(rules.verdict(&record(&[0, 0, 0, 0])), None);
        let drawn = Some(Outcome::draw("draw by adjudication"));
        assert_eq!(rules.verdict(&record(&[90, 90, 0, 10, -10, 0])), drawn);
        assert_eq!(rules.verdict(&record(&[90, 90, 0, 11, -10, 0])), None);
        let long = Some(Outcome::draw("maximum length"));
        assert_eq!(rules.verdict(&record(&[90; 8])), long);
    }

    #[test]
    fn mates_are_beyond_every_score() {
        assert!(centipawns(Score::Mate(3)) > centipawns(Score::Mate(9)));
        assert!(centipawns(Score::Mate(-3)) < centipawns(Score::Mate(-9)));
        assert!(centipawns(Score::Mate(0)) < centipawns(Score::Mate(-1)));
    }
}
