//! Product sharing: how many products can be summed in 16 bits.

use crate::blocks::{BLOCK, BlockI8};

/// How many groups of inputs may be added up in 16 bits before they are widened, whatever the
/// inputs: a processor without a dot product of bytes then multiplies less. Proven from the weights
/// when a network is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sharing {
    /// That many groups, wherever they stand: 1, 2 or 4.
    pub(super) any: usize,
    /// That many groups in a row, of which the first has a number that is a multiple of that: 1, 2
    /// or 8.
    pub(super) run: usize,
}

/// As much as the positive weights of a sum may be together, and the negative ones: inputs are at
/// most 127.
const MAX: i32 = i16::MAX as i32 / 127;

impl Sharing {
    /// What always holds.
    pub(crate) const NONE: Self = Self { any: 1, run: 1 };

    /// For weights as [`Simd::affine`](super::Simd::affine) reads them.
    pub(crate) fn new(weights: &[BlockI8], output_blocks: usize) -> Self {
        let group = output_blocks.max(1);
        let mut largest = alloc::vec![[[0; 4]; 2]; group * BLOCK / 2];
        for blocks in weights.chunks_exact(group) {
            for (sizes, largest) in sizes(blocks).zip(&mut largest) {
                for (size, largest) in sizes.into_iter().zip(largest) {
                    insert(size, largest);
                }
            }
        }
        let fits_any = |count| {
            let mut all = largest.iter().flatten();
            all.all(|largest| largest[..count].iter().sum::<i32>() <= MAX)
        };
        let fits_run = |count: usize| {
            weights.chunks(group * count).all(|run| {
                let mut sums = alloc::vec![[0; 2]; group * BLOCK / 2];
                for blocks in run.chunks_exact(group) {
                    for (sizes, sums) in sizes(blocks).zip(&mut sums) {
                        sums[0] += sizes[0];
                        sums[1] += sizes[1];
                    }
                }
                sums.iter().flatten().all(|&sum| sum <= MAX)
            })
        };
        Self {
            any: [4, 2].into_iter().find(|&count| fits_any(count)).unwrap_or(1),
            run: [8, 2].into_iter().find(|&count| fits_run(count)).unwrap_or(1),
        }
    }

    /// What holds for both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { any: self.any.min(other.any), run: self.run.min(other.run) }
    }
}

/// Of each two weights whose products are added first, the sizes of the positive and of the
/// negative ones together.
fn sizes(blocks: &[BlockI8]) -> impl Iterator<Item = [i32; 2]> {
    let pairs = blocks.iter().flat_map(|block| block.0.as_chunks::<2>().0);
    pairs.map(|pair| {
        let [a, b] = pair.map(i32::from);
        [a.max(0) + b.max(0), -a.min(0) - b.min(0)]
    })
}

/// Puts a number into a list that is ordered from the largest on.
fn insert(mut number: i32, list: &mut [i32; 4]) {
    for place in list {
        if number > *place {
            core::mem::swap(&mut number, place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sharing of eight groups, whose first two weights are given.
    fn sharing(pairs: [[i8; 2]; 8]) -> Sharing {
        let mut weights = [BlockI8::ZERO; 8];
        for (block, pair) in weights.iter_mut().zip(pairs) {
            block.0[..2].copy_from_slice(&pair);
        }
        Sharing::new(&weights, 1)
    }

    #[test]
    fn products_fit_just_so() {
        let zero = [0; 2];
        assert_eq!(sharing([zero; 8]), Sharing { any: 4, run: 8 });
        assert_eq!(sharing([[16, 16]; 8]), Sharing { any: 4, run: 8 });
        assert_eq!(sharing([[32, 32]; 8]), Sharing { any: 4, run: 2 });
        assert_eq!(sharing([[32, 33]; 8]), Sharing { any: 2, run: 2 });
        assert_eq!(sharing([[64, 65]; 8]), Sharing { any: 2, run: 2 });
        assert_eq!(sharing([[65, 65]; 8]), Sharing { any: 1, run: 1 });
        // What is positive and what is negative cannot make each other larger.
        assert_eq!(sharing([[127, -128]; 8]), Sharing { any: 2, run: 2 });
        // Groups that never meet.
        let apart = [[65, 65], zero, zero, [65, 65], zero, zero, zero, zero];
        assert_eq!(sharing(apart), Sharing { any: 1, run: 2 });
    }
}
