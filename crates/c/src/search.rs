//! Scratch for searches, and the searches themselves: at once, or in steps.

use navbake_gridpath::{
    GridBuffer, GridQuery, GridRequest, GridScratchSize, GridSearch, NetworkBuffer, NetworkRequest,
    NetworkSearch,
};
use navbake_rooms::{RoomMemory, RoomScratch, RoomSearch};
use navbake_search::{Error, Goals, NavPoint, PathRequest, Scratch, Status};

use crate::blob::NavbakeMesh;
use crate::path::{NavbakePath, Written};
use crate::pointers::{Output, given, given_mut, row};
use crate::request::{NAVBAKE_PLANNER_HIERARCHICAL, NavbakePathRequest, Over, over};
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeCosts, NavbakeInternalError, NavbakeNoCells,
    NavbakeNoLandmarks, NavbakeNoRooms, NavbakeNotLoaded, NavbakeOffMesh, NavbakeOk,
    NavbakeOutOfNodes, NavbakePartial, NavbakeSearching, NavbakeStartBlocked, NavbakeUnreachable,
};
use crate::status::{Fault, guard};

/// The memory of searches on one mesh, which grows as requests need it. Opaque. For one thread at a
/// time.
pub struct NavbakeSearch {
    scratch: RoomScratch,
    /// Made by the first search over cells.
    cells: Option<GridBuffer>,
    routes: NetworkBuffer,
    /// Of the last distances.
    goals: Goals,
    /// The most polygons or cells that a search looks at; 0 for any number.
    nodes: usize,
    identity: (usize, u16),
    /// Of the last path.
    written: Written,
    /// A search that was begun, and the changes of the mesh then.
    begun: Option<(Begun, u64)>,
}

/// A search that was begun, by what it searches.
enum Begun {
    Polygons { search: Box<RoomSearch>, by_rooms: bool },
    Cells(Box<GridSearch>),
    Routes(Box<NetworkSearch>),
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

    /// Its memory and that of goals, as [`NavbakeSearch::of`] gives it.
    pub(crate) fn with_goals(
        &mut self,
        mesh: &NavbakeMesh,
    ) -> Result<(&mut RoomScratch, &mut Goals), Fault> {
        self.of(mesh)?;
        Ok((&mut self.scratch, &mut self.goals))
    }

    /// Begins a search to the nearest of some goals.
    fn begin(
        &mut self,
        mesh: &NavbakeMesh,
        asked: &NavbakePathRequest,
        goals: &[[f64; 3]],
    ) -> Result<NavbakeStatus, Fault> {
        self.of(mesh)?;
        let begun = match over(asked.planner)? {
            Over::Polygons => {
                let (query, request) = (mesh.query(), asked.request()?);
                let by_rooms = asked.planner == NAVBAKE_PLANNER_HIERARCHICAL;
                let [to] = goals else {
                    return Err(NavbakeBadArgument);
                };
                let request = PathRequest { to: *to, ..request };
                let search = match by_rooms {
                    true => RoomSearch::new(&query, &request, &mut self.scratch),
                    false => {
                        query.start_path(&request, self.scratch.ground()).map(RoomSearch::from)
                    }
                };
                Begun::Polygons { search: Box::new(search.map_err(refused)?), by_rooms }
            }
            Over::Cells(planner) => {
                let query = mesh.cells()?;
                let request = GridRequest { to: goals, ..asked.over_cells(planner)? };
                let size = cells_size(&query, self.nodes, asked.turn_penalty > 0.0);
                let size = GridScratchSize { goals: size.goals.max(goals.len()), ..size };
                let buffer = buffer(&mut self.cells, size);
                let search = query.start_path(&request, &mut *buffer).map_err(refused)?;
                Begun::Cells(Box::new(search))
            }
            Over::Routes => {
                let (network, query) = (mesh.network()?, mesh.query());
                let place = |point| query.end(point, asked.extents);
                let Some(from) = place(asked.from) else {
                    return Ok(NavbakeOffMesh);
                };
                // The answer names a goal by its place among all of them.
                let to: Vec<NavPoint> = goals.iter().filter_map(|&goal| place(goal)).collect();
                if to.len() < goals.len() {
                    return Ok(NavbakeOffMesh);
                }
                let request = NetworkRequest { to: &to, ..asked.over_routes(from)? };
                let search = network.start_path(&query, &request, &mut self.routes);
                Begun::Routes(Box::new(search.map_err(refused)?))
            }
        };
        let (begun, _) = self.begun.insert((begun, mesh.changes));
        Ok(match begun {
            Begun::Polygons { search, .. } => status(search.status()),
            Begun::Cells(search) => status(search.status()),
            Begun::Routes(search) => status(search.status()),
        })
    }

