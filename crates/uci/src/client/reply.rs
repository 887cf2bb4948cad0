//! Engine reply: the best move of an external engine, and what it reported of its search.

use std::time::Duration;

use search::{Bound, Score};

use crate::text::{BestMove, InfoLine};

/// What came of a search of an external engine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineReply {
    /// The move, not yet checked.
    pub best_move: BestMove,
    /// The last exact score of the best line, or else the last bound.
    pub score: Option<Score>,
    /// The depth of that line, in plies; 0 if the engine did not report it.
    pub depth: usize,
    /// Nodes that were searched; 0 if the engine did not report them.
    pub nodes: u64,
    /// From the command to the arrival of the move.
    pub time: Duration,
    /// Whether the score is exact: a bound does not replace it.
    exact: bool,
}

impl EngineReply {
    /// Takes the score, the depth and the nodes from a line about the best line.
    pub(super) fn read(&mut self, info: &InfoLine) {
        if info.multipv.is_some_and(|number| number != 1) {
            return;
        }
        self.nodes = info.nodes.unwrap_or(self.nodes);
        let exact = info.bound == Bound::Exact;
        if info.score.is_some() && (exact || !self.exact) {
            self.score = info.score;
            self.depth = info.depth.unwrap_or(0) as usize;
            self.exact = exact;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let mut reply = EngineReply::default();
        for line in [
            "info depth 9 seldepth 12 multipv 1 score cp -31 nodes 1234 nps 5 pv e2e4 depth 77",
            "info depth 10 multipv 2 score cp 900 nodes 2000",
            "info depth 10 score cp 50 lowerbound nodes 3000 pv d2d4",
            "info string score cp 1000 depth 99",
            "info depth x score cp y nodes",
            "info score",
            "info",
        ] {
            reply.read(&InfoLine::parse(line));
        }
        assert_eq!(reply.score, Some(Score::Centipawns(-31)));
        assert_eq!((reply.depth, reply.nodes), (9, 3000));
        reply.read(&InfoLine::parse("info depth 12 score mate -3 nodes 4000"));
        assert_eq!((reply.score, reply.nodes), (Some(Score::Mate(-3)), 4000));
    }
}
