//! Vector primitives: what the kernels need of an instruction set, and nothing more.
//!
//! There is one name for each meaning and one file for each instruction set. Lanes keep the order
//! they have in memory, whatever the instructions do in between. The algorithms on top are written
//! once, in `accumulate`, `output` and `layers`, and do not know how wide a vector is.

#![expect(unsafe_code, reason = "reads blocks as vectors")]
#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use core::slice;

use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8};

/// The primitives of an instruction set. A value is the proof that the processor has it.
///
/// Names end in the type of the lanes. All arithmetic wraps, unless said otherwise.
pub(super) trait Primitives: Copy {
    /// A register.
    type Vector: Plain;

    /// How many registers there are, which decides how much of an accumulator is held at once.
    const REGISTERS: usize;

    /// Whether [`dot_some_u8_i8`](Self::dot_some_u8_i8) is quicker than as many times
    /// [`dot_u8_i8`](Self::dot_u8_i8).
    const SHARES: bool;

    /// `value` in every lane.
    fn splat_i16(self, value: i16) -> Self::Vector;

    /// `value` in every lane.
    fn splat_i32(self, value: i32) -> Self::Vector;

    /// a + b
    fn add_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// a + b
    fn add_i32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// a − b
    fn sub_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The lesser of the two.
    fn min_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The greater of the two.
    fn max_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The low half of a·b.
    fn mul_low_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The high half of a·b.
    fn mul_high_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// a·b, and neighbours added: half as many lanes of 32 bits.
    fn mul_add_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `sum` plus four neighbouring products in each lane of 32 bits. `a` is 0 to 127 and `b` any
    /// `i8`, so that two products fit 16 bits.
    fn dot_u8_i8(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `sum` plus the products of `K` such pairs of vectors, of which the promise of
    /// [`Sharing`](super::Sharing) holds.
    #[inline(always)]
    fn dot_some_u8_i8<const K: usize>(
        self,
        mut sum: Self::Vector,
        a: [Self::Vector; K],
        b: [Self::Vector; K],
    ) -> Self::Vector {
        for (a, b) in a.into_iter().zip(b) {
            sum = self.dot_u8_i8(sum, a, b);
        }
        sum
    }

    /// a << count, with `count` below 16.
    fn shift_left_i16(self, a: Self::Vector, count: u32) -> Self::Vector;

    /// a >> count with copies of the sign, which are all that is left from 16 on.
    fn shift_right_i16(self, a: Self::Vector, count: u32) -> Self::Vector;

    /// a >> count with copies of the sign, `count` below 32.
    fn shift_right_i32(self, a: Self::Vector, count: u32) -> Self::Vector;

    /// The lanes of `a`, then those of `b`, brought to the nearest `i16`.
    fn pack_i32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The lanes of `a`, then those of `b`, brought to the nearest `u8`.
    fn pack_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The first half of the lanes, then the second, as 16 bits.
    fn widen_u8(self, a: Self::Vector) -> [Self::Vector; 2];

    /// A bit for each lane of 32 bits that is not zero, the first lane lowest.
    fn non_zero_i32(self, a: Self::Vector) -> u64;

    /// The sum of the lanes.
    fn sum_i32(self, a: Self::Vector) -> i32;

    /// All lanes zero.
    #[inline(always)]
    fn zero(self) -> Self::Vector {
        self.splat_i32(0)
    }

    /// Between 0 and `limit`.
    #[inline(always)]
    fn clamp_i16(self, a: Self::Vector, limit: Self::Vector) -> Self::Vector {
        self.min_i16(self.max_i16(a, self.zero()), limit)
    }
}

/// Types that are nothing but numbers.
///
/// # Safety
///
/// Every pattern of bits is a value, and there is no padding.
pub(super) unsafe trait Plain: Copy {}

// SAFETY: an integer.
unsafe impl Plain for i32 {}
// SAFETY: an array of integers in `repr(C)` whose size is a multiple of the alignment, like the
// next three.
unsafe impl Plain for BlockI16 {}
// SAFETY: as above.
unsafe impl Plain for BlockI8 {}
// SAFETY: as above.
unsafe impl Plain for BlockU8 {}
// SAFETY: as above.
unsafe impl Plain for BlockI32 {}

/// The same memory in smaller pieces.
#[inline(always)]
pub(super) fn cast<A: Plain, B: Plain>(from: &[A]) -> &[B] {
    let len = from.len() * pieces::<A, B>();
    // SAFETY: `pieces` has checked that a B fits where an A is, and how often. All bits are values
    // of both.
    unsafe { slice::from_raw_parts(from.as_ptr().cast(), len) }
}

/// The same memory in smaller pieces.
#[inline(always)]
pub(super) fn cast_mut<A: Plain, B: Plain>(from: &mut [A]) -> &mut [B] {
    let len = from.len() * pieces::<A, B>();
    // SAFETY: as in `cast`, and the borrow is passed on.
    unsafe { slice::from_raw_parts_mut(from.as_mut_ptr().cast(), len) }
}

/// How many B make up an A.
#[inline(always)]
pub(super) const fn pieces<A: Plain, B: Plain>() -> usize {
    const {
        assert!(align_of::<A>() >= align_of::<B>());
        assert!(size_of::<A>().is_multiple_of(size_of::<B>()));
    }
    size_of::<A>() / size_of::<B>()
}
