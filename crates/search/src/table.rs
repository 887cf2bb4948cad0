//! The transposition table: what is known of positions that were looked at before.
//!
//! Threads share it without locks. An entry is two words, the first of which is the key combined with the second: if
//! two threads write at once, the words do not fit together, and the entry is no longer found.

mod entry;

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::engine::EngineError;
use crate::report::Bound;

use entry::{depth_of, generation_of};

pub(crate) use entry::{Entry, Found, shifted};

/// Entries that a position can be in: as many as a cache line holds.
const WAYS: usize = 4;
/// Generations after which counting begins again.
const GENERATIONS: u8 = 32;

/// A place for one position.
#[derive(Debug)]
struct Slot([AtomicU64; 2]);

impl Slot {
    /// What lies there, and the key that it lies there for but for the last bits, which are those of the move.
    #[inline]
    fn words(&self) -> (u64, u64) {
        let [check, data] = &self.0;
        let data = data.load(Ordering::Relaxed);
        (data, check.load(Ordering::Relaxed) ^ data)
    }
}

#[repr(align(64))]
#[derive(Debug)]
struct Cluster([Slot; WAYS]);

impl Cluster {
    fn empty() -> Self {
        Self(std::array::from_fn(|_| Slot(std::array::from_fn(|_| AtomicU64::new(0)))))
    }

    /// The slot of a position.
    #[inline]
    fn find(&self, key: u64) -> Option<&Slot> {
        self.0.iter().find(|slot| (slot.words().1 ^ key) & KEY == 0)
    }

    /// The slot that is least worth keeping.
    #[inline]
    fn least_worth(&self, generation: u8) -> &Slot {
        let worth = |slot: &Slot| {
            let (data, _) = slot.words();
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            depth_of(data) - 8 * i32::from(age) + i32::from(data != 0)
        };
        let [first, others @ ..] = &self.0;
        let least = |(least, slot), other| {
            let worth = worth(other);
            if worth < least { (worth, other) } else { (least, slot) }
        };
        others.iter().fold((worth(first), first), least).1
    }
}

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

/// The bits of a key that an entry holds; the others make room for half of a move's number.
const KEY: u64 = !0xFFFF;

impl Table {
    /// An empty table of that many MiB. Fails where the system refuses the memory; where it promises more than it has,
    /// the caller must know better.
    pub(crate) fn new(mib: usize) -> Result<Self, EngineError> {
        let error = EngineError::Memory { mib };
        let count =
            mib.checked_mul((1 << 20) / size_of::<Cluster>()).ok_or_else(|| error.clone())?;
        let mut clusters = Vec::new();
        clusters.try_reserve_exact(count).map_err(|_| error)?;
        nnue::prefer_large_pages(clusters.spare_capacity_mut());
        clusters.resize_with(count, Cluster::empty);
        Ok(Self { clusters, generation: AtomicU8::new(0) })
    }

    /// A table that needs hardly any memory.
    pub(crate) fn smallest() -> Self {
        Self { clusters: vec![Cluster::empty()], generation: AtomicU8::new(0) }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        for cluster in &mut self.clusters {
            *cluster = Cluster::empty();
        }
        *self.generation.get_mut() = 0;
    }

    /// Begins another search: what earlier ones left is the first to go.
    pub(crate) fn age(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        // The low half of the key chooses, since the entries hold the high half.
        let wide = u128::from(key.rotate_left(32)) * self.clusters.len() as u128;
        &self.clusters[(wide >> 64) as usize]
    }

