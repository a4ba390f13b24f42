//! Paths finished for units with a body: smoothed, rounded, followed.
//!
//! - [`spline`]: a Catmull-Rom spline through the corners of a path;
//! - [`round`]: corners as arcs of a unit's turn radius;
//! - [`places`]: the corners as they are, with their polygons;
//! - [`path_clearance`]: the room for a unit along a path;
//! - [`Follower`]: the direction along any of them, corner by corner;
//! - [`Steering`]: the velocity of a unit that follows one among others.
//!
//! ```
//! # let bytes = navbake_testkit::level();
//! use navbake_finish::{Follower, Rounding, round};
//! use navbake_search::{NavMeshBuf, NavQuery, PathRequest, Scratch};
//!
//! let nav = NavMeshBuf::open_for(&bytes, "default")?; // a floor of 10 m by 9 m
//! let query = NavQuery::new(nav.mesh());
//! let mut scratch = Scratch::new();
//! let request = PathRequest::new([1.0, 0.0, 1.0], [8.0, 0.0, 5.0]);
//! let path = query.find_path(&request, &mut scratch)?;
//!
//! let rounding = Rounding::new(0.5); // arcs of 0.5 m
//! let any = query.nearest([1.0, 0.0, 1.0], [1.0; 3]).expect("on the mesh");
//! let mut out = vec![any; rounding.room(path.points.len())];
//! let finished = round(&query, &path, rounding, &mut out).expect("a path of this mesh");
//! assert_eq!(finished.points.len(), 2); // straight: nothing to round
//!
//! let mut follower = Follower::new(0.2);
//! let advice = follower.advise(finished.points, [1.0, 0.0, 1.0]);
//! assert!(!advice.arrived && advice.heading[0] > 0.0);
//! # Ok::<(), navbake_search::Error>(())
//! ```
//!
//! Smoothing by a Catmull-Rom spline, and pruning after it, are from Rabin, *A\* aesthetic
//! optimizations* (Game Programming Gems, 2000). What this crate adds is the ground: every piece of
//! a finished path is walked over adjacency, from the polygons that the path leads through and on
//! its own storey. Where the mesh has no room for a curve, the path's own corners stay. All points
//! are on the level's grid, so *on the mesh* is exact.
//!
//! Features: `std` (default) takes square roots from the standard library, `libm` from the crate
//! libm on bare targets. Nothing allocates: the caller gives the memory for the points.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "navbake-finish needs a square root: enable the feature `std`, or `libm` on bare targets"
);

mod clearance;
mod finished;
mod follow;
mod line;
mod path_places;
mod prune;
mod round;
mod spline;
mod steer;

use navbake_search::{NavPath, NavPoint, NavQuery};

use line::Line;

pub use clearance::path_clearance;
pub use finished::{FinishError, Finished};
pub use follow::{Advice, Follower, Waypoint};
pub use path_places::{PathPlaces, path_places};
pub use round::{Rounding, round};
pub use spline::{spline, spline_room};
pub use steer::{Moving, Steering};

/// The points of a path as places, neither smoothed nor rounded.
///
/// At a step a corner is at the height of the ground onto which the path goes on. `out` has room
/// for as many places as the path has points.
///
/// # Errors
/// When `out` is too short, or when the answer is not a path on this mesh.
pub fn places<'o>(
    query: &NavQuery<'_>,
    path: &NavPath<'_>,
    out: &'o mut [NavPoint],
) -> Result<Finished<'o>, FinishError> {
    let places = path_places(query, path)?;
    let mut line = Line::new(*query, out, path.points.len())?;
    for place in places {
        line.put(place?);
    }
    Ok(line.finished(0))
}
