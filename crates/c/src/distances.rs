//! All distances from some places to others.

use navbake_rooms::RoomMemory;
use navbake_search::NavPoint;

use crate::blob::NavbakeMesh;
use crate::place::NavbakeLocation;
use crate::pointers::{Output, Room, apart, given, given_mut, row};
use crate::search::NavbakeSearch;
use crate::status::NavbakeStatus::{self, NavbakeBadArgument, NavbakeOk};
use crate::status::{Fault, guard};

/// Finds the costs of the shortest paths from each of some places to each of others, at a half to a
/// seventh of the work of single paths where the mesh has labels.
///
/// `distances` gets `from_count` rows of `to_count` numbers: the path's length seen from above, m,
/// with the extra cost of links and ground; infinity where there is no path. `gap` gets the share
/// that no cost is more above that of the cheapest path: 0 where all are exact, as everywhere on a
/// mesh without costs.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not places on this mesh, a search
/// of another mesh, results that overlap, more numbers than memory has) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh, the search is NULL or comes from navbake_search_new
/// and nothing else uses it now; `from` and `to` are NULL, with a count of 0, or point at as many
/// locations; `distances` is NULL or has room for `from_count` times `to_count` numbers; `gap` is
/// NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_distances(
    mesh: *const NavbakeMesh,
    search: *mut NavbakeSearch,
    from: *const NavbakeLocation,
    from_count: usize,
    to: *const NavbakeLocation,
    to_count: usize,
    distances: *mut f64,
    gap: *mut f64,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, search) = unsafe { (given(mesh)?, given_mut(search)?) };
        // SAFETY: promised by the caller.
        let (from, to) = unsafe { (row(from, from_count)?, row(to, to_count)?) };
        // SAFETY: promised by the caller.
        let out = unsafe { Output::new(gap)? };
        let count = from_count.checked_mul(to_count).ok_or(NavbakeBadArgument)?;
        let room = Room::new(distances, count)?;
        apart([room.addresses(), out.addresses(), 0..0])?;
        let on = |places: &[NavbakeLocation]| -> Result<Vec<NavPoint>, Fault> {
            places.iter().map(|place| place.on(mesh)).collect()
        };
        let (starts, places) = (on(from)?, on(to)?);
        let query = mesh.query();
        let (scratch, goals) = search.with_goals(mesh)?;
        let scratch = scratch.ground();
        goals.set(&query, &places, scratch);
        let mut lengths = vec![None; to_count];
        let mut most = 0.0f64;
        // SAFETY: promised by the caller, and apart; zeros are numbers.
        let room = unsafe { room.cleared() };
        for (start, row) in starts.iter().zip(room.chunks_exact_mut(to_count.max(1))) {
            most = most.max(query.distances_to(start, goals, &mut lengths, scratch));
            for (to, length) in row.iter_mut().zip(&lengths) {
                *to = length.unwrap_or(f64::INFINITY);
            }
        }
        out.put(most);
        Ok(NavbakeOk)
    })
}
