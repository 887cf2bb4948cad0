//! NEON kernel: 128-bit vectors, on every 64-bit ARM.

#![expect(unsafe_code, reason = "instructions that not every processor has")]
#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

#[allow(clippy::wildcard_imports, reason = "intrinsics carry their prefix")]
use core::arch::aarch64::*;

use super::Task;
use super::vector::{Plain, Primitives};

/// Runs `task` with NEON.
#[target_feature(enable = "neon")]
pub(super) fn run<T: Task>(task: T) -> T::Output {
    task.run(Neon(()))
}

/// Proof that the processor has NEON: only [`run`] creates it.
#[derive(Clone, Copy)]
pub(super) struct Neon(());

// SAFETY: 128 bits without padding; every bit pattern is valid.
unsafe impl Plain for int16x8_t {}

/// Calls an intrinsic.
macro_rules! neon {
    ($call:expr) => {
        // SAFETY: `self` is the proof that the processor has NEON. Only registers are touched.
        unsafe { $call }
    };
}

/// Vectors have the most frequent type; reinterpreting them is free.
macro_rules! as_s32 {
    ($vector:expr) => {
        vreinterpretq_s32_s16($vector)
    };
}

impl Primitives for Neon {
    type Vector = int16x8_t;

    const REGISTERS: usize = 32;

    const SHARES: bool = false;

    #[inline(always)]
    fn splat_i16(self, value: i16) -> int16x8_t {
        neon!(vdupq_n_s16(value))
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> int16x8_t {
        neon!(vreinterpretq_s16_s32(vdupq_n_s32(value)))
    }

    #[inline(always)]
    fn add_i16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!(vaddq_s16(a, b))
    }

    #[inline(always)]
    fn add_i32(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!(vreinterpretq_s16_s32(vaddq_s32(as_s32!(a), as_s32!(b))))
    }

    #[inline(always)]
    fn sub_i16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!(vsubq_s16(a, b))
    }

    #[inline(always)]
    fn min_i16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!(vminq_s16(a, b))
    }

    #[inline(always)]
    fn max_i16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!(vmaxq_s16(a, b))
    }

    #[inline(always)]
    fn mul_low_i16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!(vmulq_s16(a, b))
    }

    #[inline(always)]
    fn mul_high_i16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!({
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            let high = vmull_high_s16(a, b);
            vcombine_s16(vshrn_n_s32::<16>(low), vshrn_n_s32::<16>(high))
        })
    }

    #[inline(always)]
    fn mul_add_i16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!({
            let low = vmull_s16(vget_low_s16(a), vget_low_s16(b));
            vreinterpretq_s16_s32(vpaddq_s32(low, vmull_high_s16(a, b)))
        })
    }

    #[inline(always)]
    fn dot_u8_i8(self, sum: int16x8_t, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!({
            // Up to 127 the sign makes no difference, and 127 · -128 · 2 fits in 16 bits.
            let (a, b) = (vreinterpretq_s8_s16(a), vreinterpretq_s8_s16(b));
            let low = vmull_s8(vget_low_s8(a), vget_low_s8(b));
            let pairs = vpaddq_s16(low, vmull_high_s8(a, b));
            vreinterpretq_s16_s32(vpadalq_s16(as_s32!(sum), pairs))
        })
    }

    #[inline(always)]
    fn shift_left_i16(self, a: int16x8_t, count: u32) -> int16x8_t {
        neon!(vshlq_s16(a, vdupq_n_s16(count as i16)))
    }

    #[inline(always)]
    fn shift_right_i16(self, a: int16x8_t, count: u32) -> int16x8_t {
        // A left shift by a negative count is a right shift.
        neon!(vshlq_s16(a, vdupq_n_s16(-(count as i16))))
    }

    #[inline(always)]
    fn shift_right_i32(self, a: int16x8_t, count: u32) -> int16x8_t {
        neon!(vreinterpretq_s16_s32(vshlq_s32(as_s32!(a), vdupq_n_s32(-(count as i32)))))
    }

    #[inline(always)]
    fn pack_i32(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!(vcombine_s16(vqmovn_s32(as_s32!(a)), vqmovn_s32(as_s32!(b))))
    }

    #[inline(always)]
    fn pack_i16(self, a: int16x8_t, b: int16x8_t) -> int16x8_t {
        neon!(vreinterpretq_s16_u8(vcombine_u8(vqmovun_s16(a), vqmovun_s16(b))))
    }

    #[inline(always)]
    fn widen_u8(self, a: int16x8_t) -> [int16x8_t; 2] {
        neon!({
            let a = vreinterpretq_u8_s16(a);
            [
                vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(a))),
                vreinterpretq_s16_u16(vmovl_high_u8(a)),
            ]
        })
    }

    #[inline(always)]
    fn non_zero_i32(self, a: int16x8_t) -> u64 {
        neon!({
            let ones = vtstq_s32(as_s32!(a), as_s32!(a));
            let places = vcombine_u32(vcreate_u32(2 << 32 | 1), vcreate_u32(8 << 32 | 4));
            u64::from(vaddvq_u32(vandq_u32(ones, places)))
        })
    }

    #[inline(always)]
    fn sum_i32(self, a: int16x8_t) -> i32 {
        neon!(vaddvq_s32(as_s32!(a)))
    }
}
