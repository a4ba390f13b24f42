//! Memory for callers outside of WebAssembly, which have none of their own in it.

use std::alloc::{Layout, alloc, dealloc};

/// Every struct of the interface is aligned to this.
const ALIGN: usize = 8;

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size.max(1), ALIGN).ok()
}

/// Gives memory, aligned to 8 bytes; NULL where there is none left. Free it with navbake_release.
#[unsafe(no_mangle)]
pub extern "C" fn navbake_allocate(size: usize) -> *mut u8 {
    // SAFETY: the size is not 0.
    layout(size).map_or(std::ptr::null_mut(), |layout| unsafe { alloc(layout) })
}

/// Frees memory of navbake_allocate; NULL is allowed.
///
/// # Safety
///
/// The memory comes from navbake_allocate with this size, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_release(memory: *mut u8, size: usize) {
    if let Some(layout) = layout(size).filter(|_| !memory.is_null()) {
        // SAFETY: promised by the caller.
        unsafe { dealloc(memory, layout) }
    }
}
