//! Chunks of a world: listed by its index, opened on any thread, on a mesh while the game runs.

use std::ffi::c_char;

use navbake_rooms::RoomMemory;
use navbake_search::blob::{Blob, BlobError};
use navbake_world::{ChunkMesh, Error};

use crate::blob::{NavbakeBlob, NavbakeMesh, say};
use crate::place::NavbakeLocation;
use crate::pointers::{Output, Room, apart, given, given_mut, row, triple};
use crate::search::NavbakeSearch;
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeBadBlob, NavbakeChunkLoaded, NavbakeNoChunk, NavbakeNotLoaded,
    NavbakeOk, NavbakeOtherWorld, NavbakeUnreachable,
};
use crate::status::{Fault, guard};

/// A chunk of a world that was opened: copied, checked and decoded for an agent. Opaque. It may
/// outlive everything that it was made from.
pub struct NavbakeChunk {
    pub(crate) mesh: ChunkMesh,
}

/// A row of the table of an index: a chunk and its file.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeChunkFile {
    /// The name of its file, in the folder of the chunks, with a zero at its end.
    pub name: [c_char; 64],
    /// Its column and its row.
    pub key: [i32; 2],
    /// Least x, y, z of its ground, y-up metres.
    pub least: [f64; 3],
    /// Greatest x, y, z of its ground.
    pub greatest: [f64; 3],
    /// Length of its file, bytes.
    pub bytes: u64,
    /// Polygons of all agents.
    pub polygons: u32,
    /// BLAKE3 of its file.
    pub hash: [u8; 32],
}

/// A place where a route passes from one chunk to the next.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakePassage {
    /// y-up metres.
    pub position: [f64; 3],
    /// Column and row of the chunk that the route enters there.
    pub into: [i32; 2],
}

/// A route over chunks of a world, loaded or not.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeRoute {
    /// Its length in the ground plane, m. It is not proved to be the shortest.
    pub length: f64,
    /// How many passages it has; more than the capacity when that was too small.
    pub passages: usize,
}

/// How many chunks the index of a world lists; 0 for other files and for NULL.
///
/// # Safety
///
/// The index is NULL or comes from navbake_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_chunk_count(index: *const NavbakeBlob) -> usize {
    // SAFETY: promised by the caller.
    let index = unsafe { given(index) }.ok().filter(|index| index.blob.is_index());
    index.map_or(0, |index| index.blob.chunks().len())
}

/// Describes the chunk with this number, counted from 0, by row and column.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the chunk does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The index is NULL or comes from navbake_open; `file` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_chunk_file(
    index: *const NavbakeBlob,
    number: usize,
    file: *mut NavbakeChunkFile,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (index, out) = unsafe { (given(index)?, Output::new(file)?) };
        let chunk = index.blob.chunks().get(number).filter(|_| index.blob.is_index());
        let chunk = chunk.ok_or(NavbakeBadArgument)?;
        let grid = &index.blob.header().grid;
        // Two numbers, 16 digits and three letters: at most 44 bytes.
        let mut name = [0; 64];
        for (to, byte) in name[..63].iter_mut().zip(chunk.file_name().bytes()) {
            *to = byte as c_char;
        }
        out.put(NavbakeChunkFile {
            name,
            key: chunk.key,
            least: grid.metres(chunk.least.map(f64::from)),
            greatest: grid.metres(chunk.greatest.map(f64::from)),
            bytes: chunk.bytes,
            polygons: chunk.polygons,
            hash: chunk.hash,
        });
        Ok(NavbakeOk)
    })
}

