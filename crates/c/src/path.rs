//! Scratch for searches, and paths.

use std::ptr;

use navbake_rooms::{RoomMemory, RoomScratch, RoomSearch, find_path};
use navbake_search::path::Leg;
use navbake_search::{Error, NavPath, NavQuery, PathRequest, Scratch, Status};

use crate::blob::NavbakeMesh;
use crate::pointers::{Output, given, given_mut, row};
use crate::request::{NAVBAKE_PLANNER_HIERARCHICAL, NavbakePathRequest, number};
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeCosts, NavbakeInternalError, NavbakeNoLandmarks,
    NavbakeNoRooms, NavbakeOffMesh, NavbakeOk, NavbakeOutOfNodes, NavbakePartial, NavbakeSearching,
    NavbakeStartBlocked, NavbakeUnreachable,
};
use crate::status::{Fault, guard};
use crate::vehicle_path::NAVBAKE_NO_LINK;

/// The memory of searches on one mesh, which grows as requests need it. Opaque. For one thread at a
/// time.
pub struct NavbakeSearch {
    scratch: RoomScratch,
    identity: (usize, u16),
    /// Of the last path.
    legs: Vec<NavbakeLeg>,
    /// A search that was begun, and the changes of the mesh then.
    begun: Option<Begun>,
}

impl NavbakeSearch {
    /// Its memory, for a mesh that it was made for. A search that was begun ends.
    pub(crate) fn of(&mut self, mesh: &NavbakeMesh) -> Result<&mut RoomScratch, Fault> {
        self.begun = None;
        match self.identity == mesh.identity {
            true => Ok(&mut self.scratch),
            false => Err(NavbakeBadArgument),
        }
    }
}

/// A part of a path: over ground, or over a link. They alternate, ground first.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeLeg {
    /// The link that is taken; NAVBAKE_NO_LINK on ground.
    pub link: u32,
    /// The number of its first point in the path.
    pub first_point: u32,
    /// How many points; a link has two, the last of the leg before and the first of the leg after.
    pub point_count: u32,
    /// The number of its first polygon in the path.
    pub first_polygon: u32,
    /// How many polygons.
    pub polygon_count: u32,
}

impl NavbakeLeg {
    fn of(leg: &Leg) -> NavbakeLeg {
        NavbakeLeg {
            link: leg.link.unwrap_or(NAVBAKE_NO_LINK),
            first_point: leg.points.start as u32,
            point_count: leg.points.len() as u32,
            first_polygon: leg.polygons.start as u32,
            polygon_count: leg.polygons.len() as u32,
        }
    }
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
    /// The number of the goal that the path leads to, of those of navbake_path_to_any.
    pub goal: u32,
    /// Its parts over ground and over links. NULL where there are none.
    pub legs: *const NavbakeLeg,
    /// How many parts.
    pub leg_count: usize,
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
        out.put(Box::into_raw(Box::new(NavbakeSearch {
            scratch,
            identity: mesh.identity,
            legs: vec![],
            begun: None,
        })));
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
        let (query, request) = (mesh.query(), asked.request()?);
        let goals = [request.to];
        find(mesh, search, &query, asked, &request, &goals, out)
    })
}

/// Finds a path to the nearest of several goals, three doubles each; `to` of the request is
/// ignored. `goal` of the path is the number of the goal. Everything else is as in navbake_path.
///
/// Gives the status of navbake_path; NAVBAKE_BAD_ARGUMENT also for no goals and for
/// NAVBAKE_PLANNER_HIERARCHICAL.
///
/// # Safety
///
/// As for navbake_path; `goals` is NULL, with a count of 0, or points at as many points.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_path_to_any(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    request: *const NavbakePathRequest,
    goals: *const [f64; 3],
    goal_count: usize,
    path: *mut NavbakePath,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search) = unsafe { (given(mesh)?, given_mut(search)?) };
        // SAFETY: promised by the caller.
        let (asked, out) = unsafe { (given(request)?, Output::new(path)?) };
        // SAFETY: promised by the caller.
        let goals = unsafe { row(goals, goal_count)? };
        if goals.is_empty() || asked.planner == NAVBAKE_PLANNER_HIERARCHICAL {
            return Err(NavbakeBadArgument);
        }
        let (query, request) = (mesh.query(), asked.request()?);
        find(mesh, search, &query, asked, &request, goals, out)
    })
}

fn find(
    mesh: &NavbakeMesh,
    search: &mut NavbakeSearch,
    query: &NavQuery<'_>,
    asked: &NavbakePathRequest,
    request: &PathRequest,
    goals: &[[f64; 3]],
    out: Output<NavbakePath>,
) -> Result<NavbakeStatus, Fault> {
    search.of(mesh)?;
    let NavbakeSearch { scratch, legs, .. } = search;
    let (path, planner) = if asked.planner == NAVBAKE_PLANNER_HIERARCHICAL {
        let found = find_path(query, request, scratch).map_err(refused)?;
        match found.by_rooms {
            true => (found.path, NAVBAKE_PLANNER_HIERARCHICAL),
            false => (found.path, number(found.path.algorithm)),
        }
    } else {
        let path = query.find_path_to_any(request, goals, scratch.ground()).map_err(refused)?;
        (path, number(path.algorithm))
    };
    let status = status(path.status);
    out.put(described(&path, planner, query, legs));
    // No search here stops before it ends.
    if status == NavbakeSearching { Err(NavbakeInternalError) } else { Ok(status) }
}

