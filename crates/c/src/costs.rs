//! The cost of ground for a unit.

use std::ffi::c_char;

use crate::blob::NavbakeMesh;
use crate::pointers::{given_mut, text};
use crate::status::NavbakeStatus::{self, NavbakeBadArgument, NavbakeOk};
use crate::status::guard;

/// Sets the cost of a metre on the areas of a name, in metres of plain ground; all ground costs 1
/// at first. INFINITY forbids the areas: they are walls for every query, and can be left but not
/// entered. Units with other costs have meshes of their own: searches made for one may be used with
/// the other.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no area has this name, or a cost
/// that is negative, not a number or more than 2^20) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `area` is NULL or
/// text in UTF-8 with a zero at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_set_cost(
    mesh: *mut NavbakeMesh,
    area: *const c_char,
    cost: f64,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, area) = unsafe { (given_mut(mesh)?, text(area)?) };
        let filter = mesh.filter.clone().cost(&mesh.view(), area, cost);
        mesh.filter = filter.map_err(|_| NavbakeBadArgument)?;
        mesh.changes += 1;
        Ok(NavbakeOk)
    })
}

/// Sets the cost of height, in metres of plain ground per metre up or down; 0 at first.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (a cost that is negative, not a
/// number or more than 2^20) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_set_slopes(
    mesh: *mut NavbakeMesh,
    uphill: f64,
    downhill: f64,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let mesh = unsafe { given_mut(mesh)? };
        mesh.filter.set_slopes(uphill, downhill).map_err(|_| NavbakeBadArgument)?;
        mesh.changes += 1;
        Ok(NavbakeOk)
    })
}

/// Sets the costs of all areas and of height from a row of weights that the file has: that of the
/// name and the mesh's agent, or of the name alone.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (no row has this name) or
/// NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now; `name` is NULL or text
/// in UTF-8 with a zero at its end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_set_weights(
    mesh: *mut NavbakeMesh,
    name: *const c_char,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, name) = unsafe { (given_mut(mesh)?, text(name)?) };
        let filter = mesh.filter.clone().weights(&mesh.view(), name);
        mesh.filter = filter.map_err(|_| NavbakeBadArgument)?;
        mesh.changes += 1;
        Ok(NavbakeOk)
    })
}

/// Allows the links of these agents on a mesh: bit k for agent k of the blob. At first, those of
/// the mesh's own agent.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, and nothing else uses it now.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_set_agents(mesh: *mut NavbakeMesh, agents: u32) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let mesh = unsafe { given_mut(mesh)? };
        mesh.filter.set_agents(agents);
        mesh.changes += 1;
        Ok(NavbakeOk)
    })
}