    /// Goes on with the search that was begun.
    fn step(&mut self, mesh: &NavbakeMesh, budget: u32) -> Result<NavbakeStatus, Fault> {
        let NavbakeSearch { scratch, cells, routes, identity, begun, .. } = self;
        let begun = current(begun, *identity, mesh)?;
        Ok(status(match begun {
            Begun::Polygons { search, .. } => search.step(&mesh.query(), scratch, budget),
            Begun::Cells(search) => {
                search.step(&mesh.cells()?, cells.as_mut().ok_or(NavbakeInternalError)?, budget)
            }
            Begun::Routes(search) => search.step(mesh.network()?, routes, budget),
        }))
    }

    /// The path of the search that was begun.
    fn result(&mut self, mesh: &NavbakeMesh) -> Result<(NavbakePath, NavbakeStatus), Fault> {
        let NavbakeSearch { scratch, cells, routes, identity, begun, written, .. } = self;
        let begun = current(begun, *identity, mesh)?;
        Ok(match begun {
            Begun::Polygons { search, by_rooms } => {
                let over_rooms = *by_rooms && search.by_rooms();
                let (query, now) = (mesh.query(), search.status());
                let path = search.path(&query, scratch);
                (written.polygons(&path, over_rooms, &query), status(now))
            }
            Begun::Cells(search) => {
                let query = mesh.cells()?;
                let path = search.path(&query, cells.as_mut().ok_or(NavbakeInternalError)?);
                (written.cells(&path, &query, mesh), status(path.status))
            }
            Begun::Routes(search) => {
                let path = search.path(mesh.network()?, routes);
                (written.routes(&path), status(path.status))
            }
        })
    }
}

/// The search that was begun, on the mesh as it is.
fn current<'b>(
    begun: &'b mut Option<(Begun, u64)>,
    identity: (usize, u16),
    mesh: &NavbakeMesh,
) -> Result<&'b mut Begun, Fault> {
    let fits = |begun: &&mut (Begun, u64)| identity == mesh.identity && begun.1 == mesh.changes;
    begun.as_mut().filter(fits).map(|begun| &mut begun.0).ok_or(NavbakeBadArgument)
}

/// Memory for a search over cells.
fn buffer(held: &mut Option<GridBuffer>, size: GridScratchSize) -> &mut GridBuffer {
    let fits = held.as_ref().is_some_and(|held| held.holds(&size));
    if !fits {
        *held = None;
    }
    held.get_or_insert_with(|| GridBuffer::new(size))
}

/// The size of the memory for searches over cells that look at no more than `nodes`, 0 for any
/// number.
pub(crate) fn cells_size(query: &GridQuery<'_>, nodes: usize, turns: bool) -> GridScratchSize {
    let map = query.map();
    let all = match turns {
        true => GridScratchSize::with_turns(map),
        false => GridScratchSize::of(map),
    };
    match nodes {
        0 => all,
        nodes if nodes >= all.nodes => all,
        nodes => GridScratchSize { slots: all.slots, ..GridScratchSize::with_nodes(map, nodes) },
    }
}

