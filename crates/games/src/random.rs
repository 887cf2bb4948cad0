//! Random numbers: splitmix64, the only generator of the toolkit. Its sequences never change.

/// A splitmix64 generator.
///
/// ```
/// use games::Random;
///
/// let mut random = Random::new(7);
/// assert!((0..100).all(|_| random.below(6) < 6));
/// assert!(random.pick(&["a", "b"]).is_some());
/// // The same seed gives the same numbers, on every machine.
/// assert_eq!(Random::new(7).next_u64(), Random::new(7).next_u64());
/// ```
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator whose sequence depends only on the seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number from 0 up to but excluding `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next_u64()) * limit as u128) >> 64) as usize
    }

    /// A random item, or `None` if there are no items.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

/// The finalizer of splitmix64: a bijection that mixes every bit into all others, for hashes of
/// positions of a few words.
pub const fn mix(word: u64) -> u64 {
    let mut mixed = word;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
