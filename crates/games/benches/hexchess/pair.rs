//! Alternative bitboard: 64 + 32 bits without gaps, of which 91 are used.

use super::sliders::{BITS, empty_ray};

/// A set of cells.
#[derive(Clone, Copy, Default)]
pub(crate) struct Pair {
    low: u64,
    high: u32,
}

/// A cell and the occupancy.
pub(crate) struct Sample {
    cell: usize,
    occupied: Pair,
}

impl Sample {
    /// Converts from the 128-bit layout.
    pub(crate) fn new(bit: u32, occupied: u128) -> Self {
        Self { cell: number(bit), occupied: Pair::new(occupied) }
    }
}

fn number(bit: u32) -> usize {
    BITS.iter().position(|&other| other == bit).expect("a cell")
}

impl Pair {
    fn new(set: u128) -> Self {
        let cells = BITS.iter().enumerate().filter(|&(_, &bit)| set >> bit & 1 == 1);
        let dense = cells.fold(0_u128, |dense, (number, _)| dense | 1 << number);
        Self { low: dense as u64, high: (dense >> 64) as u32 }
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        Self { low: self.low & other.low, high: self.high & other.high }
    }

    #[inline]
    fn or(self, other: Self) -> Self {
        Self { low: self.low | other.low, high: self.high | other.high }
    }

    #[inline]
    fn xor(self, other: Self) -> Self {
        Self { low: self.low ^ other.low, high: self.high ^ other.high }
    }

    #[inline]
    fn lowest(self) -> usize {
        if self.low != 0 {
            self.low.trailing_zeros() as usize
        } else {
            64 + (self.high | 1 << 31).trailing_zeros() as usize
        }
    }

    #[inline]
    fn highest(self) -> usize {
        if self.high != 0 {
            64 + self.high.ilog2() as usize
        } else {
            (self.low | 1).ilog2() as usize
        }
    }
}

/// Rays by direction and cell. The last entry is empty and represents no blocker.
pub(crate) struct Tables {
    rays: [[Pair; 128]; 12],
}

impl Tables {
    #[expect(clippy::large_stack_arrays, reason = "once, and the compiler builds them in the box")]
    pub(crate) fn new() -> Box<Self> {
        let mut tables = Box::new(Self { rays: [[Pair::default(); 128]; 12] });
        for (number, &bit) in BITS.iter().enumerate() {
            for direction in 0..12 {
                tables.rays[direction][number] = Pair::new(empty_ray(bit, direction));
            }
        }
        tables
    }

    /// Queen attacks: each ray ends at the first blocker.
    #[inline]
    pub(crate) fn by_rays(&self, sample: &Sample) -> Pair {
        let cell = sample.cell & 127;
        let mut seen = Pair::default();
        for step in 0..6 {
            let up = &self.rays[step];
            let blocker = up[cell].and(sample.occupied).lowest();
            seen = seen.or(up[cell].xor(up[blocker & 127]));
            let down = &self.rays[step + 6];
            let blocker = down[cell].and(sample.occupied).highest();
            seen = seen.or(down[cell].xor(down[blocker & 127]));
        }
        seen
    }
}

/// The sum of the bit indices on the 128-bit board, visited one by one.
#[inline]
pub(crate) fn walk(mut seen: Pair) -> u64 {
    let mut sum = 0;
    while seen.low != 0 {
        sum += u64::from(BIT_OF[seen.low.trailing_zeros() as usize & 127]);
        seen.low &= seen.low - 1;
    }
    while seen.high != 0 {
        sum += u64::from(BIT_OF[64 + (seen.high.trailing_zeros() as usize & 31)]);
        seen.high &= seen.high - 1;
    }
    sum
}

/// Bits by number, long enough that no index is out of range.
static BIT_OF: [u32; 128] = {
    let mut bits = [0; 128];
    let mut number = 0;
    while number < 91 {
        bits[number] = BITS[number];
        number += 1;
    }
    bits
};
