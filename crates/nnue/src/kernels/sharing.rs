//! Product sharing: how many products can be summed in 16 bits without overflow.

use crate::blocks::{BLOCK, BlockI8};

/// How many groups of inputs can be summed in 16 bits before widening, for any input. A processor
/// without a byte dot product then needs fewer multiplications. Computed from the weights when a
/// network is loaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sharing {
    /// The number of arbitrary groups: 1, 2 or 4.
    pub(super) any: usize,
    /// The number of consecutive groups, the first of which has an index that is a multiple of that
    /// number: 1, 2 or 8.
    pub(super) run: usize,
}

/// The largest sum of the positive weights, and of the negative weights, in one 16-bit sum: inputs
/// are at most 127.
const MAX: i32 = i16::MAX as i32 / 127;

impl Sharing {
    /// The minimum, which holds for all weights.
    pub(crate) const NONE: Self = Self { any: 1, run: 1 };

    /// The sharing of weights in the layout of [`Simd::affine`](super::Simd::affine).
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

    /// The sharing that holds for both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self { any: self.any.min(other.any), run: self.run.min(other.run) }
    }
}

/// For each two weights whose products are added first, the absolute sums of the positive and of
/// the negative ones.
fn sizes(blocks: &[BlockI8]) -> impl Iterator<Item = [i32; 2]> {
    let pairs = blocks.iter().flat_map(|block| block.0.as_chunks::<2>().0);
    pairs.map(|pair| {
        let [a, b] = pair.map(i32::from);
        [a.max(0) + b.max(0), -a.min(0) - b.min(0)]
    })
}

/// Inserts a number into a list in descending order.
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
        // Positive and negative products never reinforce each other.
        assert_eq!(sharing([[127, -128]; 8]), Sharing { any: 2, run: 2 });
        // Groups that are never summed together.
        let apart = [[65, 65], zero, zero, [65, 65], zero, zero, zero, zero];
        assert_eq!(sharing(apart), Sharing { any: 1, run: 2 });
    }
}
