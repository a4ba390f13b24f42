//! Tables for units that turn, built once, before the game runs: [`build`] gives a [`Vehicle`] its [`Tables`].
//!
//! - `edges`: the curves of the lattice and the tiles that they sweep;
//! - `reduce`: which of them searches can do without;
//! - `distances`, `bound`: how far it is over open ground, and over free tiles at least;
//! - `build`: the order of things.
//!
//! Curves and sweeps are those of `navbake_search::turning`, which the game follows. Nothing that libraries of a platform compute differently decides
//! a byte, and threads do not either: results are collected in the order of what they are for.
#![forbid(unsafe_code)]

mod bound;
mod build;
mod distances;
pub mod edges;
mod mask;
mod pack;
mod reduce;
mod vehicle;

pub use bound::Bound;
pub use build::{Tables, build};
pub use distances::{Distances, NO_WAY};
pub use mask::Mask;
pub use pack::Packed;
pub use vehicle::{MOST_RINGS, Reverse, UNITS, Vehicle, VehicleError};
