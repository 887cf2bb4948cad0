//! Status codes: the result of a call, and its error message.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The status of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccrueStatus {
    /// The call succeeded.
    Ok = 0,
    /// A required pointer is NULL.
    NullPointer = 1,
    /// An argument is out of range, or belongs to another network.
    Argument = 2,
    /// A file cannot be read.
    Io = 3,
    /// The bytes are not a network.
    Format = 4,
    /// A bug of this library. The outputs of the call may be incomplete.
    Internal = 5,
}

/// Why a call failed.
#[derive(Debug)]
pub(crate) struct Failure {
    status: AccrueStatus,
    message: String,
}

impl Failure {
    pub(crate) fn new(status: AccrueStatus, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::new(AccrueStatus::Argument, message)
    }

    pub(crate) fn null(name: &str) -> Self {
        Self::new(AccrueStatus::NullPointer, format!("`{name}` is NULL"))
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Runs the body of a function, stores the message of a failure, and catches panics.
#[inline]
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Failure>) -> AccrueStatus {
    value_or(AccrueStatus::Internal, || body().map(|()| AccrueStatus::Ok), |status| status)
}

/// Runs the body of a function without a status; returns `missing` on failure.
#[inline]
pub(crate) fn query<T: Copy>(missing: T, body: impl FnOnce() -> Result<T, Failure>) -> T {
    value_or(missing, body, |_| missing)
}

#[inline]
fn value_or<T>(
    panicked: T,
    body: impl FnOnce() -> Result<T, Failure>,
    failed: impl FnOnce(AccrueStatus) -> T,
) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(value)) => value,
        Ok(Err(Failure { status, message })) => {
            keep(&message);
            failed(status)
        }
        Err(_) => {
            keep("a fault inside the library; please report it");
            panicked
        }
    }
}

#[cold]
fn keep(message: &str) {
    // Text from a file may contain any bytes; C strings end at the first zero.
    let message = CString::new(message.replace('\0', "?")).unwrap_or_default();
    // A thread that is ending cannot store it any more.
    let _ = LAST_ERROR.try_with(|last| *last.borrow_mut() = message);
}

/// Returns the error message of the last failed call of this thread: English text in UTF-8, empty
/// if no call failed.
///
/// The text is valid until the next call of any function of this library by the same thread.
#[unsafe(no_mangle)]
pub extern "C" fn accrue_last_error() -> *const c_char {
    let text = LAST_ERROR.try_with(|last| last.borrow().as_ptr());
    text.unwrap_or(c"".as_ptr())
}

/// The version of this library, for example `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn accrue_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    fn last_error() -> String {
        // SAFETY: the text ends with zero and is valid until the next call.
        unsafe { CStr::from_ptr(accrue_last_error()) }.to_str().unwrap().to_owned()
    }

    #[test]
    fn panics_become_a_status() {
        let status = guard(|| panic!("as a test"));
        assert_eq!(status, AccrueStatus::Internal);
        assert!(last_error().contains("fault"), "{}", last_error());
    }

    #[test]
    fn messages_with_zeros_are_kept() {
        let status = guard(|| Err(Failure::argument("one\0two")));
        assert_eq!(status, AccrueStatus::Argument);
        assert_eq!(last_error(), "one?two");
    }

    #[test]
    fn each_thread_has_its_own_message() {
        guard(|| Err(Failure::null("mine")));
        std::thread::spawn(|| assert_eq!(last_error(), "")).join().unwrap();
        assert_eq!(last_error(), "`mine` is NULL");
    }
}
