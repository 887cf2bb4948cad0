//! Huge pages on Linux.

#![expect(unsafe_code, reason = "calls the system")]

use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;

/// `MADV_HUGEPAGE`.
const HUGE_PAGES: c_int = 14;
/// The required alignment of a range. If pages are larger, the system rejects the call, which is
/// harmless.
const PAGE: usize = 4096;

unsafe extern "C" {
    fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
}

/// See [`prefer_large_pages`](super::prefer_large_pages).
pub(super) fn prefer_large_pages<T>(memory: &mut [MaybeUninit<T>]) {
    let start = memory.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    let Some(length) = size_of_val(memory).checked_sub(skipped) else { return };
    let length = length - length % PAGE;
    if length == 0 {
        return;
    }
    // SAFETY: the range lies within `memory`, which is mutably borrowed. This advice changes no
    // content and makes nothing inaccessible. It is only a hint, so the result does not matter.
    unsafe { madvise(start.add(skipped).cast(), length, HUGE_PAGES) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_as_before() {
        for length in [0, 1, PAGE, 3 * PAGE + 5, 5 << 20] {
            let mut memory: Vec<u8> = Vec::with_capacity(length);
            prefer_large_pages(memory.spare_capacity_mut());
            memory.resize(length, 7);
            prefer_large_pages(memory.spare_capacity_mut());
            assert!(memory.iter().all(|&byte| byte == 7));
        }
    }
}
