//! Loading order: the order of blocks and records as a function of seed and epoch, and held-out
//! games.

use std::ops::Range;

use super::index::Index;
use super::{LoaderOptions, Order, Part};

/// The seed of held-out games, which do not depend on the seed of the order.
const HELD_OUT_SEED: u64 = 0x68E1_D007;

/// A splitmix64 generator.
pub(super) struct Random(u64);

impl Random {
    /// A generator for each purpose: a window of an epoch, or its blocks.
    pub(super) fn new(seed: u64, epoch: u64, window: Option<u64>) -> Self {
        let parts = [seed, epoch, window.map_or(0, |window| window + 1)];
        Self(parts.into_iter().fold(0, |state, part| mix(state ^ part)))
    }

    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        ((u128::from(mix(self.0)) * limit as u128) >> 64) as usize
    }

    /// A uniformly random permutation.
    pub(super) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// A bijective hash of 64 bits.
fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// Decides which games belong to a part.
#[derive(Clone, Copy)]
pub(super) struct Filter {
    part: Part,
    /// Games are held out if their hash is below this.
    limit: u64,
}

impl Filter {
    pub(super) fn new(options: &LoaderOptions) -> Self {
        // 2⁶⁴ as a float; a share below 1 stays below it.
        let limit = (options.held_out * 18_446_744_073_709_551_616.0) as u64;
        Self { part: options.part, limit }
    }

    #[inline]
    pub(super) fn takes(self, game: u32) -> bool {
        let held_out = || mix(mix(HELD_OUT_SEED) ^ u64::from(game)) < self.limit;
        match self.part {
            Part::All => true,
            Part::Training => !held_out(),
            Part::Validation => held_out(),
        }
    }
}

/// The blocks of an epoch in order, and the windows as ranges of it.
pub(super) struct Epoch {
    pub(super) blocks: Vec<u32>,
    pub(super) windows: Vec<Range<usize>>,
}

/// The order of the blocks of an epoch.
pub(super) fn epoch(index: &Index, options: &LoaderOptions, epoch: u64) -> Epoch {
    let mut blocks: Vec<u32> = (0..index.blocks.len() as u32).collect();
    if options.order == Order::Shuffled {
        Random::new(options.seed, epoch, None).shuffle(&mut blocks);
    }
    let (mut windows, mut start, mut records) = (Vec::new(), 0, 0);
    for (place, &block) in blocks.iter().enumerate() {
        records += index.blocks[block as usize].found.header.records as usize;
        if records >= options.window || place + 1 == blocks.len() {
            windows.push(start..place + 1);
            (start, records) = (place + 1, 0);
        }
    }
    Epoch { blocks, windows }
}

/// The windows of an epoch.
pub(super) fn windows(index: &Index, options: &LoaderOptions, number: u64) -> Vec<Range<usize>> {
    epoch(index, options, number).windows
}
