//! The in-memory layout of a navigation mesh: slices of fixed-width records that searches read.
//!
//! - [`mod@record`]: fixed-width little-endian records, read in place from bytes at any address;
//! - [`PolyMesh`]: polygons and their edges, and what is derived from them once:
//!   [`pivots`], [`blocks`], location [`cells`];
//! - [`Pieces`]: what replaces polygons that change while a program runs;
//! - [`detail`]: height triangles, for ground that the corners of a polygon do not describe;
//! - [`fan`]: the height of a polygon by its corners alone;
//! - [`Obstacle`]: what takes ground while a program runs, and [`Taken`], the cells that it takes;
//! - [`math`]: square roots, lengths and rounding, the same on every machine.
//!
//! The layout is read-only and borrowed: from a file in place, or from a buffer that was decoded
//! once. All threads share it. The feature `alloc` adds the code that derives it from plain
//! polygons; reading needs neither `std` nor `alloc`. `std` or `libm` add [`math`].
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod around;
pub mod blocks;
pub mod cells;
mod corner;
pub mod detail;
pub mod fan;
mod link;
#[cfg(any(feature = "std", feature = "libm"))]
pub mod math;
#[cfg(any(feature = "std", feature = "libm"))]
mod obstacle;
mod pieces;
pub mod pivots;
mod poly_mesh;
pub mod record;
#[cfg(feature = "alloc")]
mod taken;

pub use around::is_between;
pub use corner::Corner;
#[cfg(feature = "alloc")]
pub use corner::corners;
#[cfg(feature = "alloc")]
pub use link::link_starts;
pub use link::{LinkStart, LinkStarts};
#[cfg(any(feature = "std", feature = "libm"))]
pub use obstacle::{MOST_CORNERS, Obstacle, ObstacleError, Outline};
pub use pieces::Pieces;
pub use poly_mesh::{
    Border, CORNER, Edge, GONE, HalfEdge, MOST_EDGES, NONE, OWN, PolyMesh, Polygon, WIDE,
};
#[cfg(feature = "alloc")]
pub use taken::Taken;
