//! Paths for many units, a little work every frame.

use std::ffi::c_void;

use navbake_gridpath::{GridRequest, NetworkRequest};
use navbake_queue::{Cells, Mesh, PathQueue, Routes, RoutesQuery, Tick};
use navbake_search::{Error, NavPoint};

use crate::blob::NavbakeMesh;
use crate::path::{NavbakePath, Written};
use crate::pointers::{Output, given, given_mut};
use crate::request::{NAVBAKE_PLANNER_HIERARCHICAL, NavbakePathRequest, Over, over};
use crate::search::{cells_size, refused, status};
use crate::status::NavbakeStatus::{self, NavbakeBadArgument, NavbakeOffMesh, NavbakeOk};
use crate::status::{Fault, guard};

/// Receives the answer of a unit: the context given to navbake_queue_tick, the unit, the status of
/// its path, and the path, which is NULL with a status below 0. The path is valid until the call
/// ends. The call must not use the queue or the mesh.
pub type NavbakeAnswer = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        unit: u64,
        status: NavbakeStatus,
        path: *const NavbakePath,
    ),
>;

/// The work of a tick.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeTick {
    /// The part of the budget that was used.
    pub spent: u32,
    /// How many requests were answered.
    pub answered: u32,
    /// How many requests still wait for an answer.
    pub waiting: u32,
}

/// Requests of many units in line, over polygons, cells or a network. Opaque. For one thread at a
/// time.
pub struct NavbakeQueue {
    lines: Lines,
    identity: (usize, u16),
    /// Those of the mesh at the last tick.
    changes: u64,
    written: Written,
}

enum Lines {
    Polygons(Box<PathQueue<Mesh>>),
    Cells(Box<PathQueue<Cells>>),
    Routes(Box<PathQueue<Routes>>),
}

/// Makes a queue for at most `units` units and `lanes` searches at once, for requests of the
/// planner of `request`, or of planners that search the same: polygons, cells or the network. The
/// request says nothing else here, but that its turn penalty above 0 makes room for such searches.
/// Free it with navbake_queue_free.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the planner does not exist, or no
/// units), NAVBAKE_NO_CELLS (the planner needs cells or a network that were not prepared) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `request` is NULL or points at one; `queue` is NULL
/// or has room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_queue_new(
    mesh: *const NavbakeMesh,
    request: *const NavbakePathRequest,
    units: usize,
    lanes: usize,
    queue: *mut *mut NavbakeQueue,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, asked, out) = unsafe { (given(mesh)?, given(request)?, Output::new(queue)?) };
        if units == 0 || lanes == 0 || units > 1 << 24 || lanes > 1 << 16 {
            return Err(NavbakeBadArgument);
        }
        let lines = match over(asked.planner)? {
            Over::Polygons => Lines::Polygons(Box::new(PathQueue::new(units, lanes))),
            Over::Cells(_) => {
                let size = cells_size(&mesh.cells()?, 0, asked.turn_penalty > 0.0);
                Lines::Cells(Box::new(PathQueue::over_cells(units, lanes, size)))
            }
            Over::Routes => {
                mesh.network()?;
                Lines::Routes(Box::new(PathQueue::over_routes(units, lanes)))
            }
        };
        out.put(Box::into_raw(Box::new(NavbakeQueue {
            lines,
            identity: mesh.identity,
            changes: mesh.changes,
            written: Written::default(),
        })));
        Ok(NavbakeOk)
    })
}

/// Frees a queue; NULL is allowed.
///
/// # Safety
///
/// The queue comes from navbake_queue_new and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_queue_free(queue: *mut NavbakeQueue) {
    if !queue.is_null() {
        // SAFETY: from Box::into_raw, and freed once: promised by the caller.
        drop(unsafe { Box::from_raw(queue) });
    }
}

