//! The random numbers of these tests.
#![allow(dead_code, reason = "each test uses its own part")]

/// `SplitMix64`: the same seed gives the same numbers everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// −`max` to `max`.
    pub(crate) fn within(&mut self, max: i64) -> i64 {
        (self.next() % (2 * max as u64 + 1)) as i64 - max
    }
}
