//! The obstacles and chunks of a mesh as bytes, and a mesh of these bytes.

use std::collections::BTreeMap;
use std::ffi::c_char;

use navbake_world::{ChunkMesh, Error, World};

use crate::blob::{Ground, NavbakeMesh, say};
use crate::chunks::NavbakeChunk;
use crate::pointers::{Output, Room, apart, given, given_mut, row};
use crate::status::NavbakeStatus::{
    self, NavbakeBadSave, NavbakeInternalError, NavbakeNoChunk, NavbakeOk, NavbakeOtherWorld,
};
use crate::status::{Fault, guard};

/// Writes what is on a mesh as bytes, for navbake_restore: obstacles, volumes, chunks, and changes
/// that wait for a commit. The navmesh, the files of chunks, closed switches and costs are not part
/// of them. The same changes give the same bytes on every machine.
///
/// `saved` gets as many bytes as fit, and `length` how many there are: all are needed to restore.
/// `saved` may be NULL with a capacity of 0, to ask for the length, which takes as long. Unused
/// room is cleared. What navbake_set_aside removed is put back first.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (results that overlap, a capacity
/// beyond all memory) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `saved` is NULL or
/// has room for as many bytes as its capacity says; `length` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_save(
    mesh: *mut NavbakeMesh,
    saved: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given_mut(mesh)?, Output::new(length)?) };
        let room = Room::new(saved, capacity)?;
        apart([room.addresses(), out.addresses(), 0..0])?;
        if mesh.world()?.put_back() {
            mesh.refresh()?;
        }
        let bytes = mesh.world()?.save();
        // SAFETY: promised by the caller, and apart; zeros are numbers.
        unsafe { room.fill(&bytes) };
        out.put(bytes.len());
        Ok(NavbakeOk)
    })
}

/// Finds the chunks that navbake_restore needs for the bytes of navbake_save: so that they can be
/// opened before, on other threads. None for a mesh that is not of an index.
///
/// `chunks` gets column and row of each, by row and column, as many as fit, and `count` how many
/// there are; `chunks` may be NULL with a capacity of 0. Unused room is cleared. `message` is as in
/// navbake_open.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_SAVE, NAVBAKE_BAD_ARGUMENT (results that
/// overlap, a length beyond all memory) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// `saved` and `message` are NULL or point at memory of the lengths given; `chunks` is NULL or has
/// room for as many pairs as its capacity says; `count` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_saved_chunks(
    saved: *const u8,
    length: usize,
    message: *mut c_char,
    message_capacity: usize,
    chunks: *mut [i32; 2],
    capacity: usize,
    count: *mut usize,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (saved, out) = unsafe { (row(saved, length)?, Output::new(count)?) };
        let room = Room::new(chunks, capacity)?;
        apart([room.addresses(), out.addresses(), 0..0])?;
        // SAFETY: promised by the caller.
        let refused = |error| unsafe { refused(error, message, message_capacity) };
        let found = World::saved_chunks(saved).map_err(refused)?;
        // SAFETY: promised by the caller, and apart; zeros are numbers.
        unsafe { room.fill(&found) };
        out.put(found.len());
        Ok(NavbakeOk)
    })
}

/// Makes a mesh what it was when navbake_save gave these bytes, to the bit: answers, numbers of
/// polygons and of obstacles. What is on the mesh before is gone. Closed switches and costs stay.
///
/// `chunks` are those that navbake_saved_chunks names, opened for the agent of the mesh, in any
/// order; others among them do no harm. They stay with the caller. `message` is as in navbake_open.
/// After a fault the mesh is as before.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_SAVE, NAVBAKE_OTHER_WORLD (saved with
/// another file or for another agent; a chunk that is not of this world, or not the one of that
/// time), NAVBAKE_NO_CHUNK (one that is needed is not given), NAVBAKE_BAD_ARGUMENT (a length beyond
/// all memory) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `saved` and `message`
/// are NULL or point at memory of the lengths given; `chunks` is NULL, with a count of 0, or points
/// at that many pointers, each NULL or from navbake_chunk_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_restore(
    mesh: *mut NavbakeMesh,
    saved: *const u8,
    length: usize,
    chunks: *const *const NavbakeChunk,
    chunk_count: usize,
    message: *mut c_char,
    message_capacity: usize,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, saved) = unsafe { (given_mut(mesh)?, row(saved, length)?) };
        // SAFETY: promised by the caller.
        let chunks = unsafe { row(chunks, chunk_count)? };
        let mut by_key: BTreeMap<[i32; 2], &ChunkMesh> = BTreeMap::new();
        for &chunk in chunks {
            // SAFETY: promised by the caller.
            let chunk = unsafe { given(chunk)? };
            by_key.insert(chunk.mesh.key(), &chunk.mesh);
        }
        let nav = mesh.blob.decode(mesh.identity.1).map_err(|_| NavbakeInternalError)?;
        let restored = World::restore(nav, saved, |key| by_key.get(&key).copied().cloned());
        // SAFETY: promised by the caller.
        let refused = |error| unsafe { refused(error, message, message_capacity) };
        mesh.ground = Ground::Changing(Box::new(restored.map_err(refused)?));
        mesh.refresh()?;
        Ok(NavbakeOk)
    })
}

/// The status of a save that is refused; writes why.
///
/// # Safety
///
/// A message that is not null has room for `capacity` bytes.
unsafe fn refused(error: Error, message: *mut c_char, capacity: usize) -> Fault {
    // SAFETY: promised by the caller.
    unsafe { say(&error.to_string(), message, capacity) };
    match error {
        Error::NoSavedChunk(_) => NavbakeNoChunk,
        Error::OtherNavMesh | Error::OtherWorld(_) | Error::OtherChunk(_) => NavbakeOtherWorld,
        _ => NavbakeBadSave,
    }
}
