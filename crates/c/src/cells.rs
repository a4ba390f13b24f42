//! The cells of a grid map, and route networks, for the unit of a mesh.

use std::ffi::c_char;

use navbake_gridpath::{CellFilter, GridQuery, Network, UnitShape};

use crate::blob::NavbakeMesh;
use crate::pointers::{Output, given, given_mut, text, triple};
use crate::request::{Over, over};
use crate::status::NavbakeStatus::{
    self, NavbakeBadArgument, NavbakeInternalError, NavbakeNoCells, NavbakeOffMesh, NavbakeOk,
};
use crate::status::{Fault, guard};

/// The room of a unit on a grid map: its cell alone.
pub const NAVBAKE_UNIT_CELL: u32 = 0;
/// The room of a unit on a grid map: a disc around the middle of its cell, its radius in metres.
pub const NAVBAKE_UNIT_DISC: u32 = 1;
/// The room of a unit on a grid map: a block of this many cells along both axes, 1 to 64.
pub const NAVBAKE_UNIT_BLOCK: u32 = 2;

/// Obstacles on cells have numbers from here on.
const OBSTACLES: u32 = 1 << 31;

/// A route network of a blob.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeNetwork {
    /// Its name in UTF-8, in the blob's own bytes; no zero ends it.
    pub name: *const c_char,
    /// Bytes in the name.
    pub name_length: usize,
    /// How many points.
    pub points: u32,
    /// How many edges, each in one direction.
    pub edges: u32,
}

impl NavbakeMesh {
    /// Queries on the cells that were prepared, on the mesh as it is now.
    pub(crate) fn cells(&self) -> Result<GridQuery<'_>, Fault> {
        let kept = self.cells.as_ref().filter(|kept| kept.1 == self.changes);
        let (filter, _) = kept.ok_or(NavbakeNoCells)?;
        let map = self.blob.grid_map().ok_or(NavbakeNoCells)?;
        Ok(GridQuery::new(map).with_filter(filter))
    }

    /// The network that was prepared, on the mesh as it is now.
    pub(crate) fn network(&self) -> Result<&Network, Fault> {
        let kept = self.network.as_ref().filter(|kept| kept.1 == self.changes);
        kept.map(|kept| &kept.0).ok_or(NavbakeNoCells)
    }
}

/// Prepares the cells of the blob's grid map for the unit of a mesh: its costs, its links, what is
/// closed for it now, and the room that it takes, one of NAVBAKE_UNIT_*. Obstacles take the cells
/// that they reach into; they count as units with numbers from 2^31 on. Nobody else stands on them
/// at first. Call it again when the mesh has changed. Takes a pass over all cells, and memory of a
/// few bytes a cell.
///
/// Gives NAVBAKE_OK, NAVBAKE_NO_CELLS (the blob was not baked from a grid map),
/// NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the kind of room does not exist, a radius that is
/// negative or not a number, or a number of cells that is not 1 to 64) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_use_cells(
    mesh: *mut NavbakeMesh,
    room: u32,
    size: f64,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let mesh = unsafe { given_mut(mesh)? };
        let shape = match room {
            NAVBAKE_UNIT_CELL => UnitShape::Cell,
            NAVBAKE_UNIT_DISC if size >= 0.0 => UnitShape::Disc(size),
            NAVBAKE_UNIT_BLOCK if (1.0..=64.0).contains(&size) && size.fract() == 0.0 => {
                UnitShape::Block(size as u32)
            }
            _ => return Err(NavbakeBadArgument),
        };
        let map = mesh.blob.grid_map().ok_or(NavbakeNoCells)?;
        let filter = CellFilter::new(&map, &mesh.view(), &mesh.filter).fields(&map, mesh.agent);
        let mut filter = filter.shape(&map, shape);
        for (number, obstacle) in mesh.obstacles() {
            let set = filter.set_obstacle(&map, OBSTACLES | number, Some(obstacle));
            set.map_err(|_| NavbakeInternalError)?;
        }
        mesh.cells = Some((filter, mesh.changes));
        Ok(NavbakeOk)
    })
}