/// Makes the memory for searches on a mesh that look at no more than `nodes` polygons or cells
/// each; 0 for as many as they need. Free it with navbake_search_free.
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
        out.put(Box::into_raw(Box::new(NavbakeSearch {
            scratch: RoomScratch::with(scratch),
            cells: None,
            routes: NetworkBuffer::default(),
            goals: Goals::default(),
            nodes,
            identity: mesh.identity,
            written: Written::default(),
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
/// Gives NAVBAKE_OK (it leads to the goal), NAVBAKE_PARTIAL, NAVBAKE_UNREACHABLE,
/// NAVBAKE_NOT_LOADED, NAVBAKE_OFF_MESH, NAVBAKE_OUT_OF_NODES, NAVBAKE_NULL_POINTER,
/// NAVBAKE_BAD_ARGUMENT (the planner or option does not exist, or a search made for another mesh),
/// NAVBAKE_INTERNAL_ERROR, or, where the planner does not serve the request, NAVBAKE_NO_LANDMARKS,
/// NAVBAKE_NO_ROOMS, NAVBAKE_NO_CELLS, NAVBAKE_COSTS or NAVBAKE_START_BLOCKED.
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
        find(mesh, search, asked, &[asked.to], out)
    })
}

/// Finds a path to the nearest of several goals, three doubles each; `to` of the request is
/// ignored. `goal` of the path is the number of the goal. Everything else is as in navbake_path.
///
/// Gives the status of navbake_path; NAVBAKE_BAD_ARGUMENT also for no goals and for
/// NAVBAKE_PLANNER_HIERARCHICAL. Over a network, NAVBAKE_OFF_MESH where any goal is off the mesh.
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
        find(mesh, search, asked, goals, out)
    })
}

fn find(
    mesh: &NavbakeMesh,
    search: &mut NavbakeSearch,
    asked: &NavbakePathRequest,
    goals: &[[f64; 3]],
    out: Output<NavbakePath>,
) -> Result<NavbakeStatus, Fault> {
    let over = over(asked.planner)?;
    if over == Over::Polygons && asked.planner != NAVBAKE_PLANNER_HIERARCHICAL {
        let (query, request) = (mesh.query(), asked.request()?);
        search.of(mesh)?;
        let NavbakeSearch { scratch, written, .. } = search;
        let path = query.find_path_to_any(&request, goals, scratch.ground()).map_err(refused)?;
        let status = status(path.status);
        out.put(written.polygons(&path, false, &query));
        // No search here stops before it ends.
        return if status == NavbakeSearching { Err(NavbakeInternalError) } else { Ok(status) };
    }
    let begun = search.begin(mesh, asked, goals)?;
    if search.begun.is_none() {
        out.put(search.written.nothing(asked.planner));
        return Ok(begun);
    }
    search.step(mesh, u32::MAX)?;
    let (path, status) = search.result(mesh)?;
    search.begun = None;
    out.put(path);
    if status == NavbakeSearching { Err(NavbakeInternalError) } else { Ok(status) }
}

pub(crate) fn status(status: Status) -> NavbakeStatus {
    match status {
        Status::Reached => NavbakeOk,
        Status::Partial => NavbakePartial,
        Status::Unreachable => NavbakeUnreachable,
        Status::NotLoaded => NavbakeNotLoaded,
        Status::OffMesh => NavbakeOffMesh,
        Status::OutOfNodes => NavbakeOutOfNodes,
        Status::Looking => NavbakeSearching,
    }
}

/// Begins a search that navbake_path_step goes on with, and ends one that was begun before. Any
/// other call with the search ends it too.
///
/// Gives NAVBAKE_SEARCHING, the status of a search that is over at once, NAVBAKE_NULL_POINTER or
/// one of the refusals of navbake_path. Over a network with an end off the mesh nothing is begun,
/// and the status is NAVBAKE_OFF_MESH.
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
        search.begin(mesh, asked, &[asked.to])
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
        search.step(mesh, budget)
    })
}

/// The path of a search that was begun. Of one that is not over it has points over polygons alone:
/// they lead to the place nearest to the goal that was found up to now, and navbake_path_step may
/// go on.
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
        let (path, status) = search.result(mesh)?;
        out.put(path);
        Ok(status)
    })
}

/// The status of a request that the planner does not serve.
pub(crate) fn refused(error: Error) -> Fault {
    match error {
        Error::NoLandmarks => NavbakeNoLandmarks,
        Error::NoRooms => NavbakeNoRooms,
        Error::OtherCells => NavbakeNoCells,
        Error::OctileHexagons => NavbakeBadArgument,
        Error::Costs => NavbakeCosts,
        Error::StartBlocked => NavbakeStartBlocked,
        _ => NavbakeInternalError,
    }
}
