//! The instruction sets of x86-64.

#![expect(unsafe_code, reason = "calls what the processor was asked for")]

use super::{Task, avx2};

/// Instructions beyond plain arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    Avx2,
}

/// Whether the processor has a feature.
#[cfg(feature = "std")]
macro_rules! has {
    ($feature:tt) => {
        std::arch::is_x86_feature_detected!($feature)
    };
}

/// Whether the processor has a feature, by what the compiler was told.
#[cfg(not(feature = "std"))]
macro_rules! has {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

impl Instructions {
    /// From the slowest to the fastest.
    pub(super) const ALL: &[Self] = &[Self::Avx2];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Avx2 => "avx2",
        }
    }

    pub(super) fn detected(self) -> bool {
        match self {
            Self::Avx2 => has!("avx2"),
        }
    }

    /// Does `task`.
    ///
    /// # Safety
    ///
    /// They must have been [`detected`](Self::detected).
    #[inline]
    pub(super) unsafe fn run<T: Task>(self, task: T) -> T::Output {
        match self {
            // SAFETY: by contract the processor has the feature.
            Self::Avx2 => unsafe { avx2::run(task) },
        }
    }
}
