//! Classical move ordering of a position, for comparison with a policy.

use games::SearchGame;

use super::Engine;
use crate::move_ordering::{MovePicker, MoveScorer, OrderingWeights, Refutations};
use crate::search::Search;

impl<G: SearchGame> Engine<G> {
    /// The legal moves of a position in classical order: noisy moves that lose nothing by captured
    /// material, then quiet moves by the histories of the searches so far, then the other noisy
    /// moves.
    ///
    /// Neither a TT move nor killer moves come first: those would be the result of the last search,
    /// not an ordering.
    pub fn classical_order(&self, position: &G) -> Vec<G::Move> {
        self.workers.first().map(|worker| worker.classical_order(position)).unwrap_or_default()
    }
}

impl<G: SearchGame, E> Search<G, E> {
    /// The moves of a position in classical order.
    pub(crate) fn order_classically(&self, position: &G) -> Vec<G::Move> {
        let mut picker = MovePicker::default();
        picker.start(None, Refutations::none(), false);
        let scorer = MoveScorer {
            position,
            side: position.side_to_move(),
            previous: [0; 4],
            attacked: position.attacked_cells(),
            histories: &self.histories,
            weights: &OrderingWeights::classical(&self.params),
        };
        std::iter::from_fn(|| picker.next(&scorer).map(|scored| scored.mv)).collect()
    }
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::hexchess::Hexchess;
    use games::{Game, GameHistory, Random, SearchGame};

    use crate::{Control, Engine, EngineOptions, Limits};

    fn every_move_comes_once<G: SearchGame>() {
        let mut engine = Engine::<G>::new(EngineOptions::default()).unwrap();
        let mut random = Random::new(5);
        let mut game = GameHistory::new(G::start());
        for _ in 0..30 {
            let mut legal = game.position().legal_moves();
            if legal.is_empty() {
                break;
            }
            let limits = Limits { depth: Some(2), ..Limits::default() };
            engine.go(&game, &limits, &Control::default(), &mut |_| {});
            let ordered = engine.classical_order(game.position());
            assert_eq!(ordered.len(), legal.len());
            let missing = legal.iter().find(|mv| !ordered.contains(mv));
            assert_eq!(missing, None, "{}", game.position().to_fen());
            game.play(legal.swap_remove(random.below(legal.len())));
        }
    }

    #[test]
    fn every_legal_move_comes_once() {
        every_move_comes_once::<Chess>();
        every_move_comes_once::<Hexchess>();
    }

    #[test]
    fn captures_come_by_material_and_quiet_moves_by_history() {
        let fen = "4k3/8/8/1q1r4/2P5/8/8/R3K3 w - - 0 1";
        let position = Chess::from_fen(fen).unwrap();
        let mut engine = Engine::<Chess>::new(EngineOptions::default()).unwrap();
        let text = |engine: &Engine<Chess>| -> Vec<String> {
            engine.classical_order(&position).into_iter().map(|mv| position.move_text(mv)).collect()
        };
        let before = text(&engine);
        assert_eq!(before[..2], ["c4b5", "c4d5"]);
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let game = GameHistory::new(position.clone());
        engine.go(&game, &limits, &Control::default(), &mut |_| {});
        let after = text(&engine);
        assert_eq!(after[..2], ["c4b5", "c4d5"]);
        assert_ne!(before, after, "histories have no effect");
        engine.new_game();
        assert_eq!(text(&engine), before);
    }
}
