//! Switches, and the ground that they close.

use std::ffi::c_char;

use crate::blob::{NavbakeBlob, NavbakeMesh};
use crate::pointers::{Output, given, given_mut, row};
use crate::status::NavbakeStatus::{self, NavbakeBadArgument, NavbakeInternalError, NavbakeOk};
use crate::status::guard;

/// A switch of a blob: it closes doors, polygons and links.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeSwitch {
    /// Its name in UTF-8, in the blob's own bytes; no zero ends it.
    pub name: *const c_char,
    /// Bytes in the name.
    pub name_length: usize,
    /// 1 when it is closed as the level begins, else 0.
    pub closed: u32,
}

/// How many switches the blob has; 0 for NULL.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_switch_count(blob: *const NavbakeBlob) -> usize {
    // SAFETY: promised by the caller.
    unsafe { given(blob) }.map_or(0, |blob| blob.blob.switches().len())
}

/// Describes the switch with this number, counted from 0.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the switch does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The blob is NULL or comes from navbake_open; `found` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_switch(
    blob: *const NavbakeBlob,
    index: usize,
    found: *mut NavbakeSwitch,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (blob, out) = unsafe { (given(blob)?, Output::new(found)?) };
        let mut switches = blob.blob.switches();
        let switch = switches.nth(index).ok_or(NavbakeBadArgument)?;
        out.put(NavbakeSwitch {
            name: switch.name.as_ptr().cast(),
            name_length: switch.name.len(),
            closed: u32::from(switch.closed),
        });
        Ok(NavbakeOk)
    })
}

/// Closes everything on a mesh that these switches close, and opens everything else except areas
/// that costs forbid: bit k % 64 of word k / 64 is switch k of the blob, 1 for closed. Switches
/// beyond the last word are open. A mesh is open at first, whatever the switches are as the level
/// begins. All later queries on the mesh keep out of closed ground. Allocates at the first call
/// only; takes a pass over the mesh's doors and closed polygons, and over a few bits per edge.
/// Units with other keys have meshes of their own: searches made for one may be used with the
/// other.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a count beyond all memory) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `switches` is NULL,
/// with a count of 0, or points at `word_count` words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_set_closed(
    mesh: *mut NavbakeMesh,
    switches: *const u64,
    word_count: usize,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, switches) = unsafe { (given_mut(mesh)?, row(switches, word_count)?) };
        let forbidden = mesh.filter.forbidden();
        mesh.changes += 1;
        let (view, filter) = mesh.parts();
        let blocked = filter.set_blocked(&view, switches, forbidden);
        blocked.map(|()| NavbakeOk).map_err(|_| NavbakeInternalError)
    })
}
