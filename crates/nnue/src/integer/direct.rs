//! Direct heads: output weights multiplied with the accumulator itself.

use alloc::vec::Vec;

use super::AccumulatorPair;
use super::pack::head_rows;
use crate::blocks::{BlockI16, blocks, pack_i16};
use crate::kernels::{Factor, Simd};
use crate::{Architecture, IntegerParameters};

#[derive(Clone, Debug)]
pub(super) struct Direct {
    factor: Factor,
    /// Whether |limit · weight| always fits in 16 bits.
    narrow: bool,
    /// If squares are summed, the sum is divided once by the accumulator's scale.
    divisor: Option<Divisor>,
    /// `[bucket][output][perspective][block]`
    weights: Vec<BlockI16>,
    /// `[bucket][output]`
    bias: Vec<i32>,
    outputs: usize,
    perspective_blocks: usize,
}

impl Direct {
    pub(super) fn new(architecture: &Architecture, parameters: &IntegerParameters) -> Self {
        let width = architecture.accumulator.outputs();
        let limit = i32::from(architecture.scales.accumulator);
        let activation = architecture.accumulator.activation;
        let factor = activation.factor().expect("the architecture is of integers");
        let squares = activation.is_product();
        let rows = head_rows(architecture, parameters);
        let mut weights = rows.iter().flat_map(|(row, _)| row.iter());
        let narrow = weights.all(|&w| (i32::from(w) * limit).abs() <= i32::from(i16::MAX));
        let perspectives = rows.iter().flat_map(|(row, _)| row.chunks_exact(width));
        Self {
            factor,
            narrow,
            divisor: squares.then(|| Divisor::new(architecture.scales.accumulator)),
            weights: perspectives.flat_map(pack_i16).collect(),
            bias: rows.iter().map(|&(_, bias)| bias).collect(),
            outputs: rows.len() / architecture.buckets.count,
            perspective_blocks: blocks(width),
        }
    }

    #[inline(always)]
    pub(super) fn run<S: Simd>(
        &self,
        simd: S,
        limit: i16,
        perspectives: AccumulatorPair<'_>,
        bucket: usize,
        first: usize,
        raw: &mut [i32],
    ) {
        let index = bucket * self.outputs + first;
        // A search requests a single output. Handling it without a loop avoids the setup for other
        // kinds of outputs.
        if let [raw] = raw {
            *raw = self.output(simd, limit, perspectives, index);
            return;
        }
        for (place, raw) in raw.iter_mut().enumerate() {
            *raw = self.output(simd, limit, perspectives, index + place);
        }
    }

    /// A single output of a network with two perspectives.
    #[inline(always)]
    pub(super) fn value<S: Simd>(
        &self,
        simd: S,
        limit: i16,
        perspectives: AccumulatorPair<'_>,
        bucket: usize,
        number: usize,
    ) -> i32 {
        let index = bucket * self.outputs + number;
        let blocks = 2 * self.perspective_blocks;
        let weights = &self.weights[index * blocks..][..blocks];
        let both = [perspectives.own, perspectives.theirs];
        self.finish(simd.dot_both(self.factor, limit, self.narrow, both, weights), index)
    }

    #[inline(always)]
    fn output<S: Simd>(
        &self,
        simd: S,
        limit: i16,
        perspectives: AccumulatorPair<'_>,
        index: usize,
    ) -> i32 {
        let count = 1 + usize::from(!perspectives.theirs.is_empty());
        let blocks = count * self.perspective_blocks;
        let weights = &self.weights[index * blocks..][..blocks];
        let sum = if count == 2 {
            let both = [perspectives.own, perspectives.theirs];
            simd.dot_both(self.factor, limit, self.narrow, both, weights)
        } else {
            simd.dot(self.factor, limit, self.narrow, perspectives.own, weights)
        };
        self.finish(sum, index)
    }

    #[inline(always)]
    fn finish(&self, sum: i32, index: usize) -> i32 {
        let sum = self.divisor.map_or(sum, |divisor| divisor.divide(sum));
        sum.wrapping_add(self.bias[index])
    }
}

/// Division by a constant through its reciprocal. Gives the same result as `/`, but avoids the
/// division instruction, which takes more than a third of the time of the sum.
#[derive(Clone, Copy, Debug)]
struct Divisor {
    /// ⌈2⁶⁴ / divisor⌉; 0 for a divisor of 1. Since the divisor has 15 bits and a dividend 31, the
    /// error of the product is too small to reach the next integer quotient.
    reciprocal: u64,
}

impl Divisor {
    /// The caller has checked that the divisor is positive.
    fn new(divisor: i16) -> Self {
        Self { reciprocal: ((1_u128 << 64).div_ceil(divisor.max(1) as u128)) as u64 }
    }

    #[inline(always)]
    fn divide(self, dividend: i32) -> i32 {
        if self.reciprocal == 0 {
            return dividend;
        }
        let product = u128::from(dividend.unsigned_abs()) * u128::from(self.reciprocal);
        let quotient = (product >> 64) as i32;
        let sign = dividend >> 31;
        (quotient ^ sign).wrapping_sub(sign)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divides_as_whole_numbers_do() {
        for divisor in (1..=300).chain([1000, 4095, 4096, 16320, 32766, 32767]) {
            let quick = Divisor::new(divisor);
            let around =
                |middle: i64| (middle - 3..=middle + 3).filter_map(|n| i32::try_from(n).ok());
            let multiples = [0, 1, 2, 77, 65_535, i64::from(i32::MAX) / i64::from(divisor)];
            let multiples = multiples.iter().flat_map(|m| around(m * i64::from(divisor)));
            let ends = around(i64::from(i32::MAX)).chain(around(i64::from(i32::MIN)));
            for n in multiples.chain(ends) {
                assert_eq!(quick.divide(n), n.wrapping_div(divisor.into()), "{n} / {divisor}");
                let n = n.wrapping_neg();
                assert_eq!(quick.divide(n), n.wrapping_div(divisor.into()), "{n} / {divisor}");
            }
        }
    }
}
