//! Obstacles on a mesh while the game runs.

use std::ffi::c_char;

use navbake_world::{AreaId, Obstacle, ObstacleId};

use crate::blob::NavbakeMesh;
use crate::pointers::{Output, given, given_mut, row, text};
use crate::status::NavbakeStatus::{self, NavbakeBadArgument, NavbakeOk};
use crate::status::{Fault, guard};

/// A solid that takes ground away: an upright cylinder, or a prism over a convex outline.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeObstacle {
    /// Its outline as pairs of x and z, m: one point for the middle of a cylinder, 2 to 12 for a
    /// prism over their convex hull.
    pub corners: *const [f64; 2],
    /// How many.
    pub corner_count: usize,
    /// Radius of a cylinder, m; 0 for a prism.
    pub radius: f64,
    /// Its lowest and its highest point, y-up metres.
    pub heights: [f64; 2],
}

impl NavbakeObstacle {
    /// # Safety
    ///
    /// `corners` is NULL or points at as many pairs as the count says.
    unsafe fn solid(&self) -> Result<Obstacle, Fault> {
        // SAFETY: promised by the caller.
        let corners = unsafe { row(self.corners, self.corner_count)? };
        let solid = match corners {
            [centre] => Obstacle::cylinder(*centre, self.radius, self.heights),
            _ if self.radius != 0.0 => return Err(NavbakeBadArgument),
            _ => Obstacle::prism(corners, self.heights),
        };
        solid.map_err(|_| NavbakeBadArgument)
    }
}

/// What a commit did.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeCommit {
    /// Obstacles that were added, moved or removed.
    pub changed: usize,
    /// Baked polygons that were cut anew or came back, and those of chunks that came or went.
    pub polygons: usize,
    /// Changes that wait for the next commit.
    pub left: usize,
}

/// Puts an obstacle on a mesh at the next navbake_commit; `id` gets its number. The first call
/// copies the navmesh. Locations on polygons that a commit changes are refused afterwards: locate
/// them again.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no outline, more than 12 corners, a
/// prism with a radius, heights in the wrong order, a number that is not finite, or a place far off
/// the level) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `obstacle` is NULL or
/// points at one, whose corners are NULL or as many as it says; `id` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_obstacle_add(
    mesh: *mut NavbakeMesh,
    obstacle: *const NavbakeObstacle,
    id: *mut u64,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, obstacle) = unsafe { (given_mut(mesh)?, given(obstacle)?) };
        // SAFETY: promised by the caller.
        let (solid, out) = unsafe { (obstacle.solid()?, Output::new(id)?) };
        let id = mesh.world()?.add(solid).map_err(|_| NavbakeBadArgument)?;
        out.put(id.bits());
        Ok(NavbakeOk)
    })
}

/// Puts another shape in the place of an obstacle or a volume at the next navbake_commit: moved,
/// turned or changed.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no such obstacle, or see
/// navbake_obstacle_add) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `obstacle` is NULL or
/// points at one, whose corners are NULL or as many as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_obstacle_move(
    mesh: *mut NavbakeMesh,
    id: u64,
    obstacle: *const NavbakeObstacle,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, obstacle) = unsafe { (given_mut(mesh)?, given(obstacle)?) };
        // SAFETY: promised by the caller.
        let solid = unsafe { obstacle.solid()? };
        let moved = mesh.world()?.move_to(ObstacleId::from_bits(id), solid);
        moved.map(|()| NavbakeOk).map_err(|_| NavbakeBadArgument)
    })
}

/// Puts a volume on a mesh at the next navbake_commit: ground within the shape, between its
/// heights, has the area of this name while it is there, for which navbake_set_cost sets the cost.
/// `id` gets its number, for navbake_obstacle_move, which keeps the area, and
/// navbake_obstacle_remove.
///
/// Gives what navbake_obstacle_add gives; NAVBAKE_BAD_ARGUMENT also where no area has this name.
///
/// # Safety
///
/// That of navbake_obstacle_add; `area` is NULL or text in UTF-8 with a zero at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_volume_add(
    mesh: *mut NavbakeMesh,
    shape: *const NavbakeObstacle,
    area: *const c_char,
    id: *mut u64,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, shape) = unsafe { (given_mut(mesh)?, given(shape)?) };
        // SAFETY: promised by the caller.
        let (solid, area, out) = unsafe { (shape.solid()?, text(area)?, Output::new(id)?) };
        let named = mesh.view().file().areas_named(area);
        let area = AreaId(named.trailing_zeros() as u8); // 64, which is refused, without one
        let id = mesh.world()?.add_volume(solid, area).map_err(|_| NavbakeBadArgument)?;
        out.put(id.bits());
        Ok(NavbakeOk)
    })
}

/// Takes an obstacle or a volume away at the next navbake_commit.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no such obstacle) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_obstacle_remove(mesh: *mut NavbakeMesh, id: u64) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let mesh = unsafe { given_mut(mesh)? };
        let removed = mesh.world()?.remove(ObstacleId::from_bits(id));
        removed.map(|()| NavbakeOk).map_err(|_| NavbakeBadArgument)
    })
}

/// Removes obstacles and volumes from the mesh until the next call of this function, of
/// navbake_commit or of navbake_save: for the path of a unit that is an obstacle to others but not
/// to itself. A count of 0 puts all back. The ground is then exactly as before. Locations found
/// before are valid again; those found in between are refused on ground that changed.
/// navbake_use_cells and navbake_vehicle_update see the mesh without these obstacles.
///
/// Takes the time of a change of these obstacles, and the same again to put them back.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no such obstacle; all are then on
/// the mesh) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `ids` is NULL, with a
/// count of 0, or points at that many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_set_aside(
    mesh: *mut NavbakeMesh,
    ids: *const u64,
    count: usize,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, ids) = unsafe { (given_mut(mesh)?, row(ids, count)?) };
        let ids: Vec<ObstacleId> = ids.iter().map(|&id| ObstacleId::from_bits(id)).collect();
        let done = mesh.world()?.set_aside(&ids);
        mesh.refresh()?;
        done.map(|()| NavbakeOk).map_err(|_| NavbakeBadArgument)
    })
}

/// Carries out the changes of obstacles and chunks, in the order in which they were asked for,
/// until `most` polygons were cut anew; 0 for all changes. A chunk counts as its polygons. All
/// later queries on the mesh know the changes. Closed switches and costs stay.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `done` is NULL or has
/// room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_commit(
    mesh: *mut NavbakeMesh,
    most: usize,
    done: *mut NavbakeCommit,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given_mut(mesh)?, Output::new(done)?) };
        let most = if most == 0 { usize::MAX } else { most };
        let commit = mesh.world()?.commit_some(most);
        mesh.refresh()?;
        out.put(NavbakeCommit {
            changed: commit.changed,
            polygons: commit.polygons,
            left: commit.left,
        });
        Ok(NavbakeOk)
    })
}
