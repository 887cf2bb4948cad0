//! Status codes: the result of a call, and its error message.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What became of a call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccrueStatus {
    /// It did what was asked.
    Ok = 0,
    /// A pointer is NULL that must not be.
    NullPointer = 1,
    /// An argument is out of range, or belongs to another network.
    Argument = 2,
    /// A file cannot be read.
    Io = 3,
    /// The bytes are not a network.
    Format = 4,
    /// A fault of this library. What the call was to write may be half written.
    Internal = 5,
}

/// Why a call did not do what was asked.
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

/// Runs the body of a function; keeps the message of a failure, and stops panics.
#[inline]
pub(crate) fn guard(body: impl FnOnce() -> Result<(), Failure>) -> AccrueStatus {
    value_or(AccrueStatus::Internal, || body().map(|()| AccrueStatus::Ok), |status| status)
}

/// Runs the body of a function that has no status; `missing` stands for a failure.
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
    // Text from a file may hold anything; C strings end at the first zero.
    let message = CString::new(message.replace('\0', "?")).unwrap_or_default();
    // A thread that is ending has no place for it any more.
    let _ = LAST_ERROR.try_with(|last| *last.borrow_mut() = message);
}

/// Why the last call of this thread that failed did so: a text in English, in UTF-8, empty if none has.
///
/// The text stays where it is until the thread's next call of any function of this library.
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
        // SAFETY: the text ends with zero and stays until the next call.
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
