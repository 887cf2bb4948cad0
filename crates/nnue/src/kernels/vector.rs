//! Vector primitives: the minimal set of operations that the kernels need from an instruction set.
//!
//! Each instruction set has its own file. Lanes keep their order in memory, whatever the
//! instructions do in between. The algorithms on top are written once, in `accumulate`, `affine`,
//! `output` and `layers`, and are independent of the vector width.

#![expect(unsafe_code, reason = "reads blocks as vectors")]
#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

use core::slice;

use crate::blocks::{BlockI8, BlockI16, BlockI32, BlockU8};

/// The primitives of an instruction set. A value proves that the processor supports it.
///
/// Names end in the type of the lanes. All arithmetic wraps, unless documented otherwise.
pub(super) trait Primitives: Copy {
    /// A vector register.
    type Vector: Plain;

    /// The number of registers, which determines how much of an accumulator is held at once.
    const REGISTERS: usize;

    /// Whether [`dot_some_u8_i8`](Self::dot_some_u8_i8) is faster than repeated calls of
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

    /// The minimum of each lane.
    fn min_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The maximum of each lane.
    fn max_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The low half of a·b.
    fn mul_low_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The high half of a·b.
    fn mul_high_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// a·b, with adjacent products added: half as many 32-bit lanes.
    fn mul_add_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `sum` plus four adjacent products in each 32-bit lane. `a` is 0 to 127 and `b` any `i8`, so
    /// two products fit in 16 bits.
    fn dot_u8_i8(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// `sum` plus the products of `K` such pairs of vectors, for which the promise of
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

    /// Arithmetic right shift. A `count` of 16 or more leaves only copies of the sign.
    fn shift_right_i16(self, a: Self::Vector, count: u32) -> Self::Vector;

    /// Arithmetic right shift, with `count` below 32.
    fn shift_right_i32(self, a: Self::Vector, count: u32) -> Self::Vector;

    /// The lanes of `a`, then those of `b`, saturated to `i16`.
    fn pack_i32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The lanes of `a`, then those of `b`, saturated to `u8`.
    fn pack_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;

    /// The first half of the lanes, then the second, widened to 16 bits.
    fn widen_u8(self, a: Self::Vector) -> [Self::Vector; 2];

    /// A bit mask of the non-zero 32-bit lanes, the first lane lowest.
    fn non_zero_i32(self, a: Self::Vector) -> u64;

    /// The sum of the lanes.
    fn sum_i32(self, a: Self::Vector) -> i32;

    /// All lanes zero.
    #[inline(always)]
    fn zero(self) -> Self::Vector {
        self.splat_i32(0)
    }

    /// Clamps each lane to 0..=`limit`.
    #[inline(always)]
    fn clamp_i16(self, a: Self::Vector, limit: Self::Vector) -> Self::Vector {
        self.min_i16(self.max_i16(a, self.zero()), limit)
    }
}

/// Plain-data types.
///
/// # Safety
///
/// Every bit pattern is a valid value, and there is no padding.
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

/// Reinterprets memory as smaller elements.
#[inline(always)]
pub(super) fn cast<A: Plain, B: Plain>(from: &[A]) -> &[B] {
    let len = from.len() * pieces::<A, B>();
    // SAFETY: `pieces` has checked alignment and size: how many B fit exactly in an A. Every bit
    // pattern is valid for both.
    unsafe { slice::from_raw_parts(from.as_ptr().cast(), len) }
}

/// Reinterprets memory as smaller elements.
#[inline(always)]
pub(super) fn cast_mut<A: Plain, B: Plain>(from: &mut [A]) -> &mut [B] {
    let len = from.len() * pieces::<A, B>();
    // SAFETY: as in `cast`, and the mutable borrow carries over.
    unsafe { slice::from_raw_parts_mut(from.as_mut_ptr().cast(), len) }
}

/// The number of B that make up an A.
#[inline(always)]
pub(super) const fn pieces<A: Plain, B: Plain>() -> usize {
    const {
        assert!(align_of::<A>() >= align_of::<B>());
        assert!(size_of::<A>().is_multiple_of(size_of::<B>()));
    }
    size_of::<A>() / size_of::<B>()
}
