//! AVX-512 kernel: 512-bit vectors; with VNNI, bytes are multiplied and added in one instruction.

#![expect(unsafe_code, reason = "instructions that not every processor has")]
#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

#[allow(clippy::wildcard_imports, reason = "intrinsics carry their prefix")]
use core::arch::x86_64::*;

use super::Task;
use super::vector::{Plain, Primitives};

/// Runs `task` with AVX-512 and the earlier bit-counting instructions.
#[target_feature(enable = "avx512f,avx512bw,bmi1,popcnt")]
pub(super) fn run<T: Task>(task: T) -> T::Output {
    task.run(Avx512::<false>(()))
}

/// Runs `task` with AVX-512 and VNNI.
#[target_feature(enable = "avx512f,avx512bw,bmi1,popcnt,avx512vnni")]
pub(super) fn run_vnni<T: Task>(task: T) -> T::Output {
    task.run(Avx512::<true>(()))
}

/// Proof that the processor has AVX-512 F and BW, and VNNI if `VNNI` is true: only [`run`] and
/// [`run_vnni`] create it.
#[derive(Clone, Copy)]
pub(super) struct Avx512<const VNNI: bool>(());

// SAFETY: 512 bits without padding; every bit pattern is valid.
unsafe impl Plain for __m512i {}

/// Calls an intrinsic.
macro_rules! avx512 {
    ($call:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX-512 F and BW. Only registers are
        // touched.
        unsafe { $call }
    };
}

impl<const VNNI: bool> Primitives for Avx512<VNNI> {
    type Vector = __m512i;

    const REGISTERS: usize = 32;

    const SHARES: bool = !VNNI;

    #[inline(always)]
    fn splat_i16(self, value: i16) -> __m512i {
        avx512!(_mm512_set1_epi16(value))
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> __m512i {
        avx512!(_mm512_set1_epi32(value))
    }

    #[inline(always)]
    fn add_i16(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi16(a, b))
    }

    #[inline(always)]
    fn add_i32(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_add_epi32(a, b))
    }

    #[inline(always)]
    fn sub_i16(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_sub_epi16(a, b))
    }

    #[inline(always)]
    fn min_i16(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_min_epi16(a, b))
    }

    #[inline(always)]
    fn max_i16(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_max_epi16(a, b))
    }

    #[inline(always)]
    fn mul_low_i16(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_mullo_epi16(a, b))
    }

    #[inline(always)]
    fn mul_high_i16(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_mulhi_epi16(a, b))
    }

    #[inline(always)]
    fn mul_add_i16(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(_mm512_madd_epi16(a, b))
    }

    #[inline(always)]
    fn dot_u8_i8(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        if VNNI {
            // SAFETY: `self` is the proof that the processor has VNNI.
            unsafe { _mm512_dpbusd_epi32(sum, a, b) }
        } else {
            // `maddubs` saturates at 16 bits, which 127 · -128 · 2 does not reach.
            let pairs = avx512!(_mm512_maddubs_epi16(a, b));
            self.add_i32(sum, self.mul_add_i16(pairs, self.splat_i16(1)))
        }
    }

    #[inline(always)]
    fn dot_some_u8_i8<const K: usize>(
        self,
        mut sum: __m512i,
        a: [__m512i; K],
        b: [__m512i; K],
    ) -> __m512i {
        if VNNI {
            for k in 0..K {
                sum = self.dot_u8_i8(sum, a[k], b[k]);
            }
            return sum;
        }
        let mut pairs = avx512!(_mm512_maddubs_epi16(a[0], b[0]));
        for k in 1..K {
            pairs = self.add_i16(pairs, avx512!(_mm512_maddubs_epi16(a[k], b[k])));
        }
        self.add_i32(sum, self.mul_add_i16(pairs, self.splat_i16(1)))
    }

    #[inline(always)]
    fn shift_left_i16(self, a: __m512i, count: u32) -> __m512i {
        avx512!(_mm512_sll_epi16(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn shift_right_i16(self, a: __m512i, count: u32) -> __m512i {
        avx512!(_mm512_sra_epi16(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn shift_right_i32(self, a: __m512i, count: u32) -> __m512i {
        avx512!(_mm512_sra_epi32(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn pack_i32(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(in_order(_mm512_packs_epi32(a, b)))
    }

    #[inline(always)]
    fn pack_i16(self, a: __m512i, b: __m512i) -> __m512i {
        avx512!(in_order(_mm512_packus_epi16(a, b)))
    }

    #[inline(always)]
    fn widen_u8(self, a: __m512i) -> [__m512i; 2] {
        avx512!([
            _mm512_cvtepu8_epi16(_mm512_castsi512_si256(a)),
            _mm512_cvtepu8_epi16(_mm512_extracti64x4_epi64::<1>(a)),
        ])
    }

    #[inline(always)]
    fn non_zero_i32(self, a: __m512i) -> u64 {
        u64::from(avx512!(_mm512_test_epi32_mask(a, a)))
    }

    #[inline(always)]
    fn sum_i32(self, a: __m512i) -> i32 {
        avx512!(_mm512_reduce_add_epi32(a))
    }
}

/// Restores the lane order after packing, which works within 128-bit quarters: a₀ b₀ a₁ b₁ a₂ b₂ a₃
/// b₃.
#[inline]
#[target_feature(enable = "avx512f")]
fn in_order(packed: __m512i) -> __m512i {
    _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7), packed)
}