/// Requests a path for a unit. A unit has one request: the same one again changes nothing, another
/// one takes its place.
///
/// Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (over a network: an end is not on the mesh),
/// NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the queue is full, the planner searches something
/// else, an option does not exist, or the queue was made for another mesh) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the queue is NULL or comes from navbake_queue_new
/// and nothing else uses it now; `request` is NULL or points at one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_queue_ask(
    mesh: *const NavbakeMesh,
    queue: *mut NavbakeQueue,
    unit: u64,
    request: *const NavbakePathRequest,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, queue) = unsafe { (given(mesh)?, given_mut(queue)?) };
        // SAFETY: promised by the caller.
        let asked = unsafe { given(request)? };
        queue.put(mesh, unit, asked, None)
    })
}

/// Requests a path for a unit that follows another one, which has a request: it gets the leader's
/// path from a start of its own to an end near the leader's, `spacing` metres from those of other
/// followers. `to` of the request is ignored.
///
/// Gives the status of navbake_queue_ask; NAVBAKE_BAD_ARGUMENT also where the leader does not wait
/// for an answer.
///
/// # Safety
///
/// As for navbake_queue_ask.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_queue_follow(
    mesh: *const NavbakeMesh,
    queue: *mut NavbakeQueue,
    unit: u64,
    leader: u64,
    request: *const NavbakePathRequest,
    spacing: f64,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, queue) = unsafe { (given(mesh)?, given_mut(queue)?) };
        // SAFETY: promised by the caller.
        let asked = unsafe { given(request)? };
        queue.put(mesh, unit, asked, Some((leader, spacing)))
    })
}

/// Removes the request of a unit. The first unit that follows it takes its place.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The queue is NULL or comes from navbake_queue_new, and nothing else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_queue_lose(queue: *mut NavbakeQueue, unit: u64) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        match &mut unsafe { given_mut(queue)? }.lines {
            Lines::Polygons(line) => line.lose(unit),
            Lines::Cells(line) => line.lose(unit),
            Lines::Routes(line) => line.lose(unit),
        }
        Ok(NavbakeOk)
    })
}

/// Works on the requests within a budget, in entries of open lists, and hands over the answers.
/// Where the mesh has changed since the last tick, searches that were begun begin anew; cells and
/// networks must be prepared again before.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the queue was made for another
/// mesh), NAVBAKE_NO_CELLS or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the queue is NULL or comes from navbake_queue_new
/// and nothing else uses it now; `answer` is NULL or a function that may be called with `context`
/// and throws nothing; `tick` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_queue_tick(
    mesh: *const NavbakeMesh,
    queue: *mut NavbakeQueue,
    budget: u32,
    answer: NavbakeAnswer,
    context: *mut c_void,
    tick: *mut NavbakeTick,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, queue, out) = unsafe { (given(mesh)?, given_mut(queue)?, Output::new(tick)?) };
        let hand = |unit: u64, status: NavbakeStatus, path: *const NavbakePath| {
            if let Some(answer) = answer {
                // SAFETY: promised by the caller.
                unsafe { answer(context, unit, status, path) }
            }
        };
        let done = queue.tick(mesh, budget, hand)?;
        let Tick { spent, answered, waiting } = done;
        out.put(NavbakeTick { spent, answered, waiting });
        Ok(NavbakeOk)
    })
}

/// The direction in which a waiting unit may set out: along what was found for it up to now, else
/// straight towards its goal; x and z of a unit vector.
///
/// Gives NAVBAKE_OK, NAVBAKE_UNREACHABLE (the unit does not wait, or is at its goal),
/// NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the queue was made for another mesh),
/// NAVBAKE_NO_CELLS or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the queue is NULL or comes from navbake_queue_new
/// and nothing else uses it now; `direction` is NULL or has room for two doubles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_queue_direction(
    mesh: *const NavbakeMesh,
    queue: *mut NavbakeQueue,
    unit: u64,
    direction: *mut [f64; 2],
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, queue, out) =
            unsafe { (given(mesh)?, given_mut(queue)?, Output::new(direction)?) };
        queue.refresh(mesh)?;
        let found = match &mut queue.lines {
            Lines::Polygons(line) => line.direction(&mesh.query(), unit),
            Lines::Cells(line) => line.direction(&mesh.cells()?, unit),
            Lines::Routes(line) => {
                let ground = mesh.query();
                line.direction(&RoutesQuery { network: mesh.network()?, ground: &ground }, unit)
            }
        };
        out.put(found.ok_or(NavbakeStatus::NavbakeUnreachable)?);
        Ok(NavbakeOk)
    })
}

