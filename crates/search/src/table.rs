//! The transposition table: what is known of positions that were looked at before.
//!
//! Threads share it without locks. An entry is two words, the first of which is the key combined with the second: if
//! two threads write at once, the words do not fit together, and the entry is no longer found.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::engine::EngineError;
use crate::report::Bound;
use crate::score::WON;

/// Entries that a position can be in: as many as a cache line holds.
const WAYS: usize = 4;
/// Generations after which counting begins again.
const GENERATIONS: u8 = 32;

#[repr(align(64))]
#[derive(Debug)]
struct Cluster([[AtomicU64; 2]; WAYS]);

impl Cluster {
    fn empty() -> Self {
        Self(std::array::from_fn(|_| std::array::from_fn(|_| AtomicU64::new(0))))
    }
}

/// The table.
#[derive(Debug)]
pub(crate) struct Table {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

/// What the table knows of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The number of the best move. It comes from a table that hashes share: it may be no move of the position.
    pub(crate) code: Option<u32>,
    /// Counted from the position, not from the root.
    pub(crate) score: i32,
    /// What the evaluator said.
    pub(crate) evaluation: Option<i32>,
    /// How deep the search was, 0 for quiescence.
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position was ever on a main line.
    pub(crate) was_pv: bool,
}

/// No evaluation.
const NONE: i16 = i16::MIN;

impl Entry {
    fn pack(&self, generation: u8) -> (u64, u64) {
        let code = self.code.and_then(|code| code.checked_add(1)).unwrap_or(0);
        let bound = match self.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        let evaluation = self.evaluation.map_or(NONE, |evaluation| evaluation as i16);
        let data = u64::from(self.score as i16 as u16)
            | u64::from(evaluation as u16) << 16
            | u64::from(self.depth.clamp(0, 255) as u8) << 32
            | bound << 40
            | u64::from(self.was_pv) << 42
            | u64::from(generation) << 43
            | u64::from(code & 0xFFFF) << 48;
        (data, u64::from(code >> 16))
    }

    fn unpack(data: u64, high: u64) -> Option<Self> {
        let bound = match data >> 40 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        let evaluation = (data >> 16) as i16;
        let code = (data >> 48) as u32 | (high as u32 & 0xFFFF) << 16;
        Some(Self {
            code: code.checked_sub(1),
            score: (data as i16).into(),
            evaluation: (evaluation != NONE).then(|| evaluation.into()),
            depth: (data >> 32 & 255) as i32,
            bound,
            was_pv: data >> 42 & 1 != 0,
        })
    }

    /// The score as it counts `ply` moves from the root, for use or to be stored (`ply` negative).
    pub(crate) fn shifted(score: i32, ply: i32) -> i32 {
        match score {
            score if score >= WON => score - ply,
            score if score <= -WON => score + ply,
            score => score,
        }
    }

    /// The score, `ply` moves from the root, if it says more about a position than its value.
    pub(crate) fn improves(&self, value: i32, ply: usize) -> Option<i32> {
        let score = Self::shifted(self.score, ply as i32);
        (score.abs() < WON && Self::cuts(self.bound, score, value)).then_some(score)
    }

    /// Whether the true score is known to be at or beyond `limit`, in the direction that the bound allows.
    pub(crate) fn cuts(bound: Bound, score: i32, limit: i32) -> bool {
        match bound {
            Bound::Exact => true,
            Bound::Lower => score >= limit,
            Bound::Upper => score < limit,
        }
    }
}

/// The bits of a key that an entry holds; the others make room for half of a move's number.
const KEY: u64 = !0xFFFF;

fn generation_of(data: u64) -> u8 {
    (data >> 43) as u8 % GENERATIONS
}

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
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        for [check, data] in &self.cluster(key).0 {
            let data = data.load(Ordering::Relaxed);
            let check = check.load(Ordering::Relaxed) ^ data;
            if (check ^ key) & KEY == 0 {
                return Entry::unpack(data, check);
            }
        }
        None
    }

    /// Remembers a position, in place of what is least worth keeping.
    pub(crate) fn store(&self, key: u64, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut place = &self.cluster(key).0[0];
        let mut least = i32::MAX;
        for slot in &self.cluster(key).0 {
            let data = slot[1].load(Ordering::Relaxed);
            let check = slot[0].load(Ordering::Relaxed) ^ data;
            if (check ^ key) & KEY == 0
                && let Some(old) = Entry::unpack(data, check)
            {
                let same_search = generation_of(data) == generation;
                let keeps = old.depth > entry.depth + 4 + 2 * i32::from(entry.was_pv);
                if keeps && same_search && entry.bound != Bound::Exact {
                    return;
                }
                entry.code = entry.code.or(old.code);
                place = slot;
                break;
            }
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            let worth = (data >> 32 & 255) as i32 - 8 * i32::from(age) + i32::from(data != 0);
            if worth < least {
                (least, place) = (worth, slot);
            }
        }
        let (data, high) = entry.pack(generation);
        place[0].store((key & KEY | high) ^ data, Ordering::Relaxed);
        place[1].store(data, Ordering::Relaxed);
    }

    /// How many of a thousand entries are of this search.
    pub(crate) fn fullness(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.clusters.iter().take(1000 / WAYS);
        let entries = sample.flat_map(|cluster| &cluster.0);
        let used = entries.map(|[_, data]| data.load(Ordering::Relaxed));
        used.filter(|&data| data >> 40 & 3 != 0 && generation_of(data) == generation).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(code: Option<u32>, depth: i32) -> Entry {
        Entry { code, score: -123, evaluation: Some(77), depth, bound: Bound::Lower, was_pv: true }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).unwrap();
        for (key, code) in [(0, Some(0)), (u64::MAX, Some(u32::MAX - 1)), (1 << 63, None)] {
            table.store(key, entry(code, 9));
            assert_eq!(table.probe(key), Some(entry(code, 9)));
        }
        // The largest number is the one that does not fit.
        table.store(5 << 20, entry(Some(u32::MAX), 9));
        assert_eq!(table.probe(5 << 20), Some(entry(None, 9)));
    }

    #[test]
    fn scores_and_evaluations_reach_both_ends() {
        let table = Table::new(1).unwrap();
        for score in [-31_000, -1, 0, 1, 31_000] {
            for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                let evaluation = (score != 0).then_some(score);
                let stored =
                    Entry { code: None, score, evaluation, depth: 255, bound, was_pv: false };
                table.store(42 << 32, stored);
                assert_eq!(table.probe(42 << 32), Some(stored));
            }
        }
    }

    #[test]
    fn the_deep_and_the_new_stay() {
        let table = Table::new(1).unwrap();
        let same_cluster = |n: u64| n << 40;
        for n in 1..=4 {
            table.store(same_cluster(n), entry(None, 20 + n as i32));
        }
        table.store(same_cluster(5), entry(None, 1));
        assert!(table.probe(same_cluster(1)).is_none(), "the shallowest went");
        assert!(table.probe(same_cluster(4)).is_some());
        for _ in 0..4 {
            table.age();
        }
        table.store(same_cluster(6), entry(None, 2));
        table.store(same_cluster(7), entry(None, 2));
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
