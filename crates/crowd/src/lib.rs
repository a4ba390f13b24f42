//! Crowds on a baked navmesh: many units that avoid each other and the walls.
//!
//! A [`Crowd`] moves its units by one time step a call. Each unit wants to go along its path, as
//! its [`Steering`](navbake_finish::Steering) says; takes the velocity nearest to that which avoids
//! the others and the walls, by optimal reciprocal collision avoidance (van den Berg, Guy, Lin and
//! Manocha, *Reciprocal n-body collision avoidance*, 2011); and moves over the ground with
//! [`NavQuery::move_along`](navbake_search::NavQuery::move_along). So no unit leaves the navmesh,
//! whatever the others do.
//!
//! ```
//! # let bytes = navbake_testkit::level();
//! use navbake_crowd::{Body, Crowd, State};
//! use navbake_search::{NavMeshBuf, NavQuery, Scratch};
//!
//! let nav = NavMeshBuf::open_for(&bytes, "default")?; // a floor of 10 m by 9 m
//! let query = NavQuery::new(nav.mesh());
//! let mut scratch = Scratch::new();
//!
//! // Two units that change places.
//! let ends = [[1.0, 0.0, 2.0], [8.0, 0.0, 2.0]].map(|p| query.locate(p, 1.0).expect("ground"));
//! let mut crowd = Crowd::new(0.1); // steps of 0.1 s
//! let body = Body::new(0.3, 1.5, 8.0); // 0.3 m, 1.5 m/s, 8 m/s2
//! let units = [0, 1].map(|k| crowd.add(&query, ends[k], body).expect("a sound body"));
//! crowd.go(units[0], &[ends[0], ends[1]])?; // straight on: else the places of a path
//! crowd.go(units[1], &[ends[1], ends[0]])?;
//! for _ in 0..100 {
//!     crowd.step(&query, &mut scratch);
//!     let [a, b] = units.map(|id| crowd.place(id).expect("a unit").position());
//!     assert!((a[0] - b[0]).hypot(a[2] - b[2]) > 0.599);
//! }
//! assert!(units.iter().all(|&id| crowd.state(id) == Some(State::Arrived)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Guarantees
//!
//! - Units are on the navmesh after every step.
//! - The result does not depend on the order of the units, to the bit, nor on the machine: all
//!   choices follow from what units are and where, and arithmetic is exact or correctly rounded.
//! - A step allocates nothing once the crowd's and the scratch's lists have grown.
//!
//! Features: `std` (default) takes square roots from the standard library, `libm` from the crate
//! libm on bare targets.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

#[cfg(not(any(feature = "std", feature = "libm")))]
compile_error!(
    "navbake-crowd needs a square root: enable the feature `std`, or `libm` on bare targets"
);

mod avoid;
mod cells;
mod crowd;
mod error;
mod field;
mod program;
mod unit;
mod walls;

pub use crowd::{Crowd, UnitId};
pub use error::Error;
pub use field::{Field, Next};
pub use unit::{Body, State};
