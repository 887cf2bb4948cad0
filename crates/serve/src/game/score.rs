//! Scores of the page: White's, in centipawns as UCI shows them, and as expected scores.

use arena::networks::LoadedNetwork;
use games::{Color, ToolkitGame};
use nnue::ScoreModel;
use search::Score;
use serde::{Deserialize, Serialize};

/// A score for White.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WhiteScore {
    /// Centipawns.
    Cp(i32),
    /// A mate in that many moves; negative if Black mates.
    Mate(i32),
}

/// How the scores of a network are shown for a position.
pub(crate) struct ScoreScale<'a> {
    model: &'a ScoreModel,
    pieces: usize,
    side: Color,
}

impl<'a> ScoreScale<'a> {
    /// By the model of the network, or else by that of the game.
    pub(crate) fn new<G: ToolkitGame>(
        network: Option<&'a LoadedNetwork>,
        fallback: &'a ScoreModel,
        position: &G,
    ) -> Self {
        let model = network.map_or(fallback, LoadedNetwork::score_model);
        Self { model, pieces: position.piece_count(), side: position.side_to_move() }
    }

    fn of_white<T: std::ops::Neg<Output = T>>(&self, value: T) -> T {
        if self.side == Color::White { value } else { -value }
    }

    /// Centipawns for White, of a network's score for the side to move.
    pub(crate) fn centipawns(&self, score: i32) -> i32 {
        self.of_white(self.model.centipawns(score, self.pieces))
    }

    /// White's expected score, of a network's score for the side to move.
    pub(crate) fn expected(&self, score: i32) -> f64 {
        let [win, loss] = self.model.win_and_loss(score, self.pieces);
        0.5 + self.of_white(win - loss) / 2.0
    }

    /// White's probabilities of a win, a draw and a loss, of a score for the side to move.
    pub(crate) fn wdl(&self, score: i32) -> [f64; 3] {
        let [win, loss] = self.model.win_and_loss(score, self.pieces);
        self.wdl_of_white([win, (1.0 - win - loss).max(0.0), loss])
    }

    /// The same probabilities, turned from the side to move to White.
    pub(crate) fn wdl_of_white(&self, [win, draw, loss]: [f64; 3]) -> [f64; 3] {
        if self.side == Color::White { [win, draw, loss] } else { [loss, draw, win] }
    }

    /// Ascending quantiles for White, of ascending quantiles for the side to move.
    pub(crate) fn ascending<T: Copy>(&self, values: [T; 5]) -> [T; 5] {
        let [a, b, c, d, e] = values;
        if self.side == Color::White { values } else { [e, d, c, b, a] }
    }

    /// White's expected score, of a score for White in centipawns as they are shown.
    pub(crate) fn expected_of_white(&self, score: WhiteScore) -> f64 {
        match score {
            WhiteScore::Mate(moves) if moves > 0 => 1.0,
            WhiteScore::Mate(_) => 0.0,
            WhiteScore::Cp(shown) => {
                // Shown centipawns are proportional to scores.
                let unit = f64::from(self.model.centipawns(10_000, self.pieces)) / 10_000.0;
                let score = f64::from(shown) / unit.max(1e-3);
                self.expected(self.of_white(score as i32))
            }
        }
    }

    /// A score of a search for White, and White's expected score.
    pub(crate) fn score(&self, score: Score) -> (WhiteScore, f64) {
        match score {
            Score::Centipawns(score) => {
                let score = self.model.raw_of_search(score);
                (WhiteScore::Cp(self.centipawns(score)), self.expected(score))
            }
            Score::Mate(moves) => {
                let expected =
                    if self.of_white(if moves > 0 { 1 } else { -1 }) > 0 { 1.0 } else { 0.0 };
                (WhiteScore::Mate(self.of_white(moves)), expected)
            }
        }
    }
}
