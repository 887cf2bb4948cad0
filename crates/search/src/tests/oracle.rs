//! Without selectivity the search returns the minimax value, with and without a transposition
//! table.

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{GameHistory, SearchGame};

use super::{Random, random_game, search};
use crate::evaluator::{Evaluator, Linear};
use crate::limits::Limits;
use crate::score;
use crate::transposition_table::TranspositionTable;

/// Plain minimax. A position that repeats one below the root is a draw, as in the search.
fn minimax<G: SearchGame>(game: &GameHistory<G>, root: usize, depth: usize) -> i32 {
    let position = game.position();
    let ply = game.plies() - root;
    if ply > 0 {
        let reach = position.reversible_plies().min(game.plies());
        let hash = position.hash();
        let same = |back: &usize| game.past()[game.plies() - back] == hash;
        let repeated = (2..=reach).step_by(2).find(same);
        let repeats = G::REPETITIONS.is_some_and(|limit| game.occurrences() >= limit);
        if repeats || G::REPETITIONS.is_some() && repeated.is_some_and(|back| back < ply) {
            return 0;
        }
        if let Some(outcome) = position.outcome() {
            return score::of_outcome(position, outcome, ply);
        }
    }
    if depth == 0 {
        let mut evaluator = Linear::<G>::material().unwrap();
        evaluator.reset(position);
        return evaluator.evaluate();
    }
    let scores = position.legal_moves().into_iter().map(|mv| {
        let mut next = game.clone();
        next.play(mv);
        -minimax(&next, root, depth - 1)
    });
    scores.max().expect("there is a move")
}

fn agree<G: SearchGame>(positions: usize, depth: usize) {
    let mut random = Random(0x5EED_0000_0000_0001 + positions as u64);
    for number in 0..positions {
        let plies = number * 3 % 40;
        let game = random_game::<G>(&mut random, plies);
        let expected = minimax(&game, game.plies(), depth);
        let limits = Limits::to_depth(depth);
        let table = TranspositionTable::new(1).unwrap();
        for (name, table) in [("no table", None), ("a table", Some(&table))] {
            let (result, found) = search(&game, &limits, table, false, &mut |_| {});
            let fen = game.position().to_fen();
            assert_eq!(found, expected, "{fen}, depth {depth}, {name}");
            let mut next = game.clone();
            next.play(result.best.unwrap());
            let of_best = -minimax(&next, game.plies(), depth - 1);
            assert_eq!(of_best, expected, "{fen}: the move is not the best, {name}");
        }
    }
}

#[test]
fn unpruned_search_is_minimax_in_chess() {
    agree::<Chess>(12, 2);
    agree::<Chess>(6, 3);
}

#[test]
fn unpruned_search_is_minimax_in_hexchess() {
    agree::<Hexchess>(8, 2);
}

#[test]
fn unpruned_search_is_minimax_in_connect_four() {
    agree::<ConnectFour>(24, 4);
    agree::<ConnectFour>(6, 5);
}
