//! AVX2 kernel: 256-bit vectors, on x86-64 since 2013.

#![expect(unsafe_code, reason = "instructions that not every processor has")]
#![expect(clippy::inline_always, reason = "must be compiled with the features of the caller")]

#[allow(clippy::wildcard_imports, reason = "intrinsics carry their prefix")]
use core::arch::x86_64::*;

use super::Task;
use super::vector::{Plain, Primitives};

/// Runs `task` with AVX2 and the earlier bit-counting instructions.
#[target_feature(enable = "avx2,bmi1,popcnt")]
pub(super) fn run<T: Task>(task: T) -> T::Output {
    task.run(Avx2(()))
}

/// Proof that the processor has AVX2: only [`run`] creates it.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

// SAFETY: 256 bits without padding; every bit pattern is valid.
unsafe impl Plain for __m256i {}

/// Calls an intrinsic.
macro_rules! avx2 {
    ($call:expr) => {
        // SAFETY: `self` is the proof that the processor has AVX2. Only registers are touched.
        unsafe { $call }
    };
}

impl Primitives for Avx2 {
    type Vector = __m256i;

    const REGISTERS: usize = 16;

    const SHARES: bool = true;

    #[inline(always)]
    fn splat_i16(self, value: i16) -> __m256i {
        avx2!(_mm256_set1_epi16(value))
    }

    #[inline(always)]
    fn splat_i32(self, value: i32) -> __m256i {
        avx2!(_mm256_set1_epi32(value))
    }

    #[inline(always)]
    fn add_i16(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi16(a, b))
    }

    #[inline(always)]
    fn add_i32(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_add_epi32(a, b))
    }

    #[inline(always)]
    fn sub_i16(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_sub_epi16(a, b))
    }

    #[inline(always)]
    fn min_i16(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_min_epi16(a, b))
    }

    #[inline(always)]
    fn max_i16(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_max_epi16(a, b))
    }

    #[inline(always)]
    fn mul_low_i16(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_mullo_epi16(a, b))
    }

    #[inline(always)]
    fn mul_high_i16(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_mulhi_epi16(a, b))
    }

    #[inline(always)]
    fn mul_add_i16(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_madd_epi16(a, b))
    }

    #[inline(always)]
    fn dot_u8_i8(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // `maddubs` saturates at 16 bits, which 127 · -128 · 2 does not reach.
        let pairs = avx2!(_mm256_maddubs_epi16(a, b));
        self.add_i32(sum, self.mul_add_i16(pairs, self.splat_i16(1)))
    }

    #[inline(always)]
    fn dot_some_u8_i8<const K: usize>(
        self,
        sum: __m256i,
        a: [__m256i; K],
        b: [__m256i; K],
    ) -> __m256i {
        let mut pairs = avx2!(_mm256_maddubs_epi16(a[0], b[0]));
        for k in 1..K {
            pairs = self.add_i16(pairs, avx2!(_mm256_maddubs_epi16(a[k], b[k])));
        }
        self.add_i32(sum, self.mul_add_i16(pairs, self.splat_i16(1)))
    }

    #[inline(always)]
    fn shift_left_i16(self, a: __m256i, count: u32) -> __m256i {
        avx2!(_mm256_sll_epi16(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn shift_right_i16(self, a: __m256i, count: u32) -> __m256i {
        avx2!(_mm256_sra_epi16(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn shift_right_i32(self, a: __m256i, count: u32) -> __m256i {
        avx2!(_mm256_sra_epi32(a, _mm_cvtsi32_si128(count as i32)))
    }

    #[inline(always)]
    fn pack_i32(self, a: __m256i, b: __m256i) -> __m256i {
        // Packing works within 128-bit halves: a₀ b₀ a₁ b₁. The permutation restores the order.
        avx2!(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(a, b)))
    }

    #[inline(always)]
    fn pack_i16(self, a: __m256i, b: __m256i) -> __m256i {
        avx2!(_mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packus_epi16(a, b)))
    }

    #[inline(always)]
    fn widen_u8(self, a: __m256i) -> [__m256i; 2] {
        avx2!([
            _mm256_cvtepu8_epi16(_mm256_castsi256_si128(a)),
            _mm256_cvtepu8_epi16(_mm256_extracti128_si256::<1>(a)),
        ])
    }

    #[inline(always)]
    fn non_zero_i32(self, a: __m256i) -> u64 {
        let zero = avx2!(_mm256_cmpeq_epi32(a, _mm256_setzero_si256()));
        let bits = avx2!(_mm256_movemask_ps(_mm256_castsi256_ps(zero)));
        u64::from(!bits as u8)
    }

    #[inline(always)]
    fn sum_i32(self, a: __m256i) -> i32 {
        avx2!({
            let half = _mm_add_epi32(_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
            let quarter = _mm_add_epi32(half, _mm_unpackhi_epi64(half, half));
            _mm_cvtsi128_si32(_mm_add_epi32(quarter, _mm_shuffle_epi32::<0b01>(quarter)))
        })
    }
}
