//! The order in which the classical rules would try moves, for comparison with what a policy says.

use games::Game;

use super::Engine;
use crate::ordering::{Picker, Ranking, Refutations};
use crate::search::Search;

impl<G: Game> Engine<G> {
    /// The legal moves of a position in the order in which the classical rules would try them: captures by what they
    /// gain, then quiet moves by the histories that the searches so far have taught.
    ///
    /// Neither a table move nor killers come first: those would be the answer of the last search, not an ordering.
    pub fn order(&self, position: &G) -> Vec<G::Move> {
        self.workers.first().map(|worker| worker.order(position)).unwrap_or_default()
    }
}

impl<G: Game, E> Search<G, E> {
    /// The moves of a position in classical order.
    pub(crate) fn classical_order(&self, position: &G) -> Vec<G::Move> {
        let mut picker = Picker::default();
        picker.all(None, Refutations::none(), false);
        let ranking = Ranking {
            position,
            side: position.side_to_move(),
            before: [0; 3],
            histories: &self.histories,
        };
        std::iter::from_fn(|| picker.next(&ranking).map(|ranked| ranked.mv)).collect()
    }
}

#[cfg(test)]
mod tests {
    use games::chess::Chess;
    use games::conformance::Random;
    use games::hexchess::Hexchess;
    use games::{Game, Line};

    use crate::{Control, Engine, EngineOptions, Limits};

    fn every_move_comes_once<G: Game>() {
        let mut engine = Engine::<G>::new(EngineOptions::default()).unwrap();
        let mut random = Random::new(5);
        let mut line = Line::new(G::start());
        for _ in 0..30 {
            let mut legal = line.position().legal_moves();
            if legal.is_empty() {
                break;
            }
            let limits = Limits { depth: Some(2), ..Limits::default() };
            engine.go(&line, &limits, &Control::default(), &mut |_| {});
            let ordered = engine.order(line.position());
            assert_eq!(ordered.len(), legal.len());
            let missing = legal.iter().find(|mv| !ordered.contains(mv));
            assert_eq!(missing, None, "{}", line.position().to_fen());
            line.play(legal.swap_remove(random.below(legal.len())));
        }
    }

    #[test]
    fn every_legal_move_comes_once() {
        every_move_comes_once::<Chess>();
        every_move_comes_once::<Hexchess>();
    }

    #[test]
    fn captures_come_by_what_they_gain_and_quiet_moves_by_what_was_learnt() {
        let fen = "4k3/8/8/1q1r4/2P5/8/8/R3K3 w - - 0 1";
        let position = Chess::from_fen(fen).unwrap();
        let mut engine = Engine::<Chess>::new(EngineOptions::default()).unwrap();
        let text = |engine: &Engine<Chess>| -> Vec<String> {
            engine.order(&position).into_iter().map(|mv| position.move_text(mv)).collect()
        };
        let before = text(&engine);
        assert_eq!(before[..2], ["c4b5", "c4d5"]);
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let line = Line::new(position.clone());
        engine.go(&line, &limits, &Control::default(), &mut |_| {});
        let after = text(&engine);
        assert_eq!(after[..2], ["c4b5", "c4d5"]);
        assert_ne!(before, after, "nothing was learnt");
        engine.new_game();
        assert_eq!(text(&engine), before);
    }
}
