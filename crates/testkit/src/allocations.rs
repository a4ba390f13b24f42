//! An allocator that counts the allocations of each thread, and their bytes.
//!
//! A test binary installs it once, beside its `mod` lines:
//!
//! ```
//! #[global_allocator]
//! static ALLOCATOR: navbake_testkit::allocations::Counting =
//!     navbake_testkit::allocations::Counting;
//!
//! let before = navbake_testkit::allocations::count();
//! let boxed = Box::new(1);
//! assert_eq!(navbake_testkit::allocations::count() - before, 1);
//! # drop(boxed);
//! ```
//!
//! Counts are per thread, so tests that run at the same time do not disturb each other.
#![allow(unsafe_code)] // a global allocator cannot be written without

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

/// Allocations of this thread; 0 unless [`Counting`] is the global allocator.
pub fn count() -> usize {
    ALLOCATIONS.with(Cell::get)
}

/// Bytes that this thread allocated, also where it freed them again; 0 unless [`Counting`] is the
/// global allocator.
pub fn bytes() -> usize {
    BYTES.with(Cell::get)
}

/// The system's allocator, with a count of allocations for each thread.
#[derive(Debug)]
pub struct Counting;

// SAFETY: every call is handed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|n| n.set(n.get() + 1));
        BYTES.with(|n| n.set(n.get() + layout.size()));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(ptr, layout) }
    }
}
