//! Walls, polygons and random places around a place.

use navbake_rooms::RoomMemory;
use navbake_search::PolyId;
use navbake_search::around::{Areas, Convex, Random, Shape};

use crate::blob::NavbakeMesh;
use crate::place::NavbakeLocation;
use crate::pointers::{Output, Room, apart, given, given_mut, row};
use crate::search::NavbakeSearch;
use crate::status::NavbakeStatus::{self, NavbakeBadArgument, NavbakeOffMesh, NavbakeOk};
use crate::status::guard;

/// The wall nearest to a place.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeWall {
    /// Its distance in the ground plane, m; without a wall the distance up to which there is none.
    pub distance: f64,
    /// Its point nearest to the place, y-up metres; zeros without a wall.
    pub point: [f64; 3],
    /// x and z of a unit vector from the wall into the ground; zeros without a wall.
    pub normal: [f64; 2],
    /// The polygon that the wall belongs to; UINT32_MAX without a wall.
    pub polygon: u32,
    /// The number of its polygon edge; UINT32_MAX without a wall.
    pub edge: u32,
}

/// A polygon that was reached.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeReached {
    /// The polygon.
    pub polygon: u32,
    /// The polygon from which it was entered; UINT32_MAX for the first.
    pub from: u32,
    /// Path length to where it was entered, m.
    pub distance: f64,
}

/// A sequence of random places on one mesh. Opaque. For one thread at a time.
pub struct NavbakeRandom {
    random: Random,
    sums: Vec<u64>,
    /// Of the mesh for which the sums are.
    identity: (usize, u16),
    changes: u64,
}

/// Finds the wall or closed edge nearest to a place, up to `most` metres away. Walls of other
/// storeys do not count.
///
/// Gives NAVBAKE_OK (whether or not there is a wall: see `edge`), NAVBAKE_NULL_POINTER,
/// NAVBAKE_BAD_ARGUMENT (not a place on this mesh, or a search of another mesh) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
/// and nothing else uses it now; `from` is NULL or points at a location; `wall` is NULL or has room
/// for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_wall_distance(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    from: *const NavbakeLocation,
    most: f64,
    wall: *mut NavbakeWall,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search, from) = unsafe { (given(mesh)?, given_mut(search)?, given(from)?) };
        // SAFETY: promised by the caller.
        let out = unsafe { Output::new(wall)? };
        let scratch = search.of(mesh)?.ground();
        let found = mesh.query().wall_distance(&from.on(mesh)?, most, scratch);
        let near = found.nearest;
        out.put(NavbakeWall {
            distance: found.distance,
            point: near.map_or([0.0; 3], |near| near.point),
            normal: near.map_or([0.0; 2], |near| near.wall.normal),
            polygon: near.map_or(u32::MAX, |near| near.polygon.0),
            edge: near.map_or(u32::MAX, |near| near.wall.edge.0),
        });
        Ok(NavbakeOk)
    })
}

/// Finds the polygons that are reached from a place over portals that a shape touches; that of the
/// place comes first. The shape is a circle of `radius` metres around the place, or, with corners,
/// the convex polygon of 3 to 16 of them, pairs of x and z in metres. With `walk` not 0 the polygons
/// are those within a path of `radius` metres.
///
/// `reached` gets the polygons in order of distance, as many as fit, and `count` how many there are;
/// `reached` may be NULL with a capacity of 0. Unused room is cleared.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, corners
/// of no convex polygon, corners and `walk`, a search of another mesh, results that overlap) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
/// and nothing else uses it now; `from` is NULL or points at a location; `corners` is NULL, with a
/// count of 0, or points at as many pairs; `reached` is NULL or has room for as many as its capacity
/// says; `count` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_around(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    from: *const NavbakeLocation,
    radius: f64,
    walk: u32,
    corners: *const [f64; 2],
    corner_count: usize,
    reached: *mut NavbakeReached,
    capacity: usize,
    count: *mut usize,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search, from) = unsafe { (given(mesh)?, given_mut(search)?, given(from)?) };
        // SAFETY: promised by the caller.
        let (corners, out) = unsafe { (row(corners, corner_count)?, Output::new(count)?) };
        let from = from.on(mesh)?;
        let scratch = search.of(mesh)?;
        let room = Room::new(reached, capacity)?;
        apart([room.addresses(), out.addresses(), 0..0])?;
        let query = mesh.query();
        let convex;
        let shape = match (corners, walk) {
            ([], 0) => Shape::Circle(radius),
            ([], _) => Shape::Walk(radius),
            (_, 0) => {
                convex = Convex::new(query.mesh().grid(), corners).ok_or(NavbakeBadArgument)?;
                Shape::Convex(&convex)
            }
            _ => return Err(NavbakeBadArgument),
        };
        let found = query.around(&from, shape, scratch.ground()).polygons;
        // SAFETY: promised by the caller, and apart; zeros are numbers.
        let room = unsafe { room.cleared() };
        for (to, one) in room.iter_mut().zip(found) {
            *to = NavbakeReached {
                polygon: one.polygon().0,
                from: one.from().map_or(u32::MAX, |id| id.0),
                distance: one.distance(),
            };
        }
        out.put(found.len());
        Ok(NavbakeOk)
    })
}

