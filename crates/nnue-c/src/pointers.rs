//! Pointers of C as checked references and slices.

use std::slice;

use crate::status::Failure;

/// The value at `pointer`.
///
/// # Safety
///
/// The pointer is null, or valid for reads while the reference is used.
#[inline]
pub(crate) unsafe fn shared<'a, T>(pointer: *const T, name: &str) -> Result<&'a T, Failure> {
    check(pointer, name)?;
    // SAFETY: it is neither null nor misaligned; the caller guarantees the rest.
    Ok(unsafe { &*pointer })
}

/// The value at `pointer`, mutable.
///
/// # Safety
///
/// The pointer is null, or valid for exclusive reads and writes while the reference is used.
#[inline]
pub(crate) unsafe fn exclusive<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T, Failure> {
    check(pointer, name)?;
    // SAFETY: it is neither null nor misaligned; the caller guarantees the rest.
    Ok(unsafe { &mut *pointer })
}

/// Writes a result to `pointer`, which may be uninitialised.
///
/// # Safety
///
/// The pointer is null, or valid for writes.
#[inline]
pub(crate) unsafe fn write<T>(pointer: *mut T, name: &str, value: T) -> Result<(), Failure> {
    check(pointer, name)?;
    // SAFETY: it is neither null nor misaligned; the caller guarantees the rest.
    unsafe { pointer.write(value) };
    Ok(())
}

/// `length` values from `pointer` on. An empty list is not read, and its pointer may be null.
///
/// # Safety
///
/// The pointer is null, or valid for reads of `length` values while the slice is used.
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
    // SAFETY: it is neither null nor misaligned, and not too long; the caller guarantees the rest.
    Ok(unsafe { slice::from_raw_parts(pointer, length) })
}

/// `length` values from `pointer` on, mutable.
///
/// # Safety
///
/// The pointer is null, or valid for exclusive reads and writes of `length` values while the slice
/// is used.
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
    // SAFETY: it is neither null nor misaligned, and not too long; the caller guarantees the rest.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, length) })
}

/// Moves a value to the heap and writes its address to `out`. C releases it by [`free`].
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
    // SAFETY: guaranteed by the caller.
    unsafe { write(out, "out", Box::into_raw(value)) }
}

/// Frees a value of [`hand_over`]. Does nothing for null.
///
/// # Safety
///
/// The pointer is null, or comes from [`hand_over`] and is not used again.
pub(crate) unsafe fn free<T>(pointer: *mut T) {
    if !pointer.is_null() {
        // SAFETY: the caller guarantees that it comes from `Box::into_raw` and is the last pointer.
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
