//! Pointers from C, checked as far as possible.

use std::ffi::{CStr, c_char};
use std::ops::Range;

use crate::status::Fault;
use crate::status::NavbakeStatus::{NavbakeBadArgument, NavbakeNullPointer};

/// The value that a pointer points at.
///
/// # Safety
///
/// A pointer that is neither null nor misaligned must point at a `T` that lives, and is not written
/// to, for `'a`.
pub(crate) unsafe fn given<'a, T>(pointer: *const T) -> Result<&'a T, Fault> {
    if !pointer.is_aligned() {
        return Err(NavbakeNullPointer);
    }
    // SAFETY: aligned; the rest is the caller's promise.
    unsafe { pointer.as_ref() }.ok_or(NavbakeNullPointer)
}

/// The same, to be written to.
///
/// # Safety
///
/// A pointer that is neither null nor misaligned must point at a `T` that lives, and that nothing
/// else reads or writes, for `'a`.
pub(crate) unsafe fn given_mut<'a, T>(pointer: *mut T) -> Result<&'a mut T, Fault> {
    if !pointer.is_aligned() {
        return Err(NavbakeNullPointer);
    }
    // SAFETY: aligned; the rest is the caller's promise.
    unsafe { pointer.as_mut() }.ok_or(NavbakeNullPointer)
}

/// Three numbers.
///
/// # Safety
///
/// A pointer that is neither null nor misaligned must point at three that nothing writes to until
/// the call ends.
pub(crate) unsafe fn triple(pointer: *const f64) -> Result<[f64; 3], Fault> {
    // SAFETY: three numbers in a row are an array; the rest is the caller's promise.
    unsafe { given(pointer.cast::<[f64; 3]>()) }.copied()
}

/// Text in UTF-8.
///
/// # Safety
///
/// A pointer that is not null must point at text with a zero at its end that nothing writes to for
/// `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Result<&'a str, Fault> {
    if pointer.is_null() {
        return Err(NavbakeNullPointer);
    }
    // SAFETY: not null; promised by the caller to end in a zero.
    unsafe { CStr::from_ptr(pointer) }.to_str().map_err(|_| NavbakeBadArgument)
}

/// Bytes or words from C. With a length of 0, any pointer is allowed.
///
/// # Safety
///
/// A pointer that is neither null nor misaligned must point at `length` values of `T` that live,
/// and are not written to, for `'a`.
pub(crate) unsafe fn row<'a, T>(pointer: *const T, length: usize) -> Result<&'a [T], Fault> {
    if length == 0 {
        return Ok(&[]);
    }
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(NavbakeNullPointer);
    }
    check_size::<T>(length)?;
    // SAFETY: not null, aligned, of a size that a slice can have; the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(pointer, length) })
}

/// Can a slice hold this many?
fn check_size<T>(length: usize) -> Result<(), Fault> {
    let size = length.checked_mul(size_of::<T>());
    match size.is_some_and(|size| isize::try_from(size).is_ok()) {
        true => Ok(()),
        false => Err(NavbakeBadArgument),
    }
}

/// Room for several results, checked before the work begins and not written to: a call that is
/// refused changes nothing.
pub(crate) struct Room<T> {
    pointer: *mut T,
    length: usize,
}

impl<T> Room<T> {
    /// With a length of 0, any pointer is allowed.
    pub(crate) fn new(pointer: *mut T, length: usize) -> Result<Room<T>, Fault> {
        if length > 0 && (pointer.is_null() || !pointer.is_aligned()) {
            return Err(NavbakeNullPointer);
        }
        check_size::<T>(length)?;
        Ok(Room { pointer, length })
    }

    /// The addresses that it covers.
    pub(crate) fn addresses(&self) -> Range<usize> {
        let first = self.pointer.addr();
        first..first.saturating_add(self.length * size_of::<T>())
    }

    /// The values, cleared.
    ///
    /// # Safety
    ///
    /// If the length is not 0, there is memory for the values that nothing else reads or writes for
    /// `'a`, and zeros are a `T`.
    pub(crate) unsafe fn cleared<'a>(self) -> &'a mut [T] {
        if self.length == 0 {
            return &mut [];
        }
        // SAFETY: not null, aligned, of a size that a slice can have, written before it is read;
        // the rest is the caller's promise.
        unsafe {
            self.pointer.write_bytes(0, self.length);
            std::slice::from_raw_parts_mut(self.pointer, self.length)
        }
    }

    /// Writes as many values as fit, and clears the rest.
    ///
    /// # Safety
    ///
    /// As for [`Room::cleared`].
    pub(crate) unsafe fn fill(self, values: &[T])
    where
        T: Copy,
    {
        // SAFETY: promised by the caller.
        let room = unsafe { self.cleared() };
        let fit = room.len().min(values.len());
        room[..fit].copy_from_slice(&values[..fit]);
    }
}

/// Refuses results that would be written to the same memory.
pub(crate) fn apart(mut results: [Range<usize>; 3]) -> Result<(), Fault> {
    results.sort_by_key(|range| range.start);
    let mut end = 0;
    for range in results.into_iter().filter(|range| !range.is_empty()) {
        if range.start < end {
            return Err(NavbakeBadArgument);
        }
        end = range.end;
    }
    Ok(())
}

/// A place for a result: checked before the work begins, written when it is done. The memory is
/// never read before, so it may be uninitialized.
pub(crate) struct Output<T>(*mut T);

impl<T> Output<T> {
    /// # Safety
    ///
    /// A pointer that is neither null nor misaligned must point at memory for a `T` that nothing
    /// else reads or writes until the call ends.
    pub(crate) unsafe fn new(pointer: *mut T) -> Result<Output<T>, Fault> {
        if pointer.is_null() || !pointer.is_aligned() {
            return Err(NavbakeNullPointer);
        }
        Ok(Output(pointer))
    }

    /// The addresses that it covers.
    pub(crate) fn addresses(&self) -> Range<usize> {
        self.0.addr()..self.0.addr().saturating_add(size_of::<T>())
    }

    pub(crate) fn put(self, value: T) {
        // SAFETY: not null and aligned; `new` was promised that there is memory for a `T`.
        unsafe { self.0.write(value) }
    }
}