/// Makes a sequence of random places on a mesh: one seed gives one sequence on every machine. Free
/// it with navbake_random_free.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `random` is NULL or has room for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_random_new(
    mesh: *const NavbakeMesh,
    seed: u64,
    random: *mut *mut NavbakeRandom,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given(mesh)?, Output::new(random)?) };
        out.put(Box::into_raw(Box::new(NavbakeRandom {
            random: Random::new(seed),
            sums: vec![],
            identity: mesh.identity,
            changes: 0,
        })));
        Ok(NavbakeOk)
    })
}

/// Frees a sequence; NULL is allowed.
///
/// # Safety
///
/// The sequence comes from navbake_random_new and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_random_free(random: *mut NavbakeRandom) {
    if !random.is_null() {
        // SAFETY: from Box::into_raw, and freed once: promised by the caller.
        drop(unsafe { Box::from_raw(random) });
    }
}

/// The next random place, uniform by area over all open ground. The first call after a change of
/// the mesh takes a pass over its polygons.
///
/// Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (no open ground), NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT
/// (a sequence of another mesh) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; the sequence is NULL or comes from
/// navbake_random_new, and nothing else uses it now; `location` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_random_place(
    mesh: *const NavbakeMesh,
    random: *mut NavbakeRandom,
    location: *mut NavbakeLocation,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, own) = unsafe { (given(mesh)?, given_mut(random)?) };
        // SAFETY: promised by the caller.
        let out = unsafe { Output::new(location)? };
        if own.identity != mesh.identity {
            return Err(NavbakeBadArgument);
        }
        let query = mesh.query();
        let polygons = query.mesh().polygon_count() as usize;
        if own.sums.len() != polygons || own.changes != mesh.changes {
            own.sums.resize(polygons, 0);
            query.areas(&mut own.sums).ok_or(NavbakeOffMesh)?;
            own.changes = mesh.changes;
        }
        let areas = Areas::from_sums(&query, &own.sums);
        let place = query.random_place(&areas, &mut own.random).ok_or(NavbakeOffMesh)?;
        out.put(NavbakeLocation::of(&place));
        Ok(NavbakeOk)
    })
}

/// The next random place within a path of `most` metres from a place, uniform by area.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, a
/// sequence or a search of another mesh) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from
/// navbake_search_new, the sequence is NULL or comes from navbake_random_new, and nothing else uses
/// these two now; `from` is NULL or points at a location, `location` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_random_within(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    random: *mut NavbakeRandom,
    from: *const NavbakeLocation,
    most: f64,
    location: *mut NavbakeLocation,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search, own) = unsafe { (given(mesh)?, given_mut(search)?, given_mut(random)?) };
        // SAFETY: promised by the caller.
        let (from, out) = unsafe { (given(from)?, Output::new(location)?) };
        if own.identity != mesh.identity {
            return Err(NavbakeBadArgument);
        }
        let (from, scratch) = (from.on(mesh)?, search.of(mesh)?.ground());
        let place = mesh.query().random_within(&from, most, &mut own.random, scratch);
        out.put(NavbakeLocation::of(&place));
        Ok(NavbakeOk)
    })
}

/// The place on a polygon nearest above or below a point, as far as the point is over it.
///
/// Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (the point is beside the polygon), NAVBAKE_NULL_POINTER,
/// NAVBAKE_BAD_ARGUMENT (no such polygon) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `point` is NULL or three doubles; `location` is NULL
/// or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_on_polygon(
    mesh: *const NavbakeMesh,
    polygon: u32,
    point: *const f64,
    location: *mut NavbakeLocation,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, point) = unsafe { (given(mesh)?, crate::pointers::triple(point)?) };
        // SAFETY: promised by the caller.
        let out = unsafe { Output::new(location)? };
        if polygon >= mesh.view().polygon_count() {
            return Err(NavbakeBadArgument);
        }
        let place = mesh.query().on_polygon(PolyId(polygon), point).ok_or(NavbakeOffMesh)?;
        out.put(NavbakeLocation::of(&place));
        Ok(NavbakeOk)
    })
}
