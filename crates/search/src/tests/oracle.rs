//! Without pruning, the search must say what plain minimax says, with and without the table.

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Game, Line};

use super::{Random, random_line, search};
use crate::evaluator::{Evaluator, Linear};
use crate::limits::Limits;
use crate::score;
use crate::table::Table;

/// Plain minimax. A position that occurred before on the line below the root is a draw, as in the search.
fn minimax<G: Game>(line: &Line<G>, root: usize, depth: usize) -> i32 {
    let position = line.position();
    let ply = line.plies() - root;
    if ply > 0 {
        let reach = position.reversible_plies().min(line.plies());
        let hash = position.hash();
        let same = |back: &usize| line.past()[line.plies() - back] == hash;
        let repeated = (2..=reach).step_by(2).find(same);
        let repeats = G::REPETITIONS.is_some_and(|limit| line.occurrences() >= limit);
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
        let mut next = line.clone();
        next.play(mv);
        -minimax(&next, root, depth - 1)
    });
    scores.max().expect("there is a move")
}

fn agree<G: Game>(positions: usize, depth: usize) {
    let mut random = Random(0x5EED_0000_0000_0001 + positions as u64);
    for number in 0..positions {
        let plies = number * 3 % 40;
        let line = random_line::<G>(&mut random, plies);
        let expected = minimax(&line, line.plies(), depth);
        let limits = Limits::to_depth(depth);
        let table = Table::new(1).unwrap();
        for (name, table) in [("no table", None), ("a table", Some(&table))] {
            let (answer, found) = search(&line, &limits, table, false, &mut |_| {});
            let fen = line.position().to_fen();
            assert_eq!(found, expected, "{fen}, depth {depth}, {name}");
            let mut next = line.clone();
            next.play(answer.best.unwrap());
            let of_best = -minimax(&next, line.plies(), depth - 1);
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
