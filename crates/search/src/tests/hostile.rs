//! A table that hashes share, and that could hold anything, must not bring the search down.

use games::chess::Chess;
use games::connect_four::ConnectFour;
use games::hexchess::Hexchess;
use games::{Game, Line};

use super::{Random, search};
use crate::limits::Limits;
use crate::report::Bound;
use crate::score::{MATE, WON};
use crate::table::{Entry, Table};

/// Puts nonsense into the table for every position within two moves.
fn poison<G: Game>(position: &G, depth: usize, table: &Table, random: &mut Random) {
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
    let evaluation = (random.below(2) == 0).then(|| random.below(2 * WON as usize) as i32 - WON);
    let entry = Entry {
        code: Some(code),
        score,
        evaluation,
        depth: random.below(256) as i32,
        bound,
        was_pv: random.below(2) == 0,
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

fn survives<G: Game>(depth: usize) {
    let mut random = Random(0xBAD_F00D);
    for _ in 0..4 {
        let line = Line::new(G::start());
        let table = Table::new(1).unwrap();
        poison(line.position(), 2, &table, &mut random);
        let (answer, _) =
            search(&line, &Limits::to_depth(depth), Some(&table), true, &mut |info| {
                let mut position = G::start();
                for &mv in &info.pv {
                    assert!(position.is_legal(mv), "{mv:?} in {}", position.to_fen());
                    position.play(mv);
                }
            });
        assert!(line.position().is_legal(answer.best.unwrap()));
    }
}

#[test]
fn nonsense_in_the_table_is_survived() {
    survives::<Chess>(7);
    survives::<Hexchess>(5);
    survives::<ConnectFour>(9);
}