    /// Fetches what is known of a position from memory, to be asked for in a moment.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        nnue::prefetch(self.cluster(key));
    }

    /// What is known of a position.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<Found> {
        let (data, check) = self.cluster(key).find(key)?.words();
        Found::new(data, check as u16)
    }

    /// Remembers a position, in place of what is least worth keeping.
    pub(crate) fn store(&self, key: u64, entry: &Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut packed = entry.pack(generation);
        let cluster = self.cluster(key);
        let known = cluster.find(key);
        if let Some(slot) = known {
            let (data, check) = slot.words();
            if let Some(old) = Found::new(data, check as u16) {
                let same_search = generation_of(data) == generation;
                let keeps = old.depth() > entry.depth + 4 + 2 * i32::from(entry.was_pv);
                if keeps && same_search && entry.bound != Bound::Exact {
                    return;
                }
                if entry.code.is_none() {
                    packed = packed.with_move_of(old);
                }
            }
        }
        let slot = known.unwrap_or_else(|| cluster.least_worth(generation));
        let (data, high) = packed.words();
        slot.0[0].store((key & KEY | high) ^ data, Ordering::Relaxed);
        slot.0[1].store(data, Ordering::Relaxed);
    }

    /// How many of a thousand entries are of this search.
    pub(crate) fn fullness(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.clusters.iter().take(1000 / WAYS);
        let used = sample.flat_map(|cluster| &cluster.0).map(Slot::words);
        let of_this = |&(data, check): &(u64, u64)| {
            Found::new(data, check as u16).is_some() && generation_of(data) == generation
        };
        used.filter(of_this).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(code: Option<u32>, depth: i32) -> Entry {
        Entry { code, score: -123, evaluation: Some(77), depth, bound: Bound::Lower, was_pv: true }
    }

    /// All that is known of a position.
    fn probe(table: &Table, key: u64) -> Option<Entry> {
        table.probe(key).map(|found| Entry {
            code: found.code(),
            score: found.score(0),
            evaluation: found.evaluation(),
            depth: found.depth(),
            bound: match (found.is_upper(), found.is_lower()) {
                (true, true) => Bound::Exact,
                (true, false) => Bound::Upper,
                _ => Bound::Lower,
            },
            was_pv: found.was_pv(),
        })
    }

    #[test]
    fn a_position_that_is_known_keeps_its_move() {
        let table = Table::new(1).unwrap();
        table.store(7 << 40, &entry(Some(0x12_3456), 9));
        table.store(7 << 40, &entry(None, 10));
        assert_eq!(probe(&table, 7 << 40), Some(entry(Some(0x12_3456), 10)));
        table.store(7 << 40, &entry(Some(5), 2));
        assert_eq!(probe(&table, 7 << 40), Some(entry(Some(0x12_3456), 10)), "much deeper");
    }

    #[test]
    fn bounds_cut_on_their_side() {
        for (bound, below, above) in
            [(Bound::Exact, true, true), (Bound::Lower, false, true), (Bound::Upper, true, false)]
        {
            let found = Entry { bound, ..entry(None, 3) }.pack(0);
            assert_eq!(found.cuts(9, 10), below);
            assert_eq!(found.cuts(10, 10), above);
            assert_eq!(found.cuts(11, 10), above);
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).unwrap();
        for (key, code) in [(0, Some(0)), (u64::MAX, Some(u32::MAX - 1)), (1 << 63, None)] {
            table.store(key, &entry(code, 9));
            assert_eq!(probe(&table, key), Some(entry(code, 9)));
        }
        // The largest number is the one that does not fit.
        table.store(5 << 20, &entry(Some(u32::MAX), 9));
        assert_eq!(probe(&table, 5 << 20), Some(entry(None, 9)));
    }

    #[test]
    fn scores_and_evaluations_reach_both_ends() {
        let table = Table::new(1).unwrap();
        for score in [-31_000, -1, 0, 1, 31_000] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let evaluation = (score != 0).then_some(score);
                let stored =
                    Entry { code: None, score, evaluation, depth: 255, bound, was_pv: false };
                table.store(42 << 32, &stored);
                assert_eq!(probe(&table, 42 << 32), Some(stored));
            }
        }
    }

    #[test]
    fn the_deep_and_the_new_stay() {
        let table = Table::new(1).unwrap();
        let same_cluster = |n: u64| n << 40;
        for n in 1..=4 {
            table.store(same_cluster(n), &entry(None, 20 + n as i32));
        }
        table.store(same_cluster(5), &entry(None, 1));
        assert!(table.probe(same_cluster(1)).is_none(), "the shallowest went");
        assert!(table.probe(same_cluster(4)).is_some());
        for _ in 0..4 {
            table.age();
        }
        table.store(same_cluster(6), &entry(None, 2));
        table.store(same_cluster(7), &entry(None, 2));
        assert!(table.probe(same_cluster(6)).is_some(), "old entries went first");
        assert!(table.fullness() >= 2);
    }

    #[test]
    fn absurd_sizes_are_refused() {
        for mib in [usize::MAX, usize::MAX >> 20, 1 << 40] {
            assert_eq!(Table::new(mib).unwrap_err(), EngineError::Memory { mib });
        }
    }
}
