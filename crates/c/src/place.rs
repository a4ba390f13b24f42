//! Points to places on the mesh, lines of sight, reachability.

use navbake_search::{NavPoint, PolyId};

use crate::blob::NavbakeMesh;
use crate::pointers::{Output, given, triple};
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeNotLoaded, NavbakeOffMesh, NavbakeOk, NavbakeUnreachable,
};
use crate::status::{Fault, guard};

/// A place on the surface of a mesh. It belongs to the mesh that gave it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeLocation {
    /// In y-up metres, at the height of the surface.
    pub position: [f64; 3],
    /// The polygon that holds it.
    pub polygon: u32,
}

/// Where a ray ends.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeRay {
    /// y-up metres, at the height of the surface.
    pub point: [f64; 3],
    /// x and z of a unit vector from the wall into the ground; zeros where no wall was met.
    pub normal: [f64; 2],
    /// The fraction of the distance to the target that it covered, 0 to 1.
    pub fraction: f64,
    /// The polygon in which it ends.
    pub polygon: u32,
    /// The number of the polygon edge that was met, UINT32_MAX for none.
    pub edge: u32,
    /// How many portals it crossed.
    pub crossed: u32,
}

impl NavbakeLocation {
    pub(crate) fn of(place: &NavPoint) -> NavbakeLocation {
        NavbakeLocation { position: place.position(), polygon: place.polygon().0 }
    }

    /// The place on the mesh, if it is one.
    pub(crate) fn on(&self, mesh: &NavbakeMesh) -> Result<NavPoint, Fault> {
        let polygon = PolyId(self.polygon);
        if self.polygon >= mesh.view().polygon_count() {
            return Err(NavbakeBadArgument);
        }
        mesh.query().on_polygon(polygon, self.position).ok_or(NavbakeBadArgument)
    }
}

/// Finds the place on the surface above or below a point that is nearest to it in height, at most
/// `vertical` metres away.
///
/// Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (no ground there), NAVBAKE_NULL_POINTER or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `point` is NULL or three doubles; `location` is
/// NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_locate(
    mesh: *const NavbakeMesh,
    point: *const f64,
    vertical: f64,
    location: *mut NavbakeLocation,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, point, out) = unsafe { (given(mesh)?, triple(point)?, Output::new(location)?) };
        let place = mesh.query().locate(point, vertical).ok_or(NavbakeOffMesh)?;
        out.put(NavbakeLocation::of(&place));
        Ok(NavbakeOk)
    })
}

/// Finds the place on the surface that is nearest to a point, at most `extents` metres away along
/// each axis.
///
/// Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (no ground there), NAVBAKE_NULL_POINTER or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `point` and `extents` are NULL or three doubles
/// each; `location` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_nearest(
    mesh: *const NavbakeMesh,
    point: *const f64,
    extents: *const f64,
    location: *mut NavbakeLocation,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, point) = unsafe { (given(mesh)?, triple(point)?) };
        // SAFETY: promised by the caller.
        let (extents, out) = unsafe { (triple(extents)?, Output::new(location)?) };
        let place = mesh.query().nearest(point, extents).ok_or(NavbakeOffMesh)?;
        out.put(NavbakeLocation::of(&place));
        Ok(NavbakeOk)
    })
}

/// Reports whether a path from one place to the other can exist, without a search; one-way links
/// are taken into account. NAVBAKE_UNREACHABLE is certain. NAVBAKE_OK is not certain with something
/// closed by navbake_set_closed, or on a mesh with more connections than its tables hold; call
/// navbake_path then. NAVBAKE_NOT_LOADED: there is one once more chunks are loaded, unless
/// obstacles, closed ground or the direction of a link prevent it.
///
/// Gives NAVBAKE_OK (there is), NAVBAKE_UNREACHABLE, NAVBAKE_NOT_LOADED, NAVBAKE_NULL_POINTER,
/// NAVBAKE_BAD_ARGUMENT (not a place on this mesh) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `from` and `to` are NULL or point at a location
/// each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_reachable(
    mesh: *const NavbakeMesh,
    from: *const NavbakeLocation,
    to: *const NavbakeLocation,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, from, to) = unsafe { (given(mesh)?, given(from)?, given(to)?) };
        let (from, to) = (from.on(mesh)?, to.on(mesh)?);
        Ok(match mesh.query().reachable(&from, &to) {
            true => NavbakeOk,
            false if mesh.goes_on(from.polygon(), to.polygon()) => NavbakeNotLoaded,
            false => NavbakeUnreachable,
        })
    })
}

/// Looks from a place straight towards a point, whose height does not matter, along the surface up
/// to the first wall.
///
/// Gives NAVBAKE_OK (whether or not there is a wall: see `edge`), NAVBAKE_NULL_POINTER,
/// NAVBAKE_BAD_ARGUMENT (not a place on this mesh) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `from` is NULL or points at a location, `towards`
/// is NULL or three doubles; `ray` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_raycast(
    mesh: *const NavbakeMesh,
    from: *const NavbakeLocation,
    towards: *const f64,
    ray: *mut NavbakeRay,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, from) = unsafe { (given(mesh)?, given(from)?) };
        // SAFETY: promised by the caller.
        let (towards, out) = unsafe { (triple(towards)?, Output::new(ray)?) };
        let hit = mesh.query().raycast(&from.on(mesh)?, towards);
        out.put(NavbakeRay {
            point: hit.point,
            normal: hit.wall.map_or([0.0; 2], |wall| wall.normal),
            fraction: hit.fraction,
            polygon: hit.polygon.0,
            edge: hit.wall.map_or(u32::MAX, |wall| wall.edge.0),
            crossed: hit.crossed,
        });
        Ok(NavbakeOk)
    })
}
