//! Root moves: score, principal variation (PV) and node count of each move at the root.

use games::SearchGame;

use crate::evaluator::Evaluator;
use crate::score::INFINITE;
use crate::search::Search;

/// A root move.
#[derive(Clone, Debug)]
pub(crate) struct RootMove<G: SearchGame> {
    pub(crate) mv: G::Move,
    /// The score in this iteration; −∞ if another move was better.
    pub(crate) score: i32,
    /// The score of the last iteration in which it was the best.
    pub(super) previous_score: i32,
    pub(crate) pv: Vec<G::Move>,
    /// Nodes searched below it.
    pub(crate) nodes: u64,
}

impl<G: SearchGame> RootMove<G> {
    pub(crate) fn new(mv: G::Move) -> Self {
        Self { mv, score: -INFINITE, previous_score: -INFINITE, pv: vec![mv], nodes: 0 }
    }

    /// The score of this iteration or an earlier one.
    pub(super) fn known_score(&self) -> Option<i32> {
        [self.score, self.previous_score].into_iter().find(|&score| score != -INFINITE)
    }

    /// Makes the score that of the previous iteration.
    pub(super) fn start_iteration(&mut self) {
        self.previous_score = self.known_score().unwrap_or(-INFINITE);
        self.score = -INFINITE;
    }
}

impl<G: SearchGame, E: Evaluator<G>> Search<G, E> {
    /// Sets score and PV of a root move that raises alpha.
    pub(crate) fn update_root_move(&mut self, mv: G::Move, score: i32) {
        let pv = std::mem::take(&mut self.stack[1].pv);
        if let Some(root_move) = self.root_moves.iter_mut().find(|other| other.mv == mv) {
            root_move.score = score;
            root_move.pv.clear();
            root_move.pv.push(mv);
            root_move.pv.extend_from_slice(&pv);
        }
        // Moves that were best before this one no longer are.
        let pv_index = self.pv_index;
        for other in self.root_moves[pv_index..].iter_mut().filter(|other| other.mv != mv) {
            other.score = other.score.min(score - 1).max(-INFINITE);
        }
        self.stack[1].pv = pv;
    }

    /// Whether a root move may be played in the current line of multi-PV.
    pub(crate) fn is_candidate(&self, mv: G::Move) -> bool {
        self.root_moves[self.pv_index..].iter().any(|root_move| root_move.mv == mv)
    }

    /// Adds to the nodes searched below a root move.
    pub(crate) fn count_root_nodes(&mut self, mv: G::Move, nodes: u64) {
        if let Some(root_move) = self.root_moves.iter_mut().find(|other| other.mv == mv) {
            root_move.nodes += nodes;
        }
    }
}
