//! Scratch for searches, and paths.

use std::ptr;

use navbake_search::{PathRequest, Planner, SearchBuffer, Status};

use crate::blob::NavbakeMesh;
use crate::pointers::{Output, given, given_mut, triple};
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeInternalError, NavbakeOffMesh, NavbakeOk, NavbakeOutOfNodes,
    NavbakePartial, NavbakeUnreachable,
};
use crate::status::{Fault, guard};

/// The memory of searches on one mesh, made once; searching allocates nothing. Opaque. For one thread at a time.
pub struct NavbakeSearch {
    buffer: SearchBuffer,
    identity: (usize, u16),
}

/// A planner: near the optimum, not always at it.
pub const NAVBAKE_PLANNER_CORRIDOR: u32 = 0;
/// A planner: the shortest path in the ground plane.
pub const NAVBAKE_PLANNER_OPTIMAL: u32 = 1;

/// What is asked for. Let navbake_path_request fill it in, then change what should be different.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakePathRequest {
    /// From here, y-up metres.
    pub from: [f64; 3],
    /// To here, y-up metres.
    pub to: [f64; 3],
    /// How far from both the ground may lie, m along each axis.
    pub extents: [f64; 3],
    /// NAVBAKE_PLANNER_CORRIDOR or NAVBAKE_PLANNER_OPTIMAL.
    pub planner: u32,
    /// Not 0: where the goal cannot be reached, go as near as possible.
    pub partial: u32,
}

/// A path. Points and polygons lie in the search, until it is used again or freed.
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
    /// What the planner minimises.
    pub cost: f64,
    /// No path from start to goal costs less than this.
    pub bound: f64,
    /// Polygons taken off the open list.
    pub expanded: u32,
    /// 1 when no shorter path exists, else 0.
    pub certified_optimal: u32,
}

/// Makes the memory for searches on a mesh that look at no more than `nodes` polygons each; 0 is enough for every search. Free it with
/// navbake_search_free.
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
        let view = &mesh.nav.mesh();
        let buffer = match nodes.min(view.polygon_count() as usize) {
            0 => SearchBuffer::new(view),
            nodes => SearchBuffer::with_nodes(view, nodes),
        };
        out.put(Box::into_raw(Box::new(NavbakeSearch { buffer, identity: mesh.identity })));
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

/// Fills in a request between two points with what is usual: ground up to 2 m above or below them, the corridor planner, nothing partial.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// `from` and `to` are NULL or three doubles each; `request` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_path_request(
    from: *const f64,
    to: *const f64,
    request: *mut NavbakePathRequest,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (from, to, out) = unsafe { (triple(from)?, triple(to)?, Output::new(request)?) };
        let usual = PathRequest::new(from, to);
        out.put(NavbakePathRequest {
            from: usual.from,
            to: usual.to,
            extents: usual.extents,
            planner: NAVBAKE_PLANNER_CORRIDOR,
            partial: 0,
        });
        Ok(NavbakeOk)
    })
}

/// Finds a path. Allocates nothing. With a status of 0 or more `path` is filled in; where no path was found it has no points.
///
/// Gives NAVBAKE_OK (it leads to the goal), NAVBAKE_PARTIAL, NAVBAKE_UNREACHABLE, NAVBAKE_OFF_MESH, NAVBAKE_OUT_OF_NODES,
/// NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no such planner, or a search made for another mesh) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new and nothing else uses it now;
/// `request` is NULL or points at one; `path` is NULL or has room for one.
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
        let request = PathRequest::new(asked.from, asked.to)
            .extents(asked.extents)
            .planner(planner(asked.planner)?)
            .partial(asked.partial != 0);
        let answer = mesh.query().path(&request, &mut search.buffer);
        let found = !answer.points.is_empty();
        out.put(NavbakePath {
            points: if found { answer.points.as_ptr() } else { ptr::null() },
            point_count: answer.points.len(),
            polygons: if found { answer.polygons.as_ptr().cast() } else { ptr::null() },
            polygon_count: answer.polygons.len(),
            length_xz: answer.length_xz,
            length_3d: answer.length_3d(&mesh.query()),
            cost: answer.cost,
            bound: answer.bound,
            expanded: answer.expanded,
            certified_optimal: u32::from(answer.certified_optimal),
        });
        Ok(match answer.status {
            Status::Reached => NavbakeOk,
            Status::Partial => NavbakePartial,
            Status::Unreachable => NavbakeUnreachable,
            Status::OffMesh => NavbakeOffMesh,
            Status::OutOfNodes => NavbakeOutOfNodes,
            // Nothing here stops half-way, or asks for tables or rooms.
            Status::Looking | Status::NoTables | Status::NoRooms => {
                return Err(NavbakeInternalError);
            }
        })
    })
}

fn planner(number: u32) -> Result<Planner, Fault> {
    match number {
        NAVBAKE_PLANNER_CORRIDOR => Ok(Planner::Corridor),
        NAVBAKE_PLANNER_OPTIMAL => Ok(Planner::Optimal),
        _ => Err(NavbakeBadArgument),
    }
}
