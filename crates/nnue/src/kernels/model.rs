//! Model primitives: vectors as plain arrays of any width, for tests.
//!
//! They verify the algorithms at the widths of instruction sets that the current processor lacks.
//! Only the intrinsic behind each primitive remains untested there.

#![expect(unsafe_code, reason = "reads blocks as vectors")]

use alloc::vec::Vec;

use super::vector::{Plain, Primitives};

/// Vectors of `BYTES` bytes. `SHARES` selects whether products share 16-bit sums.
#[derive(Clone, Copy)]
pub(super) struct Model<const BYTES: usize, const SHARES: bool>;

/// A vector.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Bytes<const BYTES: usize>([u8; BYTES]);

// SAFETY: an array of integers.
unsafe impl<const BYTES: usize> Plain for Bytes<BYTES> {}

impl<const BYTES: usize> Bytes<BYTES> {
    fn i32s(self) -> Vec<i32> {
        self.0.as_chunks().0.iter().map(|&bytes| i32::from_ne_bytes(bytes)).collect()
    }

    fn i16s(self) -> Vec<i16> {
        self.0.as_chunks().0.iter().map(|&bytes| i16::from_ne_bytes(bytes)).collect()
    }

    fn from_i32s(lanes: impl IntoIterator<Item = i32>) -> Self {
        Self::collect(lanes.into_iter().flat_map(i32::to_ne_bytes))
    }

    fn from_i16s(lanes: impl IntoIterator<Item = i16>) -> Self {
        Self::collect(lanes.into_iter().flat_map(i16::to_ne_bytes))
    }

    fn collect(bytes: impl Iterator<Item = u8>) -> Self {
        Self(bytes.collect::<Vec<_>>().try_into().expect("as many lanes as a vector has"))
    }

    fn zip_i16(self, other: Self, f: impl Fn(i16, i16) -> i16) -> Self {
        Self::from_i16s(self.i16s().into_iter().zip(other.i16s()).map(|(a, b)| f(a, b)))
    }
}

impl<const BYTES: usize, const SHARES: bool> Primitives for Model<BYTES, SHARES> {
    type Vector = Bytes<BYTES>;

    // As in the instruction sets of this width.
    const REGISTERS: usize = if BYTES == 32 { 16 } else { 32 };

    const SHARES: bool = SHARES;

    fn splat_i16(self, value: i16) -> Self::Vector {
        Bytes::from_i16s((0..BYTES / 2).map(|_| value))
    }

    fn splat_i32(self, value: i32) -> Self::Vector {
        Bytes::from_i32s((0..BYTES / 4).map(|_| value))
    }

    fn add_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        a.zip_i16(b, i16::wrapping_add)
    }

    fn add_i32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        Bytes::from_i32s(a.i32s().into_iter().zip(b.i32s()).map(|(a, b)| a.wrapping_add(b)))
    }

    fn sub_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        a.zip_i16(b, i16::wrapping_sub)
    }

    fn min_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        a.zip_i16(b, i16::min)
    }

    fn max_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        a.zip_i16(b, i16::max)
    }

    fn mul_low_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        a.zip_i16(b, i16::wrapping_mul)
    }

    fn mul_high_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        a.zip_i16(b, |a, b| ((i32::from(a) * i32::from(b)) >> 16) as i16)
    }

    fn mul_add_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        let (a, b) = (a.i16s(), b.i16s());
        let product = |i| i32::from(a[i]) * i32::from(b[i]);
        Bytes::from_i32s((0..BYTES / 4).map(|i| product(2 * i).wrapping_add(product(2 * i + 1))))
    }

    fn dot_u8_i8(self, sum: Self::Vector, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        assert!(a.0.iter().all(|&a| a <= 127), "not an activation");
        let product = |i: usize| i32::from(a.0[i]) * i32::from(b.0[i] as i8);
        let products = |i| (0..4).map(|j| product(4 * i + j)).sum();
        Bytes::from_i32s((0..BYTES / 4).map(|i| sum.i32s()[i].wrapping_add(products(i))))
    }

    fn dot_some_u8_i8<const K: usize>(
        self,
        sum: Self::Vector,
        a: [Self::Vector; K],
        b: [Self::Vector; K],
    ) -> Self::Vector {
        let pair = |k: usize, i: usize| i32::from(a[k].0[i]) * i32::from(b[k].0[i] as i8);
        let pairs = |i: usize| {
            let sum: i32 = (0..K).map(|k| pair(k, 2 * i) + pair(k, 2 * i + 1)).sum();
            if SHARES { i16::try_from(sum).expect("the promise").into() } else { sum }
        };
        let sums = sum.i32s();
        Bytes::from_i32s((0..BYTES / 4).map(|i| {
            let both: i32 = pairs(2 * i) + pairs(2 * i + 1);
            sums[i].wrapping_add(both)
        }))
    }

    fn shift_left_i16(self, a: Self::Vector, count: u32) -> Self::Vector {
        a.zip_i16(a, |a, _| a << count)
    }

    fn shift_right_i16(self, a: Self::Vector, count: u32) -> Self::Vector {
        a.zip_i16(a, |a, _| a >> count.min(15))
    }

    fn shift_right_i32(self, a: Self::Vector, count: u32) -> Self::Vector {
        Bytes::from_i32s(a.i32s().into_iter().map(|a| a >> count))
    }

    fn pack_i32(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        let nearest = |lane: i32| lane.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        Bytes::from_i16s(a.i32s().into_iter().chain(b.i32s()).map(nearest))
    }

    fn pack_i16(self, a: Self::Vector, b: Self::Vector) -> Self::Vector {
        let nearest = |lane: i16| lane.clamp(0, 255) as u8;
        Bytes::collect(a.i16s().into_iter().chain(b.i16s()).map(nearest))
    }

    fn widen_u8(self, a: Self::Vector) -> [Self::Vector; 2] {
        let (first, second) = a.0.split_at(BYTES / 2);
        [first, second].map(|half| Bytes::from_i16s(half.iter().map(|&lane| i16::from(lane))))
    }

    fn non_zero_i32(self, a: Self::Vector) -> u64 {
        let lanes = a.i32s().into_iter().enumerate();
        lanes.map(|(i, lane)| u64::from(lane != 0) << i).sum()
    }

    fn sum_i32(self, a: Self::Vector) -> i32 {
        a.i32s().into_iter().fold(0, i32::wrapping_add)
    }
}
