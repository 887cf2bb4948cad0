//! Other targets, which have only the scalar kernel.

#![expect(unsafe_code, reason = "the signature that `Kernel` calls")]

use super::Task;

/// No instruction sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instructions {}

impl Instructions {
    pub(super) const ALL: &[Self] = &[];

    pub(super) fn name(self) -> &'static str {
        match self {}
    }

    pub(super) fn detected(self) -> bool {
        match self {}
    }

    /// # Safety
    ///
    /// Cannot be called.
    pub(super) unsafe fn run<T: Task>(self, _task: T) -> T::Output {
        match self {}
    }
}

/// A no-op: Rust has no stable prefetch intrinsic for this target.
#[inline(always)]
pub(super) fn prefetch<T>(_value: &T) {}
