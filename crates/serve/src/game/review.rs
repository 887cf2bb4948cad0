//! Review of a game: every move judged by a search of a fixed number of nodes.

use games::{Color, ToolkitGame};
use search::{Limits, Score};
use serde::Serialize;

use super::line::PlayedLine;
use super::position::MoveName;
use super::score::{ScoreScale, WhiteScore};
use super::{GameServer, Review};
use crate::error::ApiError;

/// Losses of expected score from which a move is an inaccuracy, a mistake, a blunder.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;
/// How many of the worst moves are named.
const WORST: usize = 3;

/// A move of a game, judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReviewedMove {
    ply: usize,
    #[serde(skip)]
    mover: Color,
    played: MoveName,
    best: MoveName,
    score_before: WhiteScore,
    score_after: WhiteScore,
    expected_before: f64,
    expected_after: f64,
    loss: f64,
    judgement: &'static str,
    pv: Vec<String>,
}

/// The whole game, judged.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ReviewSummary {
    worst: Vec<usize>,
    white: SideSummary,
    black: SideSummary,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct SideSummary {
    inaccuracies: usize,
    mistakes: usize,
    blunders: usize,
    mean_loss: f64,
}

/// The result of the search of a position.
struct Judged<G: ToolkitGame> {
    score: WhiteScore,
    expected: f64,
    pv: Vec<G::Move>,
}

impl<G: ToolkitGame> GameServer<G> {
    /// Judges every move; `each` gets them in their order. `None` if `control` stops it.
    pub(super) fn reviewed(
        &self,
        line: &PlayedLine<G>,
        review: &Review<'_>,
        each: &mut dyn FnMut(&ReviewedMove),
    ) -> Result<Option<ReviewSummary>, ApiError> {
        let &Review { network, nodes, grant, control, .. } = review;
        let mut engine = self.engine(network, grant, 1)?;
        let mut judge = |plies: usize| -> Judged<G> {
            let history = line.history_after(plies);
            let position = history.position();
            let scale = ScoreScale::new(network, &self.score_model, position);
            if let Some(outcome) = history.outcome() {
                let won = outcome.white.as_f32();
                let score = match won {
                    won if won > 0.75 => WhiteScore::Mate(0),
                    won if won < 0.25 => WhiteScore::Mate(0),
                    _ => WhiteScore::Cp(0),
                };
                return Judged { score, expected: f64::from(won), pv: Vec::new() };
            }
            let (mut found, mut pv) = (Score::Centipawns(0), Vec::new());
            engine.go(&history, &Limits::of_nodes(nodes), control, &mut |info| {
                if info.multipv == 1 && !info.pv.is_empty() {
                    (found, pv) = (info.score, info.pv.clone());
                }
            });
            let (score, expected) = scale.score(found);
            Judged { score, expected, pv }
        };
        let mut moves = Vec::with_capacity(line.moves.len());
        let positions = line.positions();
        let mut before = judge(0);
        for (ply, (&mv, position)) in (1..).zip(line.moves.iter().zip(&positions)) {
            let after = judge(ply);
            if control.is_stopped() {
                return Ok(None);
            }
            let reviewed = self.judged(ply, position, mv, &before, &after);
            each(&reviewed);
            moves.push(reviewed);
            before = after;
        }
        Ok(Some(ReviewSummary::of(&moves)))
    }

    fn judged(
        &self,
        ply: usize,
        position: &G,
        mv: G::Move,
        before: &Judged<G>,
        after: &Judged<G>,
    ) -> ReviewedMove {
        let mover = position.side_to_move();
        let gain = after.expected - before.expected;
        let best = before.pv.first().copied().unwrap_or(mv);
        // The best move loses nothing, whatever a second search says of it.
        let loss = if best == mv {
            0.0
        } else {
            (if mover == Color::White { -gain } else { gain }).max(0.0)
        };
        let names = self.cells.names(position, &before.pv);
        ReviewedMove {
            ply,
            mover,
            played: self.cells.name(position, mv),
            best: self.cells.name(position, best),
            score_before: before.score,
            score_after: after.score,
            expected_before: before.expected,
            expected_after: after.expected,
            loss,
            judgement: match loss {
                _ if best == mv => "best",
                loss if loss >= BLUNDER => "blunder",
                loss if loss >= MISTAKE => "mistake",
                loss if loss >= INACCURACY => "inaccuracy",
                _ => "good",
            },
            pv: names.into_iter().map(|name| name.san).collect(),
        }
    }
}

impl ReviewSummary {
    fn of(moves: &[ReviewedMove]) -> Self {
        let mut worst: Vec<_> = moves.iter().filter(|mv| mv.loss >= INACCURACY).collect();
        worst.sort_by(|a, b| b.loss.total_cmp(&a.loss));
        let side = |color: Color| {
            let own: Vec<_> = moves.iter().filter(|mv| mv.mover == color).collect();
            let count = |judgement| own.iter().filter(|mv| mv.judgement == judgement).count();
            SideSummary {
                inaccuracies: count("inaccuracy"),
                mistakes: count("mistake"),
                blunders: count("blunder"),
                mean_loss: own.iter().map(|mv| mv.loss).sum::<f64>() / own.len().max(1) as f64,
            }
        };
        Self {
            worst: worst.iter().take(WORST).map(|mv| mv.ply).collect(),
            white: side(Color::White),
            black: side(Color::Black),
        }
    }
}
