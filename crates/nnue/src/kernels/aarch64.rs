//! Instruction sets of 64-bit ARM.

#![expect(unsafe_code, reason = "calls what the processor was asked for")]

use super::{Task, neon};

/// Instructions beyond plain arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {
    Neon,
}

impl Instructions {
    /// From the slowest to the fastest.
    pub(super) const ALL: &[Self] = &[Self::Neon];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Neon => "neon",
        }
    }

    /// Every processor that runs programs for an operating system has NEON, so the compiler knows.
    pub(super) fn detected(self) -> bool {
        match self {
            Self::Neon => cfg!(target_feature = "neon"),
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
            Self::Neon => unsafe { neon::run(task) },
        }
    }
}

/// There is no instruction for it that the language offers.
#[inline(always)]
pub(super) fn prefetch<T>(_value: &T) {}