/// Opens the bytes of a chunk's file for the agent with this number of its index: copies, checks
/// and decodes them, which takes most of the time of loading. Bytes that were changed are refused,
/// by their checksum. It may be called on any thread, while others use or change meshes. The bytes
/// may be freed afterwards. `message` is as in navbake_open; `chunk` gets the chunk; free it with
/// navbake_chunk_free.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the agent does not exist, or a
/// length beyond all memory), NAVBAKE_BAD_BLOB, NAVBAKE_NO_CHUNK, NAVBAKE_OTHER_WORLD (it has no
/// ground for this agent) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The index is NULL or comes from navbake_open; other pointers are NULL or point at memory of the
/// lengths given; `chunk` is NULL or has room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_chunk_open(
    index: *const NavbakeBlob,
    agent: usize,
    data: *const u8,
    length: usize,
    message: *mut c_char,
    message_capacity: usize,
    chunk: *mut *mut NavbakeChunk,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (index, out) = unsafe { (given(index)?, Output::new(chunk)?) };
        // SAFETY: promised by the caller.
        let data = unsafe { row(data, length)? };
        let agent = index.blob.agents().nth(agent).ok_or(NavbakeBadArgument)?;
        match opened(data, agent.class) {
            Ok(mesh) => {
                out.put(Box::into_raw(Box::new(NavbakeChunk { mesh })));
                Ok(NavbakeOk)
            }
            Err((fault, text)) => {
                // SAFETY: promised by the caller.
                unsafe { say(&text, message, message_capacity) };
                Err(fault)
            }
        }
    })
}

/// A chunk from the bytes of its file.
fn opened(data: &[u8], class: u16) -> Result<ChunkMesh, (Fault, String)> {
    let decode = || {
        let blob = Blob::open_checked(data)?;
        // Chunks come over networks while the game runs.
        blob.blob().verify_checksum()?;
        blob.decode(class)
    };
    let nav = decode().map_err(|error| match error {
        BlobError::NoClass { .. } => (NavbakeOtherWorld, error.to_string()),
        _ => (NavbakeBadBlob, error.to_string()),
    })?;
    ChunkMesh::new(nav).map_err(|error| (NavbakeNoChunk, error.to_string()))
}

/// Frees a chunk; NULL is allowed. Meshes that it was inserted into keep its ground.
///
/// # Safety
///
/// The chunk comes from navbake_chunk_open and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_chunk_free(chunk: *mut NavbakeChunk) {
    if !chunk.is_null() {
        // SAFETY: from Box::into_raw, and freed once: promised by the caller.
        drop(unsafe { Box::from_raw(chunk) });
    }
}

/// Puts a copy of a chunk on the mesh of an index at the next navbake_commit. The chunk stays with
/// the caller, to be freed, or to be inserted again after it was removed.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_OTHER_WORLD, NAVBAKE_CHUNK_LOADED,
/// NAVBAKE_BAD_ARGUMENT (there would be more than 2^29 edges) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; the chunk is NULL or
/// comes from navbake_chunk_open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_chunk_insert(
    mesh: *mut NavbakeMesh,
    chunk: *const NavbakeChunk,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, chunk) = unsafe { (given_mut(mesh)?, given(chunk)?) };
        let inserted = mesh.world()?.insert_chunk(chunk.mesh.clone());
        inserted.map(|()| NavbakeOk).map_err(|error| match error {
            Error::OtherWorld(_) => NavbakeOtherWorld,
            Error::Loaded(_) => NavbakeChunkLoaded,
            _ => NavbakeBadArgument,
        })
    })
}

/// Takes a chunk off a mesh at the next navbake_commit. Obstacles stay, and take ground again once
/// the chunk is back.
///
/// Gives NAVBAKE_OK, NAVBAKE_NOT_LOADED (it is not there), NAVBAKE_NULL_POINTER or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_chunk_remove(
    mesh: *mut NavbakeMesh,
    column: i32,
    row: i32,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let mesh = unsafe { given_mut(mesh)? };
        let removed = mesh.world()?.remove_chunk([column, row]);
        removed.map(|()| NavbakeOk).map_err(|_| NavbakeNotLoaded)
    })
}