/// Makes landmarks over the cells or the network that were prepared, for a planner over them: with
/// NAVBAKE_HEURISTIC_TABLE its searches expand fewer cells or points around walls, costs and links.
/// They replace those made before, and are gone when cells or network are prepared again. Two
/// searches over all cells or points for each of the `count` landmarks, at most 64; eight bytes a
/// cell and landmark, 16 a point.
///
/// Gives NAVBAKE_OK, NAVBAKE_NO_CELLS (no cells or network were prepared, the cells are of another
/// shape, or no ground is open), NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a planner over
/// polygons, or a count that is not 1 to 64) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_use_landmarks(
    mesh: *mut NavbakeMesh,
    planner: u32,
    count: u32,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let mesh = unsafe { given_mut(mesh)? };
        let over = over(planner)?;
        if !(1..=64).contains(&count) {
            return Err(NavbakeBadArgument);
        }
        let planner = match over {
            Over::Polygons => return Err(NavbakeBadArgument),
            Over::Cells(planner) => planner,
            Over::Routes => {
                mesh.network()?;
                let (network, changes) = mesh.network.take().ok_or(NavbakeNoCells)?;
                let network = network.landmarks(count);
                let found = network.has_landmarks();
                mesh.network = Some((network, changes));
                return if found { Ok(NavbakeOk) } else { Err(NavbakeNoCells) };
            }
        };
        mesh.cells()?;
        let map = mesh.blob.grid_map().ok_or(NavbakeNoCells)?;
        let (filter, changes) = mesh.cells.take().ok_or(NavbakeNoCells)?;
        let filter = filter.landmarks(&map, planner, count);
        let found = filter.has_landmarks();
        mesh.cells = Some((filter, changes));
        if found { Ok(NavbakeOk) } else { Err(NavbakeNoCells) }
    })
}

/// How many route networks the mesh has; 0 for NULL.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_network_count(mesh: *const NavbakeMesh) -> usize {
    // SAFETY: promised by the caller.
    unsafe { given(mesh) }.map_or(0, |mesh| mesh.blob.networks(mesh.identity.1).count())
}

/// Describes the route network with this number, counted from 0.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (the network does not exist) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `network` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_network(
    mesh: *const NavbakeMesh,
    index: usize,
    network: *mut NavbakeNetwork,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, out) = unsafe { (given(mesh)?, Output::new(network)?) };
        let mut networks = mesh.blob.networks(mesh.identity.1);
        let network = networks.nth(index).ok_or(NavbakeBadArgument)?;
        out.put(NavbakeNetwork {
            name: network.name.as_ptr().cast(),
            name_length: network.name.len(),
            points: network.point_count(),
            edges: network.edge_count(),
        });
        Ok(NavbakeOk)
    })
}

/// Prepares a route network of the mesh for its unit: its costs, its links, and what is closed for
/// it now. Nobody stands on its points at first. A mesh has one network at a time. Call it again
/// when the mesh has changed. Follows each edge over the mesh.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no network has this name) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `name` is NULL or text
/// in UTF-8 with a zero at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_use_network(
    mesh: *mut NavbakeMesh,
    name: *const c_char,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, name) = unsafe { (given_mut(mesh)?, text(name)?) };
        let mut networks = mesh.blob.networks(mesh.identity.1);
        let view = networks.find(|network| network.name == name).ok_or(NavbakeBadArgument)?;
        let network = Network::new(&view, &mesh.query());
        mesh.network = Some((network, mesh.changes));
        Ok(NavbakeOk)
    })
}

/// A unit begins to stand at a place, or with 0 leaves it: of the cells and of the network that
/// were prepared, its cell and its nearest point are blocked for all other units.
///
/// Gives NAVBAKE_OK, NAVBAKE_OFF_MESH (no cell is there, and no network was prepared),
/// NAVBAKE_NO_CELLS (neither was prepared), NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `point` is NULL or
/// three doubles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_stand(
    mesh: *mut NavbakeMesh,
    point: *const f64,
    unit: u32,
    stands: u32,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, point) = unsafe { (given_mut(mesh)?, triple(point)?) };
        if mesh.cells.is_none() && mesh.network.is_none() {
            return Err(NavbakeNoCells);
        }
        let (mut found, before) = (false, mesh.changes);
        mesh.changes += 1;
        let now = mesh.changes;
        // What was up to date still is; searches that were begun are not.
        let stamps =
            [mesh.cells.as_mut().map(|k| &mut k.1), mesh.network.as_mut().map(|k| &mut k.1)];
        stamps.into_iter().flatten().filter(|at| **at == before).for_each(|at| *at = now);
        if let (Some((filter, _)), Some(map)) = (&mut mesh.cells, mesh.blob.grid_map())
            && let Some(cell) = map.free_cell_at(point)
        {
            found = true;
            match stands {
                0 => filter.leave(&map, cell, unit),
                _ => filter.stand(&map, cell, unit),
            }
        }
        if let Some((network, _)) = &mut mesh.network
            && let Some(nearest) = network.nearest_point(point)
        {
            found = true;
            match stands {
                0 => network.leave(nearest, unit),
                _ => network.stand(nearest, unit),
            }
        }
        if found { Ok(NavbakeOk) } else { Err(NavbakeOffMesh) }
    })
}
