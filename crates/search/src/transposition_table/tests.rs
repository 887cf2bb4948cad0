//! Transposition-table tests: packing, bounds, replacement and sizes.

use super::*;

fn entry(code: Option<u32>, depth: i32) -> TtData {
    TtData { code, score: -123, raw_eval: Some(77), depth, bound: Bound::Lower, tt_pv: true }
}

/// All fields of an entry.
fn probe(table: &TranspositionTable, key: u64) -> Option<TtData> {
    table.probe(key).map(|found| TtData {
        code: found.code(),
        score: found.score(0),
        raw_eval: found.raw_eval(),
        depth: found.depth(),
        bound: match (found.is_upper(), found.is_lower()) {
            (true, true) => Bound::Exact,
            (true, false) => Bound::Upper,
            _ => Bound::Lower,
        },
        tt_pv: found.tt_pv(),
    })
}

#[test]
fn an_entry_keeps_its_move() {
    let table = TranspositionTable::new(1).unwrap();
    table.store(7 << 40, &entry(Some(0x12_3456), 9));
    table.store(7 << 40, &entry(None, 10));
    assert_eq!(probe(&table, 7 << 40), Some(entry(Some(0x12_3456), 10)));
    table.store(7 << 40, &entry(Some(5), 2));
    assert_eq!(probe(&table, 7 << 40), Some(entry(Some(0x12_3456), 10)), "much deeper");
}

#[test]
fn bounds_prove_their_side() {
    for (bound, below, above) in
        [(Bound::Exact, true, true), (Bound::Lower, false, true), (Bound::Upper, true, false)]
    {
        let found = TtData { bound, ..entry(None, 3) }.pack(0);
        assert_eq!(found.proves(9, 10), below);
        assert_eq!(found.proves(10, 10), above);
        assert_eq!(found.proves(11, 10), above);
    }
}

#[test]
fn stored_entries_are_found() {
    let table = TranspositionTable::new(1).unwrap();
    for (key, code) in [(0, Some(0)), (u64::MAX, Some(u32::MAX - 1)), (1 << 63, None)] {
        table.store(key, &entry(code, 9));
        assert_eq!(probe(&table, key), Some(entry(code, 9)));
    }
    // The largest code is the one that does not fit.
    table.store(5 << 20, &entry(Some(u32::MAX), 9));
    assert_eq!(probe(&table, 5 << 20), Some(entry(None, 9)));
}

#[test]
fn scores_and_evaluations_reach_both_ends() {
    let table = TranspositionTable::new(1).unwrap();
    for score in [-31_000, -1, 0, 1, 31_000] {
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            let raw_eval = (score != 0).then_some(score);
            let stored = TtData { code: None, score, raw_eval, depth: 255, bound, tt_pv: false };
            table.store(42 << 32, &stored);
            assert_eq!(probe(&table, 42 << 32), Some(stored));
        }
    }
}

#[test]
fn deep_and_new_entries_stay() {
    let table = TranspositionTable::new(1).unwrap();
    let same_cluster = |n: u64| n << 40;
    for n in 1..=4 {
        table.store(same_cluster(n), &entry(None, 20 + n as i32));
    }
    table.store(same_cluster(5), &entry(None, 1));
    assert!(table.probe(same_cluster(1)).is_none(), "the shallowest is replaced");
    assert!(table.probe(same_cluster(4)).is_some());
    for _ in 0..4 {
        table.new_generation();
    }
    table.store(same_cluster(6), &entry(None, 2));
    table.store(same_cluster(7), &entry(None, 2));
    assert!(table.probe(same_cluster(6)).is_some(), "old entries are replaced first");
    assert!(table.hashfull() >= 2);
}

#[test]
fn absurd_sizes_are_refused() {
    for mib in [usize::MAX, usize::MAX >> 20, 1 << 40] {
        assert_eq!(TranspositionTable::new(mib).unwrap_err(), EngineError::Memory { mib });
    }
}
