//! Search reports: `info` and `bestmove` lines made of what a search finds.

use games::ToolkitGame;
use nnue::ScoreModel;
use search::{Score, SearchInfo, SearchResult};

use crate::text::{BestMove, InfoLine};

/// How scores are displayed.
#[derive(Clone, Debug)]
pub(super) struct ScoreDisplay {
    /// From scores to centipawns and to wins, draws and losses. The scores of the search are
    /// normalised by one factor for all positions; the displayed ones also depend on the number of
    /// pieces.
    pub(super) model: ScoreModel,
    /// Whether to display wins, draws and losses.
    pub(super) show_wdl: bool,
}

impl ScoreDisplay {
    fn score(&self, score: Score, pieces: usize) -> Score {
        match score {
            Score::Centipawns(score) => {
                let raw = self.model.raw_of_search(score);
                Score::Centipawns(self.model.centipawns(raw, pieces))
            }
            mate @ Score::Mate(_) => mate,
        }
    }

    fn wdl(&self, score: Score, pieces: usize) -> Option<[u16; 3]> {
        self.show_wdl.then(|| match score {
            Score::Centipawns(score) => self.model.wdl(self.model.raw_of_search(score), pieces),
            Score::Mate(moves) if moves > 0 => [1000, 0, 0],
            Score::Mate(_) => [0, 0, 1000],
        })
    }
}

/// The `info` line about a line of play that begins at `position`.
pub(super) fn info_line<G: ToolkitGame>(
    position: &G,
    info: &SearchInfo<G>,
    display: &ScoreDisplay,
) -> InfoLine {
    let pieces = position.piece_count();
    InfoLine {
        depth: Some(info.depth as u32),
        seldepth: Some(info.seldepth as u32),
        multipv: Some(info.multipv as u32),
        score: Some(display.score(info.score, pieces)),
        bound: info.bound,
        wdl: display.wdl(info.score, pieces),
        nodes: Some(info.nodes),
        nps: Some(per_second(info.nodes, info.time)),
        hashfull: Some(info.hashfull),
        tbhits: Some(info.tb_hits),
        time: Some(info.time),
        pv: move_texts(position, &info.pv),
        ..InfoLine::default()
    }
}

/// The line that ends a search at `position`.
pub(super) fn best_move<G: ToolkitGame>(position: &G, answer: &SearchResult<G>) -> BestMove {
    let moves: Vec<_> = answer.best.into_iter().chain(answer.ponder).collect();
    let mut texts = move_texts(position, &moves).into_iter();
    let best = texts.next().unwrap_or_else(|| BestMove::NONE.to_owned());
    BestMove { best, ponder: texts.next() }
}

/// Nodes a second; a clock that has not moved must not divide by zero.
fn per_second(nodes: u64, time: std::time::Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)) as u64
}

/// Moves one after the other, each as text of the position that it is played in.
fn move_texts<G: ToolkitGame>(position: &G, moves: &[G::Move]) -> Vec<String> {
    let mut position = position.clone();
    let texts = moves.iter().map(|&mv| {
        let text = position.move_text(mv);
        position.play(mv);
        text
    });
    texts.collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use games::chess::Chess;
    use games::{Game, NotatedGame};
    use search::Bound;

    use super::*;

    fn castling() -> Chess {
        Chess::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap()
    }

    fn info(score: Score, bound: Bound) -> SearchInfo<Chess> {
        let position = castling();
        let castle = position.parse_move("e1g1").unwrap();
        let mut after = position;
        after.play(castle);
        let reply = after.parse_move("e8c8").unwrap();
        SearchInfo {
            depth: 7,
            seldepth: 12,
            multipv: 2,
            score,
            bound,
            nodes: 4000,
            time: Duration::from_millis(2),
            hashfull: 31,
            tb_hits: 0,
            pv: vec![castle, reply],
        }
    }

    fn display(show_wdl: bool) -> ScoreDisplay {
        ScoreDisplay { model: ScoreModel::constant(154.0, 116.0), show_wdl }
    }

    fn line(position: &Chess, info: &SearchInfo<Chess>, show_wdl: bool) -> String {
        info_line(position, info, &display(show_wdl)).to_string()
    }

    #[test]
    fn every_part_is_in_its_place() {
        let position = castling();
        assert_eq!(
            line(&position, &info(Score::Centipawns(-50), Bound::Exact), false),
            "info depth 7 seldepth 12 multipv 2 score cp -50 nodes 4000 nps 2000000 hashfull 31 \
             tbhits 0 time 2 pv e1g1 e8c8"
        );
        let bounded = line(&position, &info(Score::Mate(-3), Bound::Upper), true);
        assert!(bounded.contains(" score mate -3 upperbound wdl 0 0 1000 nodes "), "{bounded}");
        let bounded = line(&position, &info(Score::Mate(3), Bound::Lower), false);
        assert!(bounded.contains(" score mate 3 lowerbound nodes "), "{bounded}");
    }

    #[test]
    fn mates_are_certain_and_a_hundred_centipawns_win_half_of_the_games() {
        let display = display(true);
        assert_eq!(display.wdl(Score::Mate(3), 32), Some([1000, 0, 0]));
        assert_eq!(display.wdl(Score::Mate(-3), 32), Some([0, 0, 1000]));
        assert_eq!(display.wdl(Score::Mate(0), 32), Some([0, 0, 1000]));
        assert_eq!(display.score(Score::Centipawns(100), 32), Score::Centipawns(100));
        assert_eq!(display.wdl(Score::Centipawns(100), 32), Some([500, 434, 66]));
    }

    #[test]
    fn castling_is_written_as_the_position_says() {
        let mut position = castling();
        position.set("chess960", "true").unwrap();
        let info = info(Score::Centipawns(0), Bound::Exact);
        assert!(line(&position, &info, false).ends_with(" pv e1h1 e8a8"));
        let mut answer = SearchResult::<Chess> {
            best: info.pv.first().copied(),
            ponder: info.pv.get(1).copied(),
            score: info.score,
            depth: 7,
            nodes: 1,
            time: Duration::ZERO,
        };
        let best = |position: &Chess, answer: &SearchResult<Chess>| {
            best_move(position, answer).to_string()
        };
        assert_eq!(best(&position, &answer), "bestmove e1h1 ponder e8a8");
        answer.ponder = None;
        assert_eq!(best(&castling(), &answer), "bestmove e1g1");
        answer.best = None;
        assert_eq!(best(&castling(), &answer), "bestmove (none)");
    }
}
