//! Scratch for searches, and paths.

use std::ptr;

use navbake_rooms::{RoomMemory, RoomScratch, find_path};
use navbake_search::{Error, Scratch, Status};

use crate::blob::NavbakeMesh;
use crate::pointers::{Output, given, given_mut};
use crate::request::{NAVBAKE_PLANNER_HIERARCHICAL, NavbakePathRequest, number};
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeCosts, NavbakeInternalError, NavbakeNoLandmarks,
    NavbakeNoRooms, NavbakeOffMesh, NavbakeOk, NavbakeOutOfNodes, NavbakePartial,
    NavbakeStartBlocked, NavbakeUnreachable,
};
use crate::status::{Fault, guard};

/// The memory of searches on one mesh, which grows as requests need it. Opaque. For one thread at a
/// time.
pub struct NavbakeSearch {
    scratch: RoomScratch,
    identity: (usize, u16),
}

/// A path. Points and polygons are in the search, until it is used again or freed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakePath {
    /// Start, corners, end: y-up metres at the height of the surface. NULL where there are none.
    pub points: *const [f64; 3],
    /// How many points.
    pub point_count: usize,
    /// The polygons that the path leads through, in order. NULL where there are none.
    pub polygons: *const u32,
    /// How many polygons.
    pub polygon_count: usize,
    /// Length in the ground plane, m.
    pub length_xz: f64,
    /// Length along the surface, m.
    pub length_3d: f64,
    /// The cost that the planner minimises.
    pub cost: f64,
    /// No path from start to goal costs less than this.
    pub bound: f64,
    /// Polygons taken off the open list.
    pub expanded: u32,
    /// 1 when no shorter path exists, else 0.
    pub certified_optimal: u32,
    /// How much more it may cost than the cheapest path, as a share; infinite where nothing is
    /// known.
    pub gap: f64,
    /// The planner that found it: this differs from the requested planner after
    /// NAVBAKE_PLANNER_AUTO, after NAVBAKE_PLANNER_WEIGHTED where all ground costs 1, and after
    /// NAVBAKE_PLANNER_HIERARCHICAL where doors do not decide.
    pub planner: u32,
}

/// Makes the memory for searches on a mesh that look at no more than `nodes` polygons each; 0 for
/// as many as they need. Free it with navbake_search_free.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `search` is NULL or has room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_search_new(
    mesh: *const NavbakeMesh,
    nodes: usize,
    search: *mut *mut NavbakeSearch,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given(mesh)?, Output::new(search)?) };
        let scratch = match nodes {
            0 => Scratch::new(),
            nodes => Scratch::bounded(nodes),
        };
        let scratch = RoomScratch::with(scratch);
        out.put(Box::into_raw(Box::new(NavbakeSearch { scratch, identity: mesh.identity })));
        Ok(NavbakeOk)
    })
}

/// Frees a search; NULL is allowed.
///
/// # Safety
///
/// The search comes from navbake_search_new and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_search_free(search: *mut NavbakeSearch) {
    if !search.is_null() {
        // SAFETY: from Box::into_raw, and freed once: promised by the caller.
        drop(unsafe { Box::from_raw(search) });
    }
}

/// Finds a path. Allocates where the memory of the search has to grow: once, for requests of one
/// kind. With a status of 0 or more `path` is filled in; where no path was found it has no points.
///
/// Gives NAVBAKE_OK (it leads to the goal), NAVBAKE_PARTIAL, NAVBAKE_UNREACHABLE, NAVBAKE_OFF_MESH,
/// NAVBAKE_OUT_OF_NODES, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the planner or option does not
/// exist, or a search made for another mesh), NAVBAKE_INTERNAL_ERROR, or, where the planner does
/// not serve the request, NAVBAKE_NO_LANDMARKS, NAVBAKE_NO_ROOMS, NAVBAKE_COSTS or
/// NAVBAKE_START_BLOCKED.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
/// and nothing else uses it now; `request` is NULL or points at one; `path` is NULL or has room for
/// one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_path(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    request: *const NavbakePathRequest,
    path: *mut NavbakePath,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search) = unsafe { (given(mesh)?, given_mut(search)?) };
        // SAFETY: promised by the caller.
        let (asked, out) = unsafe { (given(request)?, Output::new(path)?) };
        if search.identity != mesh.identity {
            return Err(NavbakeBadArgument);
        }
        let query = mesh.query();
        let (request, scratch) = (asked.request()?, &mut search.scratch);
        let (path, planner) = if asked.planner == NAVBAKE_PLANNER_HIERARCHICAL {
            let found = find_path(&query, &request, scratch).map_err(refused)?;
            match found.by_rooms {
                true => (found.path, NAVBAKE_PLANNER_HIERARCHICAL),
                false => (found.path, number(found.path.algorithm)),
            }
        } else {
            let path = query.find_path(&request, scratch.ground()).map_err(refused)?;
            (path, number(path.algorithm))
        };
        let found = !path.points.is_empty();
        out.put(NavbakePath {
            points: if found { path.points.as_ptr() } else { ptr::null() },
            point_count: path.points.len(),
            polygons: if found { path.polygons.as_ptr().cast() } else { ptr::null() },
            polygon_count: path.polygons.len(),
            length_xz: path.length_xz,
            length_3d: path.length_3d(&query),
            cost: path.cost,
            bound: path.bound,
            expanded: path.expanded,
            certified_optimal: u32::from(path.certified_optimal),
            gap: path.gap(),
            planner,
        });
        Ok(match path.status {
            Status::Reached => NavbakeOk,
            Status::Partial => NavbakePartial,
            Status::Unreachable => NavbakeUnreachable,
            Status::OffMesh => NavbakeOffMesh,
            Status::OutOfNodes => NavbakeOutOfNodes,
            // No search here stops before it ends.
            Status::Looking => return Err(NavbakeInternalError),
        })
    })
}

/// The status of a request that the planner does not serve.
fn refused(error: Error) -> Fault {
    match error {
        Error::NoLandmarks => NavbakeNoLandmarks,
        Error::NoRooms => NavbakeNoRooms,
        Error::Costs => NavbakeCosts,
        Error::StartBlocked => NavbakeStartBlocked,
        _ => NavbakeInternalError,
    }
}