/// A path for C. Its legs are kept.
fn described(
    path: &NavPath<'_>,
    planner: u32,
    query: &NavQuery<'_>,
    legs: &mut Vec<NavbakeLeg>,
) -> NavbakePath {
    let found = !path.points.is_empty();
    legs.clear();
    legs.extend(path.legs().map(|leg| NavbakeLeg::of(&leg)));
    NavbakePath {
        points: if found { path.points.as_ptr() } else { ptr::null() },
        point_count: path.points.len(),
        polygons: if found { path.polygons.as_ptr().cast() } else { ptr::null() },
        polygon_count: path.polygons.len(),
        length_xz: path.length_xz,
        length_3d: path.length_3d(query),
        cost: path.cost,
        bound: path.bound,
        expanded: path.expanded,
        certified_optimal: u32::from(path.certified_optimal),
        gap: path.gap(),
        planner,
        goal: path.goal,
        legs: if legs.is_empty() { ptr::null() } else { legs.as_ptr() },
        leg_count: legs.len(),
    }
}

fn status(status: Status) -> NavbakeStatus {
    match status {
        Status::Reached => NavbakeOk,
        Status::Partial => NavbakePartial,
        Status::Unreachable => NavbakeUnreachable,
        Status::OffMesh => NavbakeOffMesh,
        Status::OutOfNodes => NavbakeOutOfNodes,
        Status::Looking => NavbakeSearching,
    }
}

/// Begins a search that navbake_path_step goes on with, and ends one that was begun before. Any
/// other call with the search ends it too.
///
/// Gives NAVBAKE_SEARCHING, the status of a search that is over at once, NAVBAKE_NULL_POINTER or
/// one of the refusals of navbake_path.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
/// and nothing else uses it now; `request` is NULL or points at one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_path_start(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    request: *const NavbakePathRequest,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search) = unsafe { (given(mesh)?, given_mut(search)?) };
        // SAFETY: promised by the caller.
        let asked = unsafe { given(request)? };
        let (query, request) = (mesh.query(), asked.request()?);
        let by_rooms = asked.planner == NAVBAKE_PLANNER_HIERARCHICAL;
        let scratch = search.of(mesh)?;
        let begun = match by_rooms {
            true => RoomSearch::new(&query, &request, scratch),
            false => query.start_path(&request, scratch.ground()).map(RoomSearch::from),
        };
        let begun = begun.map_err(refused)?;
        let now = status(begun.status());
        search.begun = Some((begun, by_rooms, mesh.changes));
        Ok(now)
    })
}

/// Goes on with a search, up to `budget` entries of the open list.
///
/// Gives NAVBAKE_SEARCHING (there is more to do), the status of the path, NAVBAKE_NULL_POINTER,
/// NAVBAKE_BAD_ARGUMENT (no search was begun, or the mesh is another one or has changed since) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
/// and nothing else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_path_step(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    budget: u32,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search) = unsafe { (given(mesh)?, given_mut(search)?) };
        let NavbakeSearch { scratch, begun, identity, .. } = search;
        let (begun, ..) = fits(begun, *identity, mesh)?;
        Ok(status(begun.step(&mesh.query(), scratch, budget)))
    })
}

/// The path of a search that was begun: of one that is not over, the path to the place nearest to
/// the goal that was found up to now, which navbake_path_step may go on from.
///
/// Gives NAVBAKE_SEARCHING or the status of the path, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT
/// (no search was begun, or the mesh is another one or has changed since) or
/// NAVBAKE_INTERNAL_ERROR. With a status of 0 or more `path` is filled in.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
/// and nothing else uses it now; `path` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_path_result(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    path: *mut NavbakePath,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search) = unsafe { (given(mesh)?, given_mut(search)?) };
        // SAFETY: promised by the caller.
        let out = unsafe { Output::new(path)? };
        let NavbakeSearch { scratch, begun, identity, legs } = search;
        let (begun, by_rooms, _) = fits(begun, *identity, mesh)?;
        let (query, now) = (mesh.query(), status(begun.status()));
        let over_rooms = *by_rooms && begun.by_rooms();
        let path = begun.path(&query, scratch);
        let planner = match over_rooms {
            true => NAVBAKE_PLANNER_HIERARCHICAL,
            false => number(path.algorithm),
        };
        out.put(described(&path, planner, &query, legs));
        Ok(now)
    })
}

type Begun = (RoomSearch, bool, u64);

/// The search that was begun, on the mesh as it is.
fn fits<'b>(
    begun: &'b mut Option<Begun>,
    identity: (usize, u16),
    mesh: &NavbakeMesh,
) -> Result<&'b mut Begun, Fault> {
    let fits = |begun: &&mut Begun| identity == mesh.identity && begun.2 == mesh.changes;
    begun.as_mut().filter(fits).ok_or(NavbakeBadArgument)
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