impl NavbakeQueue {
    /// Begins searches anew where the mesh has changed.
    fn refresh(&mut self, mesh: &NavbakeMesh) -> Result<(), Fault> {
        if self.identity != mesh.identity {
            return Err(NavbakeBadArgument);
        }
        if self.changes != mesh.changes {
            self.changes = mesh.changes;
            match &mut self.lines {
                Lines::Polygons(line) => line.restart(),
                Lines::Cells(line) => line.restart(),
                Lines::Routes(line) => line.restart(),
            }
        }
        Ok(())
    }

    fn put(
        &mut self,
        mesh: &NavbakeMesh,
        unit: u64,
        asked: &NavbakePathRequest,
        behind: Option<(u64, f64)>,
    ) -> Result<NavbakeStatus, Fault> {
        if self.identity != mesh.identity {
            return Err(NavbakeBadArgument);
        }
        let taken = match (&mut self.lines, over(asked.planner)?) {
            (Lines::Polygons(line), Over::Polygons) => {
                let request = asked.request()?;
                match behind {
                    Some((leader, spacing)) => line.follow(unit, leader, &request, spacing),
                    None if asked.planner == NAVBAKE_PLANNER_HIERARCHICAL => {
                        line.ask_over_rooms(unit, &request)
                    }
                    None => line.ask(unit, &request),
                }
            }
            (Lines::Cells(line), Over::Cells(planner)) => {
                let to = [asked.to];
                let request = GridRequest { to: &to, ..asked.over_cells(planner)? };
                match behind {
                    Some((leader, spacing)) => line.follow(unit, leader, &request, spacing),
                    None => line.ask(unit, &request),
                }
            }
            (Lines::Routes(line), Over::Routes) => {
                let query = mesh.query();
                let place = |point| query.end(point, asked.extents).ok_or(NavbakeOffMesh);
                let from = place(asked.from)?;
                match behind {
                    Some((leader, spacing)) => {
                        line.follow(unit, leader, &asked.over_routes(from)?, spacing)
                    }
                    None => {
                        let to: [NavPoint; 1] = [place(asked.to)?];
                        let request = NetworkRequest { to: &to, ..asked.over_routes(from)? };
                        line.ask(unit, &request)
                    }
                }
            }
            _ => false,
        };
        if taken { Ok(NavbakeOk) } else { Err(NavbakeBadArgument) }
    }

    fn tick(
        &mut self,
        mesh: &NavbakeMesh,
        budget: u32,
        hand: impl Fn(u64, NavbakeStatus, *const NavbakePath),
    ) -> Result<Tick, Fault> {
        self.refresh(mesh)?;
        let NavbakeQueue { lines, written, .. } = self;
        let refuse = |unit, error: &Error| hand(unit, refused(error.clone()), std::ptr::null());
        Ok(match lines {
            Lines::Polygons(line) => {
                let query = mesh.query();
                line.tick(&query, budget, |unit, path| match path {
                    Ok(path) => {
                        hand(unit, status(path.status), &written.polygons(path, false, &query))
                    }
                    Err(error) => refuse(unit, error),
                })
            }
            Lines::Cells(line) => {
                let query = mesh.cells()?;
                line.tick(&query, budget, |unit, path| match path {
                    Ok(path) => {
                        hand(unit, status(path.status), &written.cells(path, &query, mesh));
                    }
                    Err(error) => refuse(unit, error),
                })
            }
            Lines::Routes(line) => {
                let ground = mesh.query();
                let query = RoutesQuery { network: mesh.network()?, ground: &ground };
                line.tick(&query, budget, |unit, path| match path {
                    Ok(path) => hand(unit, status(path.status), &written.routes(path)),
                    Err(error) => refuse(unit, error),
                })
            }
        })
    }
}
