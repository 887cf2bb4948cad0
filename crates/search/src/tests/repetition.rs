//! Upcoming repetitions: moves that lead back to an earlier position are found without playing
//! them.

use games::chess::Chess;
use games::hexchess::Hexchess;
use games::{GameHistory, SearchGame};

use super::{Random, search_of};
use crate::evaluator::Linear;
use crate::search::Search;

/// By playing every move: whether one leads to a position below the root, or to one that occurred
/// twice.
fn leads_back<G: SearchGame>(game: &GameHistory<G>, root: usize) -> bool {
    let position = game.position();
    let (top, ply) = (game.plies(), game.plies() - root);
    let reach = position.reversible_plies().min(top);
    position.legal_moves().into_iter().any(|mv| {
        let mut next = game.clone();
        next.play(mv);
        let hash = next.position().hash();
        let before = |back: usize| game.past()[top - back] == hash;
        let in_search = (3..=reach).step_by(2).any(|back| back < ply && before(back));
        in_search || reach >= 3 && next.occurrences() >= 3
    })
}

fn agree<G: SearchGame>(fens: &[&str]) -> (usize, usize) {
    let mut random = Random(0x00C1_C1E5);
    let mut search: Search<G, Linear<G>> = search_of();
    let (mut found, mut count) = (0, 0);
    for fen in fens.iter().cycle().take(40) {
        let mut game = GameHistory::new(G::from_fen(fen).unwrap());
        for _ in 0..40 {
            let moves = game.position().legal_moves();
            if moves.is_empty() || game.position().outcome_by_rule().is_some() {
                break;
            }
            game.play(moves[random.below(moves.len())]);
            for ply in 0..game.plies().min(12) {
                search.keys = game.past().to_vec();
                search.keys.push(game.position().hash());
                let expected = leads_back(&game, game.plies() - ply);
                let says = search.can_repeat(game.position(), ply);
                assert_eq!(says, expected, "{}, ply {ply}", game.position().to_fen());
                (found, count) = (found + usize::from(says), count + 1);
            }
        }
    }
    (found, count)
}

#[test]
fn upcoming_repetitions_are_found() {
    // Few moves, so that random play often goes back.
    let (found, count) = agree::<Chess>(&[
        "k7/p1p5/P1P5/8/8/8/8/7K w - - 0 1",
        "8/8/8/8/5p1p/4pPpP/4P1P1/k5K1 w - - 0 1",
        "7k/5K2/8/8/8/8/8/n7 w - - 0 1",
    ]);
    assert!(found > 1000 && count > 2 * found, "{found} of {count}");
    let (found, count) = agree::<Hexchess>(&[HEX_KINGS]);
    assert!(found > 100 && count > 2 * found, "{found} of {count}");
}

/// Two kings, and pawns that cannot move.
const HEX_KINGS: &str = "k/3/5/7/9/4p6/4P6/11/11/11/5K5 w - 0 1";
