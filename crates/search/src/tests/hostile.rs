//! Transposition-table collisions: entries that could hold anything must not bring the search down.

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{GameHistory, SearchGame};

use super::{Random, search};
use crate::limits::Limits;
use crate::result::Bound;
use crate::score::{MATE, MIN_MATE};
use crate::transposition_table::{TranspositionTable, TtData};

/// Stores nonsense in the transposition table for every position within two moves.
fn poison<G: SearchGame>(
    position: &G,
    depth: usize,
    table: &TranspositionTable,
    random: &mut Random,
) {
    let code = match random.below(3) {
        0 => random.next() as u32,
        1 => random.below(1 << 16) as u32,
        _ => random.below(64) as u32,
    };
    let score = match random.below(4) {
        0 => MATE - random.below(20) as i32,
        1 => -MATE + random.below(20) as i32,
        _ => random.below(4000) as i32 - 2000,
    };
    let bound = [Bound::Exact, Bound::Lower, Bound::Upper][random.below(3)];
    let raw_eval =
        (random.below(2) == 0).then(|| random.below(2 * MIN_MATE as usize) as i32 - MIN_MATE);
    let entry = TtData {
        code: Some(code),
        score,
        raw_eval,
        depth: random.below(256) as i32,
        bound,
        tt_pv: random.below(2) == 0,
    };
    table.store(position.hash(), &entry);
    if depth > 0 {
        position.for_each_move(|mv| {
            let mut child = position.clone();
            child.play(mv);
            poison(&child, depth - 1, table, random);
        });
    }
}

fn survives<G: SearchGame>(depth: usize) {
    let mut random = Random(0xBAD_F00D);
    for _ in 0..4 {
        let game = GameHistory::new(G::start());
        let table = TranspositionTable::new(1).unwrap();
        poison(game.position(), 2, &table, &mut random);
        let (result, _) =
            search(&game, &Limits::to_depth(depth), Some(&table), true, &mut |info| {
                let mut position = G::start();
                for &mv in &info.pv {
                    assert!(position.is_legal(mv), "{mv:?} in {}", position.to_fen());
                    position.play(mv);
                }
            });
        assert!(game.position().is_legal(result.best.unwrap()));
    }
}

#[test]
fn nonsense_in_the_transposition_table_is_survived() {
    survives::<Chess>(7);
    survives::<Hexchess>(5);
    survives::<ConnectFour>(9);
}