/// Is a chunk on a mesh since the last navbake_commit?
///
/// Gives NAVBAKE_OK (it is), NAVBAKE_NOT_LOADED, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_chunk_loaded(
    mesh: *const NavbakeMesh,
    column: i32,
    row: i32,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let world = unsafe { given(mesh)? }.changing();
        Ok(match world.is_some_and(|world| world.is_loaded([column, row])) {
            true => NavbakeOk,
            false => NavbakeNotLoaded,
        })
    })
}

/// Finds the chunks that are not loaded and in which the ground of a place goes on: all ground that
/// can be reached from there over chunks that are loaded. Obstacles and closed ground do not count.
///
/// `chunks` gets column and row of each, by row and column, as many as fit, and `count` how many
/// there are; `chunks` may be NULL with a capacity of 0. Unused room is cleared.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, results
/// that overlap) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `from` is NULL or points at a location; `chunks` is
/// NULL or has room for as many pairs as its capacity says; `count` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_not_loaded(
    mesh: *const NavbakeMesh,
    from: *const NavbakeLocation,
    chunks: *mut [i32; 2],
    capacity: usize,
    count: *mut usize,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, from, out) = unsafe { (given(mesh)?, given(from)?, Output::new(count)?) };
        let from = from.on(mesh)?;
        let room = Room::new(chunks, capacity)?;
        apart([room.addresses(), out.addresses(), 0..0])?;
        let found = mesh.changing().map_or_else(Vec::new, |world| world.not_loaded(from.polygon()));
        // SAFETY: promised by the caller, and apart; zeros are numbers.
        unsafe { room.fill(&found) };
        out.put(found.len());
        Ok(NavbakeOk)
    })
}

/// Finds a route to a goal over chunks that are loaded or not: load the chunks that it enters, and
/// ask again as they come. Where the goal's chunk is loaded, there must be ground at most
/// `vertical` metres above or below the goal; else the route ends at the point itself. Obstacles
/// and closed ground count on the ground that is loaded.
///
/// `passages` gets the places where it passes into other chunks, in order, as many as fit; it may
/// be NULL with a capacity of 0. Unused room is cleared.
///
/// Gives NAVBAKE_OK, NAVBAKE_UNREACHABLE (there is no path, whatever is loaded; the ground that is
/// loaded is shut; it needs a link whose two ends are not loaded; or the mesh is not of an index),
/// NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, a search of another mesh,
/// results that overlap) or NAVBAKE_INTERNAL_ERROR.
/// With a status of 0 or more `route` is filled in.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
/// and nothing else uses it now; `from` is NULL or points at a location, `to` is NULL or three
/// doubles; `passages` is NULL or has room for as many as its capacity says; `route` is NULL or has
/// room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_route(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    from: *const NavbakeLocation,
    to: *const f64,
    vertical: f64,
    passages: *mut NavbakePassage,
    capacity: usize,
    route: *mut NavbakeRoute,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search, from) = unsafe { (given(mesh)?, given_mut(search)?, given(from)?) };
        // SAFETY: promised by the caller.
        let (to, out) = unsafe { (triple(to)?, Output::new(route)?) };
        let from = from.on(mesh)?;
        let scratch = search.of(mesh)?;
        let room = Room::new(passages, capacity)?;
        apart([room.addresses(), out.addresses(), 0..0])?;
        let found = mesh.query().route(&from, to, vertical, scratch.ground());
        let all = found.as_ref().map_or(&[][..], |found| &found.passages);
        // SAFETY: promised by the caller, and apart; zeros are numbers.
        let room = unsafe { room.cleared() };
        for (to, own) in room.iter_mut().zip(all) {
            *to = NavbakePassage { position: own.position, into: own.into };
        }
        let length = found.as_ref().map_or(0.0, |found| found.length);
        out.put(NavbakeRoute { length, passages: all.len() });
        Ok(if found.is_some() { NavbakeOk } else { NavbakeUnreachable })
    })
}
