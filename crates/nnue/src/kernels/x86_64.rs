//! Instruction sets of x86-64: detection and dispatch.

#![expect(unsafe_code, reason = "calls what the processor was asked for")]

use super::{Task, avx2, avx512};

/// An instruction set beyond the scalar kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    Avx2,
    Avx512,
    Avx512Vnni,
}

/// Whether the processor has all of these features.
#[cfg(feature = "std")]
macro_rules! has {
    ($($feature:tt),+) => {
        $(std::arch::is_x86_feature_detected!($feature))&&+
    };
}

/// Whether the compilation target has all of these features.
#[cfg(not(feature = "std"))]
macro_rules! has {
    ($($feature:tt),+) => {
        cfg!(all($(target_feature = $feature),+))
    };
}

impl Instructions {
    /// From the slowest to the fastest.
    pub(super) const ALL: &[Self] = &[Self::Avx2, Self::Avx512, Self::Avx512Vnni];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
            Self::Avx512Vnni => "avx512vnni",
        }
    }

    #[allow(clippy::match_same_arms, reason = "constants without `std`")]
    pub(super) fn detected(self) -> bool {
        match self {
            Self::Avx2 => has!("avx2", "bmi1", "popcnt"),
            Self::Avx512 => has!("avx512f", "avx512bw", "bmi1", "popcnt"),
            Self::Avx512Vnni => has!("avx512f", "avx512bw", "bmi1", "popcnt", "avx512vnni"),
        }
    }

    /// Runs `task` with these instructions.
    ///
    /// # Safety
    ///
    /// The instructions must have been [`detected`](Self::detected).
    #[inline]
    pub(super) unsafe fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            // SAFETY: by contract the processor has the features, here and below.
            Self::Avx2 => unsafe { avx2::run(task) },
            // SAFETY: as above.
            Self::Avx512 => unsafe { avx512::run(task) },
            // SAFETY: as above.
            Self::Avx512Vnni => unsafe { avx512::run_vnni(task) },
        }
    }
}

/// Prefetches the cache line at the beginning of a value.
#[inline(always)]
pub(super) fn prefetch<T>(value: &T) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: every x86-64 processor has the instruction, it has no effect that the program can
    // observe, and the address is that of a value.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(value).cast()) }
}
