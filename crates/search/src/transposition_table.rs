//! Transposition table (TT): scores, bounds, best moves and static evaluations of searched
//! positions.
//!
//! Threads share it without locks. An entry is two words, the first of which is the key combined
//! with the second (xor): if two threads write at once, the words do not fit together, and the
//! entry is no longer found.

mod entry;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use crate::engine::EngineError;
use crate::result::Bound;

use entry::{depth_of, generation_of};

pub(crate) use entry::{TtData, TtEntry};

/// Slots of a cluster: as many as a cache line holds.
const CLUSTER_SLOTS: usize = 4;
/// Generations after which counting begins again.
const GENERATIONS: u8 = 32;

/// The place of one entry.
#[derive(Debug)]
struct Slot([AtomicU64; 2]);

impl Slot {
    /// The data, and the key but for its last bits, which hold half of the move.
    #[inline]
    fn words(&self) -> (u64, u64) {
        let [check, data] = &self.0;
        let data = data.load(Ordering::Relaxed);
        (data, check.load(Ordering::Relaxed) ^ data)
    }
}

/// The slots that a position can be in.
#[repr(align(64))]
#[derive(Debug)]
struct Cluster([Slot; CLUSTER_SLOTS]);

impl Cluster {
    fn empty() -> Self {
        Self(std::array::from_fn(|_| Slot(std::array::from_fn(|_| AtomicU64::new(0)))))
    }

    /// The slot of a position.
    #[inline]
    fn find(&self, key: u64) -> Option<&Slot> {
        self.0.iter().find(|slot| (slot.words().1 ^ key) & KEY_MASK == 0)
    }

    /// The slot to replace: shallow and old entries go first.
    #[inline]
    fn replacement(&self, generation: u8) -> &Slot {
        let priority = |slot: &Slot| {
            let (data, _) = slot.words();
            let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
            depth_of(data) - 8 * i32::from(age) + i32::from(data != 0)
        };
        let [first, others @ ..] = &self.0;
        let lowest = |(lowest, slot), other| {
            let priority = priority(other);
            if priority < lowest { (priority, other) } else { (lowest, slot) }
        };
        others.iter().fold((priority(first), first), lowest).1
    }
}

/// The transposition table.
#[derive(Debug)]
pub(crate) struct TranspositionTable {
    clusters: Vec<Cluster>,
    generation: AtomicU8,
}

/// The bits of a key that an entry holds; the others make room for half of a move's code.
const KEY_MASK: u64 = !0xFFFF;

impl TranspositionTable {
    /// An empty table of that many MiB. Fails where the system refuses the memory; a system that
    /// overcommits does not.
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

    /// A table of one cluster, which needs hardly any memory.
    pub(crate) fn smallest() -> Self {
        Self { clusters: vec![Cluster::empty()], generation: AtomicU8::new(0) }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        for cluster in &mut self.clusters {
            *cluster = Cluster::empty();
        }
        *self.generation.get_mut() = 0;
    }

    /// Starts a new generation: entries of earlier searches are replaced first.
    pub(crate) fn new_generation(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        // The low half of the key chooses, since the entries hold the high half.
        let wide = u128::from(key.rotate_left(32)) * self.clusters.len() as u128;
        &self.clusters[(wide >> 64) as usize]
    }

    /// Prefetches the cluster of a position that is about to be probed.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        nnue::prefetch(self.cluster(key));
    }

    /// The entry of a position.
    #[inline]
    pub(crate) fn probe(&self, key: u64) -> Option<TtEntry> {
        let (data, check) = self.cluster(key).find(key)?.words();
        TtEntry::new(data, check as u16)
    }

    /// Stores a position in its own slot, or replaces the entry of lowest priority.
    pub(crate) fn store(&self, key: u64, new: &TtData) {
        let generation = self.generation.load(Ordering::Relaxed);
        let mut packed = new.pack(generation);
        let cluster = self.cluster(key);
        let known = cluster.find(key);
        if let Some(slot) = known {
            let (data, check) = slot.words();
            if let Some(old) = TtEntry::new(data, check as u16) {
                let same_search = generation_of(data) == generation;
                let much_deeper = old.depth() > new.depth + 4 + 2 * i32::from(new.tt_pv);
                if much_deeper && same_search && new.bound != Bound::Exact {
                    return;
                }
                if new.code.is_none() {
                    packed = packed.with_move_of(old);
                }
            }
        }
        let slot = known.unwrap_or_else(|| cluster.replacement(generation));
        let (data, high) = packed.words();
        slot.0[0].store((key & KEY_MASK | high) ^ data, Ordering::Relaxed);
        slot.0[1].store(data, Ordering::Relaxed);
    }

    /// How many of a thousand entries are of this search (UCI's `hashfull`).
    pub(crate) fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let sample = self.clusters.iter().take(1000 / CLUSTER_SLOTS);
        let used = sample.flat_map(|cluster| &cluster.0).map(Slot::words);
        let of_this = |&(data, check): &(u64, u64)| {
            TtEntry::new(data, check as u16).is_some() && generation_of(data) == generation
        };
        used.filter(of_this).count() as u32
    }
}
