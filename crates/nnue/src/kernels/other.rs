//! Other processors, which have plain arithmetic alone.

#![expect(unsafe_code, reason = "the signature that `Kernel` calls")]

use super::Task;

/// None.
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

/// There is no instruction for it that the language offers.
#[inline(always)]
pub(super) fn prefetch<T>(_value: &T) {}
