//! Motion on the mesh.

use navbake_search::around::MoveLog;
use navbake_search::blob::EdgeId;
use navbake_search::{MoveRequest, PolyId};

use crate::blob::NavbakeMesh;
use crate::place::NavbakeLocation;
use crate::pointers::{Output, Room, apart, given, triple};
use crate::status::NavbakeStatus::{self, NavbakeInternalError, NavbakeOk};
use crate::status::guard;

/// The part of the remaining motion that is usually left after a contact with a wall.
pub const NAVBAKE_KEPT: f64 = 0.9;

/// The result of a motion.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct NavbakeMotion {
    /// Where the point is now.
    pub end: NavbakeLocation,
    /// How far it went, in the ground plane, m.
    pub walked: f64,
    /// How many polygons were entered; more than the capacity when that was too small.
    pub entered: usize,
    /// How many walls were met, likewise.
    pub hit: usize,
    /// How often friction was taken off.
    pub contacts: u32,
}

/// Moves a place straight towards a point, whose height does not matter, and along the walls in
/// between. It never leaves the ground. `kept`, 0 to 1, is the part of the remaining motion that is
/// left after a contact with a wall: usually NAVBAKE_KEPT.
///
/// `entered` gets the polygons that are entered and `hit` the numbers of the polygon edges that are
/// met, in order, as many as fit; both may be NULL with a capacity of 0. Unused room is cleared; a
/// call that is refused writes nothing.
///
/// Gives NAVBAKE_OK, NAVBAKE_NULL_POINTER, NAVBAKE_BAD_ARGUMENT (not a place on this mesh, a
/// capacity beyond all memory, results that overlap) or NAVBAKE_INTERNAL_ERROR.
///
/// # Safety
///
/// The mesh is NULL or comes from navbake_mesh; `from` is NULL or points at a location, `to` is
/// NULL or three doubles; `entered` and `hit` are NULL or have room for as many numbers as their
/// capacities say; `motion` is NULL or has room for one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn navbake_move(
    mesh: *const NavbakeMesh,
    from: *const NavbakeLocation,
    to: *const f64,
    kept: f64,
    entered: *mut u32,
    entered_capacity: usize,
    hit: *mut u32,
    hit_capacity: usize,
    motion: *mut NavbakeMotion,
) -> NavbakeStatus {
    guard(|| {
        // SAFETY: promised by the caller.
        let (mesh, from, to) = unsafe { (given(mesh)?, given(from)?, triple(to)?) };
        // SAFETY: promised by the caller.
        let out = unsafe { Output::new(motion)? };
        let from = from.on(mesh)?;
        let entered = Room::new(entered.cast::<PolyId>(), entered_capacity)?;
        let hit = Room::new(hit.cast::<EdgeId>(), hit_capacity)?;
        apart([entered.addresses(), hit.addresses(), out.addresses()])?;
        // SAFETY: promised by the caller, and apart; ids are numbers, and zero is one.
        let (entered, hit) = unsafe { (entered.cleared(), hit.cleared()) };
        let request = MoveRequest::new(to).kept(kept);
        let moved = mesh.query().move_along(&from, &request, MoveLog { entered, hit });
        let end = mesh.query().place(moved.end).ok_or(NavbakeInternalError)?;
        out.put(NavbakeMotion {
            end: NavbakeLocation::of(&end),
            walked: moved.walked,
            entered: moved.entered,
            hit: moved.hit,
            contacts: moved.contacts,
        });
        Ok(NavbakeOk)
    })
}
