//! Instruction sets of 64-bit ARM: detection and dispatch.

#![expect(unsafe_code, reason = "calls what the processor was asked for")]

use super::{Task, neon};

/// An instruction set beyond the scalar kernel.
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

    /// Every processor that runs an operating system has NEON, so compile-time detection suffices.
    pub(super) fn detected(self) -> bool {
        match self {
            Self::Neon => cfg!(target_feature = "neon"),
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
            // SAFETY: by contract the processor has the feature.
            Self::Neon => unsafe { neon::run(task) },
        }
    }
}

/// A no-op: Rust has no stable prefetch intrinsic for this target.
#[inline(always)]
pub(super) fn prefetch<T>(_value: &T) {}
