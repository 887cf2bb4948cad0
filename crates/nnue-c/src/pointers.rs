//! Pointers of C as references and slices, checked as far as that can be.

use std::slice;

use crate::status::Failure;

/// The value at `pointer`.
///
/// # Safety
///
/// The pointer is null, or valid for reads for as long as the reference is used.
#[inline]
pub(crate) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: it is neither null nor misaligned; the rest is the caller's.
    Ok(unsafe { &*pointer })
}

/// The value at `pointer`, to be changed.
///
/// # Safety
///
/// The pointer is null, or valid for reads and writes, by nobody else, for as long as the reference is used.
#[inline]
pub(crate) unsafe fn exclusive<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    check(pointer, name)?;
    // SAFETY: it is neither null nor misaligned; the rest is the caller's.
    Ok(unsafe { &mut *pointer })
}

/// Writes to where a result goes, which need not hold anything yet.
///
/// # Safety
///
/// The pointer is null, or valid for writes.
#[inline]
pub(crate) unsafe fn write<T>(pointer: *mut T, name: &str, value: T) -> Result<(), Failure> {
    check(pointer, name)?;
    // SAFETY: it is neither null nor misaligned; the rest is the caller's.
    unsafe { pointer.write(value) };
    Ok(())
}

/// `length` values from `pointer` on. Nothing is read of an empty list, whose pointer may be null.
///
/// # Safety
///
/// The pointer is null, or valid for reads of `length` values for as long as the slice is used.
#[inline]
pub(crate) unsafe fn list<'a, T>(
    pointer: *const T,
    length: usize,
    name: &str,
) -> Result<&'a [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    check(pointer, name)?;
    check_length::<T>(length, name)?;
    // SAFETY: it is neither null nor misaligned, and not too long; the rest is the caller's.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

/// `length` values from `pointer` on, to be written.
///
/// # Safety
///
/// The pointer is null, or valid for reads and writes of `length` values, by nobody else, for as long as the
/// slice is used.
#[inline]
pub(crate) unsafe fn list_mut<'a, T>(
    pointer: *mut T,
    length: usize,
    name: &str,
) -> Result<&'a mut [T], Failure> {
    if length == 0 {
        return Ok(&mut []);
    }
    check(pointer, name)?;
    check_length::<T>(length, name)?;
    // SAFETY: it is neither null nor misaligned, and not too long; the rest is the caller's.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, length) })
}

/// Moves a value to memory of its own and writes its address to `out`, for C to give back to [`free`].
///
/// # Safety
///
/// As for [`write`].
pub(crate) unsafe fn hand_over<T>(
    out: *mut *mut T,
    make: impl FnOnce() -> Result<T, Failure>,
) -> Result<(), Failure> {
    check(out, "out")?;
    let value = Box::new(make()?);
    // SAFETY: the caller's.
    unsafe { write(out, "out", Box::into_raw(value)) }
}

/// Frees what [`hand_over`] made; null is nothing.
///
/// # Safety
///
/// The pointer is null, or comes from [`hand_over`] and is not used again.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: it was made by `Box::into_raw` and is the only one left, says the caller.
        drop(unsafe { Box::from_raw(pointer) });
    }
}

#[inline]
fn check<T>(pointer: *const T, name: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::null(name));
    }
    if !pointer.is_aligned() {
        let expected = align_of::<T>();
        let message = format!("`{name}` is {pointer:p}; expected a multiple of {expected}");
        return Err(Failure::argument(message));
    }
    Ok(())
}

#[inline]
fn check_length<T>(length: usize, name: &str) -> Result<(), Failure> {
    if length > isize::MAX as usize / size_of::<T>() {
        let message = format!("`{name}` is {length} values long, which no memory can hold");
        return Err(Failure::argument(message));
    }
    Ok(())
}
